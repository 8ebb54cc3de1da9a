"""Masks: boxes of a page or picture whose text is left out and whose pixels are painted over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor

from pytest_design2a11y.models.colors import most_frequent_color
from pytest_design2a11y.models.geometry import Box, area, clipped
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.readers import read_box
from pytest_design2a11y.models.screenshot import Screenshot

# Text does not count if more than this share of it lies in a mask.
_HIDDEN_SHARE = 0.5
# Pixels around a mask whose most frequent color is painted over it.
_RING = 2


def box_of(text: str) -> Box | None:
    """Return the box that a mask is written as, "x,y,width,height", px; None for a selector."""
    try:
        left, top, width, height = map(float, read_box(text).split(","))
    except ValueError:
        return None
    return left, top, width, height


def masked(capture: Capture, texts: Sequence[str]) -> Capture:
    """Return a picture's capture without what lies in the boxes, and with them among its conditions."""
    if not texts:
        return capture
    width, height = map(float, capture.page_size)
    page = (0.0, 0.0, width, height)
    boxes = tuple(filter(None, (clipped(box, page) for text in texts if (box := box_of(text)))))
    return replace(
        capture,
        text_runs=without_masked(capture.text_runs, boxes),
        image=capture.image and painted_over(capture.image, boxes),
        mask_boxes=boxes,
        conditions={**capture.conditions, "mask": list(texts)},
    )


def without_masked(runs: Sequence[TextRun], boxes: Sequence[Box]) -> tuple[TextRun, ...]:
    """Leave out lines of text that lie mostly in a mask, and texts that have no lines left."""

    def is_in(line: Box) -> bool:
        parts = filter(None, (clipped(line, box) for box in boxes))
        return any(area(part) > _HIDDEN_SHARE * area(line) for part in parts)

    kept = (replace(run, boxes=tuple(box for box in run.boxes if not is_in(box))) for run in runs)
    return tuple(run for run in kept if run.boxes)


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
