"""Lines of text as they were read from a picture."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_design2a11y.models.geometry import Box

# A letter that stands alone is no taller, px; nor is a mark, such as a dash.
_LARGEST_LETTER = 100
_LARGEST_MARK = 40
# Letters, however far apart, are no wider than so many of their heights.
_WIDEST_LETTER = 3.0


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text.

    Attributes:
        text: As read, words parted by one space.
        box: Upright, px, a little larger than the letters.
        confidence: Of the reader, 0..1.
        middles: Across, px: about where the middle of each letter lies; spaces have none.
    """

    text: str
    box: Box
    confidence: float
    middles: tuple[float, ...]


def is_plausible(line: Line) -> bool:
    """Tell whether a line can be text: one letter as large as a picture is a shape that was taken for one."""
    _, _, width, height = line.box
    text = line.text.replace(" ", "")
    if len(text) == 1 and height > (_LARGEST_LETTER if text.isalnum() else _LARGEST_MARK):
        return False
    return width <= _WIDEST_LETTER * height * len(text)
