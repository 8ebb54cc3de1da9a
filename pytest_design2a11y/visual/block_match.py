"""Component `block_match`: how much of the text area has a counterpart."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from pytest_design2a11y.models.geometry import area
from pytest_design2a11y.models.visual import Match, Matching


def block_match(matching: Matching, matches: Sequence[Match]) -> float:
    """Return the area of the matched blocks of both sides over the area of all of them.

    Where no block has any area, blocks are counted instead.
    """
    everything = (*matching.reference, *matching.candidate)
    matched = [block for match in matches for block in (match.reference, match.candidate)]
    total = fsum(area(block.box) for block in everything)
    if total > 0:
        return min(1.0, fsum(area(block.box) for block in matched) / total)
    return len(matched) / len(everything) if everything else 0.0
