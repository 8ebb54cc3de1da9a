"""What a text node of a Figma document shows: its characters by the colour that they are painted in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from pytest_design2a11y.models.geometry import Color

Node = Mapping[str, Any]

_CASES = {"UPPER": str.upper, "LOWER": str.lower}


class Paint(NamedTuple):
    """What text is painted with: its colour (None: several), and how opaque, above 0 and up to 1."""

    color: Color | None
    opacity: float


def texts_by_paint(node: Node) -> list[tuple[str, Paint]]:
    """Return the characters of a text node by their paint, each paint once, in order of its first character.

    Words in another colour are an element of their own in a page, such as a link; bold ones in the same
    colour cannot be told apart in a picture, and stay with the rest.
    """
    parts: dict[Paint, list[str]] = {}
    for style, characters in _stretches(node):
        paint = paint_of(style.get("fills", node.get("fills", ())))
        text = " ".join(_CASES.get(style.get("textCase", "ORIGINAL"), str)(characters).split())
        if paint is not None and text:
            parts.setdefault(paint, []).append(text)
    return [(" ".join(texts), paint) for paint, texts in parts.items()]


def _stretches(node: Node) -> Iterator[tuple[Node, str]]:
    """Return stretches of characters that have one style; what an override leaves out is the node's own."""
    base: Node = node.get("style", {})
    table: Mapping[str, Node] = node.get("styleOverrideTable", {})
    # Figma counts characters as JavaScript does, in UTF-16.
    units = node["characters"].encode("utf-16-le", "surrogatepass")
    numbers = list(node.get("characterStyleOverrides", ()))
    numbers += [0] * (len(units) // 2 - len(numbers))
    place = 0
    for number, same in groupby(numbers[: len(units) // 2]):
        end = place + 2 * len(list(same))
        own = table.get(str(number), {}) if number else {}
        style = {**{key: base[key] for key in ("textCase",) if key in base}, **own}
        yield style, units[place:end].decode("utf-16-le", "replace")
        place = end


def paint_of(fills: Sequence[Node]) -> Paint | None:
    """Return what fills come to, the first at the bottom; None where nothing of them is seen."""
    channels: tuple[float, ...] = (0.0, 0.0, 0.0)
    opacity, is_single = 0.0, True
    for fill in fills:
        strength = _strength(fill)
        if strength <= 0:
            continue
        below = opacity * (1 - strength)
        opacity = strength + below
        is_solid = fill["type"] == "SOLID"
        is_single = is_solid and (is_single or strength >= 1)
        if is_solid:
            color = fill["color"]
            channels = tuple(
                (strength * color[name] + below * under) / opacity
                for name, under in zip("rgb", channels, strict=True)
            )
    if opacity <= 0:
        return None
    red, green, blue = (min(255, max(0, round(255 * channel))) for channel in channels)
    return Paint((red, green, blue) if is_single else None, round(opacity, 4))


def _strength(fill: Node) -> float:
    """Return how opaque a fill is where it is most opaque, 0..1."""
    if fill.get("visible") is False:
        return 0.0
    stops = fill.get("gradientStops")
    colors = [stop["color"] for stop in stops] if stops else [fill.get("color", {})]
    return float(fill.get("opacity", 1.0)) * max(float(color.get("a", 1.0)) for color in colors)
