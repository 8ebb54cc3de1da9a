"""The best one-to-one assignment of things on two pages, at a bounded cost; and exchanges among them."""

from collections.abc import Callable, Iterator, Sequence
from math import ceil

import numpy as np
import scipy  # Loads its parts on first use
from numpy.typing import NDArray

from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.visual.scene.units import Unit

#: Number of things of both pages that are assigned at once.
AT_ONCE = 400

#: On a long page, pairs within a band that are less similar than this are left for the round across bands.
_LIKELY = 0.5

#: Things this near to a place (px, by their nearest edge or center) are in it.
_IN_PLACE = 4.0
#: Two texts are not considered if their surroundings moved farther than this (px).
_FARTHEST = 60.0

#: Things this far from their place (px, across and down) are not near it at all.
_FAR = (300.0, 150.0)

Indices = NDArray[np.intp]
Table = NDArray[np.float64]
Boxes = NDArray[np.float64]


def assign(
    weights: tuple[Table, Table],
    heights: tuple[Table, Table],
    similarities: Callable[[Indices, Indices], Table],
    time_limit: TimeLimit,
) -> list[tuple[int, int]]:
    """Pair things of two pages so that the sum of (weight + weight) x similarity is greatest.

    Up to `AT_ONCE` things are assigned at once. More are split into bands by their height on the page and
    assigned band by band; things without a likely partner there are assigned once more, in new bands: the
    cost grows with the number of things, not with its cube.

    Args:
        weights: The weight of each thing of both pages.
        heights: Vertical positions on the pages.
        similarities: Returns the similarities of things, 0..1, by their indices on each page.
        time_limit: The time limit.

    Returns:
        The pairs of indices, sorted; pairs without any similarity are left out.
    """
    left, right = (np.arange(len(side)) for side in weights)
    pairs: list[tuple[int, int]] = []
    for least in (0.0,) if len(left) + len(right) <= AT_ONCE else (_LIKELY, 0.0):
        # Bands of equal numbers, from the top of the page down.
        number = max(1, ceil((len(left) + len(right)) / AT_ONCE))
        tops = np.concatenate([heights[0][left], heights[1][right]])
        bands = np.empty(len(tops), dtype=np.intp)
        # Things of one height, such as all of a long text, are split alike on both pages.
        places = np.concatenate([np.arange(len(side)) / max(1, len(side)) for side in (left, right)])
        bands[np.lexsort((places, tops))] = np.arange(len(tops)) * number // max(1, len(tops))
        for band in range(number):
            time_limit.check("assignment")
            rows, columns = left[bands[: len(left)] == band], right[bands[len(left) :] == band]
            if rows.size and columns.size:
                alike = similarities(rows, columns)
                gains = (weights[0][rows][:, None] + weights[1][columns][None, :]) * alike
                chosen = zip(*scipy.optimize.linear_sum_assignment(gains, maximize=True), strict=True)
                pairs += [(int(rows[i]), int(columns[j])) for i, j in chosen if alike[i, j] > least]
        left = np.setdiff1d(left, [i for i, _ in pairs])
        right = np.setdiff1d(right, [j for _, j in pairs])
    return sorted(pairs)


def unpaired(
    pairs: Sequence[tuple[int, int]], things: Sequence[Sequence[object]]
) -> tuple[list[int], list[int]]:
    """Return the indices that are in no pair, for the design and for the generated page."""
    taken = {i for i, _ in pairs}, {j for _, j in pairs}
    rows, columns = (sorted({*range(len(side))} - known) for side, known in zip(things, taken, strict=True))
    return rows, columns


def assigned(table: Boxes, rows: Sequence[int], columns: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of rows and columns with the greatest sum; none where the table is not above 0."""
    for row, column in np.transpose(scipy.optimize.linear_sum_assignment(table, maximize=True)).tolist():
        if table[row, column] > 0:
            yield rows[row], columns[column]


def boxes_of(things: Sequence[Unit | Element]) -> Boxes:
    """Return left, top, width and height of texts or elements by row, px."""
    return np.array([thing.box for thing in things], dtype=np.float64).reshape(-1, 4)


def nearness(wanted: Boxes, made: Boxes, reach: tuple[float, float] = _FAR) -> Boxes:
    """Return the nearness of boxes by nearest edge or center, 0..1; 0 beyond `reach` (px, across, down)."""
    shifts = np.abs(least_shifts(wanted[:, None], made[None]))
    return np.asarray(np.maximum(0.0, 1.0 - shifts / reach).min(axis=-1))


def centers_of(boxes: Boxes, page_size: tuple[int, int]) -> Boxes:
    """Return the centers of boxes, px, as fractions of their page."""
    return np.asarray((boxes[:, :2] + boxes[:, 2:] / 2) / np.array(page_size))


def exchanges(reference: Boxes, candidate: Boxes) -> list[tuple[int, int]]:
    """Return pairs of boxes that took each other's places, relative to how their nearest neighbors moved.

    Args:
        reference: Left, top, width, height by row, px, of the design.
        candidate: Of the generated page, in the same order.
    """
    moved = np.flatnonzero(_shift(reference, candidate) >= _IN_PLACE)
    exchanged: list[tuple[int, int]] = []
    for i, j in _near(reference, candidate, moved):
        if any({i, j} & {*pair} for pair in exchanged):
            continue
        rest = np.delete(np.arange(len(reference)), [i, j])
        moved_along = [reference[at].copy() for at in (i, j)]
        for box in moved_along if rest.size else ():
            nearest = rest[gaps(box[None], reference[rest])[0].argmin()]
            box[:2] += candidate[nearest, :2] - reference[nearest, :2]
        if max(_shift(moved_along[0], candidate[j]), _shift(moved_along[1], candidate[i])) < _IN_PLACE:
            exchanged.append((i, j))
    return exchanged


def _near(reference: Boxes, candidate: Boxes, moved: Indices) -> Iterator[tuple[int, int]]:
    """Yield pairs of boxes that moved, each to near where the other was."""
    for at, i in enumerate(moved.tolist()):
        others = moved[at + 1 :]
        others = others[_shift(reference[i], candidate[others]) < _FARTHEST]
        others = others[_shift(reference[others], candidate[i]) < _FARTHEST]
        others = others[_shift(reference[i], reference[others]) >= _IN_PLACE]
        yield from ((i, j) for j in others.tolist())


def gaps(boxes: Boxes, others: Boxes) -> Boxes:
    """Return the distances of centers, px, with horizontal ones divided by three: lines move together."""
    centers = [side[:, :2] + side[:, 2:] / 2 for side in (boxes, others)]
    apart = np.abs(centers[0][:, None] - centers[1][None])
    return np.asarray(apart[..., 0] / 3 + apart[..., 1])


def least_shifts(reference: Boxes, candidate: Boxes) -> Boxes:
    """Return how far boxes moved right and down, px: each way by the edge or center that moved least."""
    start = candidate[..., :2] - reference[..., :2]
    grown = candidate[..., 2:] - reference[..., 2:]
    ways = np.stack([start, start + grown / 2, start + grown])
    return np.asarray(np.take_along_axis(ways, np.abs(ways).argmin(axis=0)[None], axis=0)[0])


def _shift(reference: Boxes, candidate: Boxes) -> Boxes:
    return np.asarray(np.abs(least_shifts(reference, candidate)).max(axis=-1))
