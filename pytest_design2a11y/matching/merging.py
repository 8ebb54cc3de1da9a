"""Greedy merging of neighbouring blocks, so that a paragraph meets what was split in two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pytest_design2a11y.matching.assignment import Costs, merge_neighbours
from pytest_design2a11y.matching.gain import SMALLEST_GAIN, merge_gains
from pytest_design2a11y.matching.ratios import KnownRatios
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.models.visual import Block

#: Gain of each merge of two neighbouring rows, see `merge_gains`.
Gains = Callable[..., list[float]]


@dataclass(frozen=True, slots=True)
class Merged:
    """Blocks of both sides, in document order, no two neighbours of which are worth merging.

    `costs`: shape (candidates, references), minus the text ratio.
    """

    references: tuple[Block, ...]
    candidates: tuple[Block, ...]
    costs: Costs


def merge_search(
    references: tuple[Block, ...],
    candidates: tuple[Block, ...],
    *,
    ratios: KnownRatios,
    time_limit: TimeLimit,
    gains_of: tuple[Gains, Gains] = (merge_gains, merge_gains),
) -> Merged:
    """Merge neighbours, first the candidate's, then the reference's, until neither side gains any more."""

    def candidate_costs(rows: Sequence[str], columns: Sequence[str]) -> Costs:
        return -ratios.table(columns, rows)

    def reference_costs(rows: Sequence[str], columns: Sequence[str]) -> Costs:
        return -ratios.table(rows, columns).T

    sides, costs_of = [candidates, references], (candidate_costs, reference_costs)
    num_unchanged, side = 0, 0
    while num_unchanged < 2:
        merged = _merge_side(sides[side], sides[1 - side], costs_of[side], gains_of[side], time_limit)
        num_unchanged = num_unchanged + 1 if merged is sides[side] else 0
        sides[side], side = merged, 1 - side
    candidates, references = sides
    return Merged(references, candidates, candidate_costs(_texts(candidates), _texts(references)))


def _merge_side(
    blocks: tuple[Block, ...],
    others: tuple[Block, ...],
    costs_of: Callable[[Sequence[str], Sequence[str]], Costs],
    gains_of: Gains,
    time_limit: TimeLimit,
) -> tuple[Block, ...]:
    """Make all merges on one side that pay, each judged on its own."""
    if len(blocks) < 2 or not others:
        return blocks
    merged = [merge_neighbours(*pair) for pair in pairwise(blocks)]
    gains = gains_of(
        costs_of(_texts(blocks), _texts(others)),
        costs_of(_texts(merged), _texts(others)),
        texts=_texts(blocks),
        merged_texts=_texts(merged),
        others=_texts(others),
        time_limit=time_limit,
    )
    # From the largest gain down, each block in one merge only.
    taken: set[int] = set()
    for index in sorted(range(len(gains)), key=lambda index: -gains[index]):
        if gains[index] > SMALLEST_GAIN and not taken & {index - 1, index + 1}:
            taken.add(index)
    if not taken:
        return blocks
    swallowed = {index + 1 for index in taken}
    return tuple(
        merged[index] if index in taken else block
        for index, block in enumerate(blocks)
        if index not in swallowed
    )


def _texts(blocks: Sequence[Block]) -> list[str]:
    return [block.text for block in blocks]
