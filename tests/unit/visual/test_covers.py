"""What covers other things: which difference names it, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.elements import Element, Veil
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences import Compared
from pytest_design2a11y.visual.differences.compared import claim
from pytest_design2a11y.visual.differences.covers import join_covers, veil_differences
from tests.pages_by_hand import BLACK, box, page, text

BAR: Box = (200, 0, 100, 50)


def compared(
    made: Sequence[Element] = (),
    texts: Sequence[TextRun] = (),
    wanted: Sequence[TextRun] = (),
    veils: Sequence[Sequence[Veil]] = ((), ()),
) -> Compared:
    pages = page(wanted, height=200), page(texts, made, height=200)
    first, second = (replace(one, veils=tuple(own)) for one, own in zip(pages, veils, strict=True))
    return Compared(match_pages(first, second), score_matching(match_blocks([], [])))


def one(kind: Any, what: Any, was: Box | None, now: Box | None = None, **facts: Any) -> Difference:
    """Make a difference of a thing that was in one place, and is in another."""
    sides = [None if place is None else {"box": [*place]} for place in (was, now)]
    made = sides[1] and {**sides[1], **facts}
    return replace(claim(kind, what), reference=sides[0], candidate=made)


def covered(place: Box = (210, 10, 60, 20), by: Box | None = BAR, **facts: Any) -> Difference:
    over = {} if by is None else {"by_box": [*by]}
    return replace(one("covered", "text", None, place, **over, **facts), property="cover")


def told(found: Sequence[Difference], *page_of: Any, **how: Any) -> list[tuple[str, Any, Any]]:
    """Return kind, number of covered things, and whether it lies below them."""
    return [
        (each.kind, each.made.get("num_covered"), each.made.get("is_under"))
        for each in join_covers(compared(*page_of, **how), found)
    ]


MOVED = one("moved", "panel", (0, 0, 100, 50), BAR)
UNSEEN = replace(
    one("missing", "text", (210, 10, 60, 20)), reference={"box": [210, 10, 60, 20], "text": "Start"}
)


@pytest.mark.parametrize(
    ("words", "over", "expected"),
    [
        ("Start", MOVED, [("moved", 1, False)]),
        ("Start", one("resized", "picture", (0, 0, 100, 50), BAR), [("resized", 1, False)]),
        ("Other", MOVED, [("moved", None, None), ("missing", None, None)]),
        (
            "Start",
            one("moved", "text", (0, 0, 100, 50), BAR),
            [("moved", None, None), ("missing", None, None)],
        ),
        ("Start", one("moved", "panel", BAR, BAR), [("moved", None, None), ("missing", None, None)]),
    ],
)
def test_texts_below_what_moved_are_covered_if_the_page_has_and_hides_them(
    words: str, over: Difference, expected: Sequence[Any]
) -> None:
    made = page([text(words, 210, 10)], height=200)
    hidden = Compared(match_pages(page([]), made, ([], [])), score_matching(match_blocks([], [])))
    found = join_covers(hidden, [over, UNSEEN])
    assert [
        (each.kind, each.made.get("num_covered"), each.made.get("is_under")) for each in found
    ] == expected
    assert told([over, UNSEEN], (), [text(words, 210, 10)])[0][1] is None, "it shows what reads so itself"


ALONE = ("covered", None, None)


@pytest.mark.parametrize(
    ("over", "is_known"),
    [
        (MOVED, True),
        (one("extra", "panel", None, BAR), True),
        (one("resized", "panel", (200, 0, 50, 50), BAR), True),
        (one("missing", "panel", BAR), False),
        (one("recolored", "panel", BAR, BAR), False),
        (one("moved", "page", (0, 0, 100, 50), BAR), False),
        (one("moved", "panel", (0, 0, 100, 50), (202, 2, 98, 48)), True),
        (one("moved", "text", (0, 0, 100, 50), (202, 2, 98, 48)), True),
        (one("moved", "text", (0, 0, 100, 50), (203, 0, 100, 50)), False),
        (one("moved", "panel", (0, 0, 100, 50), (203, 0, 100, 50)), True),  # It holds nearly all of it.
        (one("moved", "panel", (0, 0, 100, 50), (210, 0, 100, 50)), True),
        (one("moved", "panel", (0, 0, 100, 50), (211, 0, 100, 50)), False),
        (one("moved", "panel", (0, 0, 399, 50), (100, 0, 399, 50)), True),
        (one("moved", "panel", (0, 0, 400, 50), (100, 0, 400, 50)), False),  # Four times as large
    ],
)
def test_what_moved_grew_or_came_over_something_stands_for_it(over: Difference, is_known: bool) -> None:
    expected = [(over.kind, 1, False)] if is_known else [(over.kind, None, None), ALONE]
    assert told([over, covered()]) == expected


def test_of_several_that_hold_it_the_smallest_covers_it_and_what_is_just_there_before() -> None:
    large, small = (
        one("moved", "panel", (left, 0, side, 60), (190, 0, side, 60)) for left, side in ((0, 200), (40, 150))
    )
    first, second = join_covers(compared(), [large, small, covered()])
    assert (first.made.get("num_covered"), second.made["num_covered"]) == (None, 1)
    first, second, third = join_covers(compared(), [large, small, MOVED, covered()])
    assert [each.made.get("num_covered") for each in (first, second, third)] == [None, None, 1]
    assert [member.kind for member in third.members] == ["moved", "covered"]


def test_a_box_that_moved_with_its_words_covers_in_their_place() -> None:
    words = one("moved", "text", (10, 10, 60, 20), (210, 10, 60, 20))
    below = covered((215, 12, 10, 10), by=(210, 10, 60, 20))

    assert told([words, MOVED, below]) == [("moved", 1, False)]
    apart = one("moved", "panel", (0, 0, 100, 50), (195, 0, 100, 50))
    assert told([words, apart, below]) == [("moved", 1, False), ("moved", None, None)]
    new = one("extra", "text", None, (210, 10, 60, 20))
    assert told([new, MOVED, below]) == [("extra", 1, False), ("moved", None, None)]


def test_what_moved_below_something_lies_under_it() -> None:
    under = one("moved", "text", (0, 100, 60, 20), (210, 10, 60, 20))

    assert told([under, covered()]) == [("moved", 1, True)]
    assert told([under, covered(), covered((500, 10, 60, 20))]) == [("moved", 1, True), ALONE]


HEADER = box(*BAR, label="Menu", fill=BLACK)


def test_what_covers_without_having_moved_is_named() -> None:
    (single,) = join_covers(compared([HEADER]), [covered()])
    assert (single.made["by"]["label"], single.made["by"]["box"], single.members) == ("Menu", [*BAR], ())
    missing = one("missing", "text", (220, 5, 40, 20))
    (joint,) = join_covers(compared([HEADER]), [covered(), missing])
    assert (joint.kind, joint.property, joint.made["box"]) == ("covered", "cover", [*BAR])
    assert [member.kind for member in joint.members] == ["covered", "missing"]
    beside = one("missing", "text", (400, 5, 40, 20))
    assert [each.kind for each in join_covers(compared([HEADER]), [beside, covered()])] == [
        "missing",
        "covered",
    ]
    words = text("Soup of today", 200, 0)
    (by_text,) = join_covers(compared([], [words]), [covered(by=words.boxes[0])])
    assert by_text.made["by"] == {"text": "Soup of today", "box": [200, 0, 104, 20]}
    inside = [text("Soup", 210, 5), text("Bread", 250, 5)]
    (named,) = join_covers(compared([], inside), [covered(text="Bread")])
    assert named.made["by"] == {"name": "panel", "box": [*BAR], "label": "Soup"}
    assert join_covers(compared(), [covered()]) == [covered()]


def new(*hidden: Difference, kind: Any = "extra", **facts: Any) -> list[tuple[str, Any, Any]]:
    was = (200, 0, 100, 5) if kind == "resized" else None
    return told([one(kind, "panel", was, (200, 0, 200, 100), **{"covers": True} | facts), *hidden])


def gone(left: float, top: float = 10, kind: Any = "missing", what: Any = "text") -> Difference:
    place = (left, top, 40.0, 20.0)
    return one(kind, what, place, None if kind == "missing" else place)


def test_texts_below_something_new_that_lies_over_the_page_are_covered() -> None:
    lone = [("extra", None, None)]
    assert new(gone(210), gone(260)) == [("extra", 2, False)]
    assert new(gone(210)) == [*lone, ("missing", None, None)]
    assert new(gone(210), gone(500)) == [*lone, *[("missing", None, None)] * 2]
    assert new(gone(210), gone(260, what="picture")) == [*lone, *[("missing", None, None)] * 2]
    assert new(gone(210), gone(260), covers=False) == [*lone, *[("missing", None, None)] * 2]
    assert new(gone(210), gone(260), gone(300, kind="recolored")) == [("extra", 3, False)]
    assert new(gone(210), kind="resized") == [("resized", 1, False)]
    grown = one("resized", "panel", (200, 0, 200, 90), (200, 0, 200, 100), covers=True)
    assert told([grown, gone(210)]) == [("resized", None, None), ("missing", None, None)]


@pytest.mark.parametrize(
    ("apparent", "follows"),
    [
        *((gone(210, kind=kind), True) for kind in ("reworded", "restyled", "unreadable", "blank", "font")),
        (gone(210, kind="moved"), False),
        (one("extra", "text", None, (210, 10, 40, 20)), False),
        (one("recolored", "page", (210, 10, 40, 20), (210, 10, 40, 20)), False),
        (gone(175, kind="restyled"), True),  # It lies at the edge.
        (gone(175, kind="font"), True),
        (gone(175, kind="recolored"), False),
        (one("restyled", "panel", (50, 0, 250, 100), (50, 0, 250, 100)), False),  # Larger than it
        (one("resized", "panel", (175, 10, 40, 20), (175, 10, 20, 20)), True),
        (one("resized", "panel", (175, 10, 40, 20), (175, 10, 27, 20)), True),
        (one("resized", "panel", (175, 10, 40, 20), (175, 10, 28, 20)), False),
    ],
)
def test_what_apparently_changed_below_it_follows(apparent: Difference, follows: bool) -> None:
    """What is left of a thing of another size has less than a tenth in common with what covers it."""
    over = one("moved", "panel", (600, 0, 200, 100), (200, 0, 200, 100))
    found = told([over, covered(by=(200, 0, 200, 100)), apparent])

    assert found[0][:2] == ("moved", 1 + follows)
    assert len(found) == 2 - follows


def test_what_is_new_within_something_new_belongs_to_it() -> None:
    over = one("extra", "panel", None, BAR)
    inside, large = (
        one("extra", "text", None, (210, 10, 40, 20)),
        one("extra", "text", None, (190, 0, 140, 50)),
    )

    assert told([over, inside, covered()]) == [("extra", 1, False)]
    assert told([over, large, covered()]) == [("extra", 1, False), ("extra", None, None)]
    moved = told([MOVED, inside, covered()])
    assert moved == [("moved", 1, False), ("extra", None, None)]


def labeled(over: Difference, *words: str, **how: Any) -> Difference:
    texts = [text(word, 210, 5 + 24 * at) for at, word in enumerate(words)]
    return join_covers(compared([], texts, **how), [over])[0]


def test_something_new_over_others_is_called_by_what_it_reads() -> None:
    over = one("extra", "panel", None, BAR, covers=True)

    assert labeled(over, "Sale", "Now").made["label"] == "Sale Now"
    assert labeled(one("extra", "panel", None, BAR, num_covered=2), "Sale").made["label"] == "Sale"
    assert labeled(one("extra", "panel", None, BAR), "Sale").made.get("label") is None
    assert (
        labeled(one("extra", "panel", None, BAR, covers=True, label="Cookies"), "Sale").made["label"]
        == "Cookies"
    )
    assert labeled(one("extra", "text", None, BAR, covers=True), "Sale").made.get("label") is None
    assert labeled(over).made.get("label") is None


def test_something_new_over_others_is_told_with_how_many_it_lies_over() -> None:
    over = one("extra", "panel", None, BAR, covers=True)
    below = [box(210, 10, 20, 20), box(280, 30, 40, 40), box(400, 0, 20, 20), box(0, 0, 900, 150)]
    words = [text("Soup", 240, 5)]

    def lies_over(first: Difference, *page_of: Any, **how: Any) -> Any:
        return join_covers(compared(*page_of, **how), [first])[0].made.get("over")

    assert lies_over(over, below) == 2
    assert lies_over(over, below, words, words) == 3
    assert lies_over(over, [*below, box(190, 0, 200, 60, covers=True)]) is None
    assert lies_over(over, [*below, box(290, 0, 200, 60, covers=True)]) == 2
    assert lies_over(over, [*below, box(210, 0, 20, 20, covers=True)]) == 2
    assert lies_over(over) is None
    assert lies_over(over, veils=((), (Veil((0, 0, 9, 9), BLACK, 0.5),))) == "page"
    assert lies_over(replace(over, kind="moved"), below) is None
    assert lies_over(one("extra", "panel", None, BAR, covers=True, num_covered=1), below) is None
    assert lies_over(one("extra", "panel", None, BAR), below) is None


VEIL = Veil((0, 0, 1000, 200), BLACK, 0.5)


def test_a_veil_of_one_page_is_told_unless_it_came_with_something() -> None:
    (new_veil,) = veil_differences(compared(veils=((), (VEIL,))), [])
    assert (new_veil.property, new_veil.expected, new_veil.actual) == ("veil", None, "#000000 at 50%")
    assert (new_veil.reference, new_veil.candidate) == (None, {"box": [0, 0, 1000, 200]})
    (lost,) = veil_differences(compared(veils=((VEIL,), ())), [])
    assert (lost.expected, lost.actual, lost.candidate) == ("#000000 at 50%", None, None)
    assert veil_differences(compared(veils=((VEIL,), (VEIL,))), []) == []
    assert veil_differences(compared(), []) == []
    for kind, covers, is_told in (("extra", True, False), ("extra", False, True), ("moved", True, True)):
        with_it = one(kind, "panel", None, BAR, covers=covers)
        assert bool(veil_differences(compared(veils=((), (VEIL,))), [with_it])) == is_told


def test_what_is_in_something_new_with_words_covers_as_its_part() -> None:
    inner: Box = (300, 20, 40, 20)
    dialog = one("extra", "panel", None, (100, 0, 400, 150), label="Cookies")
    hidden = covered((305, 22, 20, 8), by=inner)
    assert told([dialog, hidden]) == [("extra", 1, False)]
    bare = one("extra", "panel", None, (100, 0, 400, 150))
    assert ("covered", None, None) in told([bare, hidden])


@pytest.mark.parametrize(("left", "is_told"), [(200, False), (100, True)])
def test_a_panel_is_there_if_it_looks_the_same_beside_what_covers_a_part_of_it(
    left: int, is_told: bool
) -> None:
    lost = one("missing", "panel", (0, 0, 300, 40))
    over = one("extra", "panel", None, (left, 0, 200, 100), covers=True, num_covered=1)
    stain = box(150, 10, 40, 20, fill=BLACK)
    below = covered((210, 10, 60, 20), by=(left, 0, 200, 100))
    kinds = [kind for kind, *_ in told([lost, over, below], made=[stain])]
    assert ("missing" in kinds) is not is_told


@pytest.mark.parametrize(("start", "num_covered"), [((210, 40, 60, 20), 3), ((20, 40, 60, 20), 2)])
def test_what_came_onto_something_new_is_not_covered_by_it(start: Box, num_covered: int) -> None:
    part = one("recolored", "text", start, (210, 40, 60, 20))
    assert new(gone(210), gone(260), part)[0][1] == num_covered


@pytest.mark.parametrize(("was", "number"), [((230, 10, 40, 20), 1), ((10, 100, 40, 20), 2)])
def test_words_of_what_came_over_others_are_its_own_and_not_those_behind_it(was: Box, number: int) -> None:
    over = one("extra", "panel", None, BAR)
    moved = one("moved", "text", was, (210, 25, 40, 20))
    found = join_covers(compared(), [over, covered(), moved])
    assert len(found) == number
    assert found[0].made["num_covered"] == 1
