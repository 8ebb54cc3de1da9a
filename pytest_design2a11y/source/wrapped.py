"""Files in one answer: in JSON, in tags; and those among them that the page requests."""

import html
import json
import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from pytest_design2a11y.source.site import local_references

_FILE_NAME = re.compile(r"[\w.@/-]{1,200}\.(?:html?|css|m?js|json|svg|txt|csv|xml|webmanifest)\Z")
_SUFFIXES = {"css": (".css",), "js": (".js", ".mjs"), "javascript": (".js", ".mjs"), "json": (".json",)}


class AnswerFile(NamedTuple):
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


def files_beside(page: bytes, parts: Sequence[AnswerFile]) -> tuple[Files, tuple[AnswerFile, ...]]:
    """Return those of the parts that came with a page that it requests, as files, and the parts left over.

    A part with a name is used for requests of that name; one without a name is used for the page's only
    style sheet or script of its kind that has no file.
    """
    wanted = [reference.removeprefix("/").removeprefix("./") for reference in local_references(page)]
    files: dict[str, bytes] = {}
    used: list[AnswerFile] = []
    for part in parts:
        file_name = part.name and posixpath.basename(part.name)
        names = [name for name in wanted if name == part.name]
        names = names or [name for name in wanted if posixpath.basename(name) == file_name]
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


_NAME_KEYS = ("path", "file_path", "filePath", "filename", "file_name", "fileName", "name", "file")
_PAGE_KEYS = frozenset(
    {
        *("html", "content", "contents", "code", "page", "body", "source", "answer", "file_text", "text"),
        *("output", "result", "response", "index", "message", "generated_text", "output_text"),
        "completion",
    }
)
#: What a reply holds besides the answer: thoughts, and what the model was asked.
_NO_ANSWER = re.compile(r"(?:think|thought|reason)|(?:user|system|developer|prompt|instructions)\Z")
_WHOLE_PAGE = re.compile(rb"(?i)\s*<(?:!doctype\s+html|html[\s>])")
_DEEPEST = 12
_MOST_VALUES = 100_000
#: Words, but no markup and no fence, and then JSON on a line of its own; a string only at the very start.
_BARE_JSON = re.compile(rb'(?:\xef\xbb\xbf)?(?:\s*(?=["{\[])|(?:[^<`\n]*\n){1,40}?[ \t]*(?=[{\[]\s*["{\[]))')

IsPage = Callable[[bytes], bool]


def in_json(content: bytes, is_page: IsPage) -> tuple[AnswerFile, ...]:
    """Return the files among the values of a JSON text; empty if it is not valid."""
    try:
        return tuple(_parts_of(json.loads(content), "", None, is_page))
    except (ValueError, RecursionError):
        return ()


def in_bare_json(answer: bytes, is_page: IsPage) -> tuple[AnswerFile, ...]:
    """Return the files in JSON that stands in an answer as it is, also after words."""
    opening = _BARE_JSON.match(answer)
    if opening is None:
        return ()
    try:
        text = answer[opening.end() :].decode("utf-8", "replace")
        value, _ = json.JSONDecoder(strict=False).raw_decode(text)
        parts = tuple(_parts_of(value, "answer", None, is_page))
    except (ValueError, RecursionError):
        return ()
    return parts if any(is_page(part.content) for part in parts) else ()


def _parts_of(value: Any, key: str, name: str | None, is_page: IsPage) -> Iterator[AnswerFile]:
    """Yield the files in a value of JSON that has this key, and lies beside this name of a file."""
    if isinstance(value, str):
        yield from _parts_of_text(value, key, name, is_page)
    elif isinstance(value, list):
        for item in value:
            yield from _parts_of(item, key, name, is_page)
    elif isinstance(value, dict) and not _is_no_answer(value):
        names = (file_name(value[key]) for key in _NAME_KEYS if isinstance(value.get(key), str))
        first_name = next(filter(None, names), None)
        for inner_key, inner in value.items():
            if not _NO_ANSWER.match(inner_key):
                named = first_name if isinstance(inner, str) else name
                yield from _parts_of(inner, inner_key, named, is_page)


def _is_no_answer(value: dict[str, Any]) -> bool:
    kinds = (value.get("type"), value.get("role"))
    is_other = any(isinstance(kind, str) and _NO_ANSWER.match(kind) for kind in kinds)
    return is_other or value.get("thought") is True


def _parts_of_text(text: str, key: str, beside: str | None, is_page: IsPage) -> Iterator[AnswerFile]:
    content, name, language = text.encode("utf-8", "surrogatepass"), file_name(key), key.lower()
    if name or language in ("css", "js", "javascript", "styles", "script"):
        language = {"styles": "css", "script": "js"}.get(language, language)
        yield AnswerFile(name or beside, "" if name else language, content)
    elif (language in _PAGE_KEYS and is_page(content)) or _WHOLE_PAGE.match(content):
        yield AnswerFile(beside, "html", content)
    elif language in ("arguments", "input") and text.lstrip()[:1] == "{":
        yield from in_json(content, is_page)  # A tool call, in JSON itself
    elif language in ("content", "contents", "code", "file_text") and not is_page(content):
        yield AnswerFile(beside, "content", content)


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
