"""Requirements of a picture as reference: the candidate has its width, and is cut to what it shows."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from pytest_design2a11y.exceptions import ConfigurationError, OcrUnavailable, TimeLimit
from pytest_design2a11y.files import CacheFolder
from pytest_design2a11y.measuring.conditions import text_of
from pytest_design2a11y.models.elements import DesignBlocks, Screenshot
from pytest_design2a11y.models.geometry import Box, clipped
from pytest_design2a11y.models.page import Capture, CaptureWarning, Document, Role
from pytest_design2a11y.models.viewport import Viewport
from pytest_design2a11y.picture.layout import is_one_screen
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.wording import flag, setting

#: Heights of common screens, px: a picture of exactly that height may show only the first screen.
SCREEN_HEIGHTS = frozenset(
    {667, 720, 736, 768, 780, 800, 812, 844, 852, 864, 896, 900, 926, 932, 1024, 1050, 1080, 1180}
)
# Share of its width by which a page's layout may be wider or narrower than the picture of its design.
_SAME_WIDTH = 0.02
# A candidate taller than such a picture by this factor continues below it.
_TALLER = 1.2
# Signs of a layout that depends on the window's height: units, and names of utility classes.
_FITS_WINDOW = re.compile(
    rb"\d[sld]?vh\b|\dv(?:min|max|b)\b|\bh-(?:screen|[sld]vh)\b|height:\s*100%", re.IGNORECASE
)


def captured_picture(
    document: Document, *, role: Role, scale: float | None = None, cache_folder: Path | None = None
) -> Capture:
    """Read a picture, see `capture_picture`; an unchanged design is not read again."""
    from pytest_design2a11y.capture.cache import CaptureCache, ReferenceStore, code_digest
    from pytest_design2a11y.picture.capture_picture import capture_picture, picture_conditions, shown_picture

    read = partial(capture_picture, document, role=role, scale=scale, cache_folder=cache_folder)
    try:
        if cache_folder is None or role != "reference":
            return read()
        cache = CaptureCache(ReferenceStore(CacheFolder(cache_folder / "captures")))
        conditions = {**picture_conditions(document, scale), "code": code_digest()}
        capture = cache.find(document, conditions)
        if capture is None:
            capture = read()
            cache.keep(document, conditions, capture, files={})
        return capture
    except OcrUnavailable:
        shown_picture(document, scale=scale)  # A damaged picture needs no reader.
        raise


def in_window_of(reference: Capture | None, document: Document, viewport: Viewport) -> Viewport:
    """Return the window for laying out a page: its own, or its design's if that is a picture."""
    if document.window is not None:
        width, height = document.window
        return replace(
            viewport, width=width, height=height if is_one_screen(width, height) else viewport.height
        )
    if reference is None or reference.viewport is None:
        return viewport
    if reference.is_picture or (reference.document is not None and reference.document.window is not None):
        return replace(viewport, width=reference.viewport.width, height=reference.viewport.height)
    return viewport


def require_same_layout(candidate: Capture, reference: Capture) -> None:
    """Refuse a page that was rendered under other conditions than its design."""
    if candidate.is_picture or reference.viewport is None or candidate.viewport is None:
        return
    if reference.is_picture and candidate.conditions.get("part"):
        return
    width, other = reference.viewport.width, candidate.viewport.width
    if abs(width - other) > _SAME_WIDTH * width:
        kind = "a picture" if reference.is_picture else "laid out"
        raise ConfigurationError(
            f"The design is {kind} {width} px wide, and {candidate.label} was laid out {other} px wide.",
            advice="Give both one viewport; a live page: page.set_viewport_size(...). Where the design is a "
            "picture, render it first.",
        )
    if reference.is_picture:
        return
    scheme, other_scheme = reference.viewport.scheme, candidate.viewport.scheme
    if scheme != other_scheme:
        raise ConfigurationError(
            f"The design was rendered in the {scheme} color scheme, and {candidate.label} in the "
            f"{other_scheme} one.",
            advice="Give both one scheme; a live page: page.emulate_media(color_scheme=...).",
        )
    if bool(reference.conditions.get("mask")) != bool(candidate.conditions.get("mask")):
        masked = "the design" if reference.conditions.get("mask") else candidate.label
        raise ConfigurationError(
            f"Of the design and {candidate.label}, only {masked} has parts that are masked.",
            advice="Give mask= to both, or to the test by its marker.",
        )


def is_read_picture(capture: Capture) -> bool:
    """Whether a capture's text was read from a picture: a blocks file has no text from logos."""
    return capture.is_picture and not _has_blocks_file(capture)


def _has_blocks_file(capture: Capture) -> bool:
    return str(capture.conditions.get("reader", "")).startswith("blocks file")


def comparable_part(candidate: Capture, reference: Capture, *, crop: str) -> Capture:
    """Return the part of a candidate that is comparable with a picture of the design's first screen."""
    if not _shows_first_screen(candidate, reference, crop):
        return candidate
    width, height = candidate.page_size[0], reference.page_size[1]
    limits = (0.0, 0.0, float(width), float(height))
    runs = (replace(run, boxes=_within(limits, run.boxes)) for run in candidate.text_runs)
    elements = candidate.elements and tuple(
        replace(element, box=box) for element in candidate.elements for box in _within(limits, [element.box])
    )
    return replace(
        candidate,
        image=Screenshot.of_pixels(candidate.screenshot.pixels[:height]),
        page_size=(width, height),
        text_runs=tuple(run for run in runs if run.boxes),
        elements=elements,
    )


def _within(limits: Box, boxes: Iterable[Box]) -> tuple[Box, ...]:
    return tuple(part for box in boxes if (part := clipped(box, limits)) is not None)


def as_compared(
    reference: Capture | None, candidate: Capture, *, crop: str
) -> tuple[Capture | None, Capture]:
    """Return the compared parts of two pages; the reference's conditions tell if that is the first screen."""
    if reference is None or candidate.image is None or not _shows_first_screen(candidate, reference, crop):
        return reference, candidate
    noted = replace(reference, conditions={**reference.conditions, "compared": "first screen"})
    return noted, comparable_part(candidate, reference, crop=crop)


def design_warnings(
    reference: Capture | None, candidate: Capture, settings: Settings, *, is_scored: bool
) -> Iterator[CaptureWarning]:
    """Return warnings about a design's picture: invisible texts, a crop, an unknown window."""
    if reference is None:
        return
    (width, height), num_texts = reference.page_size, len(reference.text_runs)
    if is_scored and _has_blocks_file(reference):
        num_unseen = num_texts - len(text_of(reference, TimeLimit())[0])
        message = (
            f"{num_unseen} of {num_texts} texts of the blocks file are not seen in the picture "
            "where they should be, and do not count: export both anew if the design was changed."
        )
        if num_unseen:
            yield CaptureWarning("blocks_not_seen", message, num_unseen)
    if _shows_first_screen(candidate, reference, settings.picture_crop):
        message = (
            f"The design is a picture {height} px high, as a screen is, and the candidate is "
            f"{candidate.page_size[1]} px high: only its first screen was compared. "
            f"{setting('picture_crop')}=never compares all of it."
        )
        yield CaptureWarning("picture_cropped", message)
    if settings.viewport or not reference.is_picture or candidate.is_picture or candidate.viewport is None:
        return
    is_known = reference.viewport is not None and reference.viewport.height == height
    window, is_part = candidate.viewport.height, candidate.conditions.get("part")
    html = candidate.document.html if candidate.document is not None else None
    has_styles = any(path.endswith(".css") for path in candidate.files)
    may_fit_window = html is None or has_styles or _FITS_WINDOW.search(html)
    if is_part or window == height or not (is_known or may_fit_window):
        return
    message = (
        f"The design is a picture of {width}x{height} px, and the page was laid out in a window {window} px "
        "high. If the design's window had another height, parts as high as the window (100vh) differ. "
        f"Give its size: {flag('viewport')} {width}x{height if is_known else 'HEIGHT'}."
    )
    yield CaptureWarning("picture_window", message)


def _shows_first_screen(candidate: Capture, reference: Capture, crop: str) -> bool:
    height = reference.page_size[1]
    return (
        crop == "auto"
        and reference.is_picture
        and height in SCREEN_HEIGHTS
        and candidate.page_size[1] > _TALLER * height
    )


def with_given_elements(capture: Capture, blocks: DesignBlocks | None) -> Capture:
    """Find the elements that a design's blocks file lists in the design's picture."""
    if blocks is None or blocks.shapes is None:
        return capture
    from pytest_design2a11y.capture.renderer import elements_of_shapes

    texts = (box for run in capture.text_runs for box in run.boxes)
    drawn = elements_of_shapes(capture.screenshot.pixels, blocks.shapes, texts)
    return replace(capture, elements=drawn.elements, ground=drawn.ground)
