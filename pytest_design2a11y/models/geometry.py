"""Boxes and colours as plain numbers."""

from __future__ import annotations

Box = tuple[float, float, float, float]
"""(x, y, width, height): page pixels in captures, fractions of the page in blocks."""

Color = tuple[int, int, int]
"""(red, green, blue), each 0..255, sRGB."""


def clipped(box: Box, limits: Box) -> Box | None:
    """Return the part of a box that lies inside another one, or None where they do not overlap."""
    left, top = max(box[0], limits[0]), max(box[1], limits[1])
    right = min(box[0] + box[2], limits[0] + limits[2])
    bottom = min(box[1] + box[3], limits[1] + limits[3])
    return (left, top, right - left, bottom - top) if right > left and bottom > top else None


def area(box: Box) -> float:
    """Return a box's width times its height."""
    return box[2] * box[3]


def hex_color(color: Color) -> str:
    """Write a colour as `#rrggbb`."""
    return "#" + "".join(f"{channel:02x}" for channel in color)
