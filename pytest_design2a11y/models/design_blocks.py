"""The text blocks of a design as its own tool knows them, in place of what would be read from its picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pytest_design2a11y.models.elements import Font
from pytest_design2a11y.models.geometry import Box, Color


@dataclass(frozen=True, slots=True)
class DesignText:
    """One text of a design, which makes one block."""

    text: str  # As shown
    boxes: tuple[Box, ...]  # Around each of its lines, or one around all of them, CSS px of the design
    color: Color | None  # sRGB; None where it has no single one, such as in a gradient
    opacity: float = 1.0  # How opaque it is painted, above 0 and up to 1
    font: Font | None = None  # What it is written in, without advance widths; None where that is not known


@dataclass(frozen=True, slots=True)
class DesignShape:
    """Something else that a design may show: its pixels say whether it does."""

    kind: Literal["picture", "box"]  # "picture", or "box" for whatever has a fill, a line or a shadow
    name: str  # What its tool calls it
    box: Box  # Where it lies, CSS px of the design
    inside: int = 0  # How many of the shapes after it lie in it
    line: float = 0.0  # How wide the lines at its sides are, px
    shadow: float = 0.0  # How far a shadow reaches, px
    radius: float = 0.0  # Of its corners, px


@dataclass(frozen=True, slots=True)
class DesignBlocks:
    """All texts of a design."""

    size: tuple[int, int]  # Width and height of the design, CSS px
    texts: tuple[DesignText, ...]  # In reading order
    source: str = ""  # What they were made from; "" where nobody says
    # What else it may show, each before what lies in it; None where the file does not tell
    shapes: tuple[DesignShape, ...] | None = None
    digest: str = ""  # SHA-256 of the file that tells them; "" where there is none yet
