"""The mirrored twin of a page: from right to left, with the sides of its style sheets exchanged."""

from __future__ import annotations

import re

_SIDES = re.compile(r"\b(left|right)\b")
_VALUE = r"([^\s;}\"'()]+)"
_FOUR = re.compile(
    rf"((?:margin|padding|inset|border-(?:width|color|style))\s*:\s*){_VALUE} {_VALUE} {_VALUE} {_VALUE}"
)
_CORNERS = re.compile(rf"(border-radius\s*:\s*){_VALUE} {_VALUE} {_VALUE} {_VALUE}")
_TURNS = re.compile(r"((?:translateX?|rotate)\()(-?)")
_GRADIENT = re.compile(r"(linear-gradient\()(\d+)deg")
_STYLES = re.compile(r"(?<=<style>)[^<]*|(?<=style=)(?:\"[^\"]*\"|'[^']*'|[^\s>\"']+)")


def mirrored(html: str) -> str:
    """Return a page whose text runs from right to left; drawings are left as they are."""
    written = _STYLES.sub(lambda found: _mirrored_style(found[0]), html)
    return written.replace("<html", "<html dir=rtl", 1).replace("<svg", "<svg direction=ltr")


def _mirrored_style(style: str) -> str:
    style = _SIDES.sub(lambda found: "left" if found[1] == "right" else "right", style)
    style = _CORNERS.sub(r"\1\3 \2 \5 \4", _FOUR.sub(r"\1\2 \5 \4 \3", style))
    style = _TURNS.sub(lambda found: found[1] + ("" if found[2] else "-"), style)
    return _GRADIENT.sub(lambda found: f"{found[1]}{360 - int(found[2])}deg", style)
