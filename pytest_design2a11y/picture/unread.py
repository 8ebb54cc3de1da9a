"""Where a picture shows what looks like text, and no line was read: the reader's search misses some."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_closing, find_objects, label

from pytest_design2a11y.picture.lines import Line

#: At most so many places of a picture are looked at a second time, the widest ones.
MAX_PLACES = 24

# Levels of 255 from one pixel to the next: an edge.
_STEP = 24
# What was read is taken out with so much around it, px.
_MARGIN = 2
# Strokes so near to each other, px, are of one place.
_REACH = 9
# Text is so high, px, and wider than that by so much.
_HEIGHTS = (7, 60)
_LEAST_ASPECT = 1.6
# Of a place so much is edge: less is a border, more is dithering.
_DENSITIES = (0.12, 0.7)
# So many of its columns have strokes; no row is all edge, as a border is.
_INKED_COLUMNS = 0.5
_BORDER = 0.95
# A place is looked at with so much around it, px.
_AROUND = 20

Place = tuple[int, int, int, int]


def unread_places(pixels: NDArray[np.uint8], lines: Sequence[Line]) -> list[Place]:
    """Find places, px from top to bottom, that may hold text that was not read."""
    edges = _edges(pixels)
    for line in lines:
        left, top, width, height = line.box
        edges[
            max(floor(top) - 2, 0) : ceil(top + height) + 2, max(floor(left) - 2, 0) : ceil(left + width) + 2
        ] = 0
    parts, _ = label(binary_closing(edges, np.ones((3, _REACH))), structure=np.ones((3, 3)))
    found = [
        (columns.start, rows.start, columns.stop, rows.stop)
        for rows, columns in find_objects(parts)
        if _may_be_text(edges[rows, columns])
    ]
    widest = sorted(found, key=lambda place: place[0] - place[2])[:MAX_PLACES]
    height, width = pixels.shape[:2]
    return [
        (
            max(left - _AROUND, 0),
            max(top - _AROUND, 0),
            min(right + _AROUND, width),
            min(bottom + _AROUND, height),
        )
        for left, top, right, bottom in sorted(widest, key=lambda place: (place[1], place[0]))
    ]


def _edges(pixels: NDArray[np.uint8]) -> NDArray[np.bool_]:
    edges = np.zeros(pixels.shape[:2], dtype=bool)
    across = np.abs(np.diff(pixels.astype(np.int16), axis=1)).max(axis=2) >= _STEP
    down = np.abs(np.diff(pixels.astype(np.int16), axis=0)).max(axis=2) >= _STEP
    edges[:, 1:] |= across
    edges[1:] |= down
    return edges


def _may_be_text(edges: NDArray[np.bool_]) -> bool:
    height, width = edges.shape
    return bool(
        _HEIGHTS[0] <= height <= _HEIGHTS[1]
        and width >= _LEAST_ASPECT * height
        and _DENSITIES[0] <= edges.mean() <= _DENSITIES[1]
        and edges.any(axis=0).mean() > _INKED_COLUMNS
        and edges.mean(axis=1).max() < _BORDER
    )
