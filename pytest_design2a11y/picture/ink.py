"""Lines of text as read from a picture, and their ink: which pixels are text, and in which color."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import label

from pytest_design2a11y.models.colors import most_frequent_color
from pytest_design2a11y.models.geometry import Box, Color, is_inside
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.models.records import Number, Share

# px; largest height of a single letter, and of a mark such as a dash.
_LARGEST_LETTER = 100
_LARGEST_MARK = 40
# Greatest width per letter, as a multiple of the height, however far apart the letters are.
_WIDEST_LETTER = 3.0


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text."""

    text: str  # As read, words separated by one space
    box: Box  # Upright, px, a little larger than the letters
    confidence: Share  # Of the reader, 0..1
    middles: tuple[Number, ...]  # px across: about the middle of each letter, without spaces


def is_plausible(line: TextLine) -> bool:
    """Return whether a line can be text: a single letter as large as a picture is a misread shape."""
    _, _, width, height = line.box
    text = line.text.replace(" ", "")
    if len(text) == 1 and height > (_LARGEST_LETTER if text.isalnum() else _LARGEST_MARK):
        return False
    return width <= _WIDEST_LETTER * height * len(text)


def with_confidence(runs: Iterable[TextRun], lines: Sequence[TextLine]) -> tuple[TextRun, ...]:
    """Return runs with the least confidence of the lines that they were made of."""
    found = []
    for run in runs:
        inside = (line.confidence for line in lines if any(is_inside(box, line.box) for box in run.boxes))
        found.append(replace(run, confidence=min(inside, default=None)))
    return tuple(found)


Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Vector = NDArray[np.float64]

# A pixel is ink from this share of the distance between the ground and the strongest pixels.
_INK = 0.4
# Margin around a line in which to look for its ground: px, and share of the line's height.
_LEAST_MARGIN = 2.0
_MARGIN = 0.2
# Text with less contrast (levels of 255) cannot be read.
_LEAST_CONTRAST = 12.0
# Number of pixels along the edges of a line's box that show its ground.
_RIM = 2
# Letters ink at most this share of a line's box: above it, what fills the box is the ground.
_MOST_INK = 0.55
# Ink that reaches beyond a line's box is not the line's, if at least this share of ink remains without it.
_LEAST_LEFT = 0.1
# px; greatest width of a border that crosses a line.
_WALL = 4
# Ink from this share of the strongest distance on has one color in letters; small pictures vary more.
_PLAIN = 0.7
_LOW = 10
_MOTLEY = 90
# A word's color is estimated from this many of its strongest pixels, or this share of its ink if larger.
_NUM_STRONGEST = 4
_SHARE_STRONGEST = 0.06


@dataclass(frozen=True, eq=False, slots=True)
class LineInk:
    """A line's pixels, without anything that is not part of its text."""

    left: int  # First column of the arrays, px of the page
    top: int  # Likewise its first row
    pixels: Pixels  # Shape (height, width, 3), sRGB
    # Distance from the ground, shape (height, width), 0..255; 0 where something else lies
    distance: NDArray[np.float64]
    ground: NDArray[np.float64]  # sRGB
    walls: Mask  # Columns where a border crosses the line, shape (width,)

    @property
    def mask(self) -> Mask:
        """Return which pixels are ink."""
        return _inked(self.distance)


def line_ink(line: TextLine, pixels: Pixels) -> LineInk | None:
    """Find the ink of a line; None if it has no contrast with its ground."""
    margin = ceil(max(_LEAST_MARGIN, _MARGIN * line.box[3]))
    x, y, width, height = line.box
    left, top = max(floor(x) - margin, 0), max(floor(y) - margin, 0)
    right = min(ceil(x + width) + margin, pixels.shape[1])
    bottom = min(ceil(y + height) + margin, pixels.shape[0])
    crop = pixels[top:bottom, left:right]
    if min(crop.shape[:2]) <= 2 * margin:
        return None
    inner = crop[margin:-margin, margin:-margin]
    rim = np.ones(inner.shape[:2], dtype=bool)
    if min(rim.shape) > 2 * _RIM:
        rim[_RIM:-_RIM, _RIM:-_RIM] = False
    ground, distance = _from_ground(crop, most_frequent_color(inner[rim][None]))
    if (_inked(distance)[margin:-margin, margin:-margin]).mean() > _MOST_INK:
        ground, distance = _from_ground(crop, most_frequent_color(inner))
    walls = _leave_out_foreign(distance, margin)
    if _strongest(distance) < _LEAST_CONTRAST:
        return None
    return LineInk(left, top, crop, distance, ground, walls)


def _from_ground(crop: Pixels, ground: Vector) -> tuple[Vector, Vector]:
    return ground, np.abs(crop - ground).max(axis=2)


def _inked(distance: Vector) -> Mask:
    return np.asarray(distance >= max(_INK * _strongest(distance), _LEAST_CONTRAST))


def _leave_out_foreign(distance: Vector, margin: int) -> Mask:
    """Zero what is not the line's (other lines, borders, corners of buttons); return columns of borders."""
    mask = _inked(distance)
    parts, _ = label(mask, structure=np.ones((3, 3)))
    inside = np.zeros_like(mask)
    inside[margin - 1 : 1 - margin, margin - 1 : 1 - margin] = True
    reaching = np.unique(np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]]))
    is_foreign = np.isin(parts, reaching[reaching > 0])
    if (mask & inside & ~is_foreign).sum() < _LEAST_LEFT * (mask & inside).sum():
        is_foreign[:] = False
    distance[~inside | is_foreign] = 0
    crossing = np.intersect1d(parts[0][is_foreign[0]], parts[-1][is_foreign[-1]])
    walls = np.zeros(parts.shape[1], dtype=bool)
    for number in crossing[crossing > 0]:
        columns = np.flatnonzero((parts == number).any(axis=0))
        if len(columns) <= _WALL:
            walls[columns] = True
    return walls


def _strongest(distance: NDArray[np.float64]) -> float:
    """Return the distance that at least a few pixels have: a single one may be noise."""
    num_inked = int((distance >= _LEAST_CONTRAST).sum())
    if not num_inked:
        return 0.0
    rank = min(num_inked, max(_NUM_STRONGEST, int(_SHARE_STRONGEST * num_inked)))
    return float(np.partition(distance, distance.size - rank, axis=None)[distance.size - rank])


def color_of(pixels: Pixels, distance: NDArray[np.float64]) -> Color | None:
    """Return the color of ink, by its strongest pixels, since the others are blended with the ground."""
    strongest = _strongest(distance) if distance.size else 0.0
    if strongest < _LEAST_CONTRAST:
        return None
    red, green, blue = np.median(pixels[distance >= strongest], axis=0)
    return round(float(red)), round(float(green)), round(float(blue))


def is_motley(pixels: Pixels, distance: Vector) -> bool:
    """Return whether ink has several colors, as small pictures have but letters do not."""
    strongest = _strongest(distance)
    colors = pixels[distance >= max(_PLAIN * strongest, _LEAST_CONTRAST)]
    if len(colors) < _NUM_STRONGEST:
        return False
    low, high = np.percentile(colors, (_LOW, 100 - _LOW), axis=0)
    return bool((high - low).max() > _MOTLEY)
