"""What is kept of a page's picture to compare it with another: edges, rhythm, colours, share of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.visual.picture import Picture, halve, picture_without_text

_SIDE = 128
_COLOR_SIDE = 32
_GRID = 16

#: The faintest step between two pixels that counts as an edge, in percent: about one level of 255.
_FAINTEST_EDGE = 0.4

_PALETTE_STEP = 12.0
_BANDS = ((1, 2), (2, 4), (4, 8), (8, 16), (16, 32), (32, 64))
_DIRECTIONS = ((0.0, 0.15), (0.15, 1.42), (1.42, 1.6))


@dataclass(frozen=True, eq=False, slots=True)
class Look:
    """A page without its text, measured.

    Attributes:
        colors: Luma and two colour differences, percent, shape (32, 32, 3).
        background: The most common of these colours, shape (3,).
        edges: Share of pixels that differ from their right and from their lower neighbour, by cell of a
            grid, shape (16, 16, 2).
        edge_bands: Power of the edges' spectrum by band of frequency and direction, coarse bands first.
        chroma_bands: Likewise, of how colourful each pixel is.
        text: Share of the page that its text covers.
    """

    colors: Picture
    background: Picture
    edges: Picture
    edge_bands: NDArray[np.float64]
    chroma_bands: NDArray[np.float64]
    text: float


def look_at(pixels: NDArray[np.uint8], boxes: Sequence[Box], time_limit: TimeLimit | None = None) -> Look:
    """Measure a page.

    Args:
        pixels: The page, shape (height, width, 3), sRGB 0..255.
        boxes: Its text, as page fractions.
        time_limit: How long it may take; None: as long as it takes.

    Raises:
        MeasurementTimeout: The time is over.
    """
    picture, visible = picture_without_text(pixels, boxes, time_limit)
    red, green, blue = (picture[..., channel] / np.float32(2.55) for channel in range(3))
    luma = np.float32(0.299) * red + np.float32(0.587) * green + np.float32(0.114) * blue
    colors = halve(
        np.stack([luma, (blue - luma) * np.float32(0.564334), (red - luma) * np.float32(0.713267)], axis=-1)
    )
    edges = (_steps(colors) > _FAINTEST_EDGE).astype(np.float32)
    coarse = cells(colors, _COLOR_SIDE)
    return Look(
        colors=coarse,
        background=_most_common(coarse.reshape(-1, 3)),
        edges=cells(edges, _GRID),
        edge_bands=_band_powers(edges.max(axis=-1)),
        chroma_bands=_band_powers(np.log1p(np.hypot(colors[..., 1], colors[..., 2]))),
        text=1.0 - float(visible.mean(dtype=np.float64)),
    )


def cells(values: Picture, number: int) -> Picture:
    """Return means over a grid of number x number cells, shape (number, number, channels)."""
    size = len(values) // number
    means: Picture = values.reshape(number, size, number, size, -1).mean(axis=(1, 3))
    return means


def _steps(colors: Picture) -> Picture:
    """Return how far the colour steps to the next pixel, across and down."""
    steps = np.zeros((*colors.shape[:2], 2), dtype=np.float32)
    steps[:, :-1, 0] = _length(colors[:, 1:] - colors[:, :-1])
    steps[:-1, :, 1] = _length(colors[1:] - colors[:-1])
    return steps


def _length(vectors: Picture) -> Picture:
    squared = vectors[..., 0] ** 2 + vectors[..., 1] ** 2 + vectors[..., 2] ** 2
    length: Picture = np.sqrt(squared)
    return length


def _most_common(colors: Picture) -> Picture:
    bins = np.floor(colors / np.float32(_PALETTE_STEP)).astype(np.int64) + 64
    numbers = bins[:, 0] * 128 * 128 + bins[:, 1] * 128 + bins[:, 2]
    found, counts = np.unique(numbers, return_counts=True)
    mean: Picture = colors[numbers == found[counts.argmax()]].mean(axis=0)
    return mean


def _band_powers(values: Picture) -> NDArray[np.float64]:
    centred = values.astype(np.float64)
    centred -= centred.mean()
    power = np.abs(np.fft.fft2(centred)) ** 2 / centred.size
    flat = power.ravel()
    return np.array([flat[band].sum() for band in _bands()])


@cache
def _bands() -> tuple[NDArray[np.intp], ...]:
    """Return which entries of a spectrum belong to each band: three directions of each frequency."""
    frequency = np.minimum(np.arange(_SIDE), _SIDE - np.arange(_SIDE))
    down, across = np.meshgrid(frequency, frequency, indexing="ij")
    radius, angle = np.hypot(down, across), np.arctan2(down, across)
    return tuple(
        np.flatnonzero((radius >= low) & (radius < high) & (angle >= first) & (angle < last))
        for low, high in _BANDS
        for first, last in _DIRECTIONS
    )
