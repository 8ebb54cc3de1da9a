"""Which pixels of a screenshot a run of text covers."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models import Box, TextRun

FULL_COVERAGE = 0.965
_LEAST_COVERAGE = 0.3
_LEAST_CONTRAST = 3.0
_LEAST_SHARE = 0.1
_WORD_WIDTH = 40
_PAINTED_COVERAGE = 0.5
SLACK = 0.0
FALL = 0.9

Pixels = NDArray[np.uint8]
Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ink:
    """The pixels that a run covers.

    Attributes:
        extent: (left, top, right, bottom) px, right and bottom exclusive.
        color_sum: Sum of their sRGB colours, shape (3,).
        num_pixels: How many.
    """

    extent: tuple[int, int, int, int]
    color_sum: NDArray[np.int64]
    num_pixels: int


def ink_of(run: TextRun, pixels: Pixels) -> Ink | None:
    """Find the pixels that a run covers fully, or most where it covers none fully.

    Args:
        run: The text and where it lies, px.
        pixels: Shape (height, width, 3), sRGB.

    Returns:
        None where the run leaves no ink: text that is covered, or has the colour of its background.
    """
    crops = [_crop(box, pixels) for box in run.boxes]
    seen = [(place, crop, _coverage(crop, run)) for place, crop in crops if crop.size]
    strongest = max((coverage.max() for _, _, coverage in seen), default=0.0)
    if strongest < _LEAST_COVERAGE:
        return None
    if _is_remainder([coverage for _, _, coverage in seen]):
        return None
    threshold = _threshold(run, strongest)
    inks = [_ink(place, crop, coverage >= threshold) for place, crop, coverage in seen]
    return _union([ink for ink in inks if ink is not None])


def _threshold(run: TextRun, strongest: float) -> float:
    if run.alpha == 0.0:
        return _PAINTED_COVERAGE
    return FULL_COVERAGE if strongest >= FULL_COVERAGE else FALL * strongest


def _is_remainder(coverages: list[Vector]) -> bool:
    """Tell whether so few columns have ink that the text must be covered, with only tips of it peeking out."""
    width = sum(coverage.shape[1] for coverage in coverages)
    inked = sum(int((coverage >= _LEAST_COVERAGE).any(axis=0).sum()) for coverage in coverages)
    return width >= _WORD_WIDTH and inked < _LEAST_SHARE * width


def _crop(box: Box, pixels: Pixels) -> tuple[tuple[int, int], Pixels]:
    height, width = pixels.shape[:2]
    left, top = max(floor(box[0]) - 1, 0), max(floor(box[1]), 0)
    right, bottom = min(ceil(box[0] + box[2]) + 1, width), min(ceil(box[1] + box[3]), height)
    return (left, top), pixels[top:bottom, left:right]


def _coverage(crop: Pixels, run: TextRun) -> Vector:
    """Estimate how much of each pixel the text covers, 0..1."""
    text = np.array(run.color, dtype=np.float64)
    ground = _background(crop, text if run.alpha else None)
    if run.alpha == 0.0:
        return _painted(crop, ground)
    if run.alpha < 1.0:
        text = _blended(crop, ground, text)
    contrast = float(np.abs(text - ground).max())
    if contrast < _LEAST_CONTRAST:
        return np.zeros(crop.shape[:2])
    distance = np.abs(crop - text).max(axis=-1)
    return np.asarray(1.0 - np.maximum(distance - SLACK, 0) / contrast)


def _blended(crop: Pixels, ground: Vector, text: Vector) -> Vector:
    """Give the colour that text of some transparency ends up with: the farthest from the ground."""
    direction = text - ground
    strength = (crop - ground) @ direction
    return np.asarray(crop.reshape(-1, 3)[strength.argmax()], dtype=np.float64)


def _painted(crop: Pixels, ground: Vector) -> Vector:
    """Estimate coverage by text in colours that are not known: as far as pixels differ from the ground."""
    distance = np.abs(crop - ground).max(axis=-1)
    strongest = float(distance.max())
    return np.asarray(distance / strongest if strongest >= _LEAST_CONTRAST else np.zeros_like(distance))


def _background(crop: Pixels, text: Vector | None) -> Vector:
    """Give the most frequent colour of a crop that is not the text's own."""
    coarse = (crop >> 4).astype(np.int64)
    bins = (coarse[..., 0] << 8) | (coarse[..., 1] << 4) | coarse[..., 2]
    counts = np.bincount(bins.ravel(), minlength=4096)
    if text is not None:
        own = (text.astype(np.int64) >> 4) @ np.array([256, 16, 1])
        if counts[own] < counts.sum() * 0.9:
            counts[own] = 0
    members = crop[bins == counts.argmax()]
    return np.asarray(members.mean(axis=0))


def _ink(place: tuple[int, int], crop: Pixels, mask: NDArray[np.bool_]) -> Ink | None:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return None
    left, top = place
    members = crop[mask]
    extent = (
        left + int(columns[0]),
        top + int(rows[0]),
        left + int(columns[-1]) + 1,
        top + int(rows[-1]) + 1,
    )
    return Ink(extent, members.sum(axis=0, dtype=np.int64), len(members))


def _union(inks: list[Ink]) -> Ink:
    extents = np.array([ink.extent for ink in inks])
    left, top = extents[:, :2].min(axis=0)
    right, bottom = extents[:, 2:].max(axis=0)
    color_sum = np.sum([ink.color_sum for ink in inks], axis=0)
    return Ink((int(left), int(top), int(right), int(bottom)), color_sum, sum(ink.num_pixels for ink in inks))
