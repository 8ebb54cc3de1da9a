"""Texts that stand in each other's place while what is around them stays: a name at another's entry."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: What lies so near to a place (px, by its nearest edge or centre) stands in it.
_IN_PLACE = 4.0
#: Where what is around them moved farther (px), two texts are not looked at.
_FARTHEST = 60.0

Boxes = NDArray[np.float64]


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
