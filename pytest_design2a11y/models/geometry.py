"""Boxes and colors as plain numbers, and when text counts as visible."""

import re
from collections.abc import Collection, Sequence

from pytest_design2a11y.models.records import Amount, Number

Box = tuple[Number, Number, Number, Number]
"""(x, y, width, height): page pixels in captures, fractions of the page in blocks."""

Color = tuple[int, int, int]
"""(red, green, blue), each 0..255, sRGB."""

MeanColor = tuple[Amount, Amount, Amount]
"""The same for a mean, which has fractions."""

#: Least color difference (levels of 255) between visible text and its surroundings: 3 % of black on white.
LEAST_CONTRAST = 8.0

# A background may change by at most this many of 255 steps for the contrast of a text.
_MOST_STEPS = 32

# Text at least this long (px) counts as covered, except for its tips, below this share of ink.
_WORD_LENGTH = 40
_LEAST_SHARE = 0.1
# Texts on one line are separate if they are this far apart, in line heights.
_APART = 1.5


def clipped(box: Box, limits: Box) -> Box | None:
    """Return the part of a box that lies inside another, or None if they do not overlap."""
    left, top = max(box[0], limits[0]), max(box[1], limits[1])
    right = min(box[0] + box[2], limits[0] + limits[2])
    bottom = min(box[1] + box[3], limits[1] + limits[3])
    return (left, top, right - left, bottom - top) if right > left and bottom > top else None


def moved(box: Sequence[float], offset: Sequence[float]) -> Box:
    """Return a box at another place."""
    x, y, width, height = box
    return x + offset[0], y + offset[1], width, height


def grown(box: Box, margin: float) -> Box:
    """Return a box with a margin on every side."""
    return box[0] - margin, box[1] - margin, box[2] + 2 * margin, box[3] + 2 * margin


def box_around(boxes: Collection[Box]) -> Box:
    """Return the smallest box that holds all of these."""
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    return left, top, right - left, bottom - top


def is_inside(box: Box, other: Box) -> bool:
    """Return whether the center of a box lies inside another one."""
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    return other[0] <= x <= other[0] + other[2] and other[1] <= y <= other[1] + other[3]


def stands_apart(before: Box, box: Box) -> bool:
    """Return whether a box is on the line of another, but too far aside to be read with it."""
    common = min(before[1] + before[3], box[1] + box[3]) - max(before[1], box[1])
    aside = max(box[0] - before[0] - before[2], before[0] - box[0] - box[2])
    # The boxes of lines below each other may overlap.
    return 2 * common > min(before[3], box[3]) and aside > _APART * max(before[3], box[3])


def area(box: Box) -> float:
    """Return a box's width times its height."""
    return box[2] * box[3]


def hex_color(color: MeanColor) -> str:
    """Write a color as `#rrggbb`; a block's color may be a mean, which is rounded."""
    return "#" + "".join(f"{round(channel):02x}" for channel in color)


def color_of_hex(text: str) -> Color | None:
    """Read a color written as `#rrggbb`; None for anything else."""
    is_color = re.fullmatch(r"#[0-9a-fA-F]{6}", text)
    return (int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)) if is_color else None


def contrast(first: MeanColor, second: MeanColor) -> float:
    """Return the contrast ratio of two sRGB colors, 1..21, as WCAG 2 defines it."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: MeanColor) -> float:
    linear = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in color)
    )
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def readable_colors(
    color: MeanColor, ground: MeanColor, ratio: float, *, keeps_ground: bool = False
) -> tuple[MeanColor, MeanColor]:
    """Return the nearest colors of a text and its background that have this contrast, 1..21.

    Light text stays light if a slightly darker ground allows it, and dark text dark.
    """
    end = 255 if _luminance(color) > _luminance(ground) else 0
    farthest = (end,) * 3
    for text, below in (
        *((_mixed(color, end, step / 255), ground) for step in range(256)),
        *(
            (farthest, _mixed(ground, 255 - end, step / 255))
            for step in range(1 if keeps_ground else _MOST_STEPS)
        ),
        *((_mixed(color, 255 - end, step / 255), ground) for step in range(256)),
    ):
        if contrast(text, below) >= ratio:
            return text, below
    return farthest, (255 - end,) * 3


def _mixed(color: MeanColor, end: int, share: float) -> Color:
    red, green, blue = (round(part + (end - part) * share) for part in color)
    return red, green, blue


def is_but_tips(inked: int, length: int) -> bool:
    """Check whether a text is covered except for its tips: inked pixels and length of its lines."""
    return length >= _WORD_LENGTH and inked < _LEAST_SHARE * length
