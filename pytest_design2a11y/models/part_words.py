"""Parts of drawings in words: their colors by name, and what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from colorsys import rgb_to_hls
from typing import Any

from pytest_design2a11y.models.geometry import Color, color_of_hex
from pytest_design2a11y.wording import counted

#: Chroma up to which a color is a gray; lightness up to which it is black, dark; from which light, white.
_GRAY, _BLACK, _DARK, _LIGHT, _WHITE = 0.08, 0.12, 0.3, 0.7, 0.96
#: The names of hues, by the degree at which each ends.
_HUES = (
    *((15, "red"), (42, "orange"), (66, "yellow"), (165, "green"), (200, "teal")),
    *((258, "blue"), (295, "violet"), (340, "pink"), (360, "red")),
)
#: Names of kinds of parts; px up to which a circle is a dot.
_NAMES = {
    "symbol": "mark",
    "shape": "shape",
    "picture": "picture",
    "box": "box",
    "ring": "ring",
    "line": "line",
}
_DOT = 16


def color_name(color: Color) -> str:
    """Return a color as people call it: "red", "light blue", "dark gray"."""
    hue, lightness, _ = rgb_to_hls(*(level / 255 for level in color))
    chroma = (max(color) - min(color)) / 255
    if lightness <= _BLACK or lightness >= _WHITE:
        return "black" if lightness <= _BLACK else "white"
    shade = "dark " if lightness <= _DARK else "light " if lightness >= _LIGHT else ""
    if chroma <= _GRAY:
        return f"{shade}gray"
    return shade + next(name for end, name in _HUES if hue * 360 <= end)


def part_name(side: Mapping[str, Any]) -> str:
    """Return the name of a part of a drawing, from its facts: 'red line of 420 px in picture "Route"'."""
    within = f"in {side['within']}"
    if number := side.get("number"):
        return f"{side['name']} {number[0]} of {number[1]} {within}"
    left, top, width, height = side["box"]
    if several := side.get("several"):
        return f"{several} shapes at {left}, {top} {within}"
    color = color_of_hex(str(side.get("fill", "")))
    hue = f"{color_name(color)} " if color else ""
    if label := side.get("label"):
        return f'{hue}{side["name"]} "{label}" {within}'
    size = f"{width} x {height}" if side["name"] in {"box", "shape", "picture"} else f"{max(width, height)}"
    return f"{hue}{side['name']} of {size} px {within}"


def angle(degrees: float) -> str:
    """Return an angle, degrees clockwise, in words: "9° to the left"."""
    return f"{abs(degrees):g}° to the {'right' if degrees > 0 else 'left'}"


def exchanged_colors(sides: Sequence[Mapping[str, Any]]) -> str:
    """Return in words that two parts of a drawing, and maybe more pairs, have each other's color."""
    more = f", and {counted(len(sides) // 2 - 1, 'more pair')}" if len(sides) > 2 else ""
    return (
        f"{' and '.join(map(_short_name, sides[:2]))} in {sides[0]['within']} have each other's color{more}"
    )


def _short_name(side: Mapping[str, Any]) -> str:
    if number := side.get("number"):
        return f"{side['name']} {number[0]} of {number[1]}"
    if label := side.get("label"):
        return f'{side["name"]} "{label}"'
    return "{name} at {box[0]}, {box[1]}".format(**side)


def changed_shape(property: str | None, expected: object, actual: object) -> str:
    """Return how the shape of a part differs: in the share of its length, or in whether it is dashed."""
    if property == "dashes":
        return f"is {actual} instead of {expected}"
    if property == "length" and isinstance(actual, float):
        return f"is {actual:.0%} as long as in the design"
    return "has another shape"


def name_of_part(kind: str, size: tuple[float, float]) -> str:
    """Return the common word for a part of a drawing of a size, px."""
    if kind == "circle":
        return "dot" if max(size) <= _DOT else "circle"
    return _NAMES[kind]
