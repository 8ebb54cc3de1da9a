"""SVG pictures that style sheets inside of them animate: no page can stop these, nor can its capture.

Those that are served stand still (see `stilled`). Animation by SMIL elements does so in every picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote
from xml.etree import ElementTree

#: What content that moves by itself is called in an error.
MOVING_PICTURE = "animated picture"

_MOVES = re.compile(r"keyframes|starting-style|transition|\\", re.IGNORECASE)
# What wins over the rule below, or brings a sheet that is not read here.
_OVERRULES = re.compile(r"\\|@import|!\s*important", re.IGNORECASE)
_PACKED = re.compile(r"data:[^,]*(?:svg|css|html|xml)", re.IGNORECASE)
_MENTIONED = re.compile(r"keyframes|starting-style|base64", re.IGNORECASE)
_SHEET_BEFORE = re.compile(rb"<\?xml-stylesheet", re.IGNORECASE)
_END = re.compile(rb"</svg\s*>\s*\Z")

# Finite animations are at their end; endless ones, if their length divides this time, at their beginning.
_STANDS = (
    b"<style>:is(#a#a#a#a, *) { animation-delay: -3600000s !important;"
    b" animation-play-state: paused !important; transition: none !important }</style>"
)


def stilled(svg: bytes) -> bytes | None:
    """Return a picture that stands still in place of one that may move; None where none can be made of it."""
    try:
        root = ElementTree.fromstring(svg)
    except (ElementTree.ParseError, ValueError, LookupError):
        return svg  # nor does the browser show it
    sheets, values = "".join(_sheets(root)), list(_values(root))
    brings_more = any(_brings_picture(value) for value in (*values, sheets)) or _SHEET_BEFORE.search(svg)
    if not brings_more and not _MOVES.search(sheets) and "@import" not in sheets.lower():
        return svg
    end = _END.search(svg)
    if brings_more or end is None or any(_OVERRULES.search(text) for text in (sheets, *values)):
        return None
    return svg[: end.start()] + _STANDS + svg[end.start() :]


def mentions_moving(content: bytes) -> bool:
    """Tell whether a document, style sheet or script may hold a picture in a `data:` address that moves."""
    return b"image/svg" in content and _brings_picture(content.decode("utf-8", "replace"))


def _brings_picture(text: str) -> bool:
    return _PACKED.search(text) is not None and _MENTIONED.search(unquote(text)) is not None


def _sheets(root: ElementTree.Element) -> Iterator[str]:
    for element in root.iter():
        if element.tag.rpartition("}")[2].lower() == "style":
            yield from element.itertext()


def _values(root: ElementTree.Element) -> Iterator[str]:
    for element in root.iter():
        yield from element.attrib.values()
