"""A page as the appearance component sees it: without its text, squashed to a small square."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.time_limit import TimeLimit

SIDE = 256

Picture = NDArray[np.float32]


def picture_without_text(
    pixels: NDArray[np.uint8], boxes: Sequence[Box], time_limit: TimeLimit | None = None
) -> tuple[Picture, Picture]:
    """Take the text out of a page and squash the rest.

    Each pixel of the result is the mean of what the page shows there outside the boxes; where the boxes
    leave little, the surroundings are mixed in, the nearest that show anything. Pixels have the shape
    (height, width, 3), sRGB 0..255; boxes are page fractions.

    Returns:
        The picture, shape (SIDE, SIDE, 3), sRGB 0..255; and the share of each of its pixels that was left
        to see, shape (SIDE, SIDE, 1), 0..1.
    """
    time_limit = time_limit or TimeLimit()
    height, width = pixels.shape[:2]
    visible = np.full((height, width), 255, dtype=np.uint8)
    kept = pixels.copy()
    for left, top, box_width, box_height in boxes:
        time_limit.check("appearance")
        rows, columns = _span(top, box_height, height), _span(left, box_width, width)
        visible[rows, columns] = 0
        kept[rows, columns] = 0
    share = _squash(visible)[..., None] / np.float32(255.0)
    return _fill(_squash(kept), share), share


#: Boxes are whole pixels divided by the page's size: what is this near to a whole number is one.
_ROUNDING = 1e-6


def _span(start: float, length: float, size: int) -> slice:
    first, last = start * size, (start + length) * size
    return slice(max(0, math.floor(first + _ROUNDING)), max(0, math.ceil(last - _ROUNDING)))


def _squash(pixels: NDArray[np.uint8]) -> Picture:
    squashed = Image.fromarray(pixels).resize((SIDE, SIDE), Image.Resampling.BOX)
    return np.asarray(squashed, dtype=np.float32)


def _fill(total: Picture, weight: Picture) -> Picture:
    """Divide sums by weights; where a weight is too small to divide by, take the next coarser level."""
    if len(weight) == 1:
        empty: Picture = np.full_like(total, 255.0)
        return total / weight if weight.item() > 0 else empty
    if weight.min() == 1.0:
        return total
    coarser = _fill(halve(total), halve(weight)).repeat(2, axis=0).repeat(2, axis=1)
    trust = np.minimum(weight * np.float32(4.0), np.float32(1.0))
    own = np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)
    mixed: Picture = trust * own + (np.float32(1.0) - trust) * coarser
    return mixed


def halve(values: Picture) -> Picture:
    """Return the means of squares of two by two, shape (half, half, channels)."""
    halved: Picture = (
        values[::2, ::2] + values[1::2, ::2] + values[::2, 1::2] + values[1::2, 1::2]
    ) * np.float32(0.25)
    return halved
