"""The best one-to-one assignment between two lists of things that lie on pages, at a bounded cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.time_limit import TimeLimit

#: Things of both pages that are assigned at once.
AT_ONCE = 400

#: Of the bands of a long page, what is less alike than this is left for the round across bands.
_LIKELY = 0.5

Indices = NDArray[np.intp]
Similarities = Callable[[Indices, Indices], NDArray[np.float64]]


def assign(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    similarities: Similarities,
    *,
    heights: tuple[Sequence[float], Sequence[float]],
    time_limit: TimeLimit,
) -> list[tuple[int, int]]:
    """Pair things of two pages so that the sum of (weight + weight) x similarity is greatest.

    Up to `AT_ONCE` things are assigned at once. More are cut into bands by their height on the page and
    assigned band by band; what has no likely partner there is assigned once more, in new bands of what is
    left: the cost grows with the number of things, not with its cube.

    `similarities` gives the table, 0..1, of some things of each page by their indices; `heights` tell where
    each lies down the page. Pairs without any similarity are left out.
    """
    left, right = np.arange(len(first)), np.arange(len(second))
    if len(first) + len(second) <= AT_ONCE:
        return _pairs(left, right, first, second, similarities, least=0.0)
    found: list[tuple[int, int]] = []
    for least in (_LIKELY, 0.0):
        for rows, columns in _bands(left, right, heights):
            time_limit.check("assignment")
            found += _pairs(rows, columns, first, second, similarities, least=least)
        left = np.setdiff1d(left, [i for i, _ in found])
        right = np.setdiff1d(right, [j for _, j in found])
    return sorted(found)


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


def _pairs(
    rows: Indices,
    columns: Indices,
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    similarities: Similarities,
    *,
    least: float,
) -> list[tuple[int, int]]:
    if not (rows.size and columns.size):
        return []
    from scipy.optimize import linear_sum_assignment

    table = similarities(rows, columns)
    gains = (first[rows][:, None] + second[columns][None, :]) * table
    chosen = zip(*linear_sum_assignment(gains, maximize=True), strict=True)
    return [(int(rows[i]), int(columns[j])) for i, j in chosen if table[i, j] > least]
