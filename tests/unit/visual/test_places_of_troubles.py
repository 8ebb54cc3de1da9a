"""What covers letters, which troubles a design has too, and what is lost together, px by px."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_design2a11y.models.elements import Trouble
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.visual.differences.compared import claim
from pytest_design2a11y.visual.differences.lost import _gap, _has_words, _shape
from pytest_design2a11y.visual.differences.troubles import _inked, _is_known
from pytest_design2a11y.visual.match.elements import _cut_off, _unchanged
from pytest_design2a11y.visual.match.texts import match_units
from tests.pages_by_hand import BLACK, box


def trouble(share: float = 0.5, text: str = "", place: Box = (0, 0, 100, 100), **other: Any) -> Trouble:
    values: dict[str, Any] = {"kind": "covered", "box": place, "text": text, "share": share}
    return Trouble(**values | other)


@pytest.mark.parametrize(
    ("text", "by_box", "hit"),
    [
        ("Pay", None, (0, 22, 100, 56)),
        ("", None, (0, 0, 100, 100)),
        ("Pay", (0, 0, 100, 22), None),
        ("Pay", (0, 0, 100, 24), None),
        ("Pay", (0, 0, 100, 25), (0, 22, 100, 3)),
        ("", (0, 0, 5, 100), (0, 0, 5, 100)),
        ("", (0, 0, 4, 100), None),
    ],
)
def test_letters_are_hit_where_their_ink_is(text: str, by_box: Box | None, hit: Box | None) -> None:
    assert _inked(trouble(text=text, by_box=by_box)) == hit


def test_a_design_has_the_same_trouble_to_nearly_the_same_extent() -> None:
    assert _is_known(trouble(0.5), trouble(0.59))
    assert not _is_known(trouble(0.5), trouble(0.6))
    assert not _is_known(trouble(0.5, kind="clipped"), trouble(0.5))
    assert _is_known(trouble(text="abcde"), trouble(text="ABCxy", place=(500, 0, 1, 1)))
    assert not _is_known(trouble(text="abcde"), trouble(text="abxyz"))
    assert not _is_known(trouble(text="abcde"), trouble())
    assert not _is_known(trouble(), trouble(text="abcde"))
    assert _is_known(trouble(), trouble(place=(50, 0, 100, 100)))
    assert not _is_known(trouble(), trouble(place=(51, 0, 100, 100)))
    assert _is_known(trouble(), trouble(place=(0, 0, 100, 200)))
    assert not _is_known(trouble(), trouble(place=(0, 0, 100, 201)))


def test_things_of_a_row_are_apart_down_and_others_along_the_farther_axis() -> None:
    assert _gap((0, 0, 100, 20), (300, 0, 100, 20)) == -20
    assert _gap((0, 0, 100, 20), (300, 9, 100, 20)) == -11
    assert _gap((0, 0, 100, 20), (300, 10, 100, 20)) == 200
    assert _gap((0, 0, 100, 20), (0, 50, 100, 20)) == 30
    assert _gap((300, 50, 100, 20), (0, 0, 100, 20)) == 200


def test_a_group_is_a_row_a_column_or_a_section() -> None:
    def shape(*places: Box, what: Any = "text", **facts: Any) -> str:
        return _shape([claim("missing", what, reference={"box": place, **facts}) for place in places], 0)

    assert shape((0, 0, 50, 20), (90, 19, 50, 20)) == "row"
    assert shape((0, 0, 50, 20), (49, 20, 50, 20)) == "column"
    assert shape((0, 0, 50, 20), (50, 20, 50, 20)) == "section"
    assert shape((0, 0, 50, 20), (0, 20, 50, 20), what="panel", name="table cell") == "column"
    assert shape((0, 0, 50, 20), (0, 20, 50, 20), what="panel", name="panel") == "section"


@pytest.mark.parametrize(("words", "is_named"), [("→", False), ("a →", False), ("ab", True), ("4 2", True)])
def test_a_group_is_named_by_more_than_a_mark(words: str, is_named: bool) -> None:
    assert _has_words(claim("missing", "text", reference={"text": words})) is is_named
    assert _has_words(claim("extra", "text", candidate={"text": words})) is is_named


def test_what_looks_the_same_is_paired_in_order_and_by_name() -> None:
    one, other = box(0, 0, 9, 9), box(0, 0, 9, 9, fill=BLACK)
    sides = [one, one, other, one], [other, one, one]
    texts = match_units([], [])
    assert sorted(_unchanged(sides, (["", "", "", ""], ["", "", ""]), texts)) == [(0, 1), (1, 2), (2, 0)]
    names = ["Pay", "", "", ""], ["", "", "PAY"]
    assert sorted(_unchanged(sides, names, texts)) == [(0, 2), (1, 1), (2, 0)]


def test_what_is_left_of_a_thing_is_paired_with_the_whole_of_it() -> None:
    whole, left = box(10.4, 10, 100, 100), box(10, 10, 50, 100, whole=(10, 10.4, 100, 100))
    assert _cut_off(([whole], [left]), []) == [(0, 0)]
    assert _cut_off(([whole], [left]), [(0, 0)]) == []
    assert _cut_off(([whole], [box(10, 10, 50, 100)]), []) == []
    assert _cut_off(([whole], [box(10, 10, 50, 100, whole=(10, 11, 100, 100))]), []) == []
