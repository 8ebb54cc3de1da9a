"""Greedy merging of neighbouring blocks, so that a paragraph meets what was split in two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pytest_design2a11y.matching.assignment import Costs, assigned_costs
from pytest_design2a11y.matching.gain import difference_of_means
from pytest_design2a11y.matching.joining import merge_neighbours
from pytest_design2a11y.matching.ratios import ratio_table
from pytest_design2a11y.models import Block
from pytest_design2a11y.standards import TextRatio

SMALLEST_GAIN = 0.05


@dataclass(frozen=True, slots=True)
class Table:
    """Blocks of both sides and what it costs to take one for the other.

    Attributes:
        candidates: One per row.
        references: One per column.
        costs: Shape (candidates, references): minus the text ratio.
    """

    candidates: tuple[Block, ...]
    references: tuple[Block, ...]
    costs: Costs


def build_table(references: Sequence[Block], candidates: Sequence[Block], *, text_ratio: TextRatio) -> Table:
    """Compare all blocks of one side with all of the other."""
    costs = _costs(references, candidates, text_ratio)
    return Table(tuple(candidates), tuple(references), costs)


def merge_search(table: Table, *, text_ratio: TextRatio) -> Table:
    """Merge neighbours, first candidate's, then reference's, until neither side gains any more."""
    while True:
        merged = _merge_references(_merge_candidates(table, text_ratio), text_ratio)
        if merged is table:
            return table
        table = merged


def _merge_candidates(table: Table, text_ratio: TextRatio) -> Table:
    pairs = _neighbours(table.candidates)
    if not pairs:
        return table
    rows = _costs(table.references, pairs, text_ratio)
    taken = _take_from_largest(_gains(table.costs, rows))
    if not taken:
        return table
    costs = _with_merged_rows(table.costs, rows, taken)
    return Table(_with_merged_blocks(table.candidates, pairs, taken), table.references, costs)


def _merge_references(table: Table, text_ratio: TextRatio) -> Table:
    pairs = _neighbours(table.references)
    if not pairs:
        return table
    columns = _costs(pairs, table.candidates, text_ratio).T
    taken = _take_from_largest(_gains(table.costs.T, columns))
    if not taken:
        return table
    costs = _with_merged_rows(table.costs.T, columns, taken).T
    return Table(table.candidates, _with_merged_blocks(table.references, pairs, taken), costs)


def _costs(references: Sequence[Block], candidates: Sequence[Block], text_ratio: TextRatio) -> Costs:
    return -ratio_table(
        [block.text for block in references], [block.text for block in candidates], text_ratio=text_ratio
    )


def _neighbours(blocks: Sequence[Block]) -> list[Block]:
    return [merge_neighbours(*pair) for pair in pairwise(blocks)]


def _gains(costs: Costs, merged_rows: Costs) -> list[float]:
    current = assigned_costs(costs).tolist()
    return [
        difference_of_means(current, assigned_costs(_with_merged_rows(costs, merged_rows, [row])).tolist())
        for row in range(len(merged_rows))
    ]


def _take_from_largest(gains: Sequence[float]) -> list[int]:
    """Return the merges to make, in order: from the largest gain down, each block in one merge only."""
    taken: set[int] = set()
    for index in sorted(range(len(gains)), key=lambda index: -gains[index]):
        if gains[index] > SMALLEST_GAIN and not taken & {index - 1, index, index + 1}:
            taken.add(index)
    return sorted(taken)


def _with_merged_rows(costs: Costs, merged_rows: Costs, taken: Sequence[int]) -> Costs:
    changed = costs.copy()
    changed[taken] = merged_rows[taken]
    return np.delete(changed, [index + 1 for index in taken], axis=0)


def _with_merged_blocks(
    blocks: Sequence[Block], merged: Sequence[Block], taken: Sequence[int]
) -> tuple[Block, ...]:
    gone = {index + 1 for index in taken}
    return tuple(
        merged[index] if index in taken else block for index, block in enumerate(blocks) if index not in gone
    )
