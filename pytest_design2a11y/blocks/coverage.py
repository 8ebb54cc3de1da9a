"""How much of each pixel a run of text covers, judged by colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.colors import most_frequent_color
from pytest_design2a11y.models.geometry import LEAST_CONTRAST
from pytest_design2a11y.models.page import TextRun

Pixels = NDArray[np.uint8]
Vector = NDArray[np.float64]
Coverage = NDArray[np.float32]


def coverage_of(crop: Pixels, run: TextRun) -> Coverage:
    """Estimate how much of each pixel a run covers, where one of its boxes lies.

    It is 1 where a pixel of the crop, shape (height, width, 3), sRGB, has the text's colour, 0 where it has
    the background's, less where it is farther away than that; all 0 where the two are one colour.
    """
    if not crop.size:
        return _nothing(crop)
    if run.color is None:
        return _contrast_with(crop, most_frequent_color(crop))
    text = np.array(run.color, dtype=np.float64)
    ground = most_frequent_color(crop, own=text)
    if run.alpha < 1.0:
        strength = (crop - ground) @ (text - ground)
        text = np.asarray(crop.reshape(-1, 3)[strength.argmax()], dtype=np.float64)
    contrast = float(np.abs(text - ground).max())
    if contrast < LEAST_CONTRAST:
        return _nothing(crop)
    return np.subtract(1.0, _distance(crop, text) / contrast, dtype=np.float32)


def has_ground_color(crop: Pixels, run: TextRun) -> bool:
    """Tell whether a run has the colour of what is around it, so that nobody sees it."""
    if run.color is None:
        return False
    text = np.array(run.color, dtype=np.float64)
    return float(np.abs(text - most_frequent_color(crop, own=text)).max()) < LEAST_CONTRAST


def _nothing(crop: Pixels) -> Coverage:
    return np.zeros(crop.shape[:2], dtype=np.float32)


def _distance(crop: Pixels, color: Vector) -> NDArray[np.uint8]:
    """Return each pixel's difference from a colour, in the channel where it is greatest."""
    apart = [
        np.maximum(crop[..., channel], level) - np.minimum(crop[..., channel], level)
        for channel, level in enumerate(np.rint(color).astype(np.uint8))
    ]
    return np.asarray(np.maximum(np.maximum(apart[0], apart[1]), apart[2]))


def _contrast_with(crop: Pixels, ground: Vector) -> Coverage:
    """Take the pixels that differ most from the ground as text whose colours are not known."""
    distance = _distance(crop, ground)
    strongest = float(distance.max())
    if strongest < LEAST_CONTRAST:
        return _nothing(crop)
    return np.divide(distance, strongest, dtype=np.float32)
