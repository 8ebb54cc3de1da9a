"""The text blocks of a design as its own tool knows them, in place of what would be read from its picture."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_design2a11y.models.geometry import Box, Color


@dataclass(frozen=True, slots=True)
class DesignText:
    """One text of a design, which makes one block.

    Attributes:
        text: As shown.
        boxes: Around each of its lines, or one around all of them, CSS px of the design.
        color: sRGB; None where it has no single one, such as in a gradient.
        opacity: How opaque it is painted, above 0 and up to 1.
    """

    text: str
    boxes: tuple[Box, ...]
    color: Color | None
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class DesignBlocks:
    """All texts of a design.

    Attributes:
        size: Width and height of the design, CSS px.
        texts: In reading order.
        source: What they were made from; "" where nobody says.
        digest: SHA-256 of the file that tells them; "" where there is none yet.
    """

    size: tuple[int, int]
    texts: tuple[DesignText, ...]
    source: str = ""
    digest: str = ""
