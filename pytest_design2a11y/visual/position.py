"""Component `position`: how near to its counterpart each block's centre lies."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from pytest_design2a11y.models.visual import Block, Match


def nearness(first: Block, second: Block) -> float:
    """Return 1 minus the larger of the two centre distances, in page fractions; not below 0."""
    (x1, y1), (x2, y2) = _centre(first), _centre(second)
    return max(0.0, 1.0 - max(abs(x1 - x2), abs(y1 - y2)))


def position(matches: Sequence[Match]) -> float:
    """Return the mean nearness of the matches; 0 without matches."""
    return fmean(match.position for match in matches) if matches else 0.0


def _centre(block: Block) -> tuple[float, float]:
    left, top, width, height = block.box
    return left + width / 2, top + height / 2
