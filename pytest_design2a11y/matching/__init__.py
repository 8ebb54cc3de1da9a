"""Matching, step by step; neighbors are merged, so that a paragraph matches one that was split.

As in the published code, to rebuild published tables, it compares texts with difflib in that code's order of
arguments, and takes whichever of several equally good assignments the solver finds. Both depend on accidents
of a page's source, so such numbers are only comparable with a published table.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import fsum

import numpy as np

from pytest_design2a11y.exceptions import TimeLimit, TooMuchText
from pytest_design2a11y.matching.costs import (
    Costs,
    KnownRatios,
    assign,
    difference_of_means,
    join_identical_boxes,
    merge_neighbors,
    prepare_text,
    with_context_bonus,
)
from pytest_design2a11y.matching.gain import SMALLEST_GAIN, merge_gains
from pytest_design2a11y.models.option import Published, TextRatio
from pytest_design2a11y.models.visual import Block, Matching

#: Greatest number of blocks on a page: matching needs quadratic memory and cubic time.
MAX_BLOCKS = 2_500

SMALLEST_RATIO = 0.5

#: Gain of merging every two neighboring rows, see `merge_gains`.
Gains = Callable[..., list[float]]


def match_blocks(
    reference_blocks: Iterable[Block],
    candidate_blocks: Iterable[Block],
    *,
    text_ratio: TextRatio = "indel",
    time_limit: TimeLimit | None = None,
) -> Matching:
    """Match candidate blocks with reference blocks, both in document order.

    Blocks with the same box are joined, neighbors are merged if that lowers the mean cost, and pairs of the
    least-cost assignment, neighbors considered, are kept if their texts are at least half alike (Si et al.:
    Design2Code, NAACL 2025, arXiv 2403.03163).
    """
    time_limit = time_limit or TimeLimit()
    references, candidates = _prepared(reference_blocks, text_ratio), _prepared(candidate_blocks, text_ratio)
    check_numbers(references, candidates)
    merged = merge_search(
        references, candidates, ratios=KnownRatios(text_ratio, time_limit), time_limit=time_limit
    )
    pairs = sorted(_final_pairs(merged))
    ratios = -merged.costs
    return Matching(
        merged.references, merged.candidates, tuple((i, j, float(ratios[j, i])) for i, j in pairs), text_ratio
    )


def _final_pairs(merged: "Merged") -> list[tuple[int, int]]:
    """Return (reference, candidate) of the final assignment, of pairs with texts at least half alike."""
    if merged.candidates == merged.references:
        # The bonus of the neighbors may prefer to cross equal texts; a page must still equal itself.
        return [(index, index) for index in range(len(merged.candidates))]
    costs = with_context_bonus(merged.costs)
    solutions = [
        [
            (reference, candidate)
            for reference, candidate in zip(references.tolist(), candidates.tolist(), strict=True)
            if -merged.costs[candidate, reference] >= SMALLEST_RATIO
        ]
        for references, candidates in (assign(costs)[::-1], assign(costs.T))
    ]

    def cost_and_distance(pairs: Sequence[tuple[int, int]]) -> tuple[float, float]:
        distances = []
        for reference, candidate in pairs:
            first, second = merged.references[reference].box, merged.candidates[candidate].box
            across, down = ((first[i] + first[i + 2] / 2) - (second[i] + second[i + 2] / 2) for i in (0, 1))
            distances.append(max(abs(across), abs(down)))
        return fsum(merged.costs[candidate, reference] for reference, candidate in pairs), fsum(distances)

    # If texts repeat, equally good assignments exist; the one found depends on which side comes first.
    return min(solutions, key=cost_and_distance)


def check_numbers(references: Sequence[Block], candidates: Sequence[Block]) -> None:
    """Refuse a page with more blocks than can be matched."""
    for role, blocks in (("reference", references), ("candidate", candidates)):
        if len(blocks) > MAX_BLOCKS:
            raise TooMuchText(
                f"The {role} has {len(blocks):,} text blocks; {MAX_BLOCKS:,} can be matched.",
                advice="Look for content that repeats; a table's cells are a block each.",
            )


def _prepared(blocks: Iterable[Block], text_ratio: TextRatio) -> tuple[Block, ...]:
    return join_identical_boxes(replace(block, text=prepare_text(block.text, text_ratio)) for block in blocks)


@dataclass(frozen=True, slots=True)
class Merged:
    """Blocks of both sides after all useful merges; costs, (candidates, references): minus the text ratio."""

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
    """Merge neighbors, first the candidate's, then the reference's, until neither side gains any more."""

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
    """Make all useful merges on one side, each judged by itself."""
    if len(blocks) < 2 or not others:
        return blocks
    merged = [merge_neighbors(*pair) for pair in pairwise(blocks)]
    gains = gains_of(
        costs_of(_texts(blocks), _texts(others)),
        costs_of(_texts(merged), _texts(others)),
        texts=_texts(blocks),
        merged_texts=_texts(merged),
        others=_texts(others),
        time_limit=time_limit,
    )
    taken: set[int] = set()  # From the largest gain down, each block in one merge only.
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


def match_as_published(
    reference_blocks: Iterable[Block],
    candidate_blocks: Iterable[Block],
    *,
    published: Published,
    time_limit: TimeLimit | None = None,
) -> Matching:
    """Find the candidate block that the published code matches with each reference block.

    Texts have the white space of the page's source. "ui2code-study" passes the design where the code expects
    the generated page, and vice versa.

    References:
        Si et al.: Design2Code, NAACL 2025, arXiv 2403.03163: the code published with it.
    """
    time_limit = time_limit or TimeLimit()
    references, candidates = join_identical_boxes(reference_blocks), join_identical_boxes(candidate_blocks)
    check_numbers(references, candidates)
    is_exchanged = published == "ui2code-study"
    originals, predictions = (candidates, references) if is_exchanged else (references, candidates)
    merged = merge_search(
        originals,
        predictions,
        ratios=KnownRatios("difflib", time_limit),
        time_limit=time_limit,
        gains_of=(partial(_gains, is_transposed=False), partial(_gains, is_transposed=True)),
    )
    rows, columns = assign(with_context_bonus(merged.costs))
    ratios = (-merged.costs[rows, columns]).tolist()
    solved = zip(columns.tolist(), rows.tolist(), ratios, strict=True)
    found = [pair for pair in solved if pair[2] >= SMALLEST_RATIO]
    sides = (merged.references, merged.candidates)
    if is_exchanged:
        found = [(prediction, original, ratio) for original, prediction, ratio in found]
        sides = (merged.candidates, merged.references)
    return Matching(*sides, tuple(sorted(found)), "difflib", published)


def _gains(
    costs: Costs,
    merged: Costs,
    *,
    texts: Sequence[str],
    merged_texts: Sequence[str],
    others: Sequence[str],
    time_limit: TimeLimit,
    is_transposed: bool,
) -> list[float]:
    """Solve every merge by itself, with rows and columns as in the published code."""
    current = _assigned_costs(costs, is_transposed)
    gains = []
    for index in range(len(merged)):
        time_limit.check("matching")
        changed = np.concatenate([costs[:index], merged[index : index + 1], costs[index + 2 :]])
        gains.append(difference_of_means(current, _assigned_costs(changed, is_transposed)))
    return gains


def _assigned_costs(costs: Costs, is_transposed: bool) -> list[float]:
    solved = costs.T if is_transposed else costs
    listed: list[float] = solved[assign(solved)].tolist()
    return listed
