"""Answers in JSON: a page among the values, an API's reply as it came, or the pieces of a stream."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from pytest_design2a11y.source.code_blocks import PAGE_END, PAGE_START
from pytest_design2a11y.source.parts import AnswerFile, file_name

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
        own = next(filter(None, names), None)
        kinds = _kinds(value)
        for key, inner in value.items():
            if not _NO_ANSWER.match(str(key)):
                named = own if isinstance(inner, str) else name
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
    for place, text in enumerate(texts):
        groups.setdefault(place if text.name else text.keys, []).append(text)
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
    starts = [place for place, content in enumerate(contents) if PAGE_START.search(content)]
    if any(PAGE_END.search(contents[place]) for place in starts) or starts[:1] == [len(group) - 1]:
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
