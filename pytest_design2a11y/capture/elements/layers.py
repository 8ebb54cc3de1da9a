"""What was painted last at each pixel: what covers is not what is covered."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.elements.view import Integers, Mask, Ranks
from pytest_design2a11y.capture.text.candidates import GROUND, Candidates

# From so much on, nothing is seen through what is painted.
_OPAQUE = 0.9
# px; shares of boxes are counted in cells.
_CELL = 4
# Places across and down a box.
_GRID = 14


def painted_ranks(candidates: Candidates) -> Integers:
    """Return when each candidate is painted, from 0 without gaps; frames are painted over the page."""
    _, ranks = np.unique(
        candidates.worlds * (1 + candidates.ranks.max(initial=0)) + candidates.ranks, return_inverse=True
    )
    return ranks.astype(np.int64).reshape(-1)


def last_ranks(
    candidates: Candidates, edges: Integers, ranks: Integers, shape: tuple[int, ...]
) -> tuple[Ranks, Mask]:
    """Return the rank of what was painted last at each pixel, -1 where nothing was, shape (height, width).

    And which candidates have a picture right behind them that is seen through them, shape (number,).
    """
    last = np.full(shape, -1, dtype=np.int16)
    on_picture = np.zeros(len(edges), dtype=bool)
    behind = np.zeros(len(edges) + 1, dtype=bool)
    grounds, worlds = candidates.grounds.tolist(), candidates.worlds.tolist()
    is_picture, is_through = candidates.looks <= GROUND, candidates.tints[:, 3] < _OPAQUE
    for at in np.argsort(ranks, kind="stable").tolist():
        if grounds[at] <= 0 or worlds[at]:
            continue
        left, top, right, bottom = (max(edge, 0) for edge in edges[at].tolist())
        middle = last[min((top + bottom) // 2, shape[0] - 1), min((left + right) // 2, shape[1] - 1)]
        on_picture[at] = is_through[at] and behind[middle]
        behind[ranks[at]] = is_picture[at] or on_picture[at]
        last[top:bottom, left:right] = ranks[at]
    return last, on_picture


@dataclass(frozen=True, slots=True)
class Lids:
    """Which opaque candidate was painted last in each cell of a page; frames neither cover nor are covered.

    Attributes:
        last: Its index, -1 where none was, shape (rows, columns).
        candidates: All of them.
        edges: Left, top, right, bottom of each, px, shape (number, 4).
        shape: Height and width of the page, px.
    """

    last: NDArray[np.int16]
    candidates: Candidates
    edges: Integers
    shape: tuple[int, ...]

    def over(self, edges: Integers, ranks: Integers, spans: Integers) -> tuple[NDArray[np.float64], Integers]:
        """Return the share of each box that lies under what is not in it, 0..1, and what covers it most.

        Args:
            edges: Left, top, right, bottom of each, px, shape (number, 4).
            ranks: When each is painted, shape (number,).
            spans: First of its elements, and the one after the last, shape (number, 2).

        Returns:
            Both of shape (number,); the candidate is -1 where nothing covers a box.
        """
        if not len(self.edges):
            return np.zeros(len(edges)), np.full(len(edges), -1)
        places = (np.arange(_GRID) + 0.5) / _GRID
        columns, rows = (
            np.clip(edges[:, [at]] + (edges[:, [at + 2]] - edges[:, [at]]) * places, 0, limit - 1).astype(
                np.int64
            )
            // _CELL
            for at, limit in ((0, self.shape[1]), (1, self.shape[0]))
        )
        top = self.last[rows[:, :, None], columns[:, None]].reshape(len(edges), -1).astype(np.int64)
        first = self.candidates.spans[top, 0]
        is_within = (spans[:, :1] <= first) & (first < spans[:, 1:])
        is_covered = (top >= 0) & (self.candidates.ranks[top] > ranks[:, None]) & ~is_within
        shares = is_covered.mean(axis=1)
        by = np.full(len(edges), -1)
        for at in np.flatnonzero(shares).tolist():
            by[at] = np.bincount(top[at][is_covered[at]]).argmax()
        return shares, by


def lids_of(candidates: Candidates, edges: Integers, shape: tuple[int, ...]) -> Lids:
    """Find which opaque candidate was painted last where."""
    last = np.full((-(-shape[0] // _CELL), -(-shape[1] // _CELL)), -1, dtype=np.int16)
    is_lid = (candidates.grounds >= _OPAQUE) & (candidates.worlds == 0)
    order = np.argsort(candidates.ranks, kind="stable")
    for at in order[is_lid[order]].tolist():
        left, top, right, bottom = (max(-(-edge // _CELL), 0) for edge in edges[at].tolist())
        last[top:bottom, left:right] = at
    return Lids(last, candidates, edges, shape)
