"""Matching as in the published code, including the order of equal assignments, to rebuild published tables.

It compares texts with difflib in the code's order of arguments, and takes whichever of several equally good
assignments the solver finds. Both depend on accidents of a page's source, so such numbers are only
comparable with a published table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from pytest_design2a11y.matching.assignment import Costs, assign, join_identical_boxes, with_context_bonus
from pytest_design2a11y.matching.gain import difference_of_means
from pytest_design2a11y.matching.matcher import SMALLEST_RATIO, check_numbers, merge_search
from pytest_design2a11y.matching.ratios import KnownRatios
from pytest_design2a11y.models.option import Published
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.models.visual import Block, Matching


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
