"""What of a page corresponds to what of its design."""

from __future__ import annotations

from typing import Any

import numpy as np

from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.fixing.claims import claims_of
from pytest_design2a11y.fixing.looks import readable_fills
from pytest_design2a11y.models.elements import Element, Screenshot
from pytest_design2a11y.models.geometry import Box, Color, contrast
from pytest_design2a11y.models.page import Capture, TextRun
from tests.factories import ENVIRONMENT

WHITE, PINK = (255, 255, 255), (230, 20, 127)


def page(run: TextRun, *elements: Element, ground: Color = WHITE) -> Capture:
    shown = Screenshot.of_pixels(np.full((200, 400, 3), ground, dtype=np.uint8))
    return Capture("page.html", "reference", shown, (400, 200), (run,), (), ENVIRONMENT, elements=elements)


def element(kind: Any, tag: str, box: Box, fill: Color, **given: Any) -> Element:
    return Element(kind, tag, box, fill, has_border=False, has_shadow=False, **given)


def test_a_text_is_where_its_words_are_not_the_icon_before_them() -> None:
    run = TextRun("Yes", ((10, 10, 16, 15), (30, 10, 21, 15)), (0, 0, 0), 1)
    icon = element("icon", "label::before", (11, 11, 14, 13), (54, 69, 78), has_fill=False)

    pages = page(run, icon), page(TextRun("Yes", ((60, 40, 21, 15),), (0, 0, 0), 1))

    assert [design and design.box for design, _ in claims_of(*pages, TimeLimit(10)).texts] == [
        (30, 10, 21, 15)
    ]


def test_a_fill_gets_a_little_darker_for_white_letters_and_stays_where_they_can_be_read() -> None:
    run = TextRun("Send", ((20, 20, 40, 15),), WHITE, 1)
    button = element("box", "a", (10, 10, 90, 40), PINK, has_fill=True)
    design = page(run, button, ground=PINK)

    found = readable_fills(claims_of(design, design, TimeLimit(10)))

    assert [*found] == [PINK]
    assert contrast(WHITE, found[PINK]) >= 4.5 > contrast(WHITE, PINK)
    assert max(abs(a - b) for a, b in zip(PINK, found[PINK], strict=True)) < 10
    dark = page(run, element("box", "a", (10, 10, 90, 40), (0, 60, 0), has_fill=True), ground=(0, 60, 0))
    assert readable_fills(claims_of(dark, dark, TimeLimit(10))) == {}


def test_an_image_where_the_design_has_a_box_is_not_made_into_it() -> None:
    run = TextRun("Boats", ((40, 60, 60, 20),), (0, 0, 0), 1)
    box = element("box", "a", (40, 100, 30, 30), PINK, has_fill=True, label="Ida")
    image = element("picture", "img", (40, 100, 30, 30), (90, 90, 90), label="Ida")

    found = claims_of(page(run, box), page(run, image), TimeLimit(10)).elements

    assert [*found] == [(box, None), (None, image)]
