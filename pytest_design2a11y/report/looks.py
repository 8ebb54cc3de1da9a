"""Texts and elements of a design in words: whole, with all that one needs to know to make them.

No colours are given by which the contrast of a text falls below what WCAG asks of text. Places are those of
top left corners.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.geometry import color_of_hex, hex_color, readable_colors
from pytest_design2a11y.models.words import place

#: What WCAG 2 asks of text, and of large text: so many px, or so many where it is bold.
LEAST_CONTRAST, _LEAST_OF_LARGE = 4.5, 3.0
_LARGE, _LARGE_BOLD, _BOLD = 24.0, 18.67, 700

#: Texts are given whole: longer ones are no texts of a page.
LONGEST_TEXT = 4000

Side = Mapping[str, Any]


def text_told(side: Side) -> str:
    """Return a text of the design: its words, where it is, and what it is written in."""
    return f"{in_lines(side)} {place(side)}, {size(side)}: {written(side)}"


def in_lines(side: Side) -> str:
    r"""Return the words of a text in quotation marks, with `\n` where a line ends before it is full."""
    lines = (sanitize(line, limit=LONGEST_TEXT) for line in side.get("lines") or [str(side["text"])])
    return '"{}"'.format("\\n".join(lines))


def written(side: Side) -> str:
    """Return what a text is written in: size, lines, family, weight, colour and ground; then its parts."""
    lines = [f"lines {side['line_height']:g} px apart"] if side.get("line_height") else []
    lines += [str(side["align"])] if side.get("align") else []
    font = _font_told(side)
    color, ground = readable(side)
    told = f"{color or side.get('color')} on {ground or side.get('ground')}"
    parts = [f"{quoted(part['text'])} {' '.join(_part_told(part, side))}" for part in side.get("parts", ())]
    return ", ".join([*font[:1], *lines, *font[1:], told, *parts])


def _font_told(side: Side) -> list[str]:
    told = [f"{side['font_size']:g} px"] if side.get("font_size") else []
    told += [str(side["family"])] if side.get("family") else []
    told += [f"weight {side['weight']}"] if side.get("weight") else []
    return told + (["italic"] if side.get("is_italic") else [])


def _part_told(part: Side, side: Side) -> list[str]:
    told = [*_font_told(part), *(["not italic"] if part.get("is_italic") is False else [])]
    color, _ = readable({**side, **part})
    return told + ([color] if color and "color" in part else [])


def look(side: Side) -> str:
    """Return fill, border, radius and shadow of an element, its state and what it holds."""
    if side.get("name") in {"picture", "icon"}:
        parts = [f"mostly {side['fill']}"] if side.get("fill") else []
        parts += [f"drawn as {'/'.join(side['rows'])} on {side['ground']}"] if side.get("rows") else []
    elif side.get("name") == "line":
        parts = [str(side.get("fill"))]
    else:
        parts = [f"fill {fill(side)}"] if side.get("has_fill") else ["no fill of its own"]
        parts += [f"border {side.get('border', '')}".strip()] if side.get("has_border") else []
    parts += [f"corners of {side['radius']:g} px"] if side.get("radius") else []
    parts += ["a shadow"] if side.get("has_shadow") else []
    parts += [f"{name} {quoted(side[name])}" for name in ("value", "placeholder") if side.get(name)]
    parts += [str(state) for state in side.get("states", ())]
    return ", ".join(parts)


def fill(side: Side) -> str:
    """Return the colour of an element, or the colours of its gradient."""
    return f"gradient {' to '.join(side['fills'])}" if side.get("fills") else str(side.get("fill"))


def size(side: Side) -> str:
    """Return width and height."""
    *_, width, height = side["box"]
    return f"{round(width)} x {round(height)} px"


def readable(side: Side) -> tuple[str | None, str | None]:
    """Return the colours of a text and its ground, or the nearest that can be read; None without a ground."""
    color, ground = (color_of_hex(str(side.get(name, ""))) for name in ("color", "ground"))
    if color is None or ground is None:
        return None, None
    font_size, weight = side.get("font_size") or 0.0, side.get("weight") or 0
    is_large = font_size >= _LARGE or (font_size >= _LARGE_BOLD and weight >= _BOLD)
    text, below = readable_colors(color, ground, _LEAST_OF_LARGE if is_large else LEAST_CONTRAST)
    return hex_color(text), hex_color(below)


def quoted(text: object, *, limit: int = LONGEST_TEXT) -> str:
    """Return a text of a page in quotation marks, whole."""
    return f'"{sanitize(str(text), limit=limit)}"'
