"""What is not text is compared element by element; what that scores, by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Color
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.visual import match_pages, score_elements
from tests.pages_by_hand import page as page_of

WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def page(*elements: Element, ground: Color = WHITE) -> Capture:
    return page_of([], elements, ground)


def box(x: float, y: float, width: float, height: float, fill: Color = WHITE, **changes: Any) -> Element:
    return Element(**{"kind": "box", "tag": "div", "box": (x, y, width, height), "fill": fill} | changes)


def value(reference: Capture, candidate: Capture) -> float:
    pages = (reference, candidate), (candidate, reference)
    found, turned = (score_elements(match_pages(*sides)) for sides in pages)
    assert found is not None
    assert found == turned
    return found


PANEL = box(0, 0, 500, 500, has_border=True)


def test_a_page_against_itself_is_exactly_one() -> None:
    elements = [box(10 * at, 7 * at, 30 + at, 20 + at, (at, 2 * at, 99)) for at in range(60)]
    assert value(page(*elements), page(*elements)) == 1.0
    assert value(page(), page()) == 1.0


def test_a_panel_that_is_missing_is_lost_with_its_weight() -> None:
    """Its weight is sqrt(1/2), beside 1/2 of the ground."""
    weight = 0.5**0.5
    assert value(page(PANEL), page()) == pytest.approx(0.5 / (weight + 0.5))


def test_what_stands_out_from_the_ground_weighs_up_to_three_times() -> None:
    """Of two panels of one size, one white on white and one black, the black one is three quarters."""
    black = box(0, 500, 500, 500, BLACK)
    # Their weights are 1/2 and 3/2, divided by the square root of the sum of both pages; the ground's is 1/2.
    assert value(page(PANEL, black), page(PANEL)) == pytest.approx(1 - 1.5 / (2.5 + 0.5 * 2.5**0.5))
    assert value(page(PANEL, black), page(black)) == pytest.approx(1 - 0.5 / (3.5 + 0.5 * 3.5**0.5))
    # On a black page it is the white one that stands out.
    dark = page(PANEL, black, ground=BLACK)
    assert value(dark, page(black, ground=BLACK)) == pytest.approx(1 - 1.5 / (2.5 + 0.5 * 2.5**0.5))


@pytest.mark.parametrize(
    ("changes", "left"),
    [({"fill": (0, 160, 0)}, 0.2), ({"has_border": True}, 0.8), ({"box": (50, 0, 200, 50)}, 0.9)],
)
def test_a_pair_keeps_what_is_alike_of_it(changes: dict[str, Any], left: float) -> None:
    """Another color leaves a fifth, a border four fifths; a move by a twentieth of the page nine tenths."""
    button = box(0, 0, 200, 50, (200, 0, 0))
    found = value(page(button), page(replace(button, **changes)))
    # Two small boxes of a tenth, thrice for their color: divided by the square root of the sum, and twice.
    weight = 2 * 0.6 / 0.6**0.5
    assert found == pytest.approx((0.5 + left * weight) / (0.5 + weight))


def test_pages_whose_elements_are_not_known_are_not_compared() -> None:
    unknown = replace(page(), elements=None)
    assert score_elements(match_pages(unknown, page())) is None


def test_what_nobody_sees_does_not_make_the_rest_count_less() -> None:
    specks = [box(at, 900, 1, 1) for at in range(0, 900, 3)]
    assert value(page(PANEL, *specks), page()) == pytest.approx(value(page(PANEL), page()))
