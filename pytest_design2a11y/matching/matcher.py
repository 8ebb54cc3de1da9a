"""The steps of matching, in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pytest_design2a11y.matching.assignment import assign, with_context_bonus
from pytest_design2a11y.matching.joining import join_identical_boxes
from pytest_design2a11y.matching.merging import Merged, merge_search
from pytest_design2a11y.matching.ratios import KnownRatios, prepare_text
from pytest_design2a11y.models import Block, Matching
from pytest_design2a11y.standards import TextRatio

_SMALLEST_RATIO = 0.5


def match_blocks(
    reference_blocks: Iterable[Block],
    candidate_blocks: Iterable[Block],
    *,
    text_ratio: TextRatio = "indel",
) -> Matching:
    """Find which candidate block stands for which reference block.

    Blocks with one box are joined, neighbours are merged where that lowers the mean cost, and the pairs
    of the assignment of least cost, neighbours considered, stay where their texts are half alike.

    Args:
        reference_blocks: In document order, as found on the page.
        candidate_blocks: Likewise.
        text_ratio: "indel" (symmetric, blind to white space) or "difflib" (as the published metric).

    Returns:
        Both sides' blocks as merged, and the pairs in the reference's order.

    Raises:
        ConfigurationError: `text_ratio` names no ratio.

    References:
        Si et al.: Design2Code: Benchmarking Multimodal Code Generation for Automated Front-End
        Engineering, NAACL 2025, arXiv 2403.03163.
    """
    merged = merge_search(
        _prepared(reference_blocks, text_ratio),
        _prepared(candidate_blocks, text_ratio),
        ratios=KnownRatios(text_ratio),
    )
    ratios = -merged.costs
    pairs = sorted(
        (column, row, float(ratios[row, column]))
        for row, column in _final_assignment(merged)
        if ratios[row, column] >= _SMALLEST_RATIO
    )
    return Matching(merged.references, merged.candidates, tuple(pairs), text_ratio)


def _final_assignment(merged: Merged) -> list[tuple[int, int]]:
    if merged.candidates == merged.references:
        # The bonus of the neighbours may prefer to cross equal texts; a page still equals itself.
        return [(index, index) for index in range(len(merged.candidates))]
    rows, columns = assign(with_context_bonus(merged.costs))
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _prepared(blocks: Iterable[Block], text_ratio: TextRatio) -> tuple[Block, ...]:
    return join_identical_boxes(replace(block, text=prepare_text(block.text, text_ratio)) for block in blocks)
