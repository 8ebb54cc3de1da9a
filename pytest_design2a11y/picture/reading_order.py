"""The order in which a person reads boxes: a recursive cut along the widest empty strips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

#: left, top, right, bottom.
Sides = tuple[float, float, float, float]

# Columns are taken before rows only where the strip between them is so much wider.
_WIDER = 1.5


def in_reading_order(things: Sequence[T], *, box: Callable[[T], Sides]) -> list[T]:
    """Sort things by recursive X-Y cut: rows before columns unless the gap between columns is much wider.

    Args:
        things: In any order.
        box: Gives left, top, right and bottom of one.
    """
    if len(things) < 2:
        return list(things)
    (gap_down, down), (gap_across, across) = (_widest(things, box, axis) for axis in (1, 0))
    if gap_down <= 0 and gap_across <= 0:
        return sorted(things, key=lambda thing: (box(thing)[1], box(thing)[0]))
    axis, cut = (0, across) if gap_across > _WIDER * max(gap_down, 0) else (1, down)
    before = [thing for thing in things if box(thing)[axis] < cut]
    after = [thing for thing in things if box(thing)[axis] >= cut]
    return in_reading_order(before, box=box) + in_reading_order(after, box=box)


def _widest(things: Sequence[T], box: Callable[[T], Sides], axis: int) -> tuple[float, float]:
    """Return the widest empty strip across an axis, and where what lies behind it begins."""
    spans = sorted((box(thing)[axis], box(thing)[axis + 2]) for thing in things)
    widest, cut, end = 0.0, spans[0][0], spans[0][1]
    for start, stop in spans[1:]:
        if start - end > widest:
            widest, cut = start - end, start
        end = max(end, stop)
    return widest, cut
