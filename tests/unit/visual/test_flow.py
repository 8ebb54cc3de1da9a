"""Of things that moved or grew, which did so by themselves, and which follow from others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences import Compared
from pytest_design2a11y.visual.differences.compared import claim
from pytest_design2a11y.visual.differences.flow import follow_flow
from pytest_design2a11y.visual.differences.gaps import of_page_gaps
from tests.pages_by_hand import box, page

Thing = tuple[Box, Box]


@cache
def bare() -> Capture:
    return page([], height=600)


def compared(*things: Thing) -> Compared:
    """Return pages that have boxes, each in its place on both."""
    sides = [replace(bare(), elements=tuple(box(*pair[side]) for pair in things)) for side in (0, 1)]
    match = replace(match_pages(sides[0], sides[1]), indices=[(at, at) for at in range(len(things))])
    return Compared(match, score_matching(match_blocks([], [])))


def moved(thing: Thing, kind: Any = "moved", property: str = "place", **facts: Any) -> Difference:
    old, new = thing
    return replace(
        claim(kind, "panel", property), reference={"box": [*old], **facts}, candidate={"box": [*new], **facts}
    )


def lone(kind: Any, place: Box) -> Difference:
    side = {"box": [*place]}
    if kind == "extra":
        return claim(kind, "panel", candidate=side)
    return claim(kind, "panel", reference=side)


def by(place: Box, across: float = 0, down: float = 0, wider: float = 0, higher: float = 0) -> Thing:
    left, top, width, height = place
    return place, (left + across, top + down, width + wider, height + higher)


def flow(
    *things: Thing, others: Sequence[Difference] = (), kinds: Sequence[str] = ("moved",)
) -> list[list[Any]]:
    """Return the shift, or the axes, of each thing that changed by itself; [] for one that follows."""
    found = [
        moved(thing, kind, "place" if kind == "moved" else "size")
        for thing in things
        for kind in kinds
        if thing[0] != thing[1]
    ]
    kept, _ = follow_flow(compared(*things), [*found, *others])
    parts = [part for one in kept for part in (one.members or (one,))]
    told = []
    for thing in things:
        own = [one for one in parts if one.design.get("box") == [*thing[0]]]
        told.append([one.made.get("shift", one.made.get("axes")) for one in own])
    return told


TOP: Box = (100, 100, 200, 40)
BELOW: Box = (100, 160, 200, 40)
LAST: Box = (100, 220, 200, 40)
RIGHT: Box = (400, 100, 200, 40)
AROUND: Box = (50, 50, 400, 400)


@pytest.mark.parametrize(
    ("things", "told"),
    [
        # What lies below something that moved, or grew, follows.
        ([by(TOP, down=30), by(BELOW, down=30)], [[[0, 30]], [None]]),
        ([by(TOP, higher=30), by(BELOW, down=30)], [[], []]),
        ([by(TOP), by(BELOW, down=30)], [[], [[0, 30]]]),
        ([by(TOP, down=30), by(BELOW, down=33)], [[[0, 30]], [None]]),
        ([by(TOP, down=30), by(BELOW, down=34)], [[[0, 30]], [[0, 34]]]),
        # It must lie in its way: half of the narrower one's width.
        ([by(TOP, down=30), by((199, 160, 200, 40), down=30)], [[[0, 30]], [None]]),
        ([by(TOP, across=30), by(RIGHT, across=30)], [[[30, 0]], [None]]),
        ([by(TOP), by(RIGHT, across=30)], [[], [[30, 0]]]),
        # In a box that moved, it follows from that.
        ([by(AROUND, down=50), by(TOP, down=50)], [[[0, 50]], []]),
        ([by(AROUND, down=50), by(TOP, down=53)], [[[0, 50]], []]),
        ([by(AROUND, down=50), by(TOP, down=54)], [[[0, 50]], [[0, 54]]]),
        ([by(AROUND, across=50), by(TOP, across=50)], [[[50, 0]], []]),
        # Across, it may keep its distance from the other edge, or from the center.
        ([by(AROUND, wider=100), by(TOP, across=100)], [[], []]),
        ([by(AROUND, wider=100), by(TOP, across=50)], [[], []]),
        ([by(AROUND, wider=100), by(TOP, across=70)], [[], [[70, 0]]]),
        # Down too, unless its box is as high as its content.
        ([by(AROUND, higher=100), by(TOP, down=100)], [[], []]),
        ([by(AROUND, higher=100), by(TOP, down=50)], [[], []]),
        ([by(AROUND, higher=100), by(TOP, down=70)], [[], [[0, 70]]]),
        ([by((90, 90, 220, 120), higher=30), by(TOP), by(BELOW, down=30)], [[], [], [[0, 30]]]),
        # Both axes: only the one by itself is told.
        ([by(TOP, down=30), by(BELOW, across=60, down=30)], [[[0, 30]], [[60, 0]]]),
        ([by(TOP, across=60, down=30)], [[[60, 30]]]),
        ([by(TOP, across=60, down=3)], [[[60, 0]]]),
    ],
)
def test_what_follows_from_others_is_not_told_by_itself(things: list[Thing], told: list[Any]) -> None:
    assert flow(*things) == told


@pytest.mark.parametrize(
    ("others", "told"),
    [
        ([], [[0, 60]]),
        ([lone("extra", (100, 150, 200, 40))], None),
        ([lone("missing", (100, 150, 200, 5))], None),
        ([lone("extra", (500, 150, 200, 40))], [[0, 60]]),
        ([lone("extra", (100, 300, 200, 40))], [[0, 60]]),
        ([lone("missing", (100, 60, 200, 20))], [[0, 60]]),
    ],
)
def test_what_came_or_went_between_two_things_accounts_for_their_gap(
    others: list[Difference], told: Any
) -> None:
    assert flow(by(TOP), by(BELOW, down=60), others=others)[1] == ([] if told is None else told)


@pytest.mark.parametrize(
    ("thing", "others", "told"),
    [
        # It begins where something before it did, which is gone.
        (by(BELOW, down=-60), [lone("missing", TOP)], []),
        (by(BELOW, down=-57), [lone("missing", TOP)], []),
        (by(BELOW, down=-55), [lone("missing", TOP)], [[0, -55]]),
        (by(BELOW, down=60), [lone("extra", BELOW)], []),
        (by(BELOW, down=60), [lone("extra", (100, 170, 200, 40))], [[0, 60]]),
        # It ends where something after it did.
        (by(BELOW, down=60), [lone("missing", LAST)], []),
        (by(BELOW, down=60), [lone("missing", (400, 220, 200, 40))], [[0, 60]]),
        (by(BELOW, down=60), [], [[0, 60]]),
        (by(RIGHT, across=-300), [lone("missing", TOP)], []),
    ],
)
def test_what_takes_the_place_of_something_follows(thing: Thing, others: list[Difference], told: Any) -> None:
    assert flow(thing, others=others) == [told]


def test_what_stands_in_a_row_with_what_follows_moves_with_it() -> None:
    """The second row moved with the first thing of it; its right part has nothing above it."""
    left, right = by(BELOW, down=30), by((400, 160, 200, 40), down=30)

    assert flow(by(TOP, higher=30), left, right) == [[], [], []]
    assert flow(by(TOP, higher=30), left, by((400, 160, 200, 40), down=33)) == [[], [], []]
    assert flow(by(TOP, higher=30), left, by((400, 160, 200, 40), down=34)) == [[], [], [[0, 34]]]
    assert flow(by(TOP, higher=30), left, by((400, 400, 200, 40), down=30)) == [[], [], [[0, 30]]]
    assert flow(by(TOP), left, right) == [[], [[0, 30]], [[0, 30]]]


@pytest.mark.parametrize(
    ("things", "others", "told"),
    [
        ([by(TOP, wider=20)], [], [[[0]]]),
        ([by(TOP, higher=20)], [], [[[1]]]),
        ([by(TOP, wider=20, higher=20)], [], [[[0, 1]]]),
        ([by(TOP, wider=3, higher=20)], [], [[[1]]]),
        # A box that is as high as its content grows with it.
        ([by((90, 90, 220, 60), higher=30), by(TOP, higher=30)], [], [[], [[1]]]),
        ([by((90, 90, 220, 60), higher=33), by(TOP, higher=30)], [], [[], [[1]]]),
        ([by((90, 90, 220, 60), higher=34), by(TOP, higher=30)], [], [[[1]], [[1]]]),
        (
            [by((90, 90, 220, 120), higher=60)],
            [lone("missing", TOP), lone("extra", (100, 100, 200, 100))],
            [[]],
        ),
        ([by((90, 90, 220, 120), higher=60)], [lone("missing", TOP)], [[[1]]]),
        # One that goes from edge to edge follows from what is around it.
        ([by(AROUND, wider=90), by((60, 100, 380, 40), wider=90)], [], [[], []]),
        ([by(AROUND, wider=90), by((60, 100, 380, 40), wider=87)], [], [[], []]),
        (
            [by(AROUND, wider=90), by((60, 100, 380, 40), wider=90), by((440, 300, 5, 5))],
            [],
            [[[0]], [], []],
        ),
        ([by(AROUND, wider=90), by((60, 100, 380, 40), wider=85)], [], [[[0]], [[0]]]),
        ([by(AROUND, wider=90), by((60, 100, 380, 40), wider=86)], [], [[[0]], [[0]]]),
        ([by(AROUND, wider=90), by((60, 100, 380, 40), across=10, wider=80)], [], [[[0]], [[0]]]),
    ],
)
def test_a_size_that_follows_from_others_is_not_told(
    things: list[Thing], others: list[Difference], told: list[Any]
) -> None:
    assert flow(*things, others=others, kinds=["resized"]) == told


def test_cards_of_one_row_are_as_high_as_the_one_that_grew() -> None:
    first, second = by((90, 90, 220, 60), higher=30), by((390, 90, 220, 60), higher=30)
    content = by(TOP, higher=30)

    assert flow(first, second, content, kinds=["resized"]) == [[], [], [[1]]]
    lower = by((390, 120, 220, 60), higher=30)
    assert flow(first, lower, content, kinds=["resized"]) == [[], [[1]], [[1]]]


def test_gaps_that_changed_alike_are_one_difference() -> None:
    rows = [by((100, 100, 200, 40)), *(by((100, 100 + 60 * at, 200, 40), down=20 * at) for at in (1, 2, 3))]
    kept, caused = follow_flow(compared(*rows), [moved(row) for row in rows[1:]])

    (cause,) = kept
    assert (cause.kind, cause.property, cause.actual, len(cause.members), caused) == (
        "moved",
        "gap",
        20,
        3,
        [],
    )
    assert (cause.design["box"], cause.made["box"]) == ([100, 160, 200, 160], [100, 180, 200, 200])
    for last, properties in ((3, ["gap"]), (2, ["place"])):
        kept, _ = follow_flow(compared(*rows[:last]), [moved(row) for row in rows[1:last]])
        assert [one.property for one in kept] == properties


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([-3, -3, -3], 1),
        ([-3, -3, 0], 0),  # Fewer than three in a row
        ([-2, -2, -2], 0),  # Each too little to be seen
        ([-3, -2.1, -3.1], 1),
        ([-3.9, -2.5, -3.9], 0),  # Not even
    ],
)
def test_small_gaps_that_all_changed_alike_are_told(steps: list[float], told: int) -> None:
    down = [sum(steps[:at]) for at in range(4)]
    rows = [by((100, 100 + 60 * at, 200, 40), down=down[at]) for at in range(4)]
    kept, _ = follow_flow(compared(*rows), [moved(row) for row in rows[2:]])
    assert len(kept) == told
    aside = [by(place, across=5, down=shift) for (place, _), shift in zip(rows, down, strict=True)]
    assert not [one for one in flow(*aside)[1:] if one and one[0] is not None and one[0][1]]


def lines(old: float, new: float, **facts: Any) -> Difference:
    side = {"box": [0, 0, 9, 9], "is_most": True, **facts}
    return replace(claim("font", "text", "line_height", old, new), reference=side, candidate=side)


@pytest.mark.parametrize(
    ("one", "follows"),
    [
        (moved(by(TOP, down=30)), True),
        (moved(by(TOP, across=30)), False),
        (moved(by(TOP, across=30, down=30)), False),
        (moved(by(TOP, higher=10), "resized", "size"), True),
        (moved(by(TOP, higher=11), "resized", "size"), False),
        (moved(by(TOP, higher=-10), "resized", "size"), False),
        (moved(by(TOP, wider=30), "resized", "size"), False),
        (moved(by(TOP, wider=30, higher=30), "resized", "size"), False),
        (claim("moved", "panel", "gap", None, 9), True),
        (claim("resized", "page", "height", "1000", "1250"), True),
        (claim("resized", "page", "height", "1000", "1251"), False),
        (claim("resized", "page", "height", "1000", "990"), False),
        (claim("recolored", "panel", "fill"), False),
    ],
)
def test_what_only_moved_down_follows_from_other_line_heights(one: Difference, follows: bool) -> None:
    thing = by(TOP)
    if one.reference:
        old, new = one.design["box"], one.made["box"]
        thing = (tuple(old), tuple(new))
    for cause, is_cause in ((lines(2.0, 2.5), True), (lines(2.0, 2.5, is_most=False), False)):
        kept, _ = follow_flow(compared(thing), [cause, one])
        assert len(kept) == 2 - (follows and is_cause)


@pytest.mark.parametrize(("number", "grown", "is_one"), [(4, 50, True), (3, 66, False), (4, 24, False)])
def test_gaps_that_make_the_page_higher_are_one_difference_of_it(
    number: int, grown: int, is_one: bool
) -> None:
    """Four of them or more, which add up to half of what it grew, or more."""
    pages = [page([], height=height) for height in (1000, 1200)]
    things = [by((100, 100 + 100 * at, 200, 40), down=grown * (at + 1)) for at in range(number)]
    found = [moved(thing, shift=[0, grown]) for thing in things]
    gaps = dict.fromkeys(range(number), (60.0, 60.0 + grown))
    sides = Compared(match_pages(pages[0], pages[1]), score_matching(match_blocks([], [])))

    joint = [
        (one.what, one.expected, one.actual, len(one.members), one.design["box"], one.made["box"])
        for one in of_page_gaps(sides, found, gaps) or []
    ]
    assert joint == [("page", "1000", "1200", 4, [0, 0, 1000, 1000], [0, 0, 1000, 1200])] * is_one


def test_columns_of_a_table_take_the_room_of_one_that_got_lost() -> None:
    """In its rows; what moved in other rows, or down, did so by itself."""
    rows: list[Box] = [(400, 100, 80, 20), (400, 140, 80, 20)]
    lost = replace(claim("missing", "text", "column"), members=tuple(lone("missing", row) for row in rows))

    def is_told(thing: Thing, kind: Any = "missing") -> bool:
        kept, _ = follow_flow(compared(thing), [replace(lost, kind=kind), moved(thing)])
        return any(one.kind == "moved" for one in kept)

    assert not is_told(by((200, 102, 80, 18), across=60))
    assert is_told(by((200, 104, 80, 20), across=60))
    assert is_told(by((200, 100, 80, 20), across=60, down=10))
    assert is_told(by((200, 100, 80, 20), across=60), "extra")
