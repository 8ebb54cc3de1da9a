"""Which elements of two pages are compared, and which are missing and extra."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.visual import match_pages
from pytest_design2a11y.visual.match.elements import _captions
from pytest_design2a11y.visual.scene.units import units_of
from tests.pages_by_hand import BLUE, WHITE, box, page, text

PHOTO: dict[str, Any] = {"kind": "picture", "tag": "img", "thumbnail": (BLUE, WHITE) * 18}
FIELD: dict[str, Any] = {"tag": "input[type=text]", "fill": WHITE, "has_border": True}
BAR: dict[str, Any] = {"role": "progressbar"}
CELL: dict[str, Any] = {"tag": "td", "fill": WHITE, "has_border": True}
ICON: dict[str, Any] = {"kind": "icon", "tag": "svg", "thumbnail": (BLUE, WHITE) * 18}


def are_compared(design: Sequence[Element | TextRun], made: Sequence[Element | TextRun]) -> bool:
    pages = [
        page(
            [one for one in side if isinstance(one, TextRun)],
            [one for one in side if isinstance(one, Element)],
        )
        for side in (design, made)
    ]
    (first, *others) = match_pages(pages[0], pages[1]).things
    return None not in first and not others


@pytest.mark.parametrize(
    ("design", "made"),
    [
        pytest.param(
            [box(40, 100, 900, 220, **PHOTO)],
            [box(680, 100, 260, 110, fill=WHITE), text("Tasks done", 700, 120)],
            id="a picture and a card with words",
        ),
        pytest.param(
            [box(40, 100, 900, 236, fill=WHITE)], [box(390, 118, 200, 200)], id="a panel and what lay in it"
        ),
        pytest.param(
            [box(400, 400, 9, 20, **CELL), text("1", 400, 400)],
            [box(380, 330, 25, 90, **CELL)],
            id="a cell with a word and an empty one",
        ),
        pytest.param(
            [box(400, 400, 60, 27, **CELL), text("2 4 6", 404, 400)],
            [
                box(700, 600, 72, 40, **CELL),
                *(text(one, x, 600) for one, x in (("2", 604), ("4", 704), ("6", 804))),
            ],
            id="a cell, and one with a part of its words",
        ),
        pytest.param(
            [box(40, 400, 720, 80), text("Prices of other categories", 60, 430)],
            [box(40, 380, 140, 43, tag="th"), text("Year", 60, 390)],
            id="a panel and a cell with other words",
        ),
        pytest.param(
            [box(40, 400, 300, 40, **FIELD)],
            [box(40, 440, 120, 40, tag="button"), text("Send", 60, 450)],
            id="a field and a button",
        ),
        pytest.param(
            [box(40, 100, 220, 370), text("Tent for two", 60, 300)],
            [box(40, 100, 490, 380), text("Projects", 60, 120)],
            id="cards with other words and sizes",
        ),
        pytest.param(
            [box(90, 100, 422, 40, fill=WHITE)], [box(70, 120, 200, 30)], id="boxes of other sizes and colors"
        ),
    ],
)
def test_unlike_things_are_not_compared(
    design: list[Element | TextRun], made: list[Element | TextRun]
) -> None:
    assert not are_compared(design, made)


@pytest.mark.parametrize(
    ("design", "made"),
    [
        pytest.param(
            [box(40, 100, 300, 200), text("Tent for two", 60, 120)],
            [box(40, 130, 900, 90), text("Tent for two", 60, 150)],
            id="the same words in a card of another size",
        ),
        pytest.param(
            [box(40, 100, 300, 40, tag="button"), text("Pay now", 60, 110)],
            [box(40, 100, 300, 40, tag="button")],
            id="a button in its place that lost its words",
        ),
        pytest.param(
            [box(40, 400, 900, 40, **FIELD)], [box(40, 410, 190, 27, **FIELD)], id="fields of other sizes"
        ),
        pytest.param([box(40, 400, 424, 16, **BAR)], [box(40, 400, 53, 16, **BAR)], id="progress bars"),
        pytest.param([box(40, 400, 32, 32, **ICON)], [box(49, 405, 14, 23, **ICON)], id="icons in one place"),
        pytest.param(
            [box(40, 100, 30, 30, tag="img")],
            [box(128, 112, 30, 30, **ICON)],
            id="a square picture and a round",
        ),
        pytest.param(
            [box(40, 100, 300, 200, **PHOTO)], [box(40, 100, 300, 200)], id="a picture and a box in its place"
        ),
        pytest.param(
            [box(40, 100, 300, 200, **PHOTO, label="Tent")],
            [box(60, 160, 90, 60, **PHOTO, label="Tent")],
            id="a picture with its name",
        ),
    ],
)
def test_like_things_are_compared(design: list[Element | TextRun], made: list[Element | TextRun]) -> None:
    assert are_compared(design, made)


def test_a_bar_is_known_by_its_fill_wherever_it_is() -> None:
    """Words on it in the design would say what it is."""
    bar, moved = box(0, 900, 980, 30, fill=(120, 20, 20)), box(0, 500, 700, 120, fill=(120, 20, 20))
    assert are_compared([bar], [moved, text("All rights reserved", 40, 540)])
    assert not are_compared([bar, text("Closed on Mondays", 40, 905)], [moved])


@pytest.mark.parametrize(
    ("left", "top", "caption"),
    [
        pytest.param(180, 100, "Town", id="beside"),
        pytest.param(40, 125, "Town", id="below"),
        pytest.param(40, 300, "", id="far below"),
        pytest.param(600, 100, "", id="far beside"),
    ],
)
def test_a_field_is_called_by_the_words_before_or_above_it(left: int, top: int, caption: str) -> None:
    units = units_of([text("Town", 40, 100)])

    assert _captions([box(left, top, 300, 24, **FIELD)], [""], units) == [caption]


def test_a_badge_is_not_the_band_around_it_whatever_they_share() -> None:
    word = text("FETCH 5.8", 350, 120)
    badge = box(335, 94, 148, 73, tag="a", fill=(7, 25, 48), label="FETCH 5.8")

    assert are_compared([word, badge], [word, replace(badge, box=(320, 90, 500, 90))])
    assert not are_compared([word, badge], [word, replace(badge, box=(0, 0, 1000, 245), fill=(25, 69, 105))])


def test_a_button_of_one_color_without_a_name_is_not_a_panel_elsewhere() -> None:
    button = box(64, 245, 120, 32, tag="button", role="button", fill=(239, 239, 239))

    assert are_compared([button], [replace(button, tag="div", role="", box=(40, 500, 160, 40))])
    assert not are_compared([button], [replace(button, tag="div", role="", box=(40, 300, 760, 440))])
