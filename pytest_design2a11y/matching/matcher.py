"""The steps of matching, in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import fsum

from pytest_design2a11y.exceptions import TooMuchText
from pytest_design2a11y.matching.assignment import assign, join_identical_boxes, with_context_bonus
from pytest_design2a11y.matching.merging import Merged, merge_search
from pytest_design2a11y.matching.ratios import KnownRatios, prepare_text
from pytest_design2a11y.models.option import TextRatio
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.models.visual import Block, Matching

#: Blocks of one page: matching takes tables of their number squared, and time of their number cubed.
MAX_BLOCKS = 2_500

SMALLEST_RATIO = 0.5


def match_blocks(
    reference_blocks: Iterable[Block],
    candidate_blocks: Iterable[Block],
    *,
    text_ratio: TextRatio = "indel",
    time_limit: TimeLimit | None = None,
) -> Matching:
    """Match candidate blocks with reference blocks, both in document order.

    Blocks with one box are joined, neighbours are merged where that lowers the mean cost, and the pairs
    of the assignment of least cost, neighbours considered, stay where their texts are half alike.

    References:
        Si et al.: Design2Code: Benchmarking Multimodal Code Generation for Automated Front-End
        Engineering, NAACL 2025, arXiv 2403.03163.
    """
    time_limit = time_limit or TimeLimit()
    references, candidates = _prepared(reference_blocks, text_ratio), _prepared(candidate_blocks, text_ratio)
    check_number("reference", references)
    check_number("candidate", candidates)
    merged = merge_search(
        references, candidates, ratios=KnownRatios(text_ratio, time_limit), time_limit=time_limit
    )
    pairs = sorted(_final_pairs(merged))
    ratios = -merged.costs
    return Matching(
        merged.references, merged.candidates, tuple((i, j, float(ratios[j, i])) for i, j in pairs), text_ratio
    )


def _final_pairs(merged: Merged) -> list[tuple[int, int]]:
    """Return (reference, candidate) of the final assignment, as far as their texts are half alike."""
    if merged.candidates == merged.references:
        # The bonus of the neighbours may prefer to cross equal texts; a page still equals itself.
        return [(index, index) for index in range(len(merged.candidates))]
    costs = with_context_bonus(merged.costs)
    candidates, references = assign(costs)
    other_references, other_candidates = assign(costs.T)
    solutions = [
        [
            (reference, candidate)
            for reference, candidate in zip(*solution, strict=True)
            if -merged.costs[candidate, reference] >= SMALLEST_RATIO
        ]
        for solution in (
            (references.tolist(), candidates.tolist()),
            (other_references.tolist(), other_candidates.tolist()),
        )
    ]
    # Equally good assignments exist where texts repeat, and which is found depends on which side comes first.
    return min(solutions, key=lambda pairs: _cost_and_distance(merged, pairs))


def check_number(role: str, blocks: Sequence[Block]) -> None:
    """Refuse a page of more blocks than can be matched."""
    if len(blocks) > MAX_BLOCKS:
        raise TooMuchText(
            f"The {role} has {len(blocks):,} text blocks; {MAX_BLOCKS:,} can be matched.",
            advice="Look for content that repeats; a table's cells are a block each.",
        )


def _cost_and_distance(merged: Merged, pairs: Sequence[tuple[int, int]]) -> tuple[float, float]:
    distances = []
    for one, other in pairs:
        first, second = merged.references[one].box, merged.candidates[other].box
        across, down = ((first[i] + first[i + 2] / 2) - (second[i] + second[i + 2] / 2) for i in (0, 1))
        distances.append(max(abs(across), abs(down)))
    return fsum(merged.costs[other, one] for one, other in pairs), fsum(distances)


def _prepared(blocks: Iterable[Block], text_ratio: TextRatio) -> tuple[Block, ...]:
    return join_identical_boxes(replace(block, text=prepare_text(block.text, text_ratio)) for block in blocks)
