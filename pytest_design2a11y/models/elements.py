"""What a page shows besides its text, and the fonts that its text is written in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pytest_design2a11y.models.geometry import Box, Color

ElementKind = Literal["picture", "box", "line"]


@dataclass(frozen=True, slots=True)
class Element:
    """Something that a page shows and that is not text."""

    # "picture": an image, drawing, video, canvas, frame or background image; "box": what has a fill, border
    # or shadow of its own, or is a native control; "line": what has exactly one visible border
    kind: ElementKind
    tag: str  # What the page makes it of, for words alone: "img", "button", "input[type=text]", "div"
    box: Box  # The part of it that shows, px of the page
    fill: Color  # The colour that most of it shows, text left out
    has_fill: bool = False  # Whether its fill differs from what is around it
    has_border: bool = False  # Whether a border of it shows
    has_shadow: bool = False  # Whether a shadow of it shows
    # Of a picture, 6 x 6 means of sRGB pixels, row by row; None for what is not a picture
    thumbnail: tuple[Color, ...] | None = None


@dataclass(frozen=True, slots=True)
class Font:
    """What text is written in."""

    size: float  # Of its letters as painted, px
    weight: int  # 1..1000, 400 where it is regular
    is_italic: bool  # Whether it is italic or slanted
    # Widths of the characters of "imWag0eR" one by one, in em: a signature of the family that needs no name;
    # 0 where another font draws the character than the text's own
    advances: tuple[float, ...]
