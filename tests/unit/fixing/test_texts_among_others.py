"""An element with fields between its words has many texts: one that changes leaves the others."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from pytest_design2a11y.fixing.draft import sought
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.looks import PageLooks
from pytest_design2a11y.fixing.texts import _among_others, _lacks_element
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.visual.scene.units import joined_unit
from tests.factories import ENVIRONMENT
from tests.pages_by_hand import text

FOUND = ("The boat ", " leaves the quay at ", " and comes back")


def draft_of(run: Any, edits: dict[str, Edit]) -> Any:
    return SimpleNamespace(located={sought(run): {"texts": FOUND}}, edits=edits)


def test_a_text_that_reads_otherwise_keeps_those_beside_it() -> None:
    own, run = text("leaves the pier at", 100, 100), text("leaves the quay at", 100, 100)

    told = _among_others("p", [(own, run)], [own.text], draft_of(run, {}))
    assert told == {"texts": (FOUND[0], " leaves the pier at ", FOUND[2])}

    last, other = text("and returns", 300, 100), text("And comes  back", 300, 100)
    known = {"p": Edit("p", texts=told["texts"])}
    told = _among_others("p", [(last, other)], [last.text], draft_of(other, known))
    assert told == {"texts": (FOUND[0], " leaves the pier at ", " and returns ")}


def test_a_text_that_is_not_among_those_of_its_element_is_left() -> None:
    own, run = text("sails", 100, 100), text("leaves", 100, 100)
    assert _among_others("p", [(own, run)], [own.text], draft_of(run, {})) == {}


def test_a_text_of_other_parts_beside_an_element_moves_alone() -> None:
    white = Screenshot.of_pixels(np.full((200, 400, 3), 255, dtype=np.uint8))
    page = Capture("design.html", "reference", white, (400, 200), (), (), ENVIRONMENT)
    whole, moved = (joined_unit([text("Ida in June", left, 100)]) for left in (100, 190))
    parts = joined_unit([text("Ida", 190, 100), text("in June", 230, 100)])
    node = {"selector": "div", "texts": ["Ida in June"]}
    draft: Any = SimpleNamespace(
        node_of=lambda _run: node, lines={}, claims=SimpleNamespace(reference=page), looks=PageLooks(page)
    )

    assert _lacks_element(parts, whole, {"isAll": False}, draft)
    assert not _lacks_element(parts, whole, {"isAll": True}, draft)
    assert not _lacks_element(moved, whole, {"isAll": False}, draft)
