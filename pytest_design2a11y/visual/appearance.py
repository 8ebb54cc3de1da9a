"""Component `appearance`, backend `embedded`: similarity of two pages apart from their text."""

import json
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import Box

SIDE = 256

Picture = NDArray[np.float32]


def picture_without_text(
    pixels: NDArray[np.uint8], boxes: Sequence[Box], time_limit: TimeLimit | None = None
) -> tuple[Picture, Picture]:
    """Remove the text from a page and shrink the rest.

    Each pixel of the result is the mean of what the page shows there outside the boxes; where the boxes
    leave little, the nearest visible surroundings are mixed in. Pixels have the shape (height, width, 3),
    sRGB 0..255; boxes are page fractions.

    Returns:
        The picture, shape (SIDE, SIDE, 3), sRGB 0..255; and the visible share of each of its pixels,
        shape (SIDE, SIDE, 1), 0..1.
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


#: Boxes are whole pixels divided by the page's size: a value this close to a whole number is one.
_ROUNDING = 1e-6


def _span(start: float, length: float, size: int) -> slice:
    first, last = start * size, (start + length) * size
    return slice(max(0, math.floor(first + _ROUNDING)), max(0, math.ceil(last - _ROUNDING)))


def _squash(pixels: NDArray[np.uint8]) -> Picture:
    return np.asarray(Image.fromarray(pixels).resize((SIDE, SIDE), Image.Resampling.BOX), dtype=np.float32)


def _fill(total: Picture, weight: Picture) -> Picture:
    """Divide sums by weights; if a weight is too small to divide by, use the next coarser level."""
    if len(weight) == 1:
        return total / weight if weight.item() > 0 else np.full_like(total, 255.0)
    if weight.min() == 1.0:
        return total
    coarser = _fill(halve(total), halve(weight)).repeat(2, axis=0).repeat(2, axis=1)
    trust = np.minimum(weight * np.float32(4.0), np.float32(1.0))
    mean = np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)
    return np.asarray(trust * mean + (np.float32(1.0) - trust) * coarser)


def halve(values: Picture) -> Picture:
    """Return the means of squares of two by two, shape (half, half, channels)."""
    total = values[::2, ::2] + values[1::2, ::2] + values[::2, 1::2] + values[1::2, 1::2]
    return np.asarray(total * np.float32(0.25))


Term = tuple[str, float, float]
"""(name of a difference, where it stops counting, how much it subtracts there)."""


def embedded_appearance(
    *,
    reference: Screenshot,
    candidate: Screenshot,
    reference_boxes: Sequence[Box],
    candidate_boxes: Sequence[Box],
    time_limit: TimeLimit | None = None,
) -> float:
    """Compare two pages without their text by edges, rhythm, colors and background.

    A sum of capped differences, each of which only lowers the result, fitted to published similarities of
    a neural image model (`studies/fit_appearance.py`, `docs/metrics.md`). The order of the pages does
    not matter, and a page against itself gives exactly 1. It is not that model's result and must not be
    compared with one. Boxes are of text, as page fractions.

    Returns:
        0..1; about 0.7 for unrelated pages, mostly 0.85 to 0.95 for generated ones.

    Raises:
        MeasurementTimeout: The time limit was reached.
    """
    # Most of it runs outside the interpreter's lock: both pages take hardly longer than one.
    with ThreadPoolExecutor(2) as pool:
        pages = (reference.pixels, reference_boxes), (candidate.pixels, candidate_boxes)
        looks = pool.map(lambda page: look_at(page[0], page[1], time_limit), pages)
        return similarity(differences(*looks), fitted_terms())


def similarity(found: Mapping[str, float], terms: Sequence[Term]) -> float:
    """Return 1 minus what the differences subtract, at least 0."""
    return max(0.0, 1.0 - sum(weight * min(found[name] / cap, 1.0) for name, cap, weight in terms))


@cache
def fitted_terms() -> tuple[Term, ...]:
    """Return the fitted terms that ship with the package."""
    fitted = json.loads(files("pytest_design2a11y.visual").joinpath("appearance.json").read_text("utf-8"))
    return tuple((str(name), float(cap), float(weight)) for name, cap, weight in fitted["terms"])


_SIDE = 128
_COLOR_SIDE = 32
_GRID = 16

#: The smallest step between two pixels that counts as an edge, in percent: about one level of 255.
_FAINTEST_EDGE = 0.4

_PALETTE_STEP = 12.0
_BANDS = ((1, 2), (2, 4), (4, 8), (8, 16), (16, 32), (32, 64))
_DIRECTIONS = ((0.0, 0.15), (0.15, 1.42), (1.42, 1.6))


@dataclass(frozen=True, eq=False, slots=True)
class Look:
    """Measurements of a page without its text."""

    colors: Picture  # Luma and two color differences, percent, shape (32, 32, 3)
    background: Picture  # The most common of these colors, shape (3,)
    # Shape (16, 16, 2): per grid cell, the share of pixels that differ from their right and lower neighbors
    edges: Picture
    # Power of the edges' spectrum by band of frequency and direction, coarse bands first
    edge_bands: NDArray[np.float64]
    chroma_bands: NDArray[np.float64]  # Likewise, of the pixels' colorfulness
    text: float  # Share of the page that its text covers


def look_at(pixels: NDArray[np.uint8], boxes: Sequence[Box], time_limit: TimeLimit | None = None) -> Look:
    """Measure a page, shape (height, width, 3), sRGB 0..255, with its text boxes as page fractions."""
    picture, visible = picture_without_text(pixels, boxes, time_limit)
    red, green, blue = (picture[..., channel] / np.float32(2.55) for channel in range(3))
    luma = np.float32(0.299) * red + np.float32(0.587) * green + np.float32(0.114) * blue
    colors = halve(
        np.stack([luma, (blue - luma) * np.float32(0.564334), (red - luma) * np.float32(0.713267)], axis=-1)
    )
    steps = np.zeros((*colors.shape[:2], 2), dtype=np.float32)
    steps[:, :-1, 0] = _length(colors[:, 1:] - colors[:, :-1])
    steps[:-1, :, 1] = _length(colors[1:] - colors[:-1])
    edges = (steps > _FAINTEST_EDGE).astype(np.float32)
    coarse = cells(colors, _COLOR_SIDE)
    palette = coarse.reshape(-1, 3)
    bins = np.floor(palette / np.float32(_PALETTE_STEP)).astype(np.int64) + 64
    numbers = bins @ np.array([128 * 128, 128, 1])
    used, counts = np.unique(numbers, return_counts=True)
    return Look(
        colors=coarse,
        background=palette[numbers == used[counts.argmax()]].mean(axis=0),
        edges=cells(edges, _GRID),
        edge_bands=_band_powers(edges.max(axis=-1)),
        chroma_bands=_band_powers(np.log1p(np.hypot(colors[..., 1], colors[..., 2]))),
        text=1.0 - float(visible.mean(dtype=np.float64)),
    )


def cells(values: Picture, number: int) -> Picture:
    """Return means over a grid of number x number cells, shape (number, number, channels)."""
    size = len(values) // number
    return np.asarray(values.reshape(number, size, number, size, -1).mean(axis=(1, 3)))


def _length(vectors: Picture) -> Picture:
    return np.asarray(np.sqrt(vectors[..., 0] ** 2 + vectors[..., 1] ** 2 + vectors[..., 2] ** 2))


def _band_powers(values: Picture) -> NDArray[np.float64]:
    centered = values.astype(np.float64)
    centered -= centered.mean()
    power = (np.abs(np.fft.fft2(centered)) ** 2 / centered.size).ravel()
    return np.array([power[band].sum() for band in _bands()])


@cache
def _bands() -> tuple[NDArray[np.intp], ...]:
    """Return the entries of a spectrum that belong to each band: three directions of each frequency."""
    frequency = np.minimum(np.arange(_SIDE), _SIDE - np.arange(_SIDE))
    down, across = np.meshgrid(frequency, frequency, indexing="ij")
    radius, angle = np.hypot(down, across), np.arctan2(down, across)
    return tuple(
        np.flatnonzero((radius >= low) & (radius < high) & (angle >= first) & (angle < last))
        for low, high in _BANDS
        for first, last in _DIRECTIONS
    )


_STEADY_COLOR = 10.0
_EDGE_POWER_FLOOR = 50.0
_CHROMA_POWER_FLOOR = 0.05
_FINE_BANDS = slice(9, None)


def differences(first: Look, second: Look) -> dict[str, float]:
    """Compare two looks; the order does not matter.

    Returns:
        By name: differences in the density of edges in coarse and in finer cells, in the rhythm of edges and
        of colorfulness wherever it lies, in colors place by place, in backgrounds, and in the share of
        text.
    """
    return {
        "edges": _root_difference(cells(first.edges, 4), cells(second.edges, 4)),
        "layout": _root_difference(first.edges, second.edges),
        "edge_rhythm": _log_difference(first.edge_bands, second.edge_bands, _EDGE_POWER_FLOOR),
        "color_rhythm": _log_difference(
            first.chroma_bands[_FINE_BANDS], second.chroma_bands[_FINE_BANDS], _CHROMA_POWER_FLOOR
        ),
        "colors": _color_difference(first.colors, second.colors),
        "background": _color_difference(first.background, second.background),
        "text": abs(math.sqrt(max(0.0, first.text)) - math.sqrt(max(0.0, second.text))),
    }


def _root_difference(first: Picture, second: Picture) -> float:
    return float(np.abs(np.sqrt(first) - np.sqrt(second)).mean(dtype=np.float64))


def _log_difference(first: NDArray[np.float64], second: NDArray[np.float64], floor: float) -> float:
    return float(np.abs(np.log(first + floor) - np.log(second + floor)).mean())


def _color_difference(first: Picture, second: Picture) -> float:
    distance = np.sqrt(((first - second).astype(np.float64) ** 2).sum(axis=-1))
    return float((distance / (distance + _STEADY_COLOR)).mean())
