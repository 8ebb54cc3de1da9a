"""What only one of two pages has: whether the other one shows it in another way, and which one it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences import Compared
from pytest_design2a11y.visual.differences.elements import (
    _fill_of_texts,
    _has_mark,
    _is_cell_there,
    _is_line_near,
    _is_of_state,
    _is_picture_there,
    _of_alike,
    _of_pictures,
    _seen_details,
    element_differences,
)
from pytest_design2a11y.visual.match.texts import match_units
from pytest_design2a11y.visual.scene.units import units_of
from tests.pages_by_hand import BLACK, BLUE, WHITE, box, page, text

RED, NEARLY_BLUE = (200, 0, 0), (28, 60, 200)
SIDES: list[Box] = [(97, 100, 3, 60), (160, 100, 3, 60), (100, 97, 60, 3), (100, 160, 60, 3)]


def test_a_fill_that_goes_on_at_three_sides_is_not_seen() -> None:
    own = box(100, 100, 60, 60)

    def is_seen(*sides: Box, fill: Any = BLUE) -> bool:
        shown = page([], [own, *(box(*side, fill=fill) for side in sides)], height=200)
        return bool(_seen_details(own, shown)["has_fill"])

    assert all(is_seen(*two) for two in combinations(SIDES, 2))
    assert not any(is_seen(*three) for three in combinations(SIDES, 3))
    assert not is_seen(*SIDES[1:3], (97, 100, 3, 30))
    assert is_seen(*SIDES[1:3], (97, 100, 3, 29))
    assert not is_seen(*SIDES[1:], fill=NEARLY_BLUE)
    assert is_seen(*SIDES, fill=(29, 60, 200))
    at_corner = replace(own, box=(0, 0, 60, 60))
    shown = page([], [at_corner, box(60, 0, 3, 60), box(0, 60, 60, 3)], height=200)
    assert _seen_details(at_corner, shown)["has_fill"]
    assert not _seen_details(replace(own, has_fill=False), page([], height=200))["has_fill"]


@pytest.mark.parametrize(
    ("place", "is_near"),
    [
        ((100, 124, 200, 2), True),
        ((100, 126, 200, 2), False),
        ((100, 76, 200, 1), True),
        ((100, 75, 200, 1), False),
        ((100, 110, 180, 2), True),
        ((100, 110, 179, 2), False),
        ((120, 110, 180, 2), True),
        ((100, 110, 200, 5), True),
        ((100, 110, 200, 6), False),
    ],
)
def test_a_line_that_is_drawn_near_its_place_is_there(place: Box, is_near: bool) -> None:
    line, drawn = box(100, 100, 200, 2, kind="line"), box(*place, kind="line")
    for turn in (False, True):
        own, other = (
            replace(one, box=(one.box[1], one.box[0], one.box[3], one.box[2])) if turn else one
            for one in (line, drawn)
        )
        shown = replace(page([], [other], height=400), elements=())
        assert _is_line_near(shown, own) == is_near
        assert not _is_line_near(shown, replace(own, kind="box"))
        # What is a line of the page already is not another's.
        assert not _is_line_near(replace(shown, elements=(other,)), own)
        assert _is_line_near(replace(shown, elements=(replace(other, kind="box"),)), own) == is_near


def test_no_line_is_drawn_outside_the_page() -> None:
    assert not _is_line_near(page([], height=200), box(100, 900, 200, 2, kind="line"))


def test_a_picture_of_one_color_is_there_if_most_of_its_place_has_it() -> None:
    """Six tenths of it; where the texts beside it moved to; not if half of it is another picture's place."""
    picture = box(100, 100, 100, 100, tag="img")
    texts = [text("Soup of today", 100, 210)]
    still, down = (
        match_units(units_of(texts), units_of([replace(texts[0], boxes=((100, y, 104, 20),))]))
        for y in (210, 260)
    )

    def is_there(place: Box, units: Any = still, others: Sequence[Element] = (), **changes: Any) -> bool:
        shown = replace(page([], [box(*place)], height=400), elements=tuple(others))
        return _is_picture_there(shown, replace(picture, **changes), units)

    assert is_there((100, 100, 60, 100))
    assert not is_there((100, 100, 59, 100))
    assert is_there((100, 150, 100, 100), down)
    assert not is_there((100, 100, 100, 100), down)
    assert not is_there((100, 100, 100, 100), tag="div")
    assert not is_there((100, 100, 100, 100), texture=(0, 255) * 288, thumbnail=(BLUE, WHITE) * 18)
    assert not is_there((100, 100, 100, 100), box=(100, 600, 100, 100))
    for width, is_free in ((49, True), (50, False)):
        assert is_there((100, 100, 100, 100), others=[box(100, 100, width, 100, tag="img")]) == is_free
        assert is_there((100, 100, 100, 100), others=[box(100, 100, width, 100)])
        assert is_there((100, 100, 100, 100), others=[box(500, 100, 100, 100, tag="img")])


def square(side: float, **changes: Any) -> Element:
    return box(100, 100, side, side, tag="img", **changes)


def test_of_pictures_of_one_color_it_is_unknown_which_is_missing_if_others_have_other_sizes() -> None:
    gone, kept = square(40), square(60)
    unknown = {"of": [1, 2], "is_any": True}

    assert _of_pictures(gone, [(gone, None), (kept, square(64))]) == unknown
    assert _of_pictures(gone, [(gone, None), (kept, square(63))]) == {}
    assert _of_pictures(gone, [(gone, None), (kept, square(56))]) == unknown
    assert _of_pictures(gone, [(gone, None), (kept, None), (kept, square(99))]) == {
        "of": [2, 3],
        "is_any": True,
    }
    assert _of_pictures(gone, [(gone, None), (square(3), square(99))]) == {}
    assert _of_pictures(gone, [(gone, None), (square(4), square(99))]) == unknown
    assert _of_pictures(gone, [(gone, None), (square(60, fill=RED), square(99))]) == {}
    assert _of_pictures(gone, [(gone, None), (None, square(99)), (box(0, 0, 60, 60), square(99))]) == {}
    assert _of_pictures(box(0, 0, 40, 40), [(gone, None), (kept, square(99))]) == {}
    drawn = square(40, kind="picture", thumbnail=(BLUE, WHITE) * 18)
    assert _of_pictures(drawn, [(drawn, None), (kept, square(99))]) == {}


def test_of_things_of_one_name_or_look_it_is_unknown_which_is_missing_if_one_moved() -> None:
    def at(x: float, width: float = 100, **changes: Any) -> Element:
        return box(x, 100, width, 40, **{"tag": "button", "role": "button"} | changes)

    unknown = {"of": [1, 2]}
    gone = at(100)
    assert _of_alike(gone, "", [(gone, None), (at(300), at(304))]) == unknown
    assert _of_alike(gone, "", [(gone, None), (at(300), at(303))]) == {}
    assert _of_alike(gone, "", [(gone, None), (at(300, 104), at(500, 104))]) == {}
    assert _of_alike(gone, "", [(gone, None), (at(300, 103), at(500, 103))]) == unknown
    assert _of_alike(gone, "pay", [(gone, None), (at(300, 200), at(500, 200))]) == unknown
    assert _of_alike(gone, "", [(gone, None), (at(300, fill=RED), at(500))]) == unknown
    plain: dict[str, Any] = {"tag": "img", "role": ""}
    picture = at(100, **plain)
    assert _of_alike(picture, "", [(picture, None), (at(300, **plain), at(500, **plain))]) == unknown
    assert _of_alike(picture, "", [(picture, None), (at(300, **plain, fill=RED), at(500, **plain))]) == {}
    panel = at(100, tag="div", role="")
    assert _of_alike(panel, "", [(panel, None), (replace(panel, box=(300, 100, 100, 40)), at(500))]) == {}


def test_a_knob_follows_from_the_state_of_its_control() -> None:
    switch: dict[str, Any] = {"role": "switch", "label": "Wifi"}
    knob = box(110, 105, 20, 20, is_part=True, **switch)

    def is_of_state(own: Element, **now: Any) -> bool:
        return _is_of_state(knob, [(own, replace(own, **now))], 0)

    own = box(100, 100, 60, 30, **switch)
    assert is_of_state(own, states=("checked",))
    assert is_of_state(own, value="1")
    assert not is_of_state(own)
    assert not is_of_state(replace(own, is_part=True), states=("checked",))
    assert not is_of_state(replace(own, label="Sound"), states=("checked",))
    assert not is_of_state(replace(own, role="slider"), states=("checked",))
    assert not is_of_state(replace(own, box=(400, 100, 60, 30)), states=("checked",))
    assert _is_of_state(knob, [(replace(own, box=(400, 100, 60, 30), states=("checked",)), own)], 1)


@pytest.mark.parametrize(
    ("mark", "words", "is_there"),
    [
        ((108, 108, 4, 4), None, True),
        ((104, 104, 4, 4), None, True),
        ((100, 100, 4, 40), None, False),  # A fifth of its shorter side is its edge, here 4 px.
        ((100, 100, 5, 20), None, True),
        ((110, 105, 8, 8), (110, 105), False),
        ((300, 100, 8, 8), None, False),
    ],
)
def test_what_is_drawn_within_a_control_besides_text_is_its_mark(
    mark: Box, words: tuple[int, int] | None, is_there: bool
) -> None:
    control = box(100, 100, 60, 20, fill=WHITE)
    shown = page([], [control, box(*mark, fill=BLACK)], height=200)
    runs = [replace(text("x", *words), boxes=((*words, 8, 8),))] if words else []

    assert _has_mark(control, replace(shown, text_runs=tuple(runs))) == is_there
    faint = page([], [control, box(*mark, fill=(224, 224, 224))], height=200)
    assert not _has_mark(control, faint)


WORDS = [text("Soup of today", 110, 100)]
ROW = [*WORDS, text("4.50", 300, 100)]


def lone(
    design: Sequence[Element], made: Sequence[Element], words: Sequence[TextRun] = WORDS
) -> list[Difference]:
    """Return the differences of elements none of which is the same on both pages."""
    pages = [page(words, one, height=300) for one in (design, made)]
    score = replace(score_matching(match_blocks([], [])), elements=0.5)
    return [*element_differences(Compared(replace(match_pages(pages[0], pages[1]), indices=[]), score))]


def told(design: Sequence[Element], made: Sequence[Element]) -> list[tuple[str, str | None, Any, Any]]:
    return [(one.kind, one.property, one.expected, one.actual) for one in lone(design, made)]


PANEL = box(100, 90, 300, 40)
BUTTON: dict[str, Any] = {"tag": "button", "role": "button"}
CARD = replace(PANEL, has_border=True)
AROUND = box(90, 80, 400, 80, fill=RED)


@pytest.mark.parametrize(
    ("design", "made", "found"),
    [
        ([PANEL], [], [("restyled", "marks", "fill", None)]),
        ([replace(PANEL, has_border=True)], [], [("restyled", "marks", "fill, border", None)]),
        ([], [PANEL], [("restyled", "marks", None, "fill")]),
        ([replace(PANEL, **BUTTON)], [], [("missing", "box", "fill", None)]),
        ([], [replace(PANEL, **BUTTON)], [("restyled", "marks", None, "fill")]),
        ([PANEL], [AROUND], [("extra", None, None, None)]),  # A bar behind its words stands for it.
        ([CARD], [AROUND], [("recolored", "fill", "#143cc8", "#c80000"), ("extra", None, None, None)]),
        (
            [CARD],
            [replace(AROUND, fill=BLUE)],
            [("restyled", "marks", "border", None)],
        ),
        (
            [CARD],
            [replace(AROUND, box=(0, 0, 900, 160))],  # More than four times as large
            [("restyled", "marks", "fill, border", None), ("extra", None, None, None)],
        ),
        (
            [replace(CARD, **BUTTON)],
            [AROUND],
            [("missing", "box", "fill, border", None), ("extra", None, None, None)],
        ),
        ([box(600, 90, 300, 40)], [], [("missing", None, None, None)]),
        ([], [box(600, 90, 300, 40)], [("extra", None, None, None)]),
    ],
)
def test_what_is_left_of_a_box_around_texts_is_told(
    design: list[Element], made: list[Element], found: list[Any]
) -> None:
    assert sorted(told(design, made), key=str) == sorted(found, key=str)


@pytest.mark.parametrize(
    ("role", "words", "is_there"),
    [
        ("cell", ROW, True),
        ("row", ROW, True),
        ("group", ROW, False),
        ("cell", [text("Soup of today", 110, 250), text("4.50", 300, 250)], False),
        ("cell", ROW[1:], False),
    ],
)
def test_a_cell_is_there_if_there_are_words_in_its_place_and_its_own_are_not_missing(
    role: str, words: list[TextRun], is_there: bool
) -> None:
    cell = replace(PANEL, role=role)
    pages = page(ROW, [cell], height=300), page(words, height=300)
    compared = Compared(match_pages(pages[0], pages[1]), score_matching(match_blocks([], [])))

    assert _is_cell_there(compared, cell, pages[1]) == is_there


def test_a_cell_is_there_if_its_control_is_and_in_no_other_cell() -> None:
    cell = box(600, 200, 74, 50, tag="td", role="cell")
    tick, wide = box(620, 216, 18, 18, fill=RED), box(220, 200, 700, 50, tag="td", role="cell")

    def is_there(*made: Element) -> bool:
        pages = page(WORDS, [cell, tick], height=300), page(WORDS, made, height=300)
        compared = Compared(match_pages(pages[0], pages[1]), score_matching(match_blocks([], [])))
        return _is_cell_there(compared, cell, pages[1])

    assert is_there(tick)
    assert not is_there(wide, tick)
    assert not is_there(replace(tick, box=(620, 226, 18, 18)))
    assert not is_there()


def test_the_facts_of_what_lost_its_box_are_told() -> None:
    (gone,) = lone([replace(PANEL, has_border=True, border=BLACK, border_width=1)], [])
    assert (gone.design["box"], gone.made["box"]) == ([100, 90, 300, 40],) * 2
    assert [gone.design[name] for name in ("has_fill", "has_border", "has_shadow")] == [True, True, False]
    assert [gone.made[name] for name in ("has_fill", "has_border", "has_shadow")] == [False] * 3
    (new,) = lone([], [PANEL])
    assert (new.design["has_fill"], new.made["has_fill"]) == (False, True)
    (box_gone,) = lone([replace(PANEL, **BUTTON)], [])
    assert (box_gone.design["name"], box_gone.candidate) == ("button", None)
    recolored = next(one for one in lone([CARD], [AROUND]) if one.kind == "recolored")
    assert (recolored.design["fill"], recolored.made["fill"]) == ("#143cc8", "#c80000")
    assert recolored.made["box"] == [100, 90, 300, 40]
    assert recolored.what == "control"


def test_an_icon_in_its_place_has_another_color_and_is_not_missing() -> None:
    shapes = [box(500 + x, 200, 4, 20, fill=BLUE) for x in (2, 8, 14)]
    icon = box(500, 200, 20, 20, kind="icon", tag="svg")
    pages = [
        replace(page(WORDS, [replace(one, fill=fill) for one in shapes], height=300), elements=elements)
        for fill, elements in ((BLUE, (icon,)), (RED, ()))
    ]
    score = replace(score_matching(match_blocks([], [])), elements=0.5)
    for sides, values in ((pages, ("#143cc8", "#c80000")), (pages[::-1], ("#c80000", "#143cc8"))):
        (found,) = element_differences(Compared(match_pages(sides[0], sides[1]), score))
        assert (found.kind, found.property, found.expected, found.actual) == ("recolored", "fill", *values)
        assert (found.design["fill"], found.made["fill"]) == values


def test_elements_that_were_not_measured_have_no_differences() -> None:
    pages = page(WORDS, [PANEL], height=300), page(WORDS, height=300)
    score = replace(score_matching(match_blocks([], [])), elements=None)

    assert [*element_differences(Compared(match_pages(*pages), score))] == []


def test_a_band_in_place_of_the_bare_page_has_its_color_and_is_not_new() -> None:
    """Where bands cover most of a page, what shows between them is no element, and not called its ground."""
    words = [text("Meet people today", 40, 40), text("Join for free", 40, 100)]
    below = [text("How it works", 40, 400)]

    def of_pages(design: Any, made: Any) -> list[tuple[str, Any, Any]]:
        pages = [replace(one, ground=WHITE) for one in (design, made)]
        return [
            (one.kind, one.expected, one.actual)
            for one in element_differences(
                Compared(match_pages(*pages), replace(score_matching(match_blocks([], [])), elements=0.5))
            )
            if one.what == "panel" and one.kind != "moved"
        ]

    band, rest = box(0, 0, 1000, 300, fill=RED), box(0, 300, 1000, 700, fill=WHITE)
    bare = page([*words, *below], [rest], ground=(36, 61, 128))
    filled = page([*words, *below], [band, rest])
    assert of_pages(bare, filled) == [("recolored", "#243d80", "#c80000")]
    assert of_pages(filled, bare) == [("recolored", "#c80000", "#243d80")]
    plain = page([*words, *below], [rest])
    assert of_pages(plain, filled) == [("extra", None, None)]
    # What shows between bands has the same color as the new panel.
    alike = page([*words, *below], [rest], ground=RED)
    assert of_pages(replace(alike, ground=(9, 9, 9)), filled) != [("recolored", "#c80000", "#c80000")]
    # A card on a section of another color is new.
    section = box(0, 0, 1000, 300, fill=(36, 61, 128))
    card = box(20, 20, 600, 200, fill=RED)
    on_section = page([*words, *below], [section, rest])
    assert of_pages(on_section, page([*words, *below], [section, card, rest])) == [("extra", None, None)]


def test_texts_on_a_part_with_a_fill_of_its_own_do_not_tell_what_the_panel_around_it_has() -> None:
    title, note = text("Forums", 120, 110), text("All of them", 120, 140)
    cells = [text(f"Forum {at}", 160, 220 + 30 * at) for at in range(6)]
    panel, part = box(100, 100, 600, 400, fill=(250, 250, 250)), box(140, 210, 400, 200, fill=WHITE)
    green = replace(part, fill=(0, 100, 0))
    pages = (
        page([title, note, *cells], [panel, part], ground=(220, 220, 220)),
        page([title, note, *cells], [green], ground=(220, 220, 220)),
    )
    compared = Compared(match_pages(*pages), score_matching(match_blocks([], [])))
    assert _fill_of_texts(compared, panel) is None
    bare = page([*cells], [panel, part], ground=(220, 220, 220)), page([*cells], [green])
    assert _fill_of_texts(replace(compared, match=match_pages(*bare)), panel) is None
    whole = page([title, note, *cells], [replace(panel, fill=(0, 100, 0))], ground=(220, 220, 220))
    assert _fill_of_texts(replace(compared, match=match_pages(pages[0], whole)), panel) == (0, 100, 0)
