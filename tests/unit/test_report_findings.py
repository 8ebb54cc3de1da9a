from __future__ import annotations

import pytest

from pytest_design2a11y.measuring.measures import score_blocks
from pytest_design2a11y.models.visual import Block, Match, VisualScore
from pytest_design2a11y.report.findings import find_block_findings, kind_cost


def block(text: str, x: float = 0.1, y: float = 0.1, color: tuple[int, int, int] = (0, 0, 0)) -> Block:
    return Block(text, (x, y, 0.2, 0.1), color)


def score(*matches: Match, missing: tuple[Block, ...] = (), extra: tuple[Block, ...] = ()) -> VisualScore:
    return VisualScore(0.5, 0.5, 0.5, 0.5, 0.5, None, "indel", None, matches, missing, extra)


@pytest.mark.parametrize(
    ("text", "position", "color", "kinds"),
    [
        (1.0, 1.0, 1.0, ("fine",)),
        (1.0, 0.991, 0.951, ("fine",)),
        (1.0, 0.98, 1.0, ("moved",)),
        (1.0, 1.0, 0.94, ("recolored",)),
        (0.99, 1.0, 1.0, ("reworded",)),
        (0.9, 0.7, 0.8, ("moved", "recolored", "reworded")),
    ],
)
def test_a_pair_is_called_what_is_wrong_with_it_the_most_costly_first(
    text: float, position: float, color: float, kinds: tuple[str, ...]
) -> None:
    match = Match(block("a"), block("a"), text, position, color)

    (finding,) = find_block_findings(score(match))

    assert finding.kinds == kinds


def test_costs_and_shares_add_up_to_what_the_score_lacks() -> None:
    reference = [
        block("some words here", 0.1),
        block("another line", 0.5),
        block("gone with the wind", 0.1, 0.6),
    ]
    candidate = [
        block("some words here", 0.2, 0.1, (200, 0, 0)),
        block("another lime", 0.5),
        block("0123456789", 0.7, 0.8),
    ]
    visual = score_blocks(reference, candidate)

    findings = find_block_findings(visual)

    assert [finding.kinds[0] for finding in findings] == ["recolored", "reworded", "missing", "extra"]
    assert sum(finding.share for finding in findings) == pytest.approx(1)
    assert sum(finding.cost for finding in findings) == pytest.approx(1 - visual.score)


def test_the_kinds_of_a_pair_cost_what_the_pair_costs() -> None:
    visual = score(Match(block("a"), block("a"), 0.9, 0.7, 0.8), missing=(block("b"),))
    pair, lone = find_block_findings(visual)

    parts = [kind_cost(visual, pair, kind) for kind in pair.kinds]

    assert parts == pytest.approx([0.3 / 4, 0.2 / 4, 0.1 / 4])
    assert sum(parts) == pytest.approx(pair.cost)
    assert kind_cost(visual, lone, "missing") == pytest.approx(lone.cost)


def test_blocks_without_area_do_not_divide_by_zero() -> None:
    empty = Block("x", (0.1, 0.1, 0.0, 0.0), (0, 0, 0))

    (finding,) = find_block_findings(score(missing=(empty,)))

    assert finding.share == 0
