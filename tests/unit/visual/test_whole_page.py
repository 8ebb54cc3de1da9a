"""What many differences have in common: one cause for a page, or for things that changed alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences import Compared
from pytest_design2a11y.visual.differences.causes import appearance_difference, join_causes
from pytest_design2a11y.visual.differences.compared import claim
from pytest_design2a11y.visual.differences.consequences import without_consequences
from pytest_design2a11y.visual.differences.layout import join_moves
from pytest_design2a11y.visual.differences.lost import join_lost
from tests.pages_by_hand import BLACK, BLUE, SANS, SERIF, WHITE, box, page, text

RED = (200, 0, 0)
Place = tuple[float, float, float, float]


def compared(design: Capture, made: Capture, **score: Any) -> Compared:
    own = replace(score_matching(match_blocks([], [])), **score)
    return Compared(match_pages(design, made), own)


@cache
def empty() -> Compared:
    return compared(page([], height=100), page([], height=100))


def change(
    kind: Any, what: Any = "panel", property: str | None = None, *values: Any, at: Any = (0, 0), **facts: Any
) -> Difference:
    """Make a difference of a thing of 40 x 20 px; facts of the page begin with `made_`."""
    own = {name.removeprefix("made_"): value for name, value in facts.items() if name.startswith("made_")}
    wanted = {name: value for name, value in facts.items() if not name.startswith("made_")}
    sides = {"box": [*at, 40, 20], **wanted}, {"box": [*at, 40, 20], **own}
    expected, actual = [*values, None, None][:2]
    return claim(
        kind,
        what,
        property,
        expected,
        actual,
        None if kind == "extra" else sides[0],
        None if kind == "missing" else {**sides[0], **sides[1]} if kind == "extra" else sides[1],
    )


def whole(design: Capture, made: Capture, found: Sequence[Difference] = ()) -> list[Difference]:
    return [one for one in join_causes(compared(design, made), found) if one.what == "page"]


BOXES = [box(40 + 150 * at, 100, 100, 60) for at in range(5)]


@pytest.mark.parametrize(
    ("made", "fonts", "lost"),
    [
        (BOXES[3:], (SANS, SERIF), 3),
        (BOXES[2:], (SANS, SERIF), None),
        ([], (SANS, SERIF), 5),
        ([], (SANS, SANS), None),
        ([], (SERIF, SERIF), None),
        ([replace(one, fill=RED) for one in BOXES[:3]] + BOXES[3:], (SANS, SERIF), 3),
        ([replace(one, has_border=True) for one in BOXES[:3]] + BOXES[3:], (SANS, SERIF), 3),
        ([replace(one, has_shadow=True) for one in BOXES[:3]] + BOXES[3:], (SANS, SERIF), 3),
        ([replace(one, has_fill=False) for one in BOXES[:3]] + BOXES[3:], (SANS, SERIF), 3),
        ([replace(one, box=(*one.box[:2], 100, 30)) for one in BOXES[:3]] + BOXES[3:], (SANS, SERIF), None),
        ([replace(one, box=(*one.box[:2], 100, 29)) for one in BOXES[:3]] + BOXES[3:], (SANS, SERIF), 3),
    ],
)
def test_a_page_without_its_boxes_and_fonts_has_no_styles(
    made: list[Element], fonts: Any, lost: int | None
) -> None:
    design, unstyled = (
        page([text("Soup of today", 40, 30, font=font)], own, height=200)
        for own, font in zip((BOXES, made), fonts, strict=True)
    )
    found = whole(design, unstyled)
    assert [(one.property, one.expected) for one in found] == [
        ("style", f"{lost} boxes of 5 (panels, controls) are gone or look different")
    ] * (lost is not None)


def test_a_page_of_two_boxes_is_not_unstyled_and_most_of_its_text_has_serifs() -> None:
    words = [text("abcdef", 40, 30), text("ghij", 300, 30)]
    serif = [replace(words[0], font=SERIF), words[1]]

    assert whole(page(words, BOXES[:2], height=200), page(serif, height=200)) == []
    assert whole(page(words, BOXES[:3], height=200), page(serif, height=200)) != []
    few = [replace(text("abcde", 40, 30), font=SERIF), text("fghij", 300, 30)]
    assert whole(page([text("abcde", 40, 30), few[1]], BOXES, height=200), page(few, height=200)) == []


def test_of_a_page_without_styles_pictures_and_words_are_told_by_themselves() -> None:
    found = [
        change("missing", "picture"),
        *(change(kind, "text") for kind in ("missing", "extra", "reworded")),
        change("moved", "text", "place"),
        change("missing", "panel"),
    ]
    sides = (
        page([text("Soup of today", 40, 30, font=font)], own, height=200)
        for font, own in ((SANS, BOXES), (SERIF, []))
    )
    cause, *others = join_causes(compared(*sides), found)

    assert cause.property == "style"
    assert [one.kind for one in others] == ["missing", "missing", "extra", "reworded"]


def moves(*middles: tuple[float, float]) -> list[Difference]:
    """Make differences of things of 100 px that moved from one middle to another."""
    return [
        replace(
            claim("moved", "panel", "place"),
            reference={"box": [old - 50, 40 * at, 100, 20]},
            candidate={"box": [new - 50, 40 * at, 100, 20]},
        )
        for at, (old, new) in enumerate(middles)
    ]


FAR, NEAR = (150, 850), (475, 525)


@pytest.mark.parametrize(
    ("found", "is_mirrored"),
    [
        (moves(*[FAR] * 4), True),
        (moves(*[FAR] * 3), False),
        (moves(*[FAR] * 4, *[(150, 200)] * 4), True),
        (moves(*[FAR] * 4, *[(150, 200)] * 5), False),
        (moves(*[(150, 869)] * 4), True),
        (moves(*[(150, 871)] * 4), False),
        (moves(*[(150, 831)] * 4), True),
        (moves(*[(150, 829)] * 4), False),
        (moves(*[NEAR] * 2, *[NEAR[::-1]] * 2), True),
        (moves(*[NEAR] * 4), False),
        (moves(*[(476, 524)] * 2, *[(524, 476)] * 2), False),
        (moves(*[(400, 600)] * 4), True),
        (moves(*[(401, 599)] * 4), False),
        (moves(*[FAR] * 3, *[(850, 150)]), True),
    ],
)
def test_a_page_is_mirrored_where_left_and_right_are_exchanged(
    found: list[Difference], is_mirrored: bool
) -> None:
    """The pages are 1000 px wide."""
    causes = [one for one in join_causes(empty(), found) if one.property == "mirrored"]

    assert len(causes) == is_mirrored
    if is_mirrored:
        assert len(causes[0].members) == sum(abs(sum(box_middles(one)) - 1000) < 20 for one in found)


def box_middles(move: Difference) -> tuple[float, float]:
    return move.design["box"][0] + 50, move.made["box"][0] + 50


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ((1000, 103), None),
        ((1000, 104), ("height", "100", "104")),
        ((1000, 96), ("height", "100", "96")),
        ((996, 100), ("size", "1000 x 100", "996 x 100")),
        ((997, 101), None),
        ((1004, 200), ("size", "1000 x 100", "1004 x 200")),
    ],
)
def test_another_size_of_the_page_is_told(size: tuple[int, int], told: Any) -> None:
    design = page([], height=100)
    found = whole(design, replace(design, page_size=size))

    assert [(one.property, one.expected, one.actual) for one in found] == [told] * (told is not None)
    assert [(one.design["box"], one.made["box"]) for one in found] == [([0, 0, 1000, 100], [0, 0, *size])] * (
        told is not None
    )


TEXT: dict[str, Any] = {"ground": "#ffffff", "made_ground": "#000000"}


def texts_turned(number: int, **grounds: str) -> list[Difference]:
    return [
        change("recolored", "text", "color", "#000000", "#ffffff", **TEXT | grounds) for _ in range(number)
    ]


def themed(found: list[Difference], grounds: Any = (WHITE, BLACK)) -> list[Difference]:
    pages = (page([], ground=ground or WHITE, height=100) for ground in grounds)
    design, made = (replace(one, ground=ground) for one, ground in zip(pages, grounds, strict=True))
    return [one for one in join_causes(compared(design, made), found) if one.property == "theme"]


def test_dark_for_light_is_another_theme() -> None:
    (dark,) = themed(texts_turned(2))
    assert (dark.kind, dark.expected, dark.actual) == ("ground", "light", "dark")
    assert (dark.design, dark.made) == ({"fill": "#ffffff", "fills": []}, {"fill": "#000000", "fills": []})
    (light,) = themed(texts_turned(2, ground="#000000", made_ground="#ffffff"), (BLACK, WHITE))
    assert (light.expected, light.actual) == ("dark", "light")
    assert themed(texts_turned(1)) == []
    assert themed(texts_turned(2, made_ground="#777777")) == []  # L* of 50
    assert themed(texts_turned(2, made_ground="#5e5e5e")) != []  # L* of 39.9
    assert themed(texts_turned(2, made_ground="#5f5f5f")) == []  # L* of 40.3
    assert themed(texts_turned(2, ground="#909090")) == []  # L* of 59.7
    assert themed(texts_turned(2, ground="#919191")) != []  # L* of 60.0 and more
    assert themed(texts_turned(2), (None, BLACK)) == themed(texts_turned(2), (WHITE, None)) == []
    assert themed(texts_turned(2), ((119,) * 3, WHITE)) == themed(texts_turned(2), (BLACK, (119,) * 3)) == []


DRAWING: dict[str, Any] = {"made_tag": "svg"}


@pytest.mark.parametrize(
    ("one", "follows"),
    [
        (change("recolored", "panel", "fill", "#ffffff", "#000000"), True),
        (change("recolored", "picture", "fill", "#ffffff", "#000000"), False),
        (change("recolored", "picture", "picture", **DRAWING), True),
        (change("icon", "picture", "picture", made_name="icon"), True),
        (change("recolored", "picture", "picture", made_has_same_lines=True), True),
        (change("recolored", "picture", "picture", made_tag="img"), False),
        (change("blank", "picture", "picture", **DRAWING), False),
        (change("ground", "page", "fill"), True),
        (change("restyled", "panel", "marks", fill="#ffffff", has_fill=True), True),
        (change("restyled", "panel", "marks", fill="#c4fafa", has_fill=True), True),
        (change("restyled", "panel", "marks", fill="#beffff", has_fill=True), False),
        (change("restyled", "panel", "marks", fill="#0000ff"), True),
        (change("restyled", "panel", "marks"), True),
        *((change("restyled", "panel", property), True) for property in ("corner", "edge", "border")),
        (change("restyled", "panel", "opacity"), False),
        (change("restyled", "picture", "shape", within="picture"), True),
        (change("resized", "panel", "corner"), False),
    ],
)
def test_what_follows_from_another_theme_is_a_part_of_it(one: Difference, follows: bool) -> None:
    (cause,) = themed([*texts_turned(2), one])

    assert (one in cause.members) == follows
    assert cause.design["fills"] == (["#ffffff"] if one.what == "panel" and one.property == "fill" else [])


def alike(*found: Difference) -> list[int]:
    """Return how many differences each of those that are left stands for, in order."""
    return [max(1, len(one.members)) for one in join_causes(empty(), found)]


COLORS, OTHERS = ("#000000", "#ffffff"), ("#000000", "#808080")


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        (
            change("recolored", "text", "color", *COLORS, **TEXT),
            change("recolored", "text", "color", *COLORS, **TEXT),
            change("recolored", "text", "color", *COLORS, **TEXT, part="soup"),
        ),
        (
            change("recolored", "text", "color", *COLORS, **TEXT),
            change("recolored", "panel", "color", *COLORS),
            change("recolored", "text", "color", *OTHERS, **TEXT),
        ),
        (
            change("recolored", "panel", "fill", *COLORS),
            change("recolored", "panel", "fill", *COLORS[::-1]),
            change("recolored", "panel", "fill", *OTHERS),
        ),
        (
            change("restyled", "panel", "corner", 0, 8),
            change("restyled", "control", "corner", 8, 0),
            change("restyled", "picture", "corner", 0, 8),
        ),
        (
            change("restyled", "picture", "corner", 0, 8),
            change("restyled", "picture", "corner", 8, 0),
            change("restyled", "picture", "corner", 0, 9),
        ),
        (
            change("restyled", "panel", "border", *COLORS, name="box"),
            change("restyled", "panel", "border", *COLORS, name="box"),
            change("restyled", "panel", "border", *COLORS, name="panel"),
        ),
        (
            change("restyled", "panel", "border", *COLORS),
            change("restyled", "panel", "border", *COLORS),
            change("restyled", "panel", "border", *OTHERS),
        ),
        (
            change("restyled", "panel", "marks", has_border=True),
            change("restyled", "panel", "marks", has_border=True, has_fill=True, made_has_fill=True),
            change("restyled", "panel", "marks", made_has_border=True),
        ),
        (
            change("restyled", "panel", "marks", has_border=True, name="box"),
            change("restyled", "panel", "marks", has_border=True, name="box"),
            change("restyled", "panel", "marks", has_border=True, name="panel"),
        ),
        (
            change("reworded", "text", "text", "• Soup", "- Soup"),
            change("reworded", "text", "text", "• Bread", "- Bread"),
            change("reworded", "text", "text", "• Bread", "– Bread"),
        ),
        (
            change("reworded", "text", "grouping", "1.000", "1,000"),
            change("reworded", "text", "text", "2.500", "2,500"),
            change("reworded", "text", "case", "2.500", "2,500"),
        ),
        (
            change("overflowing", "text", "cut", None, 0.5, made_cut="height"),
            change("overflowing", "text", "cut", None, 0.2, made_cut="height"),
            change("overflowing", "text", "cut", None, 0.5, made_cut="length"),
        ),
        (
            change("overflowing", "text", "box", None, 0.5),
            change("overflowing", "text", "box", None, 0.3),
            change("overflowing", "panel", "box", None, 0.3),
        ),
    ],
)
def test_three_changes_alike_are_one(one: Difference, same: Difference, other: Difference) -> None:
    first, second, third = (replace(each) for each in (one, same, same))

    assert alike(first, second, third, other) == [3, 1]
    assert alike(first, second, other) == [1, 1, 1]


@pytest.mark.parametrize(
    "one",
    [
        change("restyled", "panel", "corner", None, 8),
        change("restyled", "panel", "edge", *COLORS),
        change("reworded", "text", "text", "• Soup", "- Soups"),
        change("overflowing", "text", "cut", "Soup", "Sou"),
        change("moved", "panel", "place"),
    ],
)
def test_other_changes_alike_are_told_each(one: Difference) -> None:
    assert alike(*(replace(one) for _ in range(3))) == [1, 1, 1]


def test_the_largest_of_changes_alike_stands_for_them() -> None:
    small = change("recolored", "panel", "fill", *COLORS, at=(1, 1))
    large = replace(small, reference={"box": [5, 5, 90, 90]})
    (joint,) = join_causes(empty(), [small, large, replace(small)])

    assert joint.reference == large.reference
    new = [claim("unreadable", "text", "contrast", candidate={"box": [0, 0, 9 * n, 9]}) for n in (1, 3, 2)]
    (joint,) = join_causes(empty(), new)
    assert joint.made["box"] == [0, 0, 27, 9]


def icon(x: int = 0, width: int = 20, kind: Any = "missing", **facts: Any) -> Difference:
    return claim(kind, "picture", reference={"box": [x, 0, width, 20], "name": "icon", **facts})


def test_many_icons_are_one_difference_and_pictures_of_one_size() -> None:
    assert alike(*(icon(x, 20 + x) for x in range(4))) == [4]
    assert alike(*(icon(x) for x in range(3))) == [1] * 3
    assert alike(*(icon(x, kind="icon") for x in range(4)), icon(9)) == [4, 1]
    assert alike(*(icon(x, name="picture") for x in range(4))) == [4]
    assert alike(*(icon(x, name="picture") for x in range(3)), icon(3, 21, name="picture")) == [1] * 4
    assert alike(*(icon(x, name="panel") for x in range(4))) == [1] * 4
    assert alike(*(icon(x, kind="moved") for x in range(4))) == [1] * 4


def test_things_of_which_it_is_unknown_which_are_missing_are_one_difference() -> None:
    some: dict[str, Any] = {"of": [2, 5], "label": "Pay"}
    assert alike(icon(0, **some), icon(1, 30, **some)) == [2]
    assert alike(icon(0, **some)) == [1]
    assert alike(icon(0, **some), icon(1, **some | {"of": [3, 5]})) == [1, 1]
    assert alike(icon(0, **some), icon(1, **some | {"label": "Send"})) == [1, 1]
    assert alike(icon(0, **some), icon(1, **some | {"text": "Send"})) == [1, 1]
    assert alike(icon(0, **some, name="picture"), icon(1, 30, **some, name="picture")) == [1, 1]
    several = [icon(at, 20 + at, **some | {"label": str(at)}, name="picture", is_any=True) for at in (0, 1)]
    assert alike(*several) == [2]


def test_icons_that_stand_elsewhere_because_others_are_gone_are_a_part_of_that() -> None:
    gone = [icon(30 * at, kind="icon") for at in range(4)]
    moved = [claim("moved", "picture", "place", None, None, one.reference, one.candidate) for one in gone[:1]]
    elsewhere = claim("moved", "picture", "place", None, None, {"box": [500, 0, 20, 20]})

    joint, left = join_causes(empty(), [*gone, *moved, elsewhere])
    assert (len(joint.members), left) == (4, elsewhere)


def broken(number: int) -> list[Difference]:
    return [change("reworded", "text", "encoding", "é", "Ã©", at=(0, 30 * at)) for at in range(number)]


def test_a_broken_character_set_is_one_difference() -> None:
    (one,) = join_causes(empty(), broken(2))
    assert (one.property, len(one.members), "is_all" in one.design) == ("encoding", 2, False)
    assert len(join_causes(empty(), broken(1))) == 1


def other_words(kept: int, lost: int, extra: int = 0) -> Compared:
    names = "abcdefghij"
    known = [text(f"{names[at]} soup {names[at]} of the day", 40, 30 * at) for at in range(kept + lost)]
    new = [text(f"{at}{at}{at} 555 {at}{at}", 600, 30 * at) for at in range(extra)]
    return compared(page(known, height=400), page([*known[:kept], *new], height=400))


def test_a_page_that_lacks_nearly_all_texts_has_another_content() -> None:
    for kept, lost, is_other in ((3, 7, True), (4, 6, False), (1, 3, True), (0, 3, True), (0, 2, False)):
        found = [one for one in join_causes(other_words(kept, lost), []) if one.property == "content"]
        assert [(one.expected, one.actual) for one in found] == [(kept + lost, kept)] * is_other
    (content,) = join_causes(other_words(1, 4, 2), [change("missing", "text"), change("extra", "text")])
    assert content.made == {"texts": 3}
    assert [one.kind for one in content.members] == ["missing", "extra"]


def test_lost_texts_of_a_broken_character_set_are_a_part_of_that() -> None:
    """At least half of what is lost is broken."""
    lost = [change("missing", "text", at=(500, 0))]
    for number, is_all in ((2, True), (3, True)):
        first, *others = join_causes(other_words(0, 2 * number), [*broken(number), *lost])
        assert (first.property, first.design.get("is_all"), others) == ("encoding", is_all, [])
    first, second = join_causes(other_words(0, 5), [*broken(2), *lost])
    assert (first.property, second.property) == ("content", "encoding")


def test_the_third_that_differs_most_is_named() -> None:
    design = page([], height=300)

    def told(*tops: int) -> Any:
        made = page([], [box(100, top, 800, 60, fill=BLACK) for top in tops], height=300)
        return [
            (one.expected, one.actual)
            for one in appearance_difference(compared(design, made, appearance=0.94999))
        ]

    assert told(20) == [("its upper third", 0.95)]
    assert told(120) == [("its middle", 0.95)]
    assert told(220) == [("its lower third", 0.95)]
    assert told(20, 120, 220) == [(None, 0.95)]
    assert told(20, 120) == [("its upper third", 0.95)]
    for appearance in (0.95, None):
        assert [*appearance_difference(compared(design, design, appearance=appearance))] == []


def test_a_text_in_a_field_follows_from_its_value() -> None:
    field = claim("state", "control", "value", "a", "b", *({"box": [0, 0, 200, 40]},) * 2)
    words = claim("reworded", "text", "text", "a", "b", *({"box": [10, 10, 20, 20], "text": "a"},) * 2)

    for property, is_told in (("value", False), ("placeholder", False), ("checked", True)):
        found = without_consequences([replace(field, property=property), words])
        assert (words in found) == is_told
    far = replace(
        words, reference={"box": [400, 10, 20, 20], "text": "a"}, candidate={"box": [400, 10, 20, 20]}
    )
    assert far in without_consequences([field, far])


def lost(*places: Place, what: Any = "text") -> list[Difference]:
    return [
        claim("missing", what, reference={"box": [*place], "name": "text", "text": f"soup {at}"})
        for at, place in enumerate(places)
    ]


ROW: list[Place] = [(40, 100, 60, 20), (140, 100, 60, 20), (240, 100, 60, 20), (340, 100, 60, 20)]


def test_what_stands_between_lost_things_keeps_them_apart() -> None:
    row = lost(*ROW)

    def found(*kept: Element) -> int:
        shown = page([], kept, height=200)
        return len(join_lost(compared(shown, shown), row))

    between = box(210, 105, 10, 10, kind="picture", tag="img", thumbnail=(BLUE, WHITE) * 18)
    assert found() == 1
    assert found(between) > 1
    assert found(replace(between, kind="line")) > 1
    assert found(replace(between, kind="box", tag="div", thumbnail=None)) == 1
    assert found(replace(between, box=(210, 130, 10, 10))) == 1


def stacked(first: Any, second: Any, **changes: Any) -> list[str | None]:
    """Return what became of two things, of which the second one moved from beside the first one below it."""
    pair = [
        replace(
            claim(*("moved", what, "place")),
            reference={"box": [*was], **changes},
            candidate={"box": [*now], **changes},
        )
        for what, was, now in (first, second)
    ]
    return [one.property for one in join_moves(pair[1:], pair[:1])]


def test_things_that_came_below_each_other_are_columns_no_more() -> None:
    still = "panel", (40, 100, 100, 100), (40, 100, 100, 100)

    assert stacked(still, ("panel", (200, 100, 100, 100), (40, 240, 100, 100))) == ["columns"]
    assert stacked(
        ("panel", (40, 240, 100, 100), (40, 240, 100, 100)),
        ("panel", (40, 100, 100, 100), (200, 240, 100, 100)),
    ) == ["rows"]
    assert stacked(still, ("panel", (200, 151, 100, 100), (40, 240, 100, 100))) == ["place"]
    assert stacked(still, ("panel", (200, 150, 100, 100), (40, 240, 100, 100))) == ["columns"]
    assert stacked(still, ("panel", (139, 100, 100, 100), (40, 240, 100, 100))) == ["columns"]
    assert stacked(still, ("panel", (138, 100, 100, 100), (40, 240, 100, 100))) == ["place"]
    # Two pictures of one color may have been exchanged.
    alike = "picture", still[1], still[2]
    for side, property in ((100, "place"), (200, "place"), (201, "columns")):
        other = "picture", (200, 100, side, side), (40, 240, side, side)
        assert stacked(alike, other, fill="#143cc8") == [property]
