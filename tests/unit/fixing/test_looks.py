"""Colors of a fix list: those of the design where they are readable, and what it says of the others."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from pytest_design2a11y.fixing.draft import Draft, field_name
from pytest_design2a11y.fixing.drafts import names_of
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.fix_list import edit_lines, remaining_of
from pytest_design2a11y.fixing.looks import line_css, look_css, readable_on
from pytest_design2a11y.models.elements import Element, Font, Screenshot
from pytest_design2a11y.models.geometry import contrast, hex_color
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.scene.units import joined_unit
from tests.factories import ENVIRONMENT

WHITE = (255, 255, 255)


def test_a_color_that_is_just_readable_stays_and_others_have_a_little_more_contrast() -> None:
    just_enough = (13, 110, 253)
    assert 4.5 <= contrast(WHITE, just_enough) < 4.55
    assert readable_on(just_enough, WHITE, 4.5) == WHITE
    assert contrast(readable_on((30, 130, 255), WHITE, 4.5), (30, 130, 255)) >= 4.55


GREEN, READABLE, DARK = (47, 143, 91), (44, 133, 85), (10, 60, 30)


def test_fill_and_border_of_one_color_change_together_and_another_border_stays() -> None:
    assert contrast(WHITE, GREEN) < 4.5 <= contrast(WHITE, READABLE) < 4.7
    button, note = (
        Element("box", "div", (0, 0, 90, 40), fill, True, has_border=True, border=GREEN, border_width=2)
        for fill in (GREEN, WHITE)
    )
    looks = [look_css(element, {GREEN: READABLE}) for element in (button, note)]

    assert [css["border"] for css in looks] == ["2px solid #2c8555", "2px solid #2f8f5b"]


def test_a_line_is_told_by_its_own_color_on_which_no_text_stands() -> None:
    line = Element("line", "div", (0, 0, 90, 4), GREEN, radius=2)

    assert look_css(line, {GREEN: READABLE})["background-color"] == hex_color(GREEN)


@pytest.mark.parametrize(("made", "is_told_so"), [(READABLE, True), (DARK, False)])
def test_a_fill_that_is_just_dark_enough_for_white_letters_is_told_as_contrast(
    made: tuple[int, int, int], *, is_told_so: bool
) -> None:
    design, own = ({"box": (0, 0, 90, 40), "name": "button", "fill": hex_color(one)} for one in (GREEN, made))
    change = Difference(
        "recolored", "control", 0.02, "minor", "fill", design["fill"], own["fill"], design, own
    )

    (left,) = remaining_of([change], 0.98)

    assert left.share == 1.0
    assert left.message.startswith("contrast that accessibility demands") == is_told_so


def test_a_text_whose_first_letter_is_several_lines_high_has_lines() -> None:
    first = TextRun("R", ((20, 10, 60, 95),), (0, 0, 0), 1)
    rest = TextRun("ichard", tuple((20, 30 + 40 * at, 300, 22) for at in range(4)), (0, 0, 0), 1)
    shown = Screenshot.of_pixels(np.full((300, 400, 3), 255, dtype=np.uint8))
    page = Capture("page.html", "reference", shown, (400, 300), (first, rest), (), ENVIRONMENT)

    css = line_css(joined_unit([first, rest]), page)

    assert (css["line-height"], css["white-space"]) == ("40px", "normal")


def test_an_element_with_a_name_of_its_own_is_not_called_by_its_kind() -> None:
    edits = {
        "#user-name": Edit("#user-name", name="text field"),
        "form > input:nth-of-type(2)": Edit("", name="text field"),
        "#save": Edit("#save", name='button "Save it"'),
    }

    names = names_of(cast(Draft, SimpleNamespace(edits=edits, claims=SimpleNamespace(elements=()))))

    assert names == {"form > input:nth-of-type(2)": "text field", "#save": "Save it"}


def field(tag: str = "input[type=text]", role: str = "textbox", **given: Any) -> Element:
    return Element("box", tag, (100, 100, 200, 30), (255, 255, 255), role=role, **given)


def words(text: str, left: float, top: float, size: float = 16.0) -> TextRun:
    font = Font(size, 400, is_italic=False, advances=(0.5,) * 8)
    return TextRun(text, ((left, top, 60, 20),), (0, 0, 0), 1, font=font)


BEFORE, ABOVE, BEHIND = words("Harbour:", 30, 105), words("Boat *", 120, 76), words("Pier", 306, 105)


@pytest.mark.parametrize(
    ("made", "texts", "name"),
    [
        (field(label="Name", placeholder="Ida"), [ABOVE], "Name"),
        (field(placeholder="Ida"), [ABOVE], "Ida"),
        (field(value="Ida"), [BEFORE, ABOVE], "Boat"),
        (field(value="Ida"), [BEHIND], "Ida"),
        (field(), [BEFORE, words("Boat", 120, 60)], "Harbour"),
        (field(), [words("Boat", 120, 32)], "Boat"),
        (field(), [words("Ida", 120, 30), words("Eva", -10, 105)], "field"),
        (field(), [words("Sail", 120, 10, 24), words("Eva", -10, 105), words("June", 300, 400)], "Sail"),
        (field(), [BEHIND, words("Below", 120, 140), words("Over there", 500, 70)], "field"),
        (field("input[type=checkbox]", "checkbox"), [BEFORE, BEHIND], "Pier"),
        (field(), [words("held", 110, 55), BEFORE], "Harbour"),
    ],
)
def test_a_field_is_called_by_its_label_or_the_words_before_or_above_it(
    made: Element, texts: list[TextRun], name: str
) -> None:
    other = Element("box", "input[type=text]", (100, 50, 200, 30), (255, 255, 255))
    page = Capture("page.html", "reference", None, (600, 400), tuple(texts), (), ENVIRONMENT)

    assert (
        field_name(made, replace(page, elements=(made, other) if texts[0].text == "held" else (made,)))
        == name
    )


def test_a_text_that_is_to_go_is_said_to_go() -> None:
    assert [*edit_lines(Edit("h2", texts=(" ",)))] == ["h2: take its own text away"]
