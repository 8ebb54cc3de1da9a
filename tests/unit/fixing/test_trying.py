"""The items of a fix list: each helps by itself, and none undoes an earlier list."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from pytest_design2a11y.capture.bench import Bench
from pytest_design2a11y.fixing.draft import HIDDEN
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.trying import Reached, Trial, tried, without_harm, without_undoing
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.settings import Settings
from tests.factories import ENVIRONMENT, make_visual

#: Regions from above.
HEAD, MENU, CARD = (
    Edit(f"#{name}", {"left": "4px"}, name=name, design_box=box)
    for name, box in (("head", (0, 0, 90, 20)), ("menu", (0, 300, 90, 20)), ("card", (0, 600, 90, 20)))
)


class Page:
    """A page whose fidelity is known for each set of edits, by their names."""

    def __init__(
        self, fidelities: dict[str, float], *, lost: dict[str, float] | None = None, has_time: bool = True
    ) -> None:
        self.fidelities, self.lost = fidelities, lost or {}
        self.is_quick = has_time

    def has_time(self, _share: float = 1.0) -> bool:
        return self.is_quick

    def trying(self, edits: Sequence[Edit]) -> Future[Reached]:
        name, reached = " ".join(edit.name for edit in edits), Future[Reached]()
        reached.set_result(Reached(self.fidelities[name], 0.9 - self.lost.get(name, 0.0)))
        return reached


BEFORE = Reached(0.5, 0.9)


def told(page: Page, last: float) -> tuple[list[Any], list[str]]:
    items, left_out = tried(
        cast(Trial, page), [CARD, HEAD, MENU], BEFORE, Reached(last, 0.9), {"color-contrast"}
    )
    told = [(" ".join(edit.name for edit in item.edits), item.gain) for item in items]
    return told, [edit.name for edit in left_out]


def test_each_item_has_what_it_gains_by_itself() -> None:
    items, left_out = told(Page({"head": 0.6, "menu": 0.7, "card": 0.51}), 0.9)

    assert items == [
        ("head", pytest.approx(0.1)),
        ("menu", pytest.approx(0.2)),
        ("card", pytest.approx(0.01)),
    ]
    assert left_out == []


def test_what_does_not_help_is_left_out() -> None:
    items, left_out = told(Page({"head": 0.6, "menu": 0.45, "card": 0.6, "head card": 0.7}), 0.65)

    assert items == [("head", pytest.approx(0.1)), ("card", pytest.approx(0.1))]
    assert left_out == ["menu"]


def test_what_raises_fidelity_and_takes_text_away_is_left_out() -> None:
    known = {"head": 0.6, "menu": 0.7, "card": 0.6, "head card": 0.7}

    items, left_out = told(Page(known, lost={"menu": 0.2}), 0.7)

    assert items == [("head", pytest.approx(0.1)), ("card", pytest.approx(0.1))]
    assert left_out == ["menu"]


def test_what_helps_only_together_is_one_item() -> None:
    items, left_out = told(Page({"head": 0.4, "menu": 0.6, "card": 0.5, "head card": 0.8}), 0.9)

    assert items == [("menu", pytest.approx(0.1)), ("head card", pytest.approx(0.3))]
    assert left_out == []


def test_what_helps_only_with_the_others_is_part_of_the_best_of_them() -> None:
    known = {"head": 0.6, "menu": 0.7, "card": 0.4, "head menu": 0.75, "menu card": 0.72}

    items, left_out = told(Page(known), 0.9)

    assert items == [("head", pytest.approx(0.1)), ("menu card", pytest.approx(0.22))]
    assert left_out == []


def test_what_spoils_the_best_of_them_and_helps_with_all_is_one_item_with_all() -> None:
    known = {"head": 0.6, "menu": 0.7, "card": 0.4, "head menu": 0.75, "menu card": 0.49}

    items, left_out = told(Page(known), 0.9)

    assert items == [("head menu card", pytest.approx(0.4))]
    assert left_out == []


def test_a_list_that_helps_nowhere_is_empty() -> None:
    items, left_out = told(Page({"head": 0.4, "menu": 0.4, "card": 0.4, "head menu card": 0.4}), 0.4)

    assert items == []
    assert left_out == ["head", "menu", "card"]


def test_what_repairs_a_failure_is_told_though_it_lowers_fidelity() -> None:
    repair = Edit("#note", {"color": "#000000"}, name="note", reasons=("color-contrast",))

    items, left_out = tried(
        cast(Trial, Page({"head": 0.9})), [HEAD, repair], BEFORE, Reached(0.9, 0.9), {"color-contrast"}
    )

    assert [(item.edits, item.gain, item.repairs) for item in items] == [
        ((HEAD,), pytest.approx(0.4), ()),
        ((repair,), None, ("color-contrast",)),
    ]
    assert left_out == []


def test_what_repairs_a_failure_of_another_edit_is_part_of_the_best_item() -> None:
    repair = Edit("#new", attributes={"role": "heading"}, name="new", reasons=("page-has-heading-one",))

    items, _ = tried(
        cast(Trial, Page({"head": 0.6, "menu": 0.7})), [HEAD, MENU, repair], BEFORE, Reached(0.8, 0.9), set()
    )

    assert [item.edits for item in items] == [(HEAD,), (MENU, repair)]


def test_what_is_put_around_the_content_comes_first_and_is_there_when_others_are_tried() -> None:
    around = Edit("body", wrap="main", name="page")

    items, left_out = tried(
        cast(Trial, Page({"page head": 0.8})), [around, HEAD], BEFORE, Reached(0.8, 0.9), {"color-contrast"}
    )

    assert [(item.edits, item.gain) for item in items] == [((around,), None), ((HEAD,), pytest.approx(0.3))]
    assert left_out == []


def test_an_earlier_list_is_not_undone() -> None:
    told = [Edit("#head", {"left": "4px"}), Edit("#design1-text-1", {"top": "9px"}, html="<p>New</p>")]
    hidden = [Edit(name, dict(HIDDEN)) for name in ("#head", "#design1-text-1", "#other")]

    assert without_undoing([*hidden, MENU], told) == [hidden[2], MENU]


def box_named(name: str, box: Box) -> Edit:
    return Edit(f"#{name}", {"color": "#000000"}, name=name, design_box=box)


def test_regions_for_which_there_is_no_time_are_one_item() -> None:
    edits = [box_named(f"a{at}", (0, 200.0 * at, 50, 20)) for at in range(6)]
    page = Page({"a0": 0.6, "a1": 0.6, "a2": 0.6, "a3 a4 a5": 0.8}, has_time=False)

    items, left_out = tried(cast(Trial, page), edits, BEFORE, Reached(0.9, 0.9), {"color-contrast"})

    assert [len(item.edits) for item in items] == [1, 1, 1, 3]
    assert left_out == []


def test_what_takes_text_away_is_left_out_though_fidelity_rises_with_it() -> None:
    lost = Difference("missing", "text", 0.1, "serious", reference={"box": HEAD.design_box})
    score = replace(make_visual(0.9), differences=(lost,))
    page = Page({"menu": 0.8, "head menu": 0.9}, lost={"head menu": 0.3})

    kept, left_out = without_harm(cast(Trial, page), [HEAD, MENU], score, page.trying([HEAD, MENU]).result())

    assert (kept, left_out) == ([MENU], [HEAD])


def read(*texts: tuple[str, int]) -> Capture:
    runs = tuple(TextRun(text, ((10, 10, 50, 10),), (0, 0, 0), 1, unaudited=hidden) for text, hidden in texts)
    shown = Screenshot.of_pixels(np.full((20, 20, 3), 255, dtype=np.uint8))
    return Capture("page.html", "reference", shown, (20, 20), runs, (), ENVIRONMENT)


def test_a_word_is_shown_in_whatever_part_of_a_text_and_not_where_no_rule_checks_it() -> None:
    trial = Trial(read(("I used a repeat loop", 0)), cast(Bench, None), Settings(), 5.0, cast(Executor, None))

    parts = trial.reached_by(make_visual(0.5), read(("I used a", 0), ("repeat", 0), ("loop", 0)))
    hidden = trial.reached_by(make_visual(0.5), read(("I used a", 0), ("repeat", 6), ("loop", 0)))

    assert parts.shown == 1.0
    assert hidden.shown == 10 / 16  # All letters but six
