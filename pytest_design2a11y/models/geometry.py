"""Boxes and colours as plain numbers, and when text counts as seen."""

from __future__ import annotations

import re

Box = tuple[float, float, float, float]
"""(x, y, width, height): page pixels in captures, fractions of the page in blocks."""

Color = tuple[int, int, int]
"""(red, green, blue), each 0..255, sRGB."""

#: Levels of 255 by which text that is seen differs in colour from what is around it: 3 % of black on white.
LEAST_CONTRAST = 8.0

# Text this long (px) of which less than this share is inked is covered, but for its tips.
_WORD_LENGTH = 40
_LEAST_SHARE = 0.1


def clipped(box: Box, limits: Box) -> Box | None:
    """Return the part of a box that lies inside another one, or None where they do not overlap."""
    left, top = max(box[0], limits[0]), max(box[1], limits[1])
    right = min(box[0] + box[2], limits[0] + limits[2])
    bottom = min(box[1] + box[3], limits[1] + limits[3])
    return (left, top, right - left, bottom - top) if right > left and bottom > top else None


def is_inside(one: Box, other: Box) -> bool:
    """Return whether the centre of a box lies inside another one."""
    x, y = one[0] + one[2] / 2, one[1] + one[3] / 2
    return other[0] <= x <= other[0] + other[2] and other[1] <= y <= other[1] + other[3]


def area(box: Box) -> float:
    """Return a box's width times its height."""
    return box[2] * box[3]


def hex_color(color: Color) -> str:
    """Write a colour as `#rrggbb`; blocks in one place may have a mean, which is rounded."""
    return "#" + "".join(f"{round(channel):02x}" for channel in color)


def color_of_hex(text: str) -> Color | None:
    """Read a colour written as `#rrggbb`; None for anything else."""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", text):
        return None
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def contrast(first: Color, second: Color) -> float:
    """Return the contrast ratio of two sRGB colours, 1..21, as WCAG 2 defines it."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: Color) -> float:
    linear = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in color)
    )
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def readable_color(color: Color, ground: Color, ratio: float) -> Color | None:
    """Return the colour nearest to a text's, towards black or white, that has this contrast with its ground.

    None where neither black nor white has that contrast, 1..21.
    """
    red, green, blue = color
    for step in range(256):
        for end in (0, 255):
            share = step / 255
            mixed = (
                round(red + (end - red) * share),
                round(green + (end - green) * share),
                round(blue + (end - blue) * share),
            )
            if contrast(mixed, ground) >= ratio:
                return mixed
    return None


def is_but_tips(inked: int, length: int) -> bool:
    """Tell whether a text so long is covered but for its tips: pixels along its lines."""
    return length >= _WORD_LENGTH and inked < _LEAST_SHARE * length
