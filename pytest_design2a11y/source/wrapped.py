"""Files in one answer: in JSON, in a stream, in tags; and those among them that the page requests."""

import html
import json
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from pytest_design2a11y.source.scanning import PAGE_END, PAGE_START
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
        *("output", "result", "response", "index", "message", "delta", "generated_text", "output_text"),
        "completion",
    }
)
_JSON_KEYS = _PAGE_KEYS | {"arguments", "input", "partial_json"}
#: What a reply holds besides the answer: thoughts, and what the model was asked.
_NO_ANSWER = re.compile(
    r"(?:response\.)?(?:think|thought|reason)|(?:user|system|developer|prompt|instructions)\Z"
)
_DOCTYPE = re.compile(rb"(?i)\s*<!doctype[^<>]*>\s*")
_WHOLE_PAGE = re.compile(rb"(?i)\s*<(?:!doctype\s+html|html[\s>])")
_DEEPEST = 12
_MOST_VALUES = 100_000
_BLANK = re.compile(r"[\s,]*")
#: Words, but no markup and no fence, and then JSON on a line of its own; a string only at the very start.
_BARE_JSON = re.compile(rb'(?:\xef\xbb\xbf)?(?:\s*(?=["{\[])|(?:[^<`\n]*\n){1,40}?[ \t]*(?=[{\[]\s*["{\[]))')
#: The lines of a stream of server-sent events.
_EVENTS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:event|data|id|retry)?:")
_DATA = re.compile(rb"(?m)^data:[ \t]*+(?!\[DONE\])(.*)$")

IsPage = Callable[[bytes], bool]


class _ValueText(NamedTuple):
    """A string in JSON, the keys that lead to it (without places in lists), and its file's name, if any."""

    keys: tuple[str, ...]
    text: str
    name: str | None


def in_json(content: bytes, is_page: IsPage) -> tuple[AnswerFile, ...]:
    """Return the files among the values of a JSON text; empty if it is not valid."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return ()
    return tuple(_parts_of([value], (), is_page))


def in_bare_json(answer: bytes, is_page: IsPage) -> tuple[AnswerFile, ...]:
    """Return the files in JSON that stands in an answer as it is, one value or several, also after words."""
    if _EVENTS.match(answer):
        answer = b"\n".join(_DATA.findall(answer))
    opening = _BARE_JSON.match(answer)
    if opening is None:
        return ()
    values = _values(answer[opening.end() :].decode("utf-8", "replace"))
    parts = tuple(_parts_of(values, ("answer",), is_page))
    return parts if any(is_page(part.content) for part in parts) else ()


def _values(text: str) -> Iterator[Any]:
    decoder, position = json.JSONDecoder(strict=False), 0
    for _ in range(_MOST_VALUES):
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            return
        yield value
        position = _BLANK.match(text, end).end()  # type: ignore[union-attr]  # It matches nothing, too


def _parts_of(values: Iterable[Any], keys: tuple[str, ...], is_page: IsPage) -> Iterator[AnswerFile]:
    texts = [text for value in values for text in _texts_of(value, keys, None)]
    for text in _joined(texts):
        yield from _parts_of_text(text, is_page)


def _texts_of(value: Any, keys: tuple[str, ...], name: str | None) -> Iterator[_ValueText]:
    if isinstance(value, str):
        yield _ValueText(keys, value, name)
    elif isinstance(value, list) and len(keys) <= _DEEPEST:
        for item in value:
            yield from _texts_of(item, keys, name)
    elif isinstance(value, dict) and len(keys) <= _DEEPEST and not _is_no_answer(value):
        names = (file_name(value[key]) for key in _NAME_KEYS if isinstance(value.get(key), str))
        first_name = next(filter(None, names), None)
        kinds = _kinds(value)
        for key, inner in value.items():
            if not _NO_ANSWER.match(str(key)):
                named = first_name if isinstance(inner, str) else name
                yield from _texts_of(inner, (*keys, *kinds, str(key)), named)


def _is_no_answer(value: dict[str, Any]) -> bool:
    kinds = (value.get("type"), value.get("role"))
    is_other = any(isinstance(kind, str) and _NO_ANSWER.match(kind) for kind in kinds)
    return is_other or value.get("thought") is True


def _kinds(value: dict[str, Any]) -> tuple[str, ...]:
    """Return what tells a value from its neighbors in a list: its type, its number, that it is a piece."""
    kind, index = value.get("type"), value.get("index")
    marks = (kind if isinstance(kind, str) else "", str(index) if isinstance(index, int) else "")
    return tuple(filter(None, (*marks, "delta" if value.get("done") is False else "")))


def _joined(texts: list[_ValueText]) -> Iterator[_ValueText]:
    """Yield texts, with those that are pieces of one page put together."""
    groups: dict[object, list[_ValueText]] = {}
    for index, text in enumerate(texts):
        groups.setdefault(index if text.name else text.keys, []).append(text)
    for group in groups.values():
        if len(group) > 1 and _are_pieces(group):
            are_lines = not (_is_stream(group) or any("\n" in text.text for text in group))
            yield group[0]._replace(text=("\n" if are_lines else "").join(text.text for text in group))
        else:
            yield from group


def _is_stream(group: list[_ValueText]) -> bool:
    return any("delta" in key for key in group[0].keys)


def _are_pieces(group: list[_ValueText]) -> bool:
    if _is_stream(group):
        return True
    contents = [_encoded(text.text) for text in group]
    if _DOCTYPE.fullmatch(contents[0]):  # A line of its own: the page starts in the next one.
        contents = [contents[0] + contents[1], *contents[2:]]
    starts = [index for index, content in enumerate(contents) if PAGE_START.search(content)]
    if any(PAGE_END.search(contents[index]) for index in starts) or starts[:1] == [len(group) - 1]:
        return False
    return len(starts) < 2 and PAGE_START.search(b"".join(contents)) is not None


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _parts_of_text(text: _ValueText, is_page: IsPage) -> Iterator[AnswerFile]:
    content, key = _encoded(text.text), text.keys[-1] if text.keys else ""
    name, language = file_name(key), key.lower()
    if name or language in ("css", "js", "javascript", "styles", "script"):
        language = {"styles": "css", "script": "js"}.get(language, language)
        yield AnswerFile(name or text.name, "" if name else language, content)
    elif (language in _PAGE_KEYS and is_page(content)) or _WHOLE_PAGE.match(content):
        yield AnswerFile(text.name, "html", content)
    elif language in _JSON_KEYS and content.lstrip()[:1] == b"{" and len(text.keys) <= _DEEPEST:
        try:
            yield from _parts_of([json.loads(text.text)], text.keys, is_page)
        except (ValueError, RecursionError):
            return
    elif language in ("content", "contents", "code", "file_text") and not is_page(content):
        yield AnswerFile(text.name, "content", content)


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
