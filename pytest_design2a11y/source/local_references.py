"""The files that a page's markup asks for by an address without a host."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import unquote, urljoin, urlsplit

#: Enough to tell where a site's root is.
MAX_REFERENCES = 100

_TAG = re.compile(
    rb"(?i)<(?:link|script|img|image|use|source|video|audio|track|iframe|embed|input|object)\b([^<>]{0,4000}+)>"
)
_ATTRIBUTE = re.compile(
    rb"(?i)(?:^|[\s\"'/])(?:src|href|xlink:href|poster|data|srcset)\s*+="
    rb"\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))"
)
_NAVIGATION = re.compile(rb"(?i)\brel\s*=\s*[\"']?(?:canonical|alternate|next|prev)\b")
_STYLE_URL = re.compile(rb"(?i)\burl\(\s{0,9}+[\"']?([^\"'()<>]{1,500})")
_IMPORT = re.compile(rb"\b(?:from|import)\s{0,9}+\(?\s{0,9}+[\"']((?:\.\.?)?/[^\"'\s]{1,500})[\"']")
_BASE = re.compile(rb"(?i)<base\b[^<>]{0,500}?\bhref\s{0,9}+=\s{0,9}+[\"']?([^\"'\s>]*)")
_HERE = "http://here.invalid"


def local_references(page: bytes) -> tuple[str, ...]:
    """Return the paths, as written and decoded, of files that a page loads from its own site.

    Links that a person follows are left out, as are queries and fragments. `<base>` counts: where it names
    another host, nothing is local; where it names a path, the references are given as absolute paths.
    """
    base = _base_of(page)
    if base is None:
        return ()
    found: dict[str, None] = {}
    for written in _written(page):
        path = _local_path(html.unescape(written.decode("utf-8", "replace")).strip(), base)
        if path:
            found[path] = None
        if len(found) >= MAX_REFERENCES:
            break
    return tuple(found)


def _base_of(page: bytes) -> str | None:
    """Return the path that relative addresses start from; "" without <base>, None for another host."""
    base = _BASE.search(page)
    written = html.unescape(base.group(1).decode("utf-8", "replace")) if base else ""
    try:
        parts = urlsplit(written)
    except ValueError:
        return None
    return None if parts.scheme or parts.netloc else parts.path


def _written(page: bytes) -> Iterator[bytes]:
    for tag in _TAG.finditer(page):
        if _NAVIGATION.search(tag.group(1)):
            continue
        for attribute in _ATTRIBUTE.finditer(tag.group(1)):
            value = attribute.group(1) or attribute.group(2) or attribute.group(3) or b""
            if b"srcset" in attribute.group().lower()[:10]:
                yield from (part.split()[0] for part in value.split(b",") if part.strip())
            else:
                yield value
    for pattern in (_STYLE_URL, _IMPORT):
        yield from (match.group(1) for match in pattern.finditer(page))


def _local_path(written: str, base: str) -> str:
    try:
        parts = urlsplit(written)
    except ValueError:
        return ""
    if parts.scheme or parts.netloc or not parts.path or not written.isprintable():
        return ""
    path = parts.path
    if base.startswith("/"):
        path = urlsplit(urljoin(_HERE + base, path)).path
    elif base:
        path = urljoin(base, path)
    return unquote(path)
