"""Elements of two pages are assigned one to one; what that scores, by hand."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from math import sqrt
from typing import Any

import pytest

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.visual import ElementMatching, match_elements
from tests.factories import ENVIRONMENT

WHITE, BLACK, BLUE = (255, 255, 255), (0, 0, 0), (20, 60, 200)


def page(*elements: Element, size: tuple[int, int] = (1000, 1000), ground: Any = WHITE) -> Capture:
    return Capture("page", "candidate", None, size, (), (), ENVIRONMENT, elements=elements, ground=ground)


def box(x: float, y: float, width: float = 100, height: float = 100, **changes: Any) -> Element:
    values: dict[str, Any] = {"kind": "box", "tag": "div", "box": (x, y, width, height), "fill": BLUE}
    return Element(**values | {"has_fill": True} | changes)


def matched(reference: Capture, candidate: Capture) -> ElementMatching:
    found = match_elements(reference, candidate)
    assert found is not None
    return found


def value(reference: Capture, candidate: Capture) -> float:
    result = matched(reference, candidate).value
    assert result == matched(candidate, reference).value
    return result


def test_a_page_against_itself_is_exactly_one() -> None:
    generator = random.Random(3)
    some = [
        box(generator.random() * 900, generator.random() * 900, 1 + 50 * generator.random())
        for _ in range(300)
    ]
    assert value(page(*some, *some[:20]), page(*some, *some[:20])) == 1.0
    assert value(page(), page()) == 1.0


def test_what_nobody_looked_for_is_not_scored() -> None:
    assert match_elements(page(), replace(page(), elements=None)) is None


def test_a_missing_element_costs_its_weight() -> None:
    # Two boxes of 100 x 100 of 1000 x 1000 px weigh .1 each, one on the other side: .1 / sqrt(.3).
    weight = 0.1 / sqrt(0.3)
    expected = 1 - weight / (3 * weight + 0.5)
    assert value(page(box(0, 0), box(500, 0)), page(box(0, 0))) == pytest.approx(expected, abs=1e-12)


def test_the_ground_of_the_page_weighs_a_half() -> None:
    weights = 2 * 0.1 / sqrt(0.2)
    assert value(page(box(0, 0)), page(box(0, 0), ground=BLACK)) == pytest.approx(weights / (weights + 0.5))


@pytest.mark.parametrize(
    ("change", "similarity"),
    [
        ({"box": (50, 0, 100, 100)}, 0.9),  # Centres .05 of the page apart.
        ({"box": (25, 0, 50, 100)}, sqrt(0.5)),
        ({"has_border": True}, 0.8),
        ({"has_border": True, "has_shadow": True}, 0.64),
        ({"fill": WHITE}, 0.5),
        ({"kind": "line"}, 0.5),
    ],
)
def test_similarity_is_kind_times_place_times_size_times_paint(
    change: dict[str, Any], similarity: float
) -> None:
    found = matched(page(box(0, 0)), page(box(0, 0, **change)))
    assert found.pairs[0][2].similarity == pytest.approx(similarity)


def test_pictures_are_compared_by_their_thumbnails() -> None:
    dark, light = (box(0, 0, kind="picture", thumbnail=(color,) * 36) for color in (BLACK, WHITE))
    half = box(0, 0, kind="picture", thumbnail=(BLACK,) * 30 + (WHITE,) * 6)
    assert matched(page(dark), page(light)).pairs[0][2].color == 0.5
    assert matched(page(dark), page(half)).pairs[0][2].color == pytest.approx(
        1 - 0.5 * 100 / 6 / 40, abs=1e-4
    )
    assert matched(page(dark), page(box(0, 0, fill=BLACK))).pairs[0][2].similarity == pytest.approx(0.4)


def test_an_element_has_one_partner() -> None:
    assert value(page(box(0, 0)), page(*[box(0, 0)] * 5)) < 0.6


def test_thousands_of_elements_are_assigned_in_bounded_time() -> None:
    generator = random.Random(5)
    boxes = [
        box(1000 * generator.random(), 20_000 * generator.random(), 20 + 80 * generator.random(), 30)
        for _ in range(5000)
    ]
    moved = [replace(one, box=(one.box[0] + 3, one.box[1] + 2, *one.box[2:])) for one in boxes]
    pages = page(*boxes, size=(1280, 20_100)), page(*moved, size=(1280, 20_100))
    start = time.process_time()
    assert value(*pages) > 0.97
    assert time.process_time() - start < 20  # A tenth of that, in truth: it ends, at all events.
