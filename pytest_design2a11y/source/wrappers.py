"""Formats that models wrap a page in (tags, tool calls, JSON), and the files in them."""

from __future__ import annotations

import html
import json
import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from pytest_design2a11y.source.site import local_references

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
_NAME_KEYS = ("path", "file_path", "filePath", "filename", "file_name", "fileName", "name", "file")
_PAGE_KEYS = frozenset(
    {
        *("html", "content", "contents", "code", "page", "body", "source", "answer", "file_text", "text"),
        *("output", "result", "response", "index"),
    }
)
_WHOLE_PAGE = re.compile(rb"(?i)\s*<(?:!doctype\s+html|html[\s>])")
_DEEPEST = 12
_MOST_VALUES = 1000
_BLANK = re.compile(r"[\s,]*")
#: Words, but no markup and no fence, and then JSON on a line of its own; a string only at the very start.
_BARE_JSON = re.compile(rb'(?:\xef\xbb\xbf)?(?:\s*(?=["{\[])|(?:[^<`\n]*\n){1,40}?[ \t]*(?=[{\[]\s*["{\[]))')


def in_tags(answer: bytes, is_page: Callable[[bytes], bool]) -> tuple[str, list[Part]] | None:
    """Return the first tag around an answer and the files in all tags; None if there is no wrapper."""
    opening = _WRAPPED.match(answer)
    if opening is None:
        return None
    wrapper = f"<{opening.group(1).decode('utf-8', 'replace')}>"
    parts: list[Part] = []
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
            parts.append(Part(name or path, "", content))
            path = None
    return wrapper, parts


def in_json(content: bytes, is_page: Callable[[bytes], bool]) -> tuple[Part, ...]:
    """Return the files among the values of a JSON text; empty if it is not valid."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return ()
    return tuple(_parts_of(value, "", is_page, 0))


def in_bare_json(answer: bytes, is_page: Callable[[bytes], bool]) -> tuple[Part, ...]:
    """Return the files in JSON that stands in an answer as it is, one value or several, also after words."""
    opening = _BARE_JSON.match(answer)
    if opening is None:
        return ()
    text, position = answer[opening.end() :].decode("utf-8", "replace"), 0
    decoder, parts = json.JSONDecoder(strict=False), list[Part]()
    for _ in range(_MOST_VALUES):
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        parts += _parts_of(value, "answer", is_page, 0)
        position = _BLANK.match(text, end).end()  # type: ignore[union-attr]  # It matches nothing, too
    return tuple(parts) if any(is_page(part.content) for part in parts) else ()


def _parts_of(value: Any, key: str, is_page: Callable[[bytes], bool], depth: int) -> Iterator[Part]:
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        names = (file_name(value[key]) for key in _NAME_KEYS if isinstance(value.get(key), str))
        name = next(filter(None, names), None)
        for inner, content in value.items():
            for part in _parts_of(content, str(inner), is_page, depth + 1):
                is_unnamed = isinstance(content, str) and part.name is None
                yield part._replace(name=name) if is_unnamed and name else part
    elif isinstance(value, list):
        for item in value:
            yield from _parts_of(item, key, is_page, depth + 1)
    elif isinstance(value, str):
        yield from _parts_of_text(value, key, is_page, depth)


def _parts_of_text(text: str, key: str, is_page: Callable[[bytes], bool], depth: int) -> Iterator[Part]:
    content = text.encode("utf-8", "surrogatepass")
    name, language = file_name(key), key.lower()
    if name or language in ("css", "js", "javascript", "styles", "script"):
        language = {"styles": "css", "script": "js"}.get(language, language)
        yield Part(name, "" if name else language, content)
    elif (language in _PAGE_KEYS and is_page(content)) or _WHOLE_PAGE.match(content):
        yield Part(None, "html", content)
    elif language in _PAGE_KEYS | {"arguments", "input"} and content.lstrip()[:1] == b"{":
        try:
            yield from _parts_of(json.loads(text), key, is_page, depth + 1)
        except (ValueError, RecursionError):
            return
    elif language in ("content", "contents", "code", "file_text") and not is_page(content):
        yield Part(None, "content", content)


_FILE_NAME = re.compile(r"[\w.@/-]{1,200}\.(?:html?|css|m?js|json|svg|txt|csv|xml|webmanifest)\Z")
_SUFFIXES = {"css": (".css",), "js": (".js", ".mjs"), "javascript": (".js", ".mjs"), "json": (".json",)}


class Part(NamedTuple):
    """A file in an answer: its path and its lower-cased language, as far as the answer gives them."""

    name: str | None
    language: str
    content: bytes


#: Path in the site, relative to the page's folder, and content.
Files = tuple[tuple[str, bytes], ...]


def file_name(text: str) -> str | None:
    """Return the path in a text; None if it is not a path, or leads out of the folder."""
    name = posixpath.normpath(text.strip().strip("`*\"'").removeprefix("./"))
    is_inside = not name.startswith(("/", "..", "."))
    return name if is_inside and _FILE_NAME.match(name) else None


def files_beside(page: bytes, parts: Sequence[Part]) -> tuple[Files, tuple[Part, ...]]:
    """Return those of the parts that came with a page that it requests, as files, and the parts left over.

    A part with a name is used for requests of that name; one without a name is used for the page's only
    style sheet or script of its kind that has no file.
    """
    wanted = [reference.removeprefix("/").removeprefix("./") for reference in local_references(page)]
    files: dict[str, bytes] = {}
    used: list[Part] = []
    for part in parts:
        own = part.name and posixpath.basename(part.name)
        names = [name for name in wanted if name == part.name]
        names = names or [name for name in wanted if posixpath.basename(name) == own]
        files.update(dict.fromkeys(names, part.content))
        used += [part] if names else []
    for suffixes in sorted(set(_SUFFIXES.values())):
        left = [name for name in wanted if name.endswith(suffixes) and name not in files]
        unnamed = [part for part in parts if part.name is None and _SUFFIXES.get(part.language) == suffixes]
        if left and len(left) == len(unnamed):
            files.update(zip(left, (part.content for part in unnamed), strict=True))
            used += unnamed
    if not used:
        return (), tuple(parts)
    # Files that the page's scripts load by name are included too.
    files.update((part.name, part.content) for part in parts if part.name and part.name not in files)
    unused = tuple(part for part in parts if part not in used and part.name is None)
    return tuple(sorted(files.items())), unused
