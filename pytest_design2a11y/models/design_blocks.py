"""The text blocks of a design as its own tool knows them, in place of what would be read from its picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pytest_design2a11y.models.elements import Font
from pytest_design2a11y.models.geometry import Box, Color


@dataclass(frozen=True, slots=True)
class DesignText:
    """One text of a design, which makes one block.

    Attributes:
        text: As shown.
        boxes: Around each of its lines, or one around all of them, CSS px of the design.
        color: sRGB; None where it has no single one, such as in a gradient.
        opacity: How opaque it is painted, above 0 and up to 1.
        font: What it is written in, without advance widths; None where that is not known.
    """

    text: str
    boxes: tuple[Box, ...]
    color: Color | None
    opacity: float = 1.0
    font: Font | None = None


@dataclass(frozen=True, slots=True)
class DesignShape:
    """Something else that a design may show: its pixels say whether it does.

    Attributes:
        kind: "picture", or "box" for whatever has a fill, a line or a shadow.
        name: What its tool calls it.
        box: Where it lies, CSS px of the design.
        inside: How many of the shapes after it lie in it.
        line: How wide the lines at its sides are, px.
        shadow: How far a shadow reaches, px.
        radius: Of its corners, px.
    """

    kind: Literal["picture", "box"]
    name: str
    box: Box
    inside: int = 0
    line: float = 0.0
    shadow: float = 0.0
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class DesignBlocks:
    """All texts of a design.

    Attributes:
        size: Width and height of the design, CSS px.
        texts: In reading order.
        source: What they were made from; "" where nobody says.
        shapes: What else it may show, each before what lies in it; None where the file does not tell.
        digest: SHA-256 of the file that tells them; "" where there is none yet.
    """

    size: tuple[int, int]
    texts: tuple[DesignText, ...]
    source: str = ""
    shapes: tuple[DesignShape, ...] | None = None
    digest: str = ""
