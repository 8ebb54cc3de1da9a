"""Masks: boxes of a page or picture whose text is left out and whose pixels are painted over."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import ceil, floor

from pytest_design2a11y.models.colors import most_frequent_color
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import Box, area, clipped
from pytest_design2a11y.models.page import Capture, TextRun

# Text or an element does not count if more than this share of it lies in a mask.
_HIDDEN_SHARE = 0.5
# Pixels around a mask whose most frequent color is painted over it.
_RING = 2


def masked(capture: Capture, selectors: Sequence[str]) -> Capture:
    """Return a picture's capture with masks among its conditions, which `masked_like` will take out."""
    return (
        replace(capture, conditions={**capture.conditions, "mask": list(selectors)}) if selectors else capture
    )


def masked_like(design: Capture, page: Capture) -> Capture:
    """Return a design without what lies where the page has masked elements, if the design is a picture."""
    is_masked = design.is_picture and design.image is not None and "mask" in design.conditions
    return _without(design, page.mask_boxes) if is_masked else design


def _without(capture: Capture, boxes: Iterable[Box]) -> Capture:
    width, height = map(float, capture.page_size)
    page = (0.0, 0.0, width, height)
    shown = tuple(part for box in boxes if (part := clipped(box, page)) is not None)
    elements = capture.elements
    return replace(
        capture,
        text_runs=without_masked(capture.text_runs, shown),
        elements=elements and tuple(one for one in elements if not _is_in(one.box, shown)),
        image=capture.image and painted_over(capture.image, shown),
        mask_boxes=shown,
    )


def without_masked(runs: Sequence[TextRun], boxes: Sequence[Box]) -> tuple[TextRun, ...]:
    """Leave out lines of text that lie mostly in a mask, and texts that have no lines left."""
    kept = (replace(run, boxes=tuple(box for box in run.boxes if not _is_in(box, boxes))) for run in runs)
    return tuple(run for run in kept if run.boxes)


def _is_in(thing: Box, masks: Sequence[Box]) -> bool:
    parts = filter(None, (clipped(thing, mask) for mask in masks))
    return any(area(part) > _HIDDEN_SHARE * area(thing) for part in parts)


def painted_over(screenshot: Screenshot, boxes: Sequence[Box]) -> Screenshot:
    """Paint over every mask with the most frequent color just around it."""
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
