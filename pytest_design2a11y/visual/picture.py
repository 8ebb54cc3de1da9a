"""A page as the appearance component sees it: without its text, squashed to a small square."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.models import Box

SIDE = 128

Picture = NDArray[np.float64]


def picture_without_text(pixels: NDArray[np.uint8], boxes: Sequence[Box]) -> Picture:
    """Take the text out of a page and squash the rest.

    Each pixel of the result is the mean of what the page shows there outside the boxes; where the boxes
    leave nothing, it is the mean of the surroundings, the nearest that show anything.

    Args:
        pixels: The page, shape (height, width, 3), sRGB 0..255.
        boxes: What to take out, as page fractions.

    Returns:
        Shape (SIDE, SIDE, 3), sRGB 0..255.
    """
    height, width = pixels.shape[:2]
    shown = np.full((height, width), 255, dtype=np.uint8)
    kept = pixels.copy()
    for left, top, box_width, box_height in boxes:
        rows = slice(max(0, math.floor(top * height)), max(0, math.ceil((top + box_height) * height)))
        columns = slice(max(0, math.floor(left * width)), max(0, math.ceil((left + box_width) * width)))
        shown[rows, columns] = 0
        kept[rows, columns] = 0
    return _fill(_squash(kept), _squash(shown)[..., None] / 255.0)


def _squash(pixels: NDArray[np.uint8]) -> Picture:
    squashed = Image.fromarray(pixels).resize((SIDE, SIDE), Image.Resampling.BOX)
    return np.asarray(squashed, dtype=np.float64)


def _fill(total: Picture, weight: Picture) -> Picture:
    """Divide sums by weights; where a weight is too small to divide by, take the next coarser level."""
    if len(weight) == 1:
        return total / weight if weight.item() else np.full_like(total, 255.0)
    coarser = _fill(_halve(total), _halve(weight)).repeat(2, axis=0).repeat(2, axis=1)
    trust = np.clip(weight * 4.0, 0.0, 1.0)
    own = np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)
    return trust * own + (1.0 - trust) * coarser


def _halve(values: Picture) -> Picture:
    half = len(values) // 2
    halved: Picture = values.reshape(half, 2, half, 2, -1).mean(axis=(1, 3))
    return halved
