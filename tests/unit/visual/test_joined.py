"""Differences that are joined with others, or left out since they follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences import Compared, _in_order, _summary, _with_costs
from pytest_design2a11y.visual.differences.compared import claim, with_shares
from pytest_design2a11y.visual.differences.consequences import without_consequences
from pytest_design2a11y.visual.differences.content_width import other_content_width
from pytest_design2a11y.visual.differences.exchanges import join_exchanges
from pytest_design2a11y.visual.differences.gaps import empty_space_differences
from pytest_design2a11y.visual.differences.joining import join_graded
from pytest_design2a11y.visual.differences.lost import join_lost, join_undrawn
from pytest_design2a11y.visual.score import severity_costs
from tests.pages_by_hand import BLACK, box, page, text


@cache
def empty(height: int = 100) -> Compared:
    return Compared(
        match_pages(page([], height=height), page([], height=height)), score_matching(match_blocks([], []))
    )


def one(
    kind: Any,
    what: Any = "panel",
    property: str | None = None,
    was: Box | None = (0, 0, 40, 20),
    now: Box | None = None,
    values: tuple[Any, Any] = (None, None),
    **facts: Any,
) -> Difference:
    """Make a difference; facts of the page begin with `made_`."""
    own = {name.removeprefix("made_"): value for name, value in facts.items() if name.startswith("made_")}
    wanted = {name: value for name, value in facts.items() if not name.startswith("made_")}
    return claim(
        kind,
        what,
        property,
        *values,
        None if kind == "extra" or was is None else {"box": [*was], **wanted},
        None if kind == "missing" else {"box": [*(now or was or ())], **own},
    )


def word(name: str, was: Box, now: Box) -> Difference:
    return one("moved", "text", "place", was, now, text=name)


def column(at: int, down: float = 0, width: float = 40) -> Box:
    return (100 + 60 * at, 100 + down, width, 20)


DAYS = ("Sun", "Mon", "Tue", "Wed")


def week(*order: int, down: float = 0) -> list[Difference]:
    return [word(DAYS[at], column(at), column(to, down)) for at, to in enumerate(order)]


def exchanged(found: Sequence[Difference]) -> list[tuple[Any, ...]]:
    joint = [cause for cause in join_exchanges(empty(), found) if cause.kind == "exchanged"]
    return [(cause.property, cause.expected, cause.actual, len(cause.members)) for cause in joint]


def test_a_row_whose_last_one_stands_first_has_another_order() -> None:
    assert exchanged(week(1, 2, 3, 0)) == [("order", "last", "first", 4)]
    assert exchanged(week(3, 0, 1, 2)) == [("order", "first", "last", 4)]
    assert exchanged(week(1, 2, 0)) == [("order", "last", "first", 3)]
    assert exchanged(week(1, 2, 0, 3)[:3]) == [("order", "last", "first", 3)]
    assert exchanged(week(1, 2, 3, 0, down=4)) == []
    assert [name for name, *_ in exchanged(week(1, 0))] == ["places"]
    numbers = [replace(each, reference={**each.design, "text": "12"}) for each in week(1, 2, 0)]
    assert exchanged(numbers) == []
    (order, *_) = join_exchanges(empty(), week(1, 2, 3, 0))
    assert (order.design["text"], order.design["other"], order.made["box"]) == ("Wed", {}, [*column(0)])
    (order, *_) = join_exchanges(empty(), week(3, 0, 1, 2))
    assert order.design["text"] == "Sun"


def test_what_lies_below_a_row_moves_with_it() -> None:
    days = week(1, 2, 3, 0)
    below = word("12", column(0, 40), column(1, 40))

    def joins(other: Difference) -> bool:
        return other not in join_exchanges(empty(), [*days, other])

    assert joins(below)
    assert joins(one("recolored", "panel", "fill", column(1, 40), column(2, 40)))
    assert joins(word("12", column(3, 40), column(0, 40)))
    assert joins(word("12", column(0, 40), (163, 140, 40, 20)))
    assert not joins(word("12", column(0, 40), (164, 140, 40, 20)))
    assert not joins(word("12", column(0, -40), column(1, -40)))
    assert not joins(word("12", (400, 140, 40, 20), (460, 140, 40, 20)))
    assert not joins(one("missing", "text", None, column(0, 40)))


def test_two_things_in_each_others_place_are_named_by_the_first() -> None:
    left, right = (100, 100, 60, 20), (400, 100, 60, 20)
    found = [word("Pay", left, right), word("Send", right, left)]
    (cause,) = join_exchanges(empty(), found[::-1])

    assert (cause.property, cause.what, [*cause.members]) == ("places", "text", found)
    assert (cause.design["text"], cause.design["other"]["text"], cause.design["is_whole"]) == (
        "Pay",
        "Send",
        False,
    )
    assert cause.made["box"] == [*right]
    # Their colors are those of their places; what lies elsewhere is not.
    inner = one("recolored", "panel", "fill", (110, 105, 10, 10), (110, 105, 10, 10))
    far = one("recolored", "panel", "fill", (700, 105, 10, 10), (700, 105, 10, 10))
    joint = join_exchanges(empty(), [*found, inner, far])
    assert [len(joint[0].members), *joint[1:]] == [3, far]


def look(
    kind: Any, property: str, old: Any, new: Any, x: float = 0, height: float = 20, **facts: Any
) -> Difference:
    place = (100 + x, 100, 60, height)
    return one(kind, "panel", property, place, place, (old, new), **facts)


RED, BLUE = "#c80000", "#143cc8"


@pytest.mark.parametrize(
    ("first", "second", "property"),
    [
        (look("recolored", "fill", RED, BLUE), look("recolored", "fill", BLUE, RED, 200), True),
        (look("recolored", "fill", RED, BLUE), look("recolored", "fill", RED, BLUE, 200), False),
        (look("recolored", "fill", RED, BLUE), look("recolored", "fill", BLUE, "#000000", 200), False),
        (look("recolored", "fill", RED, BLUE), look("recolored", "fill", BLUE, RED, 200, 30), False),
        (look("recolored", "fill", RED, BLUE), look("recolored", "fill", BLUE, RED, 200, name="box"), False),
        (look("recolored", "fill", RED, BLUE), look("recolored", "color", BLUE, RED, 200), False),
        (look("moved", "place", RED, BLUE), look("moved", "gap", BLUE, RED, 200), False),
        (
            look("state", "checked", "checked", "not checked"),
            look("state", "checked", "not checked", "checked", 200),
            True,
        ),
        (look("state", "value", "a", "b"), look("state", "value", "b", "a", 200), False),
        (
            look("restyled", "marks", None, None, has_border=True),
            look("restyled", "marks", None, None, 200, made_has_border=True),
            True,
        ),
        (
            look("restyled", "marks", None, None, has_border=True),
            look("restyled", "marks", None, None, 200, made_has_shadow=True),
            False,
        ),
    ],
)
def test_things_that_have_each_others_look_are_one(
    first: Difference, second: Difference, property: bool
) -> None:
    joint = join_exchanges(empty(), [first, second])

    assert len(joint) == 2 - property
    if property:
        (cause,) = joint
        assert [*cause.members] == [first, second]
        assert (cause.design["box"], cause.design["other"]["box"]) == ([100, 100, 60, 20], [300, 100, 60, 20])
        assert cause.made["box"] == [300, 100, 60, 20]
        states = (first.expected, first.actual) if first.kind == "state" else (None, None)
        assert (cause.expected, cause.actual) == states


def scaled(ratio: float, *lefts: float, width: float = 200, **facts: Any) -> list[Difference]:
    """Make rows of boxes that begin at several places, and are scaled from 100 px."""
    return [
        one(
            "resized",
            "panel",
            "size",
            (left, 100 + 40 * at, width, 20),
            (100 + ratio * (left - 100), 100 + 40 * at, ratio * width, 20),
        )
        for at, left in enumerate(lefts)
    ]


def width_of(found: Sequence[Difference]) -> Any:
    joint = other_content_width(empty(), found)
    return joint and (joint[0].kind, joint[0].property, joint[0].expected, joint[0].actual, len(joint[1]))


FOUR = (100.0, 120.0, 200.0, 300.0)


def test_content_of_another_width_is_one_cause() -> None:
    assert width_of(scaled(0.8, *FOUR)) == ("resized", "width", "400", "320", 4)
    assert width_of(scaled(1.25, *FOUR)) == ("resized", "width", "400", "500", 4)
    assert width_of(scaled(0.8, *FOUR[:3])) is None
    assert width_of(scaled(0.96, *FOUR)) is None
    assert width_of(scaled(0.95, *FOUR)) == ("resized", "width", "400", "380", 4)
    assert width_of(scaled(0.8, *FOUR, width=99)) is None
    assert width_of([replace(each, what="page") for each in scaled(0.8, *FOUR)]) is None
    assert width_of([replace(each, kind="recolored") for each in scaled(0.8, *FOUR)]) is None
    # Half of all widths: 800 of others, moved along.
    others = [
        one("moved", "panel", "place", (100, 300 + 40 * at, 200, 20), (100, 340 + 40 * at, 200, 20))
        for at in range(5)
    ]
    assert width_of([*scaled(0.8, *FOUR), *others[:4]])[:2] == ("resized", "width")
    assert width_of([*scaled(0.8, *FOUR), *others]) is None


def test_what_came_or_went_beside_it_accounts_for_the_room() -> None:
    found = scaled(0.8, *FOUR)
    gone = one("missing", "panel", None, (510, 120, 200, 40))

    assert width_of([*found, one("extra", "panel", None, None, (510, 120, 200, 40))]) is None
    assert width_of([*found, one("extra", "panel", None, None, (510, 120, 99, 40))]) is not None
    assert width_of([*found, one("extra", "panel", None, None, (510, 700, 200, 40))]) is not None
    assert width_of([*found, gone]) is None
    wider = scaled(1.5, *FOUR)
    assert width_of([*wider, one("missing", "panel", None, (510, 120, 100, 40))]) == (
        "resized",
        "room",
        "400",
        "600",
        4,
    )
    assert width_of(wider) == ("resized", "width", "400", "600", 4)


def test_content_that_goes_beyond_the_page_is_cut_off() -> None:
    found = scaled(1.8, *FOUR)
    cut = one("resized", "panel", "size", (420, 400, 230, 20), (676, 400, 324, 20))
    lost = one("missing", "text", None, (660, 400, 40, 20))
    near = one("missing", "text", None, (160, 400, 40, 20))
    joint = other_content_width(empty(), [*found, cut, lost, near])

    assert joint is not None
    assert (joint[0].kind, joint[0].property, joint[0].expected, joint[0].actual) == (
        "overflowing",
        "cut",
        None,
        1.8,
    )
    assert lost in joint[1]
    assert near not in joint[1]


AT: Box = (10, 10, 20, 20)
AROUND: Box = (0, 0, 200, 40)


@pytest.mark.parametrize(
    ("cause", "other", "follows"),
    [
        (one("recolored", "control", "fill", AROUND), one("unreadable", "text", "contrast", AT), True),
        (one("recolored", "picture", "picture", AROUND), one("unreadable", "text", "contrast", AT), True),
        (one("blank", "picture", "picture", AROUND), one("unreadable", "text", "contrast", AT), True),
        (one("recolored", "text", "color", AROUND), one("unreadable", "text", "contrast", AT), False),
        (
            one("recolored", "control", "fill", (0, 90, 99, 40)),
            one("unreadable", "text", "contrast", AT),
            False,
        ),
        (one("recolored", "control", "fill", AT), one("unreadable", "text", "contrast", AROUND), False),
        (one("recolored", "picture", "picture", AROUND), one("recolored", "control", "fill", AT), True),
        (one("recolored", "picture", "picture", AROUND), one("recolored", "panel", "fill", AT), False),
        (one("blank", "picture", "picture", AROUND), one("restyled", "control", "marks", AT), True),
        (one("blank", "picture", "picture", AROUND), one("restyled", "panel", "marks", AT), False),
        (one("restyled", "panel", "opacity", AROUND), one("recolored", "text", "color", AT), True),
        (one("restyled", "panel", "opacity", AROUND), one("moved", "text", "place", AT), False),
        (
            one("covered", "text", "cover", None, AT, made_text="Soup"),
            one("missing", "text", None, AT, text="Soup"),
            True,
        ),
        (
            one("overflowing", "text", "cut", None, AT, made_text="Soup of the"),
            one("reworded", "text", "text", AT, text="SOUP of"),
            True,
        ),
        (
            one("covered", "text", "cover", None, AT, made_text="Bread"),
            one("missing", "text", None, AT, text="Soup"),
            False,
        ),
        (
            one("covered", "text", "cover", None, AT, made_text="Soup"),
            one("moved", "text", "place", AT, text="Soup"),
            False,
        ),
        (
            one("missing", "control", None, AROUND, label="Soup"),
            one("missing", "text", None, AT, text="Soup"),
            True,
        ),
        (
            one("missing", "control", None, (0, 90, 99, 40), label="Soup"),
            one("missing", "text", None, AT, text="Soup"),
            False,
        ),
        (
            one("missing", "control", "box", AROUND, label="Soup"),
            one("missing", "text", None, AT, text="Soup"),
            False,
        ),
        (
            one("recolored", "text", "color", AT, made_contrast=2.9, made_text="Soup"),
            one("unreadable", "text", "contrast", None, AT, made_text="Soup"),
            True,
        ),
        (
            one("recolored", "text", "color", AT, made_contrast=3.0, made_text="Soup"),
            one("unreadable", "text", "contrast", None, AT, made_text="Soup"),
            False,
        ),
        (
            one("overflowing", "text", "cut", AT, made_text="Soup"),
            one("overflowing", "text", "cut", None, AT, made_text="Soup"),
            True,
        ),
    ],
)
def test_what_follows_from_another_difference_is_left_out(
    cause: Difference, other: Difference, follows: bool
) -> None:
    found = without_consequences([cause, other])

    assert len(found) == 2 - follows
    assert (other in found) == (not follows)


def test_a_missing_control_has_the_words_that_it_lost() -> None:
    whole = one("missing", "control", None, AROUND, label="Soup and bread")
    inner = one("missing", "control", None, (100, 5, 90, 30), label="Bread")
    words = [
        one("missing", "text", None, AT, text="Soup"),
        one("missing", "text", None, (110, 10, 20, 20), text="Bread"),
    ]
    first, second = without_consequences([whole, inner, *words])

    assert [text_of["text"] for text_of in first.design["texts"]] == ["Soup"]
    assert [text_of["text"] for text_of in second.design["texts"]] == ["Bread"]
    (alone,) = without_consequences([whole])
    assert "texts" not in alone.design


@pytest.mark.parametrize(
    ("place", "changes", "is_state"),
    [
        ((300, 10, 60, 30), {}, True),
        ((300, 14, 60, 30), {}, True),
        ((300, 15, 60, 30), {}, False),
        ((300, 10, 60, 35), {}, False),
        ((10, 300, 60, 30), {}, True),
        ((15, 300, 60, 30), {}, False),
        ((300, 10, 60, 30), {"tag": "button"}, False),
        ((300, 10, 60, 30), {"has_border": True}, False),
    ],
)
def test_a_mark_that_went_from_one_control_to_another_is_a_state(
    place: Box, changes: dict[str, Any], is_state: bool
) -> None:
    lost = one("missing", "control", "box", (10, 10, 60, 30), tag="a", has_fill=True)
    facts: dict[str, Any] = {"tag": "a", "made_has_fill": True} | changes
    gained = one("restyled", "control", "marks", place, **facts)
    found = [
        (each.kind, each.property, each.expected, each.actual)
        for each in without_consequences([lost, gained])
    ]

    states = [("state", "current", "current", "not current"), ("state", "current", "not current", "current")]
    assert found == (
        states if is_state else [("missing", "box", None, None), ("restyled", "marks", None, None)]
    )


def test_shares_are_of_striking_pixels_of_which_those_of_the_first_screen_count_twice() -> None:
    """A square of 20 px on the first screen of 800 px, and one of 20 px below it."""
    design = page([], height=1000)
    made = page([], [box(100, 100, 20, 20, fill=BLACK), box(100, 900, 20, 20, fill=BLACK)], height=1000)
    compared = Compared(match_pages(design, made), score_matching(match_blocks([], [])))

    def share(*found: Difference) -> Any:
        return [each.share for each in with_shares(found, compared)]

    above, below = (one("extra", "panel", None, None, (100, y, 20, 20)) for y in (100, 900))
    assert share(above, below) == [0.6667, 0.3333]
    assert share(one("moved", "panel", "place", (100, 100, 20, 20), (100, 900, 20, 20))) == [1.0]
    assert share(one("moved", "panel", "place", (100, 100, 20, 10), (100, 900, 20, 5))) == [0.4167]
    assert share(replace(above, members=(above, below))) == [1.0]
    assert share(one("resized", "page", "height")) == [1.0]
    region = one("unexplained", "page", "look", (100, 100, 20, 20), None, (None, 0.5))
    assert share(region) == [0.3333]
    across = one("extra", "panel", None, None, (0, 790, 200, 200))
    assert share(across) == [0.3333]
    assert [each.share for each in with_shares([above], empty())] == [None]


def test_a_band_that_holds_nothing_is_as_high_as_between_the_pixels_around_it() -> None:
    """Ten px are not missed; 300 are."""

    def shown(y: float) -> Any:
        return page([text("Soup of today", 40, 20), text("Bread and water", 40, y)], height=1000)

    for grown, told in ((300, True), (10, False)):
        pages = shown(200), shown(200 + grown)
        found = [
            *empty_space_differences(Compared(match_pages(*pages), score_matching(match_blocks([], []))))
        ]
        assert [(each.property, each.actual) for each in found] == [("gap", grown)] * told
        back = [
            *empty_space_differences(
                Compared(match_pages(*pages[::-1]), score_matching(match_blocks([], [])))
            )
        ]
        assert [(each.property, each.actual) for each in back] == [("gap", -grown)] * told


def test_the_worst_come_first_and_of_these_what_the_whole_page_has() -> None:
    def of(severity: Any, what: Any, property: str, share: float | None, kind: Any = "moved") -> Difference:
        return replace(claim(kind, what, property), severity=severity, share=share)

    ordered = [
        of("critical", "text", "place", 0.1),
        of("serious", "page", "width", 0.1),
        of("serious", "panel", "place", 0.9),
        of("serious", "page", "look", 0.5, "unexplained"),
        of("serious", "text", "place", 0.2),
        of("serious", "text", "gap", None),
        of("serious", "page", "height", 1.0),
        of("minor", "page", "style", 1.0),
        of("minor", "text", "place", 0.9),
        of("minor", "page", "small", 0.9),
    ]
    assert _in_order(ordered[::-1]) == ordered


def test_what_costs_follows_from_shares_and_severities() -> None:
    """Of what is lacking, each has its share; the page's height explains nothing."""
    first, second = (replace(one("moved"), share=share) for share in (0.3, 0.1))
    height = replace(claim("resized", "page", "height"), share=1.0)

    assert [each.cost for each in _with_costs([first, second, height], None, 0.4)] == pytest.approx(
        [0.3, 0.1, 0.0]
    )
    assert [each.cost for each in _with_costs([height, height], None, 0.4)] == pytest.approx([0.2, 0.2])
    severe = replace(first, severity="serious")
    taken = [*severity_costs([severe, second])]
    assert [each.cost for each in _with_costs([severe, second], 0.5, 0.5)] == pytest.approx(
        [0.375 + 0.5 * taken[0], 0.125 + 0.5 * taken[1]]
    )


def test_those_that_are_not_told_one_by_one_are_counted_with_where_they_are() -> None:
    moved, gone = one("moved", "text", was=(0, 50, 9, 9)), one("missing", "panel", was=(0, 300, 9, 9))
    several = _summary([moved, moved, gone])

    assert (several.kind, several.what, several.property, several.actual) == ("moved", "page", "small", 3)
    assert several.design == {"counts": {"text moved": 2, "panel missing": 1}, "extent": [50, 300]}
    assert _summary([moved, claim("resized", "page", "height")]).design["counts"] == {"text moved": 1}
    assert _summary([moved, claim("missing", "text")]).design == {
        "counts": {"text moved": 1, "text missing": 1}
    }
    assert _summary([]).design == {"counts": {}}


LIST: list[Box] = [(40, 100 + 30 * at, 60 + 20 * at, 20) for at in range(4)]
STEPS: list[Box] = [(40 + 70 * at, 100 + 30 * at, 60, 20) for at in range(4)]


@pytest.mark.parametrize(
    ("places", "what", "shape"),
    [
        ([column(at) for at in range(4)], "text", "row"),
        (LIST, "text", "column"),
        (LIST, "panel", "section"),
        (STEPS, "text", "section"),
    ],
)
def test_lost_things_are_a_row_a_column_or_a_section(places: list[Box], what: Any, shape: str) -> None:
    for kind in ("missing", "extra"):
        found = [
            one(kind, what, None, place, place, text=f"soup {at}", made_text=f"soup {at}")
            for at, place in enumerate(places)
        ]
        (cause,) = join_lost(empty(), found)
        assert (cause.kind, cause.what, cause.property, [*cause.members]) == (kind, what, shape, found)


@pytest.mark.parametrize(
    ("difference", "kind", "is_caused"),
    [
        (claim("restyled", "page", "style"), "stylesheet", True),
        (claim("restyled", "page", "style"), "script", True),
        (claim("restyled", "page", "style"), "font", False),
        (claim("missing", "page", "content"), "script", True),
        (claim("missing", "page", "content"), "stylesheet", False),
        (claim("font", "text", "style", "underlined"), "script", False),
    ],
)
def test_only_a_whole_page_follows_from_a_file_that_may_draw_it(
    difference: Difference, kind: str, is_caused: bool
) -> None:
    lost = {"https://cdn.example/a": kind}
    pages = page([]), replace(page([]), lost_files=lost)
    compared = Compared(match_pages(*pages), score_matching(match_blocks([], [])))

    (found,) = join_undrawn(compared, [difference])

    assert ("files" in found.design) is is_caused


def graded(difference: Difference, severity: Any = "serious") -> Difference:
    return replace(difference, severity=severity, share=0.1)


def test_all_that_makes_one_thing_unacceptable_is_one_difference() -> None:
    was, now = (0, 0, 200, 100), (300, 0, 100, 50)
    moved = one("moved", "picture", "place", was, now, name="picture", label="Logo")
    smaller = one(
        "resized", "picture", "size", was, now, ("200 x 100", "100 x 50"), name="picture", label="Logo"
    )
    [both] = join_graded(map(graded, (moved, smaller)))
    assert in_words(both) == 'picture "Logo" moved 300 px right, and is 100 x 50 instead of 200 x 100'
    assert (both.severity, both.share, len(both.members)) == ("serious", 0.1, 2)
    [worst] = join_graded([graded(moved), graded(smaller, "critical")])
    assert (worst.severity, worst.kind) == ("critical", "resized")
    apart = [graded(moved), graded(smaller, "moderate")]
    assert join_graded(apart) == apart, "what alone would be accepted is told by itself"


def test_two_parts_of_one_drawing_are_two_things() -> None:
    parts = [
        graded(one("restyled", "picture", "length", now=(0, 0, 40, 20), within="picture", name=name))
        for name in ("ring", "line")
    ]
    assert join_graded(parts) == parts


def test_things_of_one_kind_that_stand_elsewhere_one_by_one_are_one_difference() -> None:
    fields = [
        graded(one("moved", "control", "place", (0, at, 90, 20), (at + 70, at, 90, 20), name="text field"))
        for at in (0, 100, 200)
    ]
    [joint] = join_graded(fields)
    assert in_words(joint) == "3 controls between 0 and 220 px down the page moved 70 to 270 px right"
    assert (joint.severity, joint.share) == ("serious", 0.3)
    assert join_graded(fields[:2]) == fields[:2]


def test_things_that_are_larger_in_any_direction_are_one_difference() -> None:
    sizes = [("90 x 20", "180 x 40"), ("90 x 20", "180 x 20"), ("90 x 20", "90 x 40")]
    fields = [
        graded(
            one("resized", "control", "size", (0, at, 90, 20), (0, at, 180, 40), values, name="text field")
        )
        for at, values in enumerate(sizes)
    ]
    [joint] = join_graded(fields)
    assert in_words(joint) == (
        "text field 90 x 20 at 0, 0 and 2 more are larger, such as 180 x 40 instead of 90 x 20"
    )


def test_the_height_of_the_page_follows_from_what_is_not_acceptable() -> None:
    height = graded(one("resized", "page", "height", values=("800", "1300")))
    lost = graded(one("missing", "text", text="Sign in"))
    assert [one.severity for one in join_graded([height, lost])] == ["moderate", "serious"]
    assert [one.severity for one in join_graded([height])] == ["serious"]
    higher = graded(height, "critical")
    assert [one.severity for one in join_graded([higher, lost])] == ["critical", "serious"]
