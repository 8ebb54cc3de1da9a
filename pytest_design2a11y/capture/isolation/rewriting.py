"""Files that are changed on their way to a page, as no capture could undo what they do there.

SVG pictures that style sheets inside of them animate stand still (see `stilled`); animation by SMIL elements
does so in every picture. Style sheets that no script may read are to say, after scripts are stopped, what
they said before (see `with_scripts`).
"""

from __future__ import annotations

import re
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


_PRELUDE = re.compile(rb"@(?:media|import)\b[^{;]*", re.IGNORECASE)
_SCRIPTING = re.compile(rb"\(\s*scripting\s*(?::\s*([\w-]+)\s*)?\)", re.IGNORECASE)


def stilled(svg: bytes) -> bytes | None:
    """Return a picture that stands still in place of one that may move; None where none can be made of it."""
    try:
        root = ElementTree.fromstring(svg)
    except (ElementTree.ParseError, ValueError, LookupError):
        return svg  # nor does the browser show it
    values = [value for element in root.iter() for value in element.attrib.values()]
    own = (element for element in root.iter() if element.tag.rpartition("}")[2].lower() == "style")
    sheets = "".join(text for element in own for text in element.itertext())
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


def with_scripts(sheet: bytes) -> bytes:
    """Put in place of each question whether scripts run one that has the answer of when they do."""

    def answer(query: re.Match[bytes]) -> bytes:
        is_true = (query[1] or b"enabled").lower() == b"enabled"
        return b"(min-width: 0px)" if is_true else b"(min-width: 9999999px)"

    return _PRELUDE.sub(lambda prelude: _SCRIPTING.sub(answer, prelude[0]), sheet)
