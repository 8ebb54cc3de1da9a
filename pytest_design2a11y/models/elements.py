"""What a page shows: its screenshot; elements besides text, fonts; texts and shapes from a design tool."""

import io
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, Self

from msgspec import Struct

from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.records import Amount, Count, Number, Share

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Screenshot:
    """A full-page screenshot, one pixel per CSS pixel."""

    png: bytes = field(repr=False)

    @classmethod
    def of_pixels(cls, pixels: "NDArray[numpy.uint8]") -> Self:
        """Return pixels, shape (height, width, 3), sRGB, as a screenshot."""
        from PIL import Image

        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "PNG", compress_level=1)
        return cls(file.getvalue())

    @cached_property
    def pixels(self) -> "NDArray[numpy.uint8]":
        """The pixels, shape (height, width, 3), sRGB, read-only."""
        import numpy
        from PIL import Image

        pixels = _written_fast(self.png)
        if pixels is None:
            with Image.open(io.BytesIO(self.png)) as image:
                pixels = numpy.asarray(image if image.mode == "RGB" else image.convert("RGB"))
        pixels.flags.writeable = False
        return pixels


# What a header says after the size: three channels of eight bits, not interlaced.
_PLAIN = b"\x08\x02\0\0\0"
# zlib makes no more bytes of one.
_MOST = 1032
# How each line is told: as what it adds to the one above.
_ABOVE = 2


def _written_fast(png: bytes) -> "NDArray[numpy.uint8] | None":
    """Return the pixels of a PNG written fast by the browser, in a third of Pillow's time; or None."""
    import numpy

    try:
        chunks = [*_chunks(png)]
        width, height, how = struct.unpack(">II5s", chunks[0][1])
        size = height * (1 + 3 * width)
        if how != _PLAIN or size > _MOST * len(png):
            return None
        told = zlib.decompress(b"".join(content for kind, content in chunks if kind == b"IDAT"), bufsize=size)
    except (IndexError, struct.error, zlib.error):
        return None
    if len(told) != size:
        return None
    lines = numpy.frombuffer(told, numpy.uint8).reshape(height, -1)
    if (lines[:, 0] != _ABOVE).any():
        return None
    pixels = numpy.empty((height, 3 * width), numpy.uint8)
    pixels[0] = lines[0, 1:]
    for (above, line), added in zip(pairwise(pixels), lines[1:, 1:], strict=True):
        numpy.add(above, added, out=line)
    return pixels.reshape(height, width, 3)


def _chunks(png: bytes) -> Iterator[tuple[bytes, memoryview]]:
    at = 8
    while at < len(png):
        length, name = struct.unpack_from(">I4s", png, at)
        yield name, memoryview(png)[at + 8 : at + 8 + length]
        at += 12 + length


ElementKind = Literal["picture", "box", "line", "icon"]

TroubleKind = Literal["covered", "overflowing", "unreadable", "clipped"]


PartKind = Literal["line", "circle", "ring", "box", "shape", "picture", "symbol"]


@dataclass(frozen=True, slots=True)
class Part:
    """A shape in a drawing that shows."""

    # "line": a stroke without a fill; "circle" and "ring": a round one with and without a fill; "box": a
    # rectangle; "shape": any other; "picture": an image in it; "symbol": a copy of what is drawn elsewhere
    kind: PartKind
    box: Box  # With its stroke, px of the page
    color: Color  # Of its fill, or of its stroke if it has no fill, as the page shows it
    group: int  # The same for parts that stand in one element of the drawing
    label: str = ""  # Its name; "" without one
    is_dashed: bool = False  # Whether its stroke has gaps all along


@dataclass(frozen=True, slots=True)
class Ring:
    """A line around an element and its border, such as around what has the focus, or is chosen."""

    color: Color
    width: Amount  # px
    gap: Number  # px; below 0 within the element
    is_border: bool = False  # Whether it is the element's border: it touches it, or is all that shows of it

    @property
    def is_instead(self) -> bool:
        """Whether it shows instead of another border, which it covers."""
        return self.is_border or self.gap < 0 <= self.gap + self.width


@dataclass(frozen=True, slots=True)
class Element:
    """Something visible on a page that is not text."""

    # "picture": an image, drawing, video, canvas, frame or background image; "box": what has a fill, border
    # or shadow of its own, or is a native control; "line": what has exactly one visible border; "icon": a
    # small picture: a glyph of an icon font, a drawing, mask or sprite of an icon's size, a star of a rating
    kind: ElementKind
    tag: str  # Tag for messages only: "img", "button", "input[type=text]", "div"
    box: Box  # Its visible part, px of the page
    fill: Color  # The color of most of its visible area, without text
    has_fill: bool = False  # Whether its fill differs from its surroundings
    has_border: bool = False  # Whether a border is visible
    has_shadow: bool = False  # Whether a shadow is visible
    border: Color | None = None  # Color of its border; None without a border, or if it is a line itself
    border_width: Amount = 0.0  # px
    # Color of its line at the top, right, bottom and left, None where there is none: a border, an outline,
    # or a ring drawn as a shadow; empty without any
    lines: tuple[Color | None, ...] = ()
    radius: Amount = 0.0  # Corner radius, px
    thumbnail: tuple[Color, ...] | None = None  # Of a picture or icon, 6 x 6 means of sRGB, row by row
    texture: tuple[int, ...] | None = None  # Likewise 24 x 24 levels of luma, 0..255, row by row
    angle: Number = 0.0  # By how much style sheets turn it, degrees clockwise, from -180 to below 180
    shown: Share = 1.0  # Share of its box that nothing else covers, 0..1
    is_fill_seen: bool = True  # Whether `fill` was read from uncovered pixels, not from the style
    fills: tuple[Color, ...] = ()  # At least two colors of a gradient; empty for a plain fill
    covers: bool = False  # Whether it lies over the content: fixed, sticky or in the top layer
    natural_size: tuple[int, int] | None = None  # Width and height of a loaded image's file, px
    is_loose_fit: bool = False  # Whether its style keeps the image's aspect ratio, whatever the box's
    label: str = ""  # Accessible name, own text or nearest label: "Basket" for the icon in such a link
    role: str = ""  # Explicit or implied ARIA role: "button", "link", "img", ...; "" without one
    region: str = ""  # Role of the nearest landmark, dialog or table around it
    # Those that are set of "checked", "collapsed", "current", "disabled", "expanded", "mixed", "open",
    # "pressed" and "selected", sorted
    states: tuple[str, ...] = ()
    value: str = ""  # Of a control, as shown; "" for a password
    placeholder: str = ""  # Of a control
    is_part: bool = False  # Whether it is a knob, dot or track of a control, with its role, label and state
    parts: tuple[Part, ...] = ()  # Of a drawing in the page's markup that is no icon, in painting order
    unloaded: Literal["", "blocked", "missing"] = ""  # Why an image shows nothing: it has no file
    opacity: Share = 1.0  # Of it and what is around it together, 0..1
    whole: Box | None = None  # All of it, px of the page, if a part is cut off; else None
    ring: Ring | None = None  # Of something that shows besides it


@dataclass(frozen=True, slots=True)
class Veil:
    """A translucent fill over everything below it, such as a dialog's backdrop."""

    box: Box  # px of the page
    tint: Color
    alpha: Share  # Its opacity


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something on a page that covers, overflows or blends into something else."""

    # "covered": text or a box under other text or another box; "overflowing": text outside its box;
    # "clipped": text that is cut off; "unreadable": text that is illegible on its background
    kind: TroubleKind
    box: Box  # The text, with what is cut off of it, or the box; px of the page
    text: str  # Its text, case kept; "" without text
    by_box: Box | None = None  # The box that covers it, or that it overflows, if any
    share: Share = 1.0  # The affected part of it, above 0 and up to 1
    by_name: str = ""  # Label of that box, or the text that covers it; "" without one
    by_role: str = ""  # Role of that box; "text" for a text; "" without one
    cut: Literal["", "height", "length"] = ""  # What of a text that is cut off the share is of


@dataclass(frozen=True, slots=True)
class Font:
    """The font of a text."""

    size: Amount  # Size of its letters as painted, px
    weight: int  # 1..1000; regular is 400
    is_italic: bool  # Whether it is italic or slanted
    # Widths of each character of "imWag0eR", in em: a signature of the family that needs no name; 0 for a
    # character drawn by another font than the text's own, or if words are drawn unlike their characters
    advances: tuple[Number, ...]
    letter_spacing: Number = 0.0  # Extra space between letters, px


@dataclass(frozen=True, slots=True)
class DesignText:
    """One text of a design; it becomes one block."""

    text: str  # As shown
    boxes: tuple[Box, ...]  # One box per line, or one around all lines, CSS px of the design
    color: Color | None  # sRGB; None without a single color, such as for a gradient
    opacity: Share = 1.0  # Opacity as painted, above 0 and up to 1
    font: Font | None = None  # Its font, without advance widths; None if that is not known


class DesignShape(Struct, frozen=True, forbid_unknown_fields=True):
    """An element that a design may show, which its pixels decide."""

    kind: Literal["picture", "box"]  # "picture", or "box" for anything with a fill, border or shadow
    name: str  # Its name in the design tool
    box: Box  # Position and size, CSS px of the design
    inside: Count = 0  # Number of the shapes after it that lie in it
    line: Amount = 0.0  # Width of its borders, px
    shadow: Amount = 0.0  # Extent of its shadow, px
    radius: Amount = 0.0  # Corner radius, px


@dataclass(frozen=True, slots=True)
class DesignBlocks:
    """All texts of a design."""

    size: tuple[int, int]  # Width and height of the design, CSS px
    texts: tuple[DesignText, ...]  # In reading order
    source: str = ""  # What they were made from, or ""
    # Other elements that it may show, each before its content; None if the file does not list them
    shapes: tuple[DesignShape, ...] | None = None
    digest: str = ""  # SHA-256 of the file that lists them; "" before the file exists
