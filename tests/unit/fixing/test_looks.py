"""Colors of a fix list: those of the design where they are readable, and what it says of the others."""

from __future__ import annotations

import pytest

from pytest_design2a11y.fixing.fix_list import remaining_of
from pytest_design2a11y.fixing.looks import look_css, readable_on
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import contrast, hex_color
from pytest_design2a11y.models.visual import Difference

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
