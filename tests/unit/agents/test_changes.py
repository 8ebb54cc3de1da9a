"""What an agent is told of a page that it scores again."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("mcp", reason="the server needs the extra `mcp`")

from pytest_design2a11y.agents.fix_answers import changes_of
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.visual import Block, Difference, Match
from tests.factories import make_evaluation, make_visual

HELP = Block("help", (0.1, 0.1, 0.3, 0.05), (20, 20, 20))


def page(fidelity: float, *differences: Difference, has_help: bool = True) -> Evaluation:
    shown = (Match(HELP, HELP, 1.0, 1.0, 1.0),) if has_help else ()
    missing = () if has_help else (HELP,)
    visual = make_visual(0.8, matches=shown, missing=missing)
    return make_evaluation(visual=replace(visual, fidelity=fidelity, differences=differences), ir=None)


def moved(text: str, top: int, region: str = "") -> Difference:
    design = {"box": [0, top, 9, 9], "text": text, "region": region}
    return Difference("missing", "text", 0.1, "serious", reference=design)


def test_what_came_and_went_is_told_region_by_region() -> None:
    old = page(0.5, moved("Home", 10, "banner"), moved("Terms", 700))
    new = page(0.6, moved("Terms", 700), moved("Price", 800))

    assert list(changes_of(old, new)) == [
        "fidelity was 0.5000, and is 0.6000",
        'header: 1 gone (text "Home" at 0, 10 is missing)',
        '600 to 1200 px down: 1 new (text "Price" at 0, 800 is missing)',
    ]


@pytest.mark.parametrize(("fidelity", "is_warned"), [(0.6, True), (0.4, False)])
def test_a_rise_that_comes_with_lost_text_is_warned_of(fidelity: float, is_warned: bool) -> None:
    found = list(changes_of(page(0.5), page(fidelity, has_help=False)))

    warning = 'warning: fidelity rose, but 1 text of the design that the page had before got lost: "help"'
    assert (warning in found) is is_warned


def test_a_part_of_a_matched_text_may_get_lost_too() -> None:
    whole = replace(HELP, text="get help now")
    old = page(0.5)
    assert old.visual is not None
    joined = replace(old, visual=replace(old.visual, matches=(Match(whole, whole, 1.0, 1.0, 1.0),)))

    assert any("got lost" in line for line in changes_of(joined, page(0.6, has_help=False)))
    inside = replace(whole, text="helpful")
    other = replace(old, visual=replace(old.visual, matches=(Match(inside, inside, 1.0, 1.0, 1.0),)))
    assert not any("got lost" in line for line in changes_of(other, page(0.6, has_help=False)))


def test_without_fidelity_nothing_is_said() -> None:
    unmeasured = make_evaluation(visual=None, ir=None)

    assert list(changes_of(unmeasured, page(0.5))) == []
