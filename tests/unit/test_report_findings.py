from __future__ import annotations

import pytest

from pytest_design2a11y.measuring.measures import score_blocks
from pytest_design2a11y.models.visual import Block, Difference, Match, VisualScore
from pytest_design2a11y.report.differences import differences_of
from tests.factories import make_evaluation


def block(text: str, x: float = 0.1, y: float = 0.1, color: tuple[int, int, int] = (0, 0, 0)) -> Block:
    return Block(text, (x, y, 0.2, 0.1), color)


def score(*matches: Match, missing: tuple[Block, ...] = (), extra: tuple[Block, ...] = ()) -> VisualScore:
    return VisualScore(0.5, 0.5, 0.5, 0.5, 0.5, None, "indel", None, matches, missing, extra)


def told(visual: VisualScore) -> list[Difference]:
    return list(differences_of(make_evaluation(visual=visual)))


@pytest.mark.parametrize(
    ("text", "position", "color", "kinds"),
    [
        (1.0, 1.0, 1.0, []),
        (1.0, 0.991, 0.951, []),
        (1.0, 0.98, 1.0, ["moved"]),
        (1.0, 1.0, 0.94, ["recolored"]),
        (0.99, 1.0, 1.0, ["reworded"]),
        (0.9, 0.7, 0.8, ["moved", "recolored", "reworded"]),
    ],
)
def test_a_pair_is_called_what_is_wrong_with_it_the_most_costly_first(
    text: float, position: float, color: float, kinds: list[str]
) -> None:
    match = Match(block("a"), block("a"), text, position, color)

    assert [one.kind for one in told(score(match))] == kinds


def test_costs_add_up_to_what_the_score_lacks() -> None:
    reference = [block("some words here", 0.1), block("another line", 0.5), block("gone", 0.1, 0.6)]
    candidate = [
        block("some words here", 0.2, 0.1, (200, 0, 0)),
        block("another lime", 0.5),
        block("0123456789", 0.7, 0.8),
    ]
    visual = score_blocks(reference, candidate)

    found = told(visual)

    assert {one.kind for one in found} == {"recolored", "moved", "reworded", "missing", "extra"}
    assert sum(one.cost for one in found) == pytest.approx(1 - visual.score)


def test_each_kind_of_a_pair_costs_its_part_of_a_component() -> None:
    visual = score(Match(block("a"), block("a"), 0.9, 0.7, 0.8), missing=(block("b"),))

    costs = {one.kind: one.cost for one in told(visual)}

    lost = (visual.missing[0].box[2] / 3) / visual.missing[0].box[2] / 4
    wanted = {"moved": 0.3 / 4, "recolored": 0.2 / 4, "reworded": 0.1 / 4, "missing": lost}
    assert costs == pytest.approx(wanted)


def test_where_nothing_matches_everything_is_lost_with_what_is_missing() -> None:
    (missing,) = told(score_blocks([block("gone with the wind")], []))

    assert missing.cost == pytest.approx(1.0)


def test_blocks_without_area_do_not_divide_by_zero() -> None:
    empty = Block("x", (0.1, 0.1, 0.0, 0.0), (0, 0, 0))

    (missing,) = told(score(missing=(empty,)))

    assert missing.cost == 0
