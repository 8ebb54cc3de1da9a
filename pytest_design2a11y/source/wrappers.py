"""Tags that models wrap a page in, and the files in them."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from pytest_design2a11y.source.json_answers import in_json
from pytest_design2a11y.source.parts import AnswerFile, file_name

_WRAPPER = (
    rb"(?:\w{1,20}:)?(?:answer|final_answer|final|response|result|html_code|generated_html|document|"
    rb"antartifact|artifact|boltartifact|boltaction|file|"
    rb"tool_call|tool_use|function_call|function_calls|function|invoke|parameter|arguments)"
)
_OPENING = rb"<(%b)((?:\s[^<>]{0,500})?)>" % _WRAPPER
_WRAPPED = re.compile(rb"(?is)[^<`]{0,20000}+" + _OPENING)
_ELEMENT = re.compile(rb"(?is)%b(?=((?:(?!<%b[\s>]).)*?)(?:</\1\s*>|\Z))" % (_OPENING, _WRAPPER))
_ATTRIBUTE = re.compile(rb"(?i)\b(?:filepath|path|filename|identifier|name|title)\s*=\s*[\"']([^\"']*)[\"']")
_CDATA = re.compile(rb"(?s)\s*<!\[CDATA\[(.*)\]\]>\s*\Z")
_ESCAPED_START = re.compile(rb"(?i)\s*&lt;(?:!doctype|html)\b")


def in_tags(answer: bytes, is_page: Callable[[bytes], bool]) -> tuple[str, list[AnswerFile]] | None:
    """Return the first tag around an answer and the files in all tags; None if there is no wrapper."""
    opening = _WRAPPED.match(answer)
    if opening is None:
        return None
    wrapper = f"<{opening.group(1).decode('utf-8', 'replace')}>"
    parts: list[AnswerFile] = []
    path: str | None = None
    for element in _ELEMENT.finditer(answer, opening.start(1) - 1):
        content = element.group(3)
        if found := _CDATA.match(content):
            content = found.group(1)
        if _ESCAPED_START.match(content):
            content = html.unescape(content.decode("utf-8", "replace")).encode()
        named = _ATTRIBUTE.search(element.group(2))
        name = file_name(named.group(1).decode("utf-8", "replace")) if named else None
        if written := file_name(content[:300].decode("utf-8", "replace")):
            # A parameter that is a path names the file whose content follows.
            path = written
        elif content.strip()[:1] == b"{" and not name:
            parts += in_json(content, is_page)
        elif is_page(content) or name or path:
            parts.append(AnswerFile(name or path, "", content))
            path = None
    return wrapper, parts
