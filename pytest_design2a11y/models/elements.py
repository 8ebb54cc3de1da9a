"""Elements that a page shows besides its text, its fonts, and elements listed by a design's tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pytest_design2a11y.models.from_json import Amount, Count
from pytest_design2a11y.models.geometry import Box, Color

ElementKind = Literal["picture", "box", "line", "icon"]

TroubleKind = Literal["covered", "overflowing", "unreadable", "clipped"]


@dataclass(frozen=True, slots=True)
class Element:
    """Something that a page shows and that is not text."""

    # "picture": an image, drawing, video, canvas, frame or background image; "box": what has a fill, border
    # or shadow of its own, or is a native control; "line": what has exactly one visible border; "icon": a
    # small picture: a glyph of an icon font, a drawing, mask or sprite of an icon's size, a star of a rating
    kind: ElementKind
    tag: str  # What the page makes it of, for words alone: "img", "button", "input[type=text]", "div"
    box: Box  # The part of it that shows, px of the page
    fill: Color  # The colour that most of it shows, text left out
    has_fill: bool = False  # Whether its fill differs from its surroundings
    has_border: bool = False  # Whether a border of it shows
    has_shadow: bool = False  # Whether a shadow of it shows
    border: Color | None = None  # The colour of its border; None where it has none, or is a line itself
    border_width: float = 0.0  # px
    radius: float = 0.0  # Of its corners, px
    # Of a picture or icon, 6 x 6 means of sRGB pixels, row by row; None for anything else
    thumbnail: tuple[Color, ...] | None = None
    # Likewise, its structure: 24 x 24 levels of luma, 0..255, row by row
    texture: tuple[int, ...] | None = None
    shown: float = 1.0  # Share of its box that nothing else covers, 0..1
    # Whether `fill` was read from pixels that nothing else covers; False: it is its style's, or not known
    is_fill_seen: bool = True
    fills: tuple[Color, ...] = ()  # The colours of a gradient, two or more; none where it has one colour
    # Whether it lies over what the page shows: fixed, sticky, or in the top layer, as a dialog is
    covers: bool = False
    natural_size: tuple[int, int] | None = None  # Width and height of a loaded image's file, px
    is_loose_fit: bool = False  # Whether its style keeps the image's aspect, whatever the box's is
    # Accessible name, own text or nearest label, case kept: "Basket" for the icon in a link "Basket"
    label: str = ""
    role: str = ""  # Its ARIA role, explicit or implied: "button", "link", "img", ...; "" where it has none
    region: str = ""  # Role of the nearest landmark, dialog or table around it
    # What is set of "checked", "collapsed", "current", "disabled", "expanded", "mixed", "open", "pressed" and
    # "selected", sorted
    states: tuple[str, ...] = ()
    value: str = ""  # Of a control, as shown; nothing of a password
    placeholder: str = ""  # Of a control


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something on a page that covers, overflows, or blends into something else."""

    # "covered": text or a box that other text or another box lies over; "overflowing": text out of its box;
    # "clipped": text that is cut off; "unreadable": text that is illegible on its background
    kind: TroubleKind
    box: Box  # What it happened to, px of the page
    text: str  # Its text, case kept; "" where it has none
    by_box: Box | None = None  # The box that covers it, or that it overflows, if any
    share: float = 1.0  # The part of it that is hit, above 0 and up to 1


@dataclass(frozen=True, slots=True)
class Font:
    """What text is written in."""

    size: float  # Of its letters as painted, px
    weight: int  # 1..1000, 400 where it is regular
    is_italic: bool  # Whether it is italic or slanted
    # Widths of the characters of "imWag0eR" one by one, in em: a signature of the family that needs no name;
    # 0 where another font draws the character than the text's own, or words are drawn otherwise than it
    advances: tuple[float, ...]
    letter_spacing: float = 0.0  # Between letters besides their widths, px


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
    """An element that a design may show: its pixels decide whether it does."""

    is_closed = True

    kind: Literal["picture", "box"]  # "picture", or "box" for whatever has a fill, a line or a shadow
    name: str  # What its tool calls it
    box: Box  # Where it lies, CSS px of the design
    inside: Count = 0  # How many of the shapes after it lie in it
    line: Amount = 0.0  # How wide the lines at its sides are, px
    shadow: Amount = 0.0  # How far a shadow reaches, px
    radius: Amount = 0.0  # Of its corners, px


@dataclass(frozen=True, slots=True)
class DesignBlocks:
    """All texts of a design."""

    size: tuple[int, int]  # Width and height of the design, CSS px
    texts: tuple[DesignText, ...]  # In reading order
    source: str = ""  # What they were made from, or ""
    # What else it may show, each before what lies in it; None where the file does not say
    shapes: tuple[DesignShape, ...] | None = None
    digest: str = ""  # SHA-256 of the file that lists them; "" before there is a file
