"""The best one-to-one assignment of things on two pages, at a bounded cost; and what was exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.assignment import linear_sum_assignment
from pytest_design2a11y.models.time_limit import TimeLimit

#: Things of both pages that are assigned at once.
AT_ONCE = 400

#: Of the bands of a long page, what is less alike than this is left for the round across bands.
_LIKELY = 0.5

#: What lies so near to a place (px, by its nearest edge or centre) stands in it.
_IN_PLACE = 4.0
#: Where what is around them moved farther (px), two texts are not looked at.
_FARTHEST = 60.0

Indices = NDArray[np.intp]
Table = NDArray[np.float64]
Boxes = NDArray[np.float64]


class Assignment:
    """Pairs things of two pages so that the sum of (weight + weight) x similarity is greatest.

    Up to `AT_ONCE` things are assigned at once. More are cut into bands by their height on the page and
    assigned band by band; what has no likely partner there is assigned once more, in new bands of what is
    left: the cost grows with the number of things, not with its cube.

    Whoever uses it goes through `parts` and gives `pair` the table of each; then `pairs` has all.
    """

    def __init__(
        self,
        weights: tuple[Table, Table],
        *,
        heights: tuple[Sequence[float], Sequence[float]],
        time_limit: TimeLimit,
    ) -> None:
        """Take what each thing of both pages weighs, and where it lies down its page."""
        self._weights = weights
        self._heights = heights
        self._time_limit = time_limit
        self._least = 0.0
        self._found: list[tuple[int, int]] = []

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs, by the indices of their things."""
        return sorted(self._found)

    def parts(self) -> Iterator[tuple[Indices, Indices]]:
        """Yield the indices, on each page, of what is assigned next."""
        left, right = (np.arange(len(weights)) for weights in self._weights)
        is_whole = len(left) + len(right) <= AT_ONCE
        for least in (0.0,) if is_whole else (_LIKELY, 0.0):
            self._least = least
            for rows, columns in _bands(left, right, self._heights):
                self._time_limit.check("assignment")
                if rows.size and columns.size:
                    yield rows, columns
            left = np.setdiff1d(left, [i for i, _ in self._found])
            right = np.setdiff1d(right, [j for _, j in self._found])

    def pair(self, rows: Indices, columns: Indices, similarities: Table) -> None:
        """Assign a part by how alike its things are, 0..1; pairs without any similarity are left out."""
        first, second = self._weights
        gains = (first[rows][:, None] + second[columns][None, :]) * similarities
        chosen = zip(*linear_sum_assignment(gains, maximize=True), strict=True)
        self._found += [
            (int(rows[i]), int(columns[j])) for i, j in chosen if similarities[i, j] > self._least
        ]


def _bands(
    left: Indices, right: Indices, heights: tuple[Sequence[float], Sequence[float]]
) -> list[tuple[Indices, Indices]]:
    """Cut things of both pages into bands of equal numbers, from the top of the page down."""
    number = max(1, ceil((len(left) + len(right)) / AT_ONCE))
    places = np.concatenate([np.asarray(heights[0])[left], np.asarray(heights[1])[right]])
    bands = np.empty(len(places), dtype=np.intp)
    bands[np.argsort(places, kind="stable")] = np.arange(len(places)) * number // max(1, len(places))
    of_left, of_right = bands[: len(left)], bands[len(left) :]
    return [(left[of_left == band], right[of_right == band]) for band in range(number)]


def exchanges(first: Boxes, second: Boxes) -> list[tuple[int, int]]:
    """Return which two of some pairs of boxes stand in each other's place, moved as the nearest others did.

    Args:
        first: Left, top, width, height by row, px, of the design.
        second: Of the generated page, in the same order.
    """
    moved = np.flatnonzero(_shift(first, second) >= _IN_PLACE)
    apart = _shift(first[moved, None], second[None, moved])
    is_elsewhere = _shift(first[moved, None], first[None, moved]) >= _IN_PLACE
    near = np.triu((apart < _FARTHEST) & (apart.T < _FARTHEST) & is_elsewhere, k=1)
    found: list[tuple[int, int]] = []
    for one, other in moved[np.argwhere(near)].tolist():
        if any({one, other} & {*pair} for pair in found):
            continue
        rest = np.delete(np.arange(len(first)), [one, other])
        places = [first[at].copy() for at in (one, other)]
        for place in places if rest.size else ():
            nearest = rest[gaps(place[None], first[rest])[0].argmin()]
            place[:2] += second[nearest, :2] - first[nearest, :2]
        if max(_shift(places[0], second[other]), _shift(places[1], second[one])) < _IN_PLACE:
            found.append((one, other))
    return found


def gaps(boxes: Boxes, others: Boxes) -> Boxes:
    """Return how far the centres are apart, px, what is beside counted a third: lines move together."""
    centres = [one[:, :2] + one[:, 2:] / 2 for one in (boxes, others)]
    apart = np.abs(centres[0][:, None] - centres[1][None])
    return np.asarray(apart[..., 0] / 3 + apart[..., 1])


def least_shifts(first: Boxes, second: Boxes) -> Boxes:
    """Return how far boxes moved, px, along each axis: by the edge or centre that moved least."""
    start = second[..., :2] - first[..., :2]
    grown = second[..., 2:] - first[..., 2:]
    return np.minimum(np.abs(start), np.minimum(np.abs(start + grown / 2), np.abs(start + grown)))


def _shift(first: Boxes, second: Boxes) -> Boxes:
    return np.asarray(least_shifts(first, second).max(axis=-1))
