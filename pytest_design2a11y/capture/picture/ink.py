"""Where the ink of a line lies, and which colour each of its words has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.picture.lines import Line, Word
from pytest_design2a11y.models.colors import ciede2000, lab_from_srgb, most_frequent_color
from pytest_design2a11y.models.geometry import Box, Color

Pixels = NDArray[np.uint8]

# Of the ground's distance to the strongest pixels of a word: what comes so near to it has the text's colour.
_STRONG = 0.85
# From this part of it on a pixel is ink.
_INK = 0.4
# How far around a line its ground is looked for: px, and heights of the line.
_LEAST_MARGIN = 2.0
_MARGIN = 0.2
# Less contrast (levels of 255) is no text that anybody could read.
_LEAST_CONTRAST = 12.0
# A line is two where no ink lies for so many px, or so many heights of its ink.
_WIDEST_GAP_PX = 10.0
_WIDEST_GAP = 1.0
# Neighbouring words whose colours differ less share a run (CIEDE2000).
_SAME_COLOR = 18.0


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring words of one colour.

    Attributes:
        text: Words joined with spaces.
        box: From the first word's left to the last one's right, over the line's height, px.
        color: sRGB.
    """

    text: str
    box: Box
    color: Color


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a line without a wide gap.

    Attributes:
        box: Upright, px, as read.
        runs: From left to right.
        first_word: Width of its first word, px.
    """

    box: Box
    runs: tuple[Run, ...]
    first_word: float

    @property
    def text(self) -> str:
        """All its words."""
        return " ".join(run.text for run in self.runs)

    @property
    def color(self) -> Color:
        """The colour of most of its width."""
        widths: dict[Color, float] = {}
        for run in self.runs:
            widths[run.color] = widths.get(run.color, 0.0) + run.box[2]
        return max(widths, key=lambda color: widths[color])


def pieces_of(line: Line, pixels: Pixels) -> Iterator[Piece]:
    """Split a line where it has wide gaps, and its words by their colours.

    Args:
        line: As read.
        pixels: The picture, shape (height, width, 3), sRGB.

    Yields:
        Pieces from left to right; none where the line has no contrast with its ground.
    """
    left, top, right, bottom = _bounds(line.box, pixels)
    crop = pixels[top:bottom, left:right]
    if not crop.size:
        return
    distance = _distance(crop, _ground(line.box, pixels))
    strongest = float(np.percentile(distance, 99.5))
    if strongest < _LEAST_CONTRAST:
        return
    ink = distance >= _INK * strongest
    for words in _between_gaps(line.words, _gaps(ink), left):
        yield _piece(words, line, crop, distance, left)


def _bounds(box: Box, pixels: Pixels) -> tuple[int, int, int, int]:
    height, width = pixels.shape[:2]
    left, top = max(floor(box[0]), 0), max(floor(box[1]), 0)
    return left, top, min(ceil(box[0] + box[2]), width), min(ceil(box[1] + box[3]), height)


def _ground(box: Box, pixels: Pixels) -> NDArray[np.float64]:
    """Give the colour that lies around a line: bold text may fill most of its own box."""
    margin = max(_LEAST_MARGIN, _MARGIN * box[3])
    wider = (box[0] - margin, box[1] - margin, box[2] + 2 * margin, box[3] + 2 * margin)
    left, top, right, bottom = _bounds(wider, pixels)
    return most_frequent_color(pixels[top:bottom, left:right])


def _distance(crop: Pixels, ground: NDArray[np.float64]) -> NDArray[np.float64]:
    distance: NDArray[np.float64] = np.abs(crop - ground).max(axis=2)
    return distance


def _gaps(ink: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Give the (start, end) columns of the stretches without ink that part a line in two."""
    columns, rows = np.flatnonzero(ink.any(axis=0)), np.flatnonzero(ink.any(axis=1))
    if not columns.size:
        return []
    widest = max(_WIDEST_GAP_PX, _WIDEST_GAP * (rows[-1] - rows[0] + 1))
    return [(int(one) + 1, int(other)) for one, other in pairwise(columns) if other - one - 1 > widest]


def _between_gaps(words: Sequence[Word], gaps: Sequence[tuple[int, int]], left: int) -> Iterator[list[Word]]:
    parts: list[list[Word]] = [[] for _ in range(len(gaps) + 1)]
    for word in words:
        centre = word.box[0] + word.box[2] / 2 - left
        parts[sum(centre > (start + end) / 2 for start, end in gaps)].append(word)
    return (part for part in parts if part)


def _piece(
    words: Sequence[Word], line: Line, crop: Pixels, distance: NDArray[np.float64], left: int
) -> Piece:
    _, top, _, height = line.box
    start, end = words[0].box[0], words[-1].box[0] + words[-1].box[2]
    runs: list[Run] = []
    known: Color | None = None
    for word in words:
        color = _color(word, crop, distance, left) or known
        if color is None:
            continue
        known = color
        box = (word.box[0], top, word.box[2], height)
        if runs and _is_alike(runs[-1].color, color):
            last = runs[-1]
            width = word.box[0] + word.box[2] - last.box[0]
            runs[-1] = replace(last, text=f"{last.text} {word.text}", box=(last.box[0], top, width, height))
        else:
            runs.append(Run(word.text, box, color))
    return Piece((start, top, end - start, height), tuple(runs), words[0].box[2])


def _color(word: Word, crop: Pixels, distance: NDArray[np.float64], left: int) -> Color | None:
    first, last = floor(word.box[0] - left), ceil(word.box[0] + word.box[2] - left)
    here = distance[:, max(first, 0) : max(last, 0)]
    if not here.size:
        return None
    strongest = float(np.percentile(here, 99))
    if strongest < _LEAST_CONTRAST:
        return None
    red, green, blue = np.median(crop[:, max(first, 0) : max(last, 0)][here >= _STRONG * strongest], axis=0)
    return round(float(red)), round(float(green)), round(float(blue))


def _is_alike(first: Color, second: Color) -> bool:
    return first == second or color_difference(first, second) < _SAME_COLOR


def color_difference(first: Color, second: Color) -> float:
    """Give how different two sRGB colours look (CIEDE2000)."""
    return float(ciede2000(lab_from_srgb(first), lab_from_srgb(second)))
