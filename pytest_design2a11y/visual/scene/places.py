"""Boxes of things: how far one moved, and its rim."""

from collections.abc import Mapping
from typing import Any

from pytest_design2a11y.models.geometry import Box, grown

Details = Mapping[str, Any]
"""Facts of a text or an element, by name."""
PixelBoxes = tuple[tuple[int, ...], tuple[int, ...]]

#: px; smaller shifts are not reported individually.
LEAST_SHIFT = 4.0
#: px; edges no farther from each other are in one place.
SAME_EDGE = 2.0
#: px; how far beside an element's edges to look for its marks.
RIM = 6


def pixels(box: Box) -> list[int]:
    """Return a box in whole px."""
    return [round(side) for side in box]


def in_pixels(reference: Box, candidate: Box) -> PixelBoxes:
    """Return the boxes of a thing on both pages in whole px, by which its differences are known."""
    return tuple(pixels(reference)), tuple(pixels(candidate))


def least_shift(reference: Box, candidate: Box) -> tuple[float, float]:
    """Return how far a box moved, px right and down: along each axis by the edge or center that moved least.

    A box that has grown from an edge or its center has not moved.
    """
    shifts = []
    for axis in (0, 1):
        start, longer = candidate[axis] - reference[axis], candidate[axis + 2] - reference[axis + 2]
        shifts.append(min(start, start + longer / 2, start + longer, key=abs))
    return shifts[0], shifts[1]


def is_moved(reference: Box, candidate: Box) -> bool:
    """Return whether a box moved far enough to be reported: not if its edges moved apart, or together."""
    starts = [candidate[axis] - reference[axis] for axis in (0, 1)]
    ends = [sum(candidate[axis::2]) - reference[axis] - reference[axis + 2] for axis in (0, 1)]
    shifts = least_shift(reference, candidate)
    return any(
        abs(shift) >= LEAST_SHIFT and start * end >= 0
        for shift, start, end in zip(shifts, starts, ends, strict=True)
    )


def widened(box: Box, by: float = RIM) -> Box:
    """Return a box with a rim, px: by default the one in which to look for its borders and its shadow."""
    return grown(box, by)
