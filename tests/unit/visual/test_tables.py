"""Tables of likeness of elements, number by number, and pairs of things that may have been exchanged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.assignment import boxes_of, nearness
from pytest_design2a11y.visual.differences.compared import claim
from pytest_design2a11y.visual.differences.exchanged import _are_alike
from pytest_design2a11y.visual.differences.exchanges import _above, _exchanged
from pytest_design2a11y.visual.match.tables import (
    are_single,
    color_likenesses,
    compare_names,
    have_like_texts,
    lost_texts,
    overlaps,
    reaches,
    shift_near,
    side_ratios,
)
from pytest_design2a11y.visual.match.texts import UnitMatching, match_units
from pytest_design2a11y.visual.scene.units import units_of
from tests.pages_by_hand import BLACK, BLUE, WHITE, box, text


def table(*places: Box) -> Any:
    return boxes_of([box(*place) for place in places])


FIRST = table((0, 0, 100, 40), (500, 300, 20, 20))


def test_centres_reach_half_of_the_longer_side() -> None:
    others = table(
        (50, 20, 100, 40), (51, 20, 100, 40), (50, 21, 100, 40), (500, 300, 60, 20), (500, 300, 61, 61)
    )

    assert reaches(FIRST, others).tolist() == [
        [True, False, False, False, False],
        [False, False, False, True, True],
    ]


def test_sides_are_ratios() -> None:
    found = side_ratios(FIRST, table((0, 0, 50, 80), (0, 0, 0.5, 20)))
    assert found.tolist() == [[[0.5, 0.5], [0.01, 0.5]], [[0.4, 0.25], [0.05, 1.0]]]
    assert side_ratios(FIRST, table((0, 0, 4, 4)), 8.0).tolist() == [[[0.08, 0.2]], [[0.4, 0.4]]]


def test_boxes_overlap_by_their_common_share() -> None:
    found = overlaps(FIRST, table((0, 0, 100, 40), (50, 0, 100, 40), (200, 0, 10, 10), (90, 30, 20, 20)))
    assert found[0] == pytest.approx([1.0, 1 / 3, 0.0, 100 / 4300])
    assert found[1].tolist() == [0.0] * 4
    assert overlaps(table((0, 0, 0, 0)), table((0, 0, 0, 0))).tolist() == [[0.0]]


def test_things_are_near_by_edge_or_centre() -> None:
    found = nearness(FIRST, table((30, 0, 100, 40), (0, 30, 100, 40), (0, 0, 100, 80), (800, 0, 9, 9)))
    assert found[0] == pytest.approx([0.9, 0.8, 1.0, 0.0])
    assert nearness(FIRST, table((60, 24, 100, 40)), (240.0, 240.0))[0] == pytest.approx([0.75])


def test_what_is_near_a_text_that_grew_from_its_right_edge_has_not_moved() -> None:
    [[narrow], [wide]] = (
        units_of([replace(text("Total", 0, 0), boxes=((x, 100, 900 - x, 20),))]) for x in (800, 500)
    )

    assert shift_near((700, 130, 80, 20), [(narrow, wide)]) == (0, 0)
    assert shift_near((700, 130, 80, 20), [(wide, narrow)]) == (0, 0)


def test_names_are_single_or_alike() -> None:
    assert are_single(["Pay", "Send", "pay", "", ""]).tolist() == [False, True, False, False, False]
    ratios, fits = compare_names(["Pay now", "", "abcdefghij"], ["PAY NOW", "abcdefghi", "Send"])
    assert ratios[0, 0] == 1.0
    assert ratios[2, 1] == pytest.approx(18 / 19)
    assert np.isnan(ratios[1]).all()
    assert fits[0].tolist() == [0.8, -0.4, -0.4]
    assert fits[1].tolist() == [0.0, 0.0, 0.0]
    assert fits[2, 1] == pytest.approx(0.8 * 18 / 19)
    # Nine letters of ten in common, of ten each, are enough; from six to eight, they may be the same.
    assert compare_names(["abcdefghij"], ["abcdefghix"])[1][0, 0] == pytest.approx(0.72)
    assert compare_names(["abcdefghi"], ["abcdefghx"])[1][0, 0] == 0.0
    assert compare_names(["abcde"], ["abcxy"])[1][0, 0] == 0.0
    assert compare_names(["abcdefghijkl"], ["abcdefguvwxy"])[1][0, 0] == -0.4


def test_colors_are_alike_by_their_mean_difference() -> None:
    pictures = [
        box(0, 0, 9, 9, fill=fill, thumbnail=cells)
        for fill, cells in ((BLACK, (BLUE, WHITE) * 18), (BLACK, (WHITE, BLUE) * 18), (BLACK, None))
    ]
    others = [
        replace(pictures[0], fill=WHITE),
        box(0, 0, 9, 9, fill=(16, 32, 48)),
        box(0, 0, 9, 9, fill=WHITE),
    ]

    found = color_likenesses(pictures, others)
    assert found[:, 1] == pytest.approx([0.5] * 3)
    assert found[:, 2].tolist() == [0.0] * 3
    assert found[:, 0].tolist() == [1.0, 0.0, 0.0]
    cells = ((32, 32, 32),) * 18 + ((0, 0, 0),) * 18
    dark = replace(pictures[0], thumbnail=(BLACK,) * 36)
    assert color_likenesses([dark], [replace(dark, thumbnail=cells)])[0, 0] == pytest.approx(0.75)


def test_boxes_hold_the_same_words_or_some_of_them() -> None:
    """Seven letters of ten are the same content, and four similar content; none in both, too."""
    design = units_of([text("abcdefghij", 100, 100), text("klm", 400, 100)])
    made = units_of([text("abcdefghij", 100, 100), text("klm", 100, 140)])
    held = table((90, 90, 200, 40), (390, 90, 200, 40), (700, 90, 50, 50))
    own = table((90, 90, 200, 40), (90, 90, 200, 90), (90, 130, 200, 40), (700, 90, 50, 50))

    same, alike, _ = have_like_texts((held, own), match_units(design, made))
    # 10 of 13 letters are in common with the box of both texts, and 3 of 13 with the other.
    assert same.tolist() == [
        [True, True, False, False],
        [False, False, True, False],
        [False, False, False, False],
    ]
    assert alike.tolist() == [
        [True, True, False, False],
        [False, False, True, False],
        [False, False, False, True],
    ]


@pytest.mark.parametrize(
    ("other", "is_same", "is_like"),
    [
        ("klm", True, True),
        ("klmno", False, True),
        ("klmnopqrstuvwxy", False, True),
        ("klmnopqrstuvwxyz", False, False),
    ],
)
def test_shares_of_contents_have_limits(other: str, is_same: bool, is_like: bool) -> None:
    """Of ten letters in common, seven tenths are 14 in all, and four tenths 25."""
    design = units_of([text("abcdefghij", 100, 100)])
    made = units_of([text("abcdefghij", 100, 100), text(other, 100, 140)])
    same, alike, _ = have_like_texts(
        (table((90, 90, 400, 40)), table((90, 90, 400, 90))), match_units(design, made)
    )
    assert (same[0, 0], alike[0, 0]) == (is_same, is_like)


@pytest.mark.parametrize(("number", "is_other"), [(4, False), (5, True)])
def test_a_card_is_not_the_container_of_a_whole_page(number: int, is_other: bool) -> None:
    """Two texts in common with one of four are half of what both have, and with one of six a third."""
    words = units_of([text(f"entry {at}", 100, 100 + 40 * at) for at in range(number + 1)])
    card, container = table((90, 90, 200, 70)), table((0, 0, 400, 900))
    assert have_like_texts((card, container), match_units(words, words))[2].tolist() == [[is_other]]
    # One text alone may stand in a badge, whatever lies around it.
    badge = table((90, 90, 200, 30))
    assert not have_like_texts((badge, badge), match_units(words, words))[2].any()


def test_a_text_is_lost_to_an_element_where_it_left_all_others() -> None:
    kept = units_of([text("Soup", 100, 100)])[0]
    gone = units_of([text("Soup", 800, 800)])[0]
    other = units_of([text("Bread", 800, 800)])[0]
    boxes = [table((90, 90, 100, 40), (500, 90, 100, 40)), table((90, 90, 100, 40), (300, 300, 50, 50))]

    assert lost_texts(boxes, [(kept, gone)]).tolist() == [[True, True], [False, False]]
    assert lost_texts(boxes, [(kept, kept)]).tolist() == [[False, True], [False, False]]
    assert lost_texts(boxes, [(kept, other)]).tolist() == [[False, False], [False, False]]


def moved(old: Box, new: Box, what: Any = "panel") -> Difference:
    return replace(claim("moved", what, "place"), reference={"box": [*old]}, candidate={"box": [*new]})


LEFT, RIGHT = (100, 100, 60, 20), (400, 100, 60, 20)


@pytest.mark.parametrize(
    ("first", "second", "are_exchanged"),
    [
        (moved(LEFT, RIGHT), moved(RIGHT, LEFT), True),
        (moved(LEFT, (403, 100, 60, 20)), moved(RIGHT, LEFT), True),
        (moved(LEFT, (404, 100, 60, 20)), moved(RIGHT, LEFT), False),
        (moved(LEFT, RIGHT), moved(RIGHT, (100, 104, 60, 20)), False),
        (moved(LEFT, RIGHT), moved(RIGHT, LEFT, "text"), False),
        (moved(LEFT, (400, 100, 90, 20)), moved(RIGHT, LEFT), True),
        (moved(LEFT, (330, 100, 200, 20)), moved(RIGHT, (60, 100, 140, 20)), True),
        (moved((100, 100, 400, 20), RIGHT), moved(RIGHT, (100, 100, 400, 20)), False),
    ],
)
def test_things_in_each_others_place_were_exchanged(
    first: Difference, second: Difference, are_exchanged: bool
) -> None:
    for pair in ((first, second), (second, first)):
        assert [*_exchanged(pair)] == [(first, second)] * are_exchanged


def test_of_exchanged_things_the_upper_one_comes_first_and_each_is_in_one_pair() -> None:
    upper, lower = moved((400, 90, 60, 20), LEFT), moved(LEFT, (400, 90, 60, 20))
    again = moved(LEFT, (400, 90, 60, 20))

    assert [*_exchanged([lower, upper])] == [(upper, lower)]
    assert [*_exchanged([lower, upper, again])] == [(upper, lower)]


@pytest.mark.parametrize(
    ("height", "left", "are_alike"),
    [
        (26, 500, True),
        (27, 500, False),
        (40, 100, True),
        (41, 100, False),
        (40, 104, True),
        (40, 105, False),
        (15, 500, True),
        (14, 500, False),
        (10, 100, True),
        (9, 100, False),
    ],
)
def test_things_of_one_height_or_column_are_alike(height: int, left: int, are_alike: bool) -> None:
    """One is 20 px high; another of three quarters, or in its column of half or twice, is like it."""
    first, second = moved(LEFT, LEFT), moved((left, 300, 60, height), LEFT)

    assert _are_alike(first, second) == _are_alike(second, first) == are_alike


@pytest.mark.parametrize(("top", "are_alike"), [(110, True), (111, False)])
def test_lines_around_boxes_are_alike_in_one_row_or_column(top: int, are_alike: bool) -> None:
    first, second = (replace(moved(LEFT, LEFT), property="border") for _ in range(2))
    second = replace(second, reference={**second.design, "box": [500, top, 60, 20]})
    second = replace(second, candidate=second.reference)
    assert _are_alike(first, second) == are_alike


def test_heights_of_large_things_are_alike_by_a_quarter() -> None:
    first = moved((100, 100, 60, 75), LEFT)
    for height, are_alike in ((100, True), (101, False)):
        assert _are_alike(first, moved((500, 300, 60, height), LEFT)) == are_alike


@pytest.mark.parametrize(("own", "is_like"), [("abcdefg", True), ("abcd", True), ("abc", False)])
def test_pairs_that_read_otherwise_are_no_common_content(own: str, is_like: bool) -> None:
    """Such as translated ones."""
    sides = [units_of([text(own, 40, 100), text(other, 40, 140)]) for other in ("uvwxyz", "kosten")]
    texts = UnitMatching((*zip(*sides, strict=True),), (), (), (sides[0], sides[1]))
    around = table((0, 0, 400, 300))

    found = have_like_texts((around, around), texts)
    assert [table.tolist() for table in found[:2]] == [[[False]], [[is_like]]]


@pytest.mark.parametrize(
    ("box", "is_above"),
    [
        ((160, 0, 80, 20), True),
        ((0, 0, 300, 20), True),  # It ends in line, or begins so
        ((200, 0, 300, 20), True),
        ((0, 0, 250, 20), False),
        ((200, 0, 100, 9), False),
        ((200, 21, 100, 20), False),
    ],
)
def test_what_stands_above_others_is_in_line_and_near(box: Box, is_above: bool) -> None:
    assert _above(box, (200, 30, 100, 20)) == is_above
