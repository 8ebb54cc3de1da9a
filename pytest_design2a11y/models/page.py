"""A page: the document to render, and the capture of it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal, Self

from pytest_design2a11y.exceptions import CaptureError, ConfigurationError, MeasurementError
from pytest_design2a11y.models.audit import Audit, ProbeResult
from pytest_design2a11y.models.elements import DesignBlocks, Element, Font, Screenshot, Trouble, Veil
from pytest_design2a11y.models.geometry import Box, Color, stands_apart
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.records import Share
from pytest_design2a11y.models.viewport import Viewport

#: End of a page's or picture's name if it shows a state: signup~error.
STATE_IN_NAME = re.compile(r"(?<=[^/\\])~([\w-]+)$")

Role = Literal["reference", "candidate"]

_THE_PAGE = re.compile(r"\b([Tt])he page\b")

#: Files that hold a picture of a page instead of a page.
PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp"})
#: End of a picture's name, before the suffix, that states its scale.
SCALE_IN_NAME = re.compile(r"@([123](?:\.5)?)x$", re.IGNORECASE)


class Answer(str):
    """HTML text or a model's raw answer: a source that is never interpreted as a path or URL."""

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        """Mark a text as an answer.

        Raises:
            ConfigurationError: It is not text, and its `str()` would be meaningless.
        """
        if not isinstance(text, str):
            kind = "None" if text is None else type(text).__name__
            advice = "Decode it: answer.decode()." if isinstance(text, bytes) else "Give its text."
            raise ConfigurationError(f"An answer is text, not {kind}.", stage="source", advice=advice)
        return super().__new__(cls, text)


@dataclass(frozen=True, slots=True)
class CaptureWarning:
    """Something about a page that did not stop its measurement."""

    code: str  # A stable name, such as "markdown_fence_stripped"
    message: str  # One sentence for the user
    count: int = 1  # Number of occurrences, if meaningful
    role: str = ""  # Which page it is about, "reference" or "candidate"; "" if both, or unknown
    names: tuple[str, ...] = ()  # Some of the files, addresses or errors that the message names

    def of(self, role: Role) -> Self:
        """Return the warning with the role of its page: the design, or the page that is compared with it."""
        text, colon, names = self.message.partition(": ")
        if role == "reference":
            text = _THE_PAGE.sub(r"\1he design", text)
        return replace(self, role=role, message=text + colon + names)


@dataclass(frozen=True, slots=True)
class Site:
    """The files that a page may load, and the page's place among them."""

    root: str | None = None  # The folder of `base`, if any
    base: str = "/"  # Common start of its paths: "/", or "/app/" for a site built for that path
    address: str = "/"  # The page's own path, with query and fragment
    # Whether the user set the root; one that was found serves resources alone outside the page's folder
    is_root_given: bool = False
    clean_urls: bool = False  # Whether about.html or about/index.html is served for "/about"
    single_page: bool = False  # Whether the root's index.html is served for a path without a file
    files: tuple[tuple[str, bytes], ...] = ()  # Those that came with the page, by path below `base`
    references: tuple[str, ...] = ()  # Its designs: neither they nor their folders are served


@dataclass(frozen=True, slots=True)
class Document:
    """A page to render, as understood by the source stage."""

    label: str  # Its name in reports: the path as given, the URL, or "<html>"
    html: bytes | None  # The page's bytes, or None for a URL that the browser loads itself
    url: str | None = None  # The address of a URL source, else None
    folder: str | None = None  # The folder of the page's file, or None
    file: str | None = None  # The page's file, or None
    warnings: tuple[CaptureWarning, ...] = ()  # Changes that had to be made to the input
    site: Site | None = None  # What the page may load; None: the files of its folder, as the site's root
    picture: bytes | None = None  # Of a picture file instead of a page; both html and url are None then
    blocks: DesignBlocks | None = None  # The picture's texts, of its blocks file; None: they are read
    window: tuple[int, int] | None = None  # Of the drawing it comes from, px; None: the viewport decides


@dataclass(frozen=True, slots=True)
class SourceText:
    """What the published metric reads of a run of text."""

    # For the first run of an element: all text nodes owned by the element as in the page's source, visible or
    # not, each trimmed, joined by spaces. For its further runs: ""
    text: str
    is_recolored: bool  # Whether the run has its element's color; otherwise its ink is invisible


@dataclass(frozen=True, slots=True)
class Marker:
    """What the browser draws before a list item."""

    name: str  # "disc", "number", "capital letter", ...; what a style sheet has written, in quotation marks
    text: str  # As drawn: "•", "4."
    color: Color
    box: Box  # px of the page


@dataclass(frozen=True, slots=True)
class TextRun:
    """Visible text, as laid out by the browser."""

    text: str  # As rendered: white space collapsed, text-transform applied
    boxes: tuple[Box, ...]  # One box per line fragment, page pixels, clipped to the visible part
    color: Color | None  # The computed text color; None if unknown: a gradient, or read from a picture
    owner: int  # Number of the element that owns the text; runs with the same owner form one block
    alpha: Share = 1.0  # Opacity as painted, 0..1: the color's alpha times the opacity of every ancestor
    confidence: Share | None = None  # Of reading it from a picture, 0..1; None if it was not read from one
    source: SourceText | None = None  # What the published metric reads of it; None if it ignores it
    font: Font | None = None  # None if unknown, for example when read from a picture
    paragraph: int | None = None  # Number of its nearest ancestor that is not inline; None if unknown
    unaudited: int = 0  # Number of its characters, without white space, that no accessibility rule checks
    gaps: tuple[int, ...] = ()  # Indices in its text where parts begin that are far apart on a line
    is_underlined: bool = False
    is_link: bool = False
    marker: Marker | None = None  # That of the list item that it begins
    is_vertical: bool = False  # Whether its lines are columns
    fills: tuple[Color, ...] = ()  # First and last color of the gradient in its letters, if one fills them
    has_shadow: bool = False  # Whether its letters cast a shadow

    def parts(self) -> "tuple[TextRun, ...]":
        """Return the texts that people read separately: the run, or its parts if they are far apart."""
        starts = [at for at, pair in enumerate(pairwise(self.boxes), 1) if stands_apart(*pair)]
        # If parts are masked or cut off, their boxes cannot be told apart.
        if not self.gaps or len(starts) != len(self.gaps):
            return (self,)
        texts = [self.text[start:end] for start, end in pairwise((0, *self.gaps, None))]
        boxes = [self.boxes[first:last] for first, last in pairwise((0, *starts, None))]
        return tuple(
            replace(self, text=text.strip(), boxes=lines, gaps=(), marker=None if at else self.marker)
            for at, (text, lines) in enumerate(zip(texts, boxes, strict=True))
        )


def read_apart(runs: Iterable[TextRun]) -> list[list[TextRun]]:
    """Split text, in document order, at wide gaps in a line, where people would stop reading."""
    parts: list[list[TextRun]] = []
    for part in (part for run in runs for part in run.parts() if part.boxes):
        if not parts or stands_apart(parts[-1][-1].boxes[-1], part.boxes[0]):
            parts.append([])
        parts[-1].append(part)
    return parts


@dataclass(frozen=True, slots=True)
class Unseen:
    """A thing that a page holds where its screenshot does not reach."""

    text: str  # Or what a field holds; "" for a picture
    box: Box  # Where it would lie if nothing cut it off, px of the page
    window: Box  # Where scrolling shows it, px; beyond the captured part, the box
    is_read: bool = True  # False: what more the window shows once it is scrolled is not known
    look: str = ""  # Of a thing beyond the captured part that is no picture: a digest of its styles


@dataclass(frozen=True, slots=True)
class Environment:
    """The software that a capture was made with."""

    chromium: str | None  # Browser version; None if no browser was needed
    axe: str | None  # axe-core version; None if no audit ran
    package: str  # Our version
    playwright: str = ""  # Version of the driver
    platform: str = ""  # Operating system and machine
    sandbox: bool = True  # Whether Chromium's sandbox was on


@dataclass(frozen=True, eq=False)
class Capture:
    """One page, rendered once; all later stages are pure functions of data."""

    label: str  # The page's name in reports
    role: Role  # Which side of a comparison it is on
    # The screenshot; None if not requested, or if it could not be taken (see `screenshot`)
    image: Screenshot | None = field(repr=False)
    page_size: tuple[int, int]  # Width and height of the captured part of the page, CSS pixels
    text_runs: tuple[TextRun, ...] = field(repr=False)  # Visible text in document order
    warnings: tuple[CaptureWarning, ...]  # In order of appearance
    environment: Environment  # What rendered it
    viewport: Viewport | None = None  # The window that it was rendered in; None without one
    # Other conditions that its numbers depend on, by name: JSON values, written by the steps that applied
    # them. Conditions that did not apply are left out.
    conditions: Mapping[str, Any] = field(default_factory=dict)
    # All other visible elements, in document order; None if not read, or if unknown
    elements: tuple[Element, ...] | None = field(default=None, repr=False)
    ground: Color | None = None  # The page's background color; None if not read, or if unknown
    veils: tuple[Veil, ...] = ()  # Translucent fills over the page, as dialogs have; the topmost last
    # What covers, overflows or blends into something else; empty if not read
    overlaps: tuple[Trouble, ...] = field(default=(), repr=False)
    # Where the page shows pictures, px of the page; empty if not searched for
    picture_boxes: tuple[Box, ...] = field(default=(), repr=False)
    # Masked areas, px of the page: text in them is ignored, and the screenshot painted over
    mask_boxes: tuple[Box, ...] = field(default=(), repr=False)
    # Texts and pictures that the page holds where the screenshot does not reach: in parts that scroll by
    # themselves, and beyond the largest size that is captured
    unseen: tuple[Unseen, ...] = field(default=(), repr=False)
    image_error: CaptureError | None = None  # Why a requested screenshot is missing
    # Accessibility findings by engine, of the requested engines that succeeded
    audits: Mapping[str, Audit] = field(default_factory=dict, repr=False)
    # Why a requested engine has no findings, by engine
    audit_errors: Mapping[str, MeasurementError] = field(default_factory=dict)
    # What probes found by acting on the page, by their names
    probes: Mapping[str, ProbeResult] = field(default_factory=dict, repr=False)
    probe_errors: Mapping[str, Exception] = field(default_factory=dict)  # Why a probe did not finish, by name
    # For a candidate: identifies its bytes and those of everything it loaded; None if that is unknown, as for
    # a live page, or one that loaded from the network
    digest: str | None = None
    # For a candidate: digests of the files that it requested, by path of their address; None if it received
    # none
    files: Mapping[str, str | None] = field(default_factory=dict, repr=False)
    # "script", "stylesheet" or "font" by address, of those that it requested and did not get
    lost_files: Mapping[str, str] = field(default_factory=dict, repr=False)
    # What it was rendered from, without a picture's bytes; None for a page that a test has open
    document: Document | None = field(default=None, repr=False)
    seconds: float = 0.0

    @property
    def html(self) -> str | None:
        """The source as text; None for addresses, pictures and pages that a test has open."""
        html = None if self.document is None else self.document.html
        return None if html is None else html.decode("utf-8", "replace")

    @property
    def address(self) -> str | None:
        """The URL it was rendered from; None for other sources."""
        return None if self.document is None else self.document.url

    @property
    def is_picture(self) -> bool:
        """Whether it was read from a picture, and so has neither accessibility nor fonts."""
        return self.conditions.get("kind") == "picture"

    @property
    def audit(self) -> Audit | None:
        """The findings of axe-core, from which rates are computed; None if it did not run or failed."""
        return self.audits.get(AXE)

    @property
    def is_audited(self) -> bool:
        """Whether axe-core was requested for it."""
        return AXE in self.audits or AXE in self.audit_errors

    @property
    def further_audits(self) -> dict[str, Audit]:
        """The findings of other engines, by their names."""
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
