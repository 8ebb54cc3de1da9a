"""What is not text is compared element by element; what that scores, by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Color
from pytest_design2a11y.models.page import Capture, Screenshot
from pytest_design2a11y.visual import match_elements
from tests.factories import ENVIRONMENT

WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def page(*elements: Element, ground: Color = WHITE) -> Capture:
    return Capture(
        "page",
        "candidate",
        Screenshot(b""),
        (1000, 1000),
        (),
        (),
        ENVIRONMENT,
        elements=elements,
        ground=ground,
    )


def box(x: float, y: float, width: float, height: float, fill: Color = WHITE, **changes: Any) -> Element:
    return Element(**{"kind": "box", "tag": "div", "box": (x, y, width, height), "fill": fill} | changes)


def value(reference: Capture, candidate: Capture) -> float:
    found, turned = match_elements(reference, candidate), match_elements(candidate, reference)
    assert found is not None
    assert turned is not None
    assert found.value == turned.value
    return found.value


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
    found = match_elements(page(PANEL, black), page(PANEL, black))
    assert found is not None
    faint, striking = found.weights[0]
    assert striking == pytest.approx(3 * faint)
    # On a black page it is the white one that stands out.
    dark = match_elements(page(PANEL, black, ground=BLACK), page(PANEL, black, ground=BLACK))
    assert dark is not None
    assert dark.weights[0][0] == pytest.approx(3 * dark.weights[0][1])


@pytest.mark.parametrize(
    ("changes", "left"),
    [({"fill": (0, 160, 0)}, 0.2), ({"has_border": True}, 0.8), ({"box": (50, 0, 200, 50)}, 0.9)],
)
def test_a_pair_keeps_what_is_alike_of_it(changes: dict[str, Any], left: float) -> None:
    """Another color leaves a fifth, a border four fifths; a move by a twentieth of the page nine tenths."""
    button = box(0, 0, 200, 50, (200, 0, 0))
    found = match_elements(page(button), page(replace(button, **changes)))
    assert found is not None
    ((_, _, likeness),) = found.pairs
    assert likeness.similarity == pytest.approx(left)


def test_pages_whose_elements_are_not_known_are_not_compared() -> None:
    unknown = replace(page(), elements=None)
    assert match_elements(unknown, page()) is None
