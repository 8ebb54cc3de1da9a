"""A page: the document to render, and the capture of it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, Self

from pytest_design2a11y.exceptions import CaptureError, NotText
from pytest_design2a11y.models.audit import Audit
from pytest_design2a11y.models.elements import DesignBlocks, Element, Font, Trouble
from pytest_design2a11y.models.geometry import Box, Color, stands_apart
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.viewport import Viewport

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from pytest_design2a11y.exceptions import MeasurementError
    from pytest_design2a11y.models.probes import ProbeResult

#: The end of a page's or picture's name where it shows a state of it: signup~error.
STATE_IN_NAME = re.compile(r"(?<=[^/\\])~([\w-]+)$")

Role = Literal["reference", "candidate"]

_THE_PAGE = re.compile(r"\b([Tt])he page\b")

#: Files that are pictures of a page, not pages.
PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".pdf"})
#: End of a picture's name, before the suffix, that gives its scale.
SCALE_IN_NAME = re.compile(r"@([123](?:\.5)?)x$", re.IGNORECASE)


class Answer(str):
    """HTML text, or a model's raw answer: a source that is never taken for a path or a URL."""

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        """Mark a text as an answer.

        Raises:
            NotText: It is not text, and its `str()` would be meaningless.
        """
        if not isinstance(text, str):
            kind = "None" if text is None else type(text).__name__
            advice = (
                "Decode it: answer.decode()." if isinstance(text, bytes | bytearray) else "Give its text."
            )
            raise NotText(f"An answer is text, not {kind}.", stage="source", advice=advice)
        return super().__new__(cls, text)


@dataclass(frozen=True, slots=True)
class CaptureWarning:
    """Something about a page that did not stop its measurement."""

    code: str  # A stable name, such as "markdown_fence_stripped"
    message: str  # One sentence for the user
    count: int = 1  # How many times, where that means something
    role: str = ""  # Of which page, "reference" or "candidate"; "" where it is of both, or not known
    names: tuple[str, ...] = ()  # The files, addresses or errors that the message names, a few of them

    def of(self, role: Role) -> Self:
        """Return it as what it is: about the design, or about the page that is compared with it."""
        text, colon, names = self.message.partition(": ")
        if role == "reference":
            text = _THE_PAGE.sub(r"\1he design", text)
        return replace(self, role=role, message=text + colon + names)


@dataclass(frozen=True, slots=True)
class Site:
    """The files that a page may load, and where the page stands among them."""

    root: str | None = None  # The folder of `base`, if any
    base: str = "/"  # What the paths of addresses start with: "/", or "/app/" for a site built for that path
    address: str = "/"  # The page's own path, with query and fragment
    # Whether the user named the root. One that was found serves, outside the page's own folder, what pages
    # are made of, and no other pages.
    is_root_given: bool = False
    clean_urls: bool = False  # Whether about.html or about/index.html is served for "/about"
    single_page: bool = False  # Whether the root's index.html is served for a path without a file
    # Files that came with the page in one answer, by path below `base`
    files: tuple[tuple[str, bytes], ...] = ()
    # Designs that the page is compared with: neither they nor their folders are served
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """What is to be rendered, as the source stage understood it."""

    label: str  # How reports name it: the path as given, the URL, or "<html>"
    html: bytes | None  # The page's bytes, or None for a URL that the browser loads itself
    url: str | None = None  # The address of a URL source, else None
    folder: str | None = None  # The folder that the page's file is in, or None
    file: str | None = None  # The file itself, or None
    warnings: tuple[CaptureWarning, ...] = ()  # What had to be done to the input
    # What the page may load; None: the files of its folder, which is the site's root
    site: Site | None = None
    # HTTP statuses of errors at which what a server sends is the page all the same
    accept_status: tuple[int, ...] = ()
    # Bytes of a picture file in place of a page; then there is no HTML and no URL
    picture: bytes | None = None
    picture_page: int = 1  # Which page of it is meant, from 1, where it is a PDF file
    # The picture's texts from its blocks file; None: they are read from the picture
    blocks: DesignBlocks | None = None
    # Width and height, px, of the drawing that it comes from; None: it is laid out in the viewport
    window: tuple[int, int] | None = None


@dataclass(frozen=True)
class Screenshot:
    """A full-page screenshot, one pixel a CSS pixel."""

    png: bytes = field(repr=False)

    @classmethod
    def of_pixels(cls, pixels: NDArray[numpy.uint8]) -> Self:
        """Return pixels, shape (height, width, 3), sRGB, as a screenshot."""
        from PIL import Image

        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "PNG", compress_level=1)
        return cls(file.getvalue())

    @cached_property
    def pixels(self) -> NDArray[numpy.uint8]:
        """Its pixels, shape (height, width, 3), sRGB, read-only."""
        import numpy
        from PIL import Image

        with Image.open(io.BytesIO(self.png)) as image:
            pixels = numpy.asarray(image if image.mode == "RGB" else image.convert("RGB"))
        pixels.flags.writeable = False
        return pixels


@dataclass(frozen=True, slots=True)
class SourceText:
    """What the published metric takes of a run of text."""

    # Of the first run of an element, all text nodes that the element owns as they stand in the page's source,
    # shown or not, each trimmed, joined by spaces; of its further runs, nothing
    text: str
    is_recolored: bool  # Whether the element's colour colours the run; otherwise its ink is invisible


@dataclass(frozen=True, slots=True)
class TextRun:
    """Text that a person sees, as the browser laid it out."""

    text: str  # As rendered: white space collapsed, text-transform applied
    boxes: tuple[Box, ...]  # One box per line fragment, page pixels, clipped to the visible part
    # The computed text colour; None where it is not known: a gradient or picture fills the text, or the text
    # was read from a picture
    color: Color | None
    owner: int  # Number of the element that owns the text; runs with one owner form one block
    alpha: float = 1.0  # How opaque the text is painted, 0..1: colour's alpha times every opacity around it
    confidence: float | None = None  # Of what read it from a picture, 0..1; None where nothing had to be read
    source: SourceText | None = None  # What the published metric takes of it; None where it overlooks it
    # What it is written in; None where that is not known, as of text read from a picture
    font: Font | None = None
    # Number of the nearest element around it that is not inline; None where that is not known
    paragraph: int | None = None
    unaudited: int = 0  # Number of its characters, without white space, that no accessibility rule checks
    gaps: tuple[int, ...] = ()  # Where parts begin in its text that stand far apart in a line
    is_underlined: bool = False
    is_link: bool = False
    bullet: str = ""  # What its list item, which it begins, is marked with: "disc #990033"

    def parts(self) -> tuple[TextRun, ...]:
        """Return the texts that people read separately: the run, or its parts if they stand far apart."""
        starts = [at for at, pair in enumerate(pairwise(self.boxes), 1) if stands_apart(*pair)]
        # If parts are masked or cut off, their boxes cannot be assigned.
        if not self.gaps or len(starts) != len(self.gaps):
            return (self,)
        texts = [self.text[start:end] for start, end in pairwise((0, *self.gaps, None))]
        boxes = [self.boxes[first:last] for first, last in pairwise((0, *starts, None))]
        return tuple(
            replace(self, text=text.strip(), boxes=own, gaps=(), bullet="" if at else self.bullet)
            for at, (text, own) in enumerate(zip(texts, boxes, strict=True))
        )


def read_apart(runs: Iterable[TextRun]) -> list[list[TextRun]]:
    """Split text, in document order, at wide gaps in a line, where people stop reading."""
    parts: list[list[TextRun]] = []
    for part in (part for run in runs for part in run.parts() if part.boxes):
        if not parts or stands_apart(parts[-1][-1].boxes[-1], part.boxes[0]):
            parts.append([])
        parts[-1].append(part)
    return parts


@dataclass(frozen=True, slots=True)
class Environment:
    """The software that a capture was made with."""

    chromium: str | None  # Browser version; None where no browser was needed
    axe: str | None  # axe-core version; None where no audit ran
    package: str  # Our version
    playwright: str = ""  # Version of the driver
    platform: str = ""  # Operating system and machine
    sandbox: bool = True  # Whether Chromium's sandbox was on


@dataclass(frozen=True, eq=False)
class Capture:
    """One page, rendered once; everything after it is a pure function of data.

    Attributes:
        label: How reports name the page.
        role: Which side of a comparison it is on.
        image: The screenshot; None if not requested, or if it could not be taken (see `screenshot`).
        page_size: Width and height of the captured part of the page, CSS pixels.
        text_runs: Visible text in document order.
        elements: Everything else it shows, in document order; None if not read, or if unknown.
        ground: The page's background colour; None if not read, or if unknown.
        overlaps: What covers, overflows or blends into something else; empty if not read.
        warnings: In order of appearance.
        environment: What rendered it.
        viewport: The window that it was rendered in; None where there was none.
        conditions: What else its numbers depend on, by name: JSON values, written by the steps that applied
            them. What did not apply is left out.
        picture_boxes: Where the page shows pictures, px of the page; none where they were not looked for.
        mask_boxes: What does not count, px of the page: no text there, painted over in the screenshot.
        image_error: Why a requested screenshot is missing.
        audits: Accessibility findings by engine, of the requested engines that succeeded.
        audit_errors: Why a requested engine has no findings, by engine.
        probes: What probes found by acting on the page, by their names.
        probe_errors: Why a probe did not finish, by its name.
        digest: Of a candidate, what tells its bytes and those of all that it loaded apart; None where that is
            not known, as for a live page, or one that loaded from the network.
        files: Of a candidate, digests of the files that it asked for, by path of their address; None where it
            got none.
        document: What it was rendered from, without a picture's bytes; None for a page that a test has open.
    """

    label: str
    role: Role
    image: Screenshot | None = field(repr=False)
    page_size: tuple[int, int]
    text_runs: tuple[TextRun, ...] = field(repr=False)
    warnings: tuple[CaptureWarning, ...]
    environment: Environment
    viewport: Viewport | None = None
    conditions: Mapping[str, Any] = field(default_factory=dict)
    elements: tuple[Element, ...] | None = field(default=None, repr=False)
    ground: Color | None = None
    overlaps: tuple[Trouble, ...] = field(default=(), repr=False)
    picture_boxes: tuple[Box, ...] = field(default=(), repr=False)
    mask_boxes: tuple[Box, ...] = field(default=(), repr=False)
    image_error: CaptureError | None = None
    audits: Mapping[str, Audit] = field(default_factory=dict, repr=False)
    audit_errors: Mapping[str, MeasurementError] = field(default_factory=dict)
    probes: Mapping[str, ProbeResult] = field(default_factory=dict, repr=False)
    probe_errors: Mapping[str, Exception] = field(default_factory=dict)
    digest: str | None = None
    files: Mapping[str, str | None] = field(default_factory=dict, repr=False)
    document: Document | None = field(default=None, repr=False)
    seconds: float = 0.0

    @property
    def html(self) -> str | None:
        """What it was rendered from, as text; None for addresses, pictures and pages that a test has open."""
        html = None if self.document is None else self.document.html
        return None if html is None else html.decode("utf-8", "replace")

    @property
    def address(self) -> str | None:
        """Its URL; None for what was not rendered from one."""
        return None if self.document is None else self.document.url

    @property
    def is_picture(self) -> bool:
        """Whether it was read from a picture: it has neither accessibility nor fonts."""
        return self.conditions.get("kind") == "picture"

    @property
    def audit(self) -> Audit | None:
        """What axe-core found, which the rates are computed from; None where it did not run or failed."""
        return self.audits.get(AXE)

    @property
    def is_audited(self) -> bool:
        """Whether axe-core was to check it."""
        return AXE in self.audits or AXE in self.audit_errors

    @property
    def further_audits(self) -> dict[str, Audit]:
        """What other engines found, by their names."""
        return {name: audit for name, audit in self.audits.items() if name != AXE}

    @property
    def audit_error(self) -> MeasurementError | None:
        """Why axe-core has no findings although it was requested."""
        return self.audit_errors.get(AXE)

    @property
    def screenshot(self) -> Screenshot:
        """The full page; `CaptureError` if it was not requested or could not be taken."""
        if self.image is not None:
            return self.image
        raise self.image_error or CaptureError(
            f"{self.label} was captured for its accessibility alone, without a screenshot.",
            stage="screenshot",
            advice="Capture it with a screenshot to compare what it looks like.",
        )
