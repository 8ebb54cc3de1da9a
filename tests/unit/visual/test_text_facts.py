"""What is known of a text of a page: what it is written in, line by line and part by part."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pytest_design2a11y.models import colors
from pytest_design2a11y.visual.differences.texts import _lies_there
from pytest_design2a11y.visual.scene import text_facts as facts_module
from pytest_design2a11y.visual.scene.element_facts import details_of
from pytest_design2a11y.visual.scene.text_facts import lines_on, longest_line, text_facts
from pytest_design2a11y.visual.scene.units import units_of
from tests.pages_by_hand import BLACK, BLUE, SANS, WHITE, WORDS, box, differences, page, text

BOLD = replace(SANS, weight=700, size=20.0)


def test_what_is_written_otherwise_in_a_text_is_told_in_its_order_and_twice_where_it_stands_twice() -> None:
    first = text("Name", 40, 40)
    runs = [first, text("*", 90, 40, BLUE), text("and date", 100, 40), text("*", 180, 40, BLUE, BOLD)]
    (unit,) = units_of([replace(run, paragraph=first.paragraph, owner=first.owner) for run in runs])

    facts = text_facts(unit, page(runs))

    assert (facts["text"], facts["weight"], facts["color"]) == ("Name * and date *", 400, "#000000")
    told = [{name: one[name] for name in one if name != "contrast"} for one in facts["parts"]]
    assert told == [
        {"text": "*", "color": "#143cc8"},
        {"text": "*", "font_size": 20.0, "weight": 700, "color": "#143cc8"},
    ]


def test_lines_are_told_apart_where_they_end_early_and_how_far_apart_they_are() -> None:
    wide = replace(text("A line that is long enough", 40, 40), boxes=((40, 40, 400, 18), (40, 64, 90, 18)))
    short = replace(text("Read more", 40, 88), paragraph=wide.paragraph)

    (unit,) = units_of([wide, short])
    facts = text_facts(unit, page([wide, short]))

    assert facts["lines"] == ["A line that is long enough", "Read more"]
    assert facts["line_height"] == 24.0
    assert "align" not in facts

    full = replace(wide, boxes=((40, 40, 400, 18), (40, 64, 399, 18)))
    (wrapped,) = units_of([full, short])
    assert "lines" not in text_facts(wrapped, page([full, short]))


def test_lines_of_which_each_has_the_same_centre_are_centred() -> None:
    run = replace(text("Two lines in the middle", 40, 40), boxes=((40, 40, 300, 18), (90, 64, 200, 18)))

    (unit,) = units_of([run])

    assert text_facts(unit, page([run]))["align"] == "centered"


def test_an_icon_before_a_text_is_none_of_its_letters() -> None:
    run = replace(text("Yes", 40, 40), boxes=((40, 40, 16, 15), (60, 40, 21, 15)))
    icon = box(41, 41, 14, 13, kind="icon", fill=BLACK)

    (unit,) = units_of([run])

    assert text_facts(unit, page([run], [icon]))["box"] == [60, 40, 21, 15]


def test_a_control_that_is_missing_has_the_text_in_it_with_it() -> None:
    label = text("Buy now", 60, 310, WHITE)
    button = box(40, 300, 160, 40, fill=BLUE, tag="button", label="Buy now")

    found = differences(page([*WORDS, label], [button]), page(WORDS))

    (lost,) = (one for one in found if one.what == "control")
    assert lost.reference is not None
    assert [(one["text"], one["color"]) for one in lost.reference["texts"]] == [("Buy now", "#ffffff")]


def test_an_icon_is_drawn_in_rows_and_one_without_a_shape_is_not() -> None:
    ring = [255 if 6 <= x < 18 and 6 <= y < 18 else 40 for y in range(24) for x in range(24)]
    icon = box(41, 41, 14, 13, kind="icon", thumbnail=(WHITE,) * 36, texture=tuple(ring))

    facts = details_of(icon, page([]))

    assert facts["rows"] == ["........"] * 2 + ["..####.."] * 4 + ["........"] * 2
    assert facts["ground"] == "#ffffff"
    assert "rows" not in details_of(replace(icon, texture=(7,) * 576), page([]))
    assert "rows" not in details_of(replace(icon, kind="picture"), page([]))


def test_the_color_behind_a_text_is_that_of_its_longest_line() -> None:
    words = replace(text("Name of it", 0, 40), boxes=((45, 40, 50, 20), (110, 40, 300, 20)))
    capture = page([words], [box(40, 35, 60, 30)])

    assert facts_module.in_colors(words, capture)["ground"] == "#ffffff"


def test_a_text_is_not_struck_through_by_a_glyph_before_it() -> None:
    """Beside a mirrored "(12)", which is three boxes, each of the stars would be its longest line."""
    stars = tuple((100.0 + 13 * at, 100.0, 13.0, 13.0) for at in range(5))
    parts = ((175.0, 101.0, 4.0, 12.0), (179.0, 101.0, 12.0, 12.0), (191.0, 101.0, 4.0, 12.0))
    rating = replace(text("(12)", 100, 100), boxes=(*stars, *parts))
    capture = page([])
    capture.screenshot.pixels[100:113, 101:165] = np.tile([0] * 12 + [255], 5)[:64, None]

    assert longest_line(rating) == (100.0, 100.0, 65.0, 13.0)
    assert lines_on(rating, capture) == frozenset()


def test_the_color_behind_a_text_is_looked_up_once_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[object] = []

    def most_frequent_color(crop: Any, **how: Any) -> Any:
        looked_up.append(crop)
        return colors.most_frequent_color(crop, **how)

    monkeypatch.setattr(facts_module, "most_frequent_color", most_frequent_color)
    capture = page([text("Name", 40, 40)])

    grounds = [facts_module.ground_of((40, 40, 48, 20), capture, color) for color in (BLACK, BLUE, BLACK)]

    assert grounds == [WHITE, WHITE, WHITE]
    assert len(looked_up) == 2


@pytest.mark.parametrize(
    ("shown", "x", "y", "is_there"),
    [
        ("Soup of today", 40, 100, True),
        ("Soup of today, and bread", 43, 97, True),
        ("Soup of today", 44, 100, False),
        ("Soup of today", 40, 104, False),
        ("Soup", 40, 100, False),
    ],
)
def test_a_text_that_the_design_has_under_something_is_no_new_one(
    shown: str, x: int, y: int, is_there: bool
) -> None:
    """It reads so, or is a part of it, and begins less than 4 px aside and below."""
    (unit,) = units_of([text(shown, x, y)])

    assert _lies_there(unit, page([text("Soup of today", 40, 100)])) == is_there


@pytest.mark.parametrize(
    ("around", "words", "is_known"),
    [
        (box(80, 80, 80, 80), (), True),
        (box(80, 80, 81, 80), (), False),
        (box(80, 80, 80, 80, has_fill=False), (), False),
        (box(80, 80, 80, 80, tag="button", has_fill=False), (), True),
        (box(80, 80, 80, 80), (text("Play", 90, 130),), False),
    ],
)
def test_an_icon_names_what_shows_nothing_else(around: Any, words: Any, is_known: bool) -> None:
    icon = box(110, 110, 20, 20, kind="icon", tag="svg")
    facts = details_of(icon, page(words, [around, icon]))
    assert facts.get("is_name", False) == is_known


@pytest.mark.parametrize(
    ("lines", "border"),
    [
        ((BLACK,) * 4, "1 px #000000"),
        ((BLACK, BLACK, BLACK, BLUE), "1 px #000000 at the top, right and bottom and #143cc8 at the left"),
        ((BLACK, BLACK, BLACK, WHITE), "1 px #000000 at the top, right and bottom"),
        ((BLUE, BLACK, BLUE, BLACK), "1 px #000000 at the right and left and #143cc8 at the top and bottom"),
    ],
)
def test_a_border_is_told_with_the_color_of_each_side(lines: Any, border: str) -> None:
    left, top, width, height = 100, 100, 200, 80
    framed = box(left, top, width, height, fill=WHITE, border=BLACK, border_width=1, lines=lines)
    sides = (
        (left, top, width, 1),
        (left + width - 1, top, 1, height),
        (left, top + height - 1, width, 1),
        (left, top, 1, height),
    )
    drawn = [box(*side, fill=color) for side, color in zip(sides, lines, strict=True)]
    shown = page([], [framed, *drawn], height=300)
    assert details_of(replace(framed, has_border=True), shown)["border"] == border


def test_a_bar_within_a_ring_is_an_edge_of_its_own() -> None:
    ring, bar = (230, 232, 236), (0, 209, 178)
    edged = box(
        100,
        100,
        200,
        80,
        fill=WHITE,
        has_border=True,
        border=ring,
        border_width=1,
        lines=(ring,) * 3 + (bar,),
    )
    shown = page([], [edged], height=300)
    shown.screenshot.pixels[100:180, 100:300][[0, -1]] = ring
    shown.screenshot.pixels[100:180, 100:300][:, [0, -1]] = ring
    told = details_of(edged, shown)["border"]
    assert told == "1 px #e6e8ec at the top, right and bottom and #00d1b2 at the left"
    same = replace(edged, lines=(ring,) * 3 + ((220, 224, 230),))
    assert details_of(same, shown)["border"] == "1 px #e6e8ec"
