"""Component `block_match`: how much of the text area has a counterpart."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from pytest_design2a11y.models.visual import Block, Match, Matching


def block_match(matching: Matching, matches: Sequence[Match]) -> float:
    """Return the area of the matched blocks of both sides over the area of all of them.

    Where no block has any area, blocks are counted instead.
    """
    everything = (*matching.reference, *matching.candidate)
    matched = [block for match in matches for block in (match.reference, match.candidate)]
    total = fsum(map(_area, everything))
    if total > 0:
        return min(1.0, fsum(map(_area, matched)) / total)
    return len(matched) / len(everything) if everything else 0.0


def _area(block: Block) -> float:
    return block.box[2] * block.box[3]
