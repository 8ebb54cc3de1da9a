"""Where causes reach: bands, columns, what boxes carry, and what lies around a thing, px by px."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.visual import Difference, DifferenceKind, DifferenceSubject
from pytest_design2a11y.visual.differences.compared import claim
from pytest_design2a11y.visual.differences.consequences import without_consequences
from pytest_design2a11y.visual.differences.content_width import _off
from pytest_design2a11y.visual.differences.exchanged import _moved_alike, _share_beside, _share_of
from pytest_design2a11y.visual.differences.gaps import _total
from pytest_design2a11y.visual.differences.layout import _carried, _is_centered, carries
from pytest_design2a11y.visual.differences.severity import _fill_of
from pytest_design2a11y.visual.differences.unexplained import (
    _is_turned,
    _mark,
    _rim,
    _surplus,
    _with_marker,
)
from pytest_design2a11y.visual.scene.units import units_of
from tests.pages_by_hand import page, text


@pytest.mark.parametrize(
    ("place", "is_large", "is_told"),
    [
        ((2, 0, 996, 16), False, True),
        ((3, 0, 997, 16), False, False),
        ((2, 0, 995, 16), False, False),
        ((2, 0, 996, 15), False, False),
        ((300, 0, 400, 15), True, True),
    ],
)
def test_a_fill_is_told_of_a_large_box_or_a_band_across_the_page(
    place: Box, is_large: bool, is_told: bool
) -> None:
    facts = {"box": place, "has_fill": True, "fill": "#102030"}

    assert _fill_of(facts, page([]), is_large) == ((16, 32, 48) if is_told else None)
    assert _fill_of({**facts, "has_fill": False}, page([]), is_large) is None


def test_gaps_of_one_row_count_once() -> None:
    assert _total([(100, 20, 30), (100, 20, 30)]) == 10
    assert _total([(100, 20, 30), (120, 20, 35)]) == 25
    assert _total([(100, 20, 30), (119, 20, 35)]) == 10
    assert _total([(100, 20, 30), (100.5, -5, 10)]) == 25
    assert _total([(120, 20, 35), (100, 20, 30)]) == 25


@pytest.mark.parametrize(
    ("outer", "inner", "is_carried"),
    [
        ((50, 0, 200, 100), (64, 10, 50, 20), True),
        ((50, 0, 200, 100), (65, 10, 50, 20), False),
        ((50, 0, 200, 100), (60, 14, 50, 20), True),
        ((50, 0, 200, 100), (60, 15, 50, 20), False),
        ((0, 0, 300, 100), (110, 10, 50, 20), True),  # As far from its right edge as before
        ((0, 0, 300, 100), (60, 10, 50, 20), True),  # As far from its middle
        ((0, 0, 300, 100), (30, 10, 50, 20), False),
        ((400, 0, 200, 100), (10, 10, 50, 20), False),
    ],
)
def test_a_box_carries_what_keeps_its_place_in_it(outer: Box, inner: Box, is_carried: bool) -> None:
    assert carries(((0, 0, 200, 100), outer), ((10, 10, 50, 20), inner)) is is_carried


def test_a_box_does_not_carry_one_of_its_size() -> None:
    there: tuple[Box, Box] = (0, 0, 50, 50), (9, 9, 50, 50)
    assert not carries(there, there)


def change(kind: DifferenceKind, what: DifferenceSubject, before: Box, after: Box) -> Difference:
    return claim(kind, what, reference={"box": before}, candidate={"box": after})


def test_of_two_changes_of_a_box_the_move_carries_what_is_in_it() -> None:
    grown = change("resized", "panel", (0, 0, 200, 100), (50, 0, 202, 100))
    moved = change("moved", "panel", (0, 0, 200, 100), (50, 0, 200, 100))
    words = change("moved", "text", (10, 10, 50, 20), (60, 10, 50, 20))

    assert _carried([grown, moved, words]) == [grown, replace(moved, members=(moved, words))]
    assert _carried([grown, words]) == [replace(grown, members=(grown, words))]
    still = replace(words, kind="recolored")
    assert _carried([moved, still]) == [moved, still]


def test_a_text_is_centered_up_to_two_pixels() -> None:
    around: tuple[Box, Box] = (0, 0, 100, 40), (200, 0, 60, 40)

    assert _is_centered(((42, 10, 20, 20), (218, 10, 20, 20)), around)
    assert not _is_centered(((43, 10, 20, 20), (218, 10, 20, 20)), around)
    assert not _is_centered(((42, 10, 20, 20), (223, 10, 20, 20)), around)
    assert not _is_centered(((42, 50, 20, 20), (218, 10, 20, 20)), around)


def test_edges_are_off_from_where_scaled_content_has_them() -> None:
    hulls: tuple[Box, Box] = (10, 0, 100, 1), (50, 0, 200, 1)
    assert _off(((20, 0, 20, 1), (70, 0, 40, 1)), hulls) == [0, 0, 0]
    assert _off(((20, 0, 20, 1), (75, 0, 28, 1)), hulls) == [5, 1, 7]


def test_columns_are_beside_each_other_by_the_shorter_one() -> None:
    assert _share_beside((0, 0, 1, 100), (0, 60, 1, 80)) == 0.5
    assert _share_beside((0, 60, 1, 80), (0, 0, 1, 100)) == 0.5
    assert _share_beside((0, 0, 1, 0.5), (0, 0, 1, 9)) == 0.5
    assert _share_beside((0, 0, 1, 0), (0, 0, 1, 9)) == 0


def test_a_column_has_a_share_of_what_is_in_its_place() -> None:
    places: list[Box] = [(45, 45, 10, 10), (96, 50, 10, 10), (97, 50, 10, 10)]
    things = [(place, place) for place in places]
    assert _share_of(things[:1], things, (0, 0, 100, 100)) == 0.5
    assert _share_of(things[:1], [], (0, 0, 100, 100)) == 1.0


def test_a_column_is_what_moved_as_far_as_most_of_its_area() -> None:
    large, *small = [((0, 0, side, side), (0, 0, side, side)) for side in (100, 10, 11, 12)]
    assert _moved_alike([large, *small], [100, 112, 113, 300]) == [large, small[0]]
    assert _moved_alike([*small, large], [300, 87, 88, 100]) == [small[2], large]


def test_a_larger_box_has_a_surplus_on_each_side() -> None:
    assert [*_surplus((0, 0, 100, 50), (20, 10, 50, 20))] == [
        (0, 0, 20, 50),
        (70, 0, 30, 50),
        (0, 0, 100, 10),
        (0, 30, 100, 20),
    ]
    assert [*_surplus((10, 0, 60, 50), (0, 0, 50, 50))] == [(60, 0, 10, 50)]
    assert [*_surplus((0, 0, 50, 50), (0, 0, 60, 60))] == []


def test_the_rim_of_a_box_is_four_pixels_wide() -> None:
    rim = [(8, 20, 4, 50), (108, 20, 4, 50), (10, 18, 100, 4), (10, 68, 100, 4)]
    assert [*_rim((10, 20, 100, 50))] == rim
    assert _with_marker((100, 20, 50, 20)) == (70, 20, 80, 20)


def test_what_is_around_a_box_is_marked_with_it() -> None:
    def marked(box: Box, around: int) -> tuple[int, ...]:
        mask = np.zeros((40, 40), dtype=np.bool_)
        _mark(mask, box, around=around)
        rows, columns = np.nonzero(mask)
        return (rows[0], columns[0], rows[-1], columns[-1]) if mask.any() else ()

    assert marked((10, 20, 4, 2), 3) == (17, 7, 24, 16)
    assert marked((1, 2, 4, 2), 3) == (0, 0, 6, 7)
    assert marked((5, 5, 0, 3), 1) == (4, 4, 8, 5)
    assert marked((5, 5, 3, 0), 1) == (4, 4, 5, 8)
    assert marked((5, 5, 0, 0), 1) == ()


@pytest.mark.parametrize(
    ("width", "height", "is_turned"), [(48, 25, True), (48, 24, False), (59, 25, True), (60, 25, False)]
)
def test_a_line_as_long_but_a_quarter_higher_is_turned(width: int, height: int, is_turned: bool) -> None:
    line = text("abcdef", 100, 100)
    (design,), (made,) = units_of([line]), units_of([replace(line, boxes=((100, 100, width, height),))])
    assert (_is_turned(design, made), _is_turned(made, design)) == (is_turned, is_turned)

    (lines,) = units_of([replace(line, boxes=((100, 100, 48, 20), (100, 120, 48, 20)))])
    assert not _is_turned(design, lines)


@pytest.mark.parametrize(("place", "is_state"), [((200, 4, 90, 34), True), ((200, 5, 90, 30), False)])
def test_of_controls_in_one_line_one_may_lose_what_another_gains(place: Box, is_state: bool) -> None:
    facts = {"tag": "a", "box": (0, 0, 100, 30), "has_fill": True}
    lost = claim("missing", "control", "box", reference=facts, candidate=None)
    bare = {"tag": "a", "box": (200, 0, 90, 30)}
    gained = claim("restyled", "control", "marks", reference=bare, candidate={**facts, "box": place})

    found = without_consequences([lost, gained])
    states = [("state", "current", "not current"), ("state", "not current", "current")]
    others = [("missing", None, None), ("restyled", None, None)]
    assert [(one.kind, one.expected, one.actual) for one in found] == (states if is_state else others)
    other_tag = replace(gained, reference={**bare, "tag": "button"})
    assert [one.kind for one in without_consequences([lost, other_tag])] == ["missing", "restyled"]
