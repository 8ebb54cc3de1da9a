"""Parts of a page: masked ones are left out and painted over; or a single one is captured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import ceil, floor

from pytest_design2a11y.capture.page.frames import FrameContext, FrozenPage
from pytest_design2a11y.exceptions import ConfigurationError, NeverShown
from pytest_design2a11y.javascript import function_of
from pytest_design2a11y.models.colors import most_frequent_color
from pytest_design2a11y.models.geometry import Box, area, clipped
from pytest_design2a11y.models.page import Capture, CaptureWarning, Screenshot, TextRun

# Text does not count if more than this share of it lies in a mask.
_HIDDEN_SHARE = 0.5
# Pixels around a mask whose most frequent colour is painted over it.
_RING = 2


def mask_boxes(
    page: FrozenPage, selectors: Sequence[str]
) -> tuple[tuple[Box, ...], tuple[CaptureWarning, ...]]:
    """Return boxes of masked elements, px of the page, and warnings for selectors that match nothing."""
    if not selectors:
        return (), ()
    found: dict[str, list[Box]] = {selector: [] for selector in selectors}
    with page.stage("mask"):
        for world in page.worlds:
            for selector, box in _found(world, selectors):
                found[selector].append(box)
    shown = (clipped(box, page.area) for boxes in found.values() for box in boxes)
    missing = ", ".join(selector for selector, boxes in found.items() if not boxes)
    message = f"Nothing on the page fits what is to be masked: {missing}."
    warnings = (CaptureWarning("mask_missing", message),) if missing else ()
    return tuple(sorted({box for box in shown if box is not None})), warnings


def part_box(page: FrozenPage, selector: str) -> tuple[Box, str, tuple[CaptureWarning, ...]]:
    """Return the whole-px box and selector of the first visible element that matches, and warnings."""
    with page.stage("part"):
        found = (box for _, box in _found(page.worlds[0], [selector], option="part"))
        fitting = [(box, shown) for box in found if (shown := clipped(box, page.area)) is not None]
        find = function_of("capture/page/mask.js", "selectorOf")
        first, (left, top) = fitting[0][0] if fitting else page.area, page.worlds[0].offset
        place = [first[0] - left, first[1] - top, *first[2:]]
        own = page.worlds[0].call(find, selector, place) if len(fitting) > 1 else None
    if fitting:
        x, y, width, height = fitting[0][1]
        left, top, right, bottom = floor(x), floor(y), ceil(x + width), ceil(y + height)
        number, which = len(fitting), "the first that shows is the part captured"
        message = f"{number} elements of the page fit {selector!r}: {which}."
        warnings = (CaptureWarning("part_ambiguous", message, number),) if number > 1 else ()
        box = (float(left), float(top), float(right - left), float(bottom - top))
        return box, own or selector, warnings
    raise NeverShown(
        f"No element {selector!r} shows, which is the part to capture.",
        stage="part",
        advice="Check the selector; what shows later may be waited for by wait_for.",
    )


def _found(
    world: FrameContext, selectors: Sequence[str], *, option: str = "mask"
) -> Iterator[tuple[str, Box]]:
    answer = world.call(function_of("capture/page/mask.js", "boxesOf"), list(selectors), world.is_main)
    for selector, boxes in zip(selectors, answer, strict=True):
        if boxes is None:
            raise ConfigurationError(
                f"-o design2a11y_{option} does not take {selector!r}: it is not a CSS selector.",
                advice="Write one such as '.advert' or '#clock'.",
            )
        for left, top, width, height in boxes:
            if width > 0 and height > 0:
                yield selector, (left + world.offset[0], top + world.offset[1], width, height)


def without_masked(runs: Sequence[TextRun], boxes: Sequence[Box]) -> tuple[TextRun, ...]:
    """Leave out lines of text that lie mostly in a mask, and texts that have no lines left."""

    def is_in(line: Box) -> bool:
        parts = filter(None, (clipped(line, box) for box in boxes))
        return any(area(part) > _HIDDEN_SHARE * area(line) for part in parts)

    kept = (replace(run, boxes=tuple(box for box in run.boxes if not is_in(box))) for run in runs)
    return tuple(run for run in kept if run.boxes)


def painted_over(screenshot: Screenshot, boxes: Sequence[Box]) -> Screenshot:
    """Paint over every mask with the most frequent colour just around it."""
    import numpy as np

    pixels = screenshot.pixels.copy()
    for box in boxes:
        x, y, width, height = box
        left, top, right, bottom = floor(x), floor(y), ceil(x + width), ceil(y + height)
        above, before = max(top - _RING, 0), max(left - _RING, 0)
        around = pixels[above : bottom + _RING, before : right + _RING]
        is_ring = np.ones(around.shape[:2], dtype=bool)
        is_ring[top - above : bottom - above, left - before : right - before] = False
        ring = around[is_ring] if is_ring.any() else np.full((1, 3), 255, dtype=np.uint8)
        pixels[top:bottom, left:right] = most_frequent_color(ring[None]).astype(np.uint8)
    return Screenshot.of_pixels(pixels)


def cut_out(capture: Capture, part: Box | None) -> Capture:
    """Return a capture cut to a box of its page, as if that were the whole page; None: unchanged."""
    if part is None:
        return capture

    def within(boxes: Iterable[Box]) -> tuple[Box, ...]:
        inside = (shown for box in boxes if (shown := clipped(box, part)) is not None)
        return tuple((x - part[0], y - part[1], width, height) for x, y, width, height in inside)

    left, top, width, height = map(int, part)
    runs = (replace(run, boxes=within(run.boxes)) for run in capture.text_runs)
    elements = ((element, within([element.box])) for element in capture.elements or ())
    overlaps = ((trouble, within([trouble.box])) for trouble in capture.overlaps)
    image = capture.image
    if image is not None:
        image = Screenshot.of_pixels(image.pixels[top : top + height, left : left + width])
    return replace(
        capture,
        image=image,
        page_size=(width, height),
        text_runs=tuple(run for run in runs if run.boxes),
        elements=capture.elements
        and tuple(replace(element, box=boxes[0]) for element, boxes in elements if boxes),
        overlaps=tuple(
            replace(found, box=boxes[0], by_box=found.by_box and next(iter(within([found.by_box])), None))
            for found, boxes in overlaps
            if boxes
        ),
        picture_boxes=within(capture.picture_boxes),
        mask_boxes=within(capture.mask_boxes),
        out_of_sight=(),
    )
