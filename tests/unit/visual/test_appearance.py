"""The embedded appearance: identity, symmetry, bounds, and a fall with every kind of damage."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.visual import embedded_appearance
from pytest_design2a11y.visual.appearance import (
    SIDE,
    differences,
    fitted_terms,
    look_at,
    picture_without_text,
    similarity,
)

Pixels = NDArray[np.uint8]

NUM_PICTURES = 6
TEXT: tuple[Box, ...] = ((0.1, 0.02, 0.3, 0.03), (0.1, 0.5, 0.5, 0.02), (0.1, 0.6, 0.4, 0.02))


def make_page(num_pictures: int = NUM_PICTURES, *, has_backgrounds: bool = True, num_rows: int = 8) -> Pixels:
    """A header, a grid of pictures, a table and a footer on white, with text."""
    page = np.full((1400, 1280, 3), 255, dtype=np.uint8)
    if has_backgrounds:
        page[:100] = (20, 40, 90)
        page[900:1300, 100:1180] = (240, 240, 245)
        page[1300:] = (40, 40, 40)
    for index in range(num_pictures):
        top, left = 150 + 240 * (index // 3), 100 + 370 * (index % 3)
        page[top : top + 200, left : left + 330] = (200 - 20 * index, 90, 30 * index)
    for row in range(num_rows):
        page[920 + 45 * row, 120:1160] = 190
    for box in TEXT:
        draw_text(page, box)
    return page


def draw_text(page: Pixels, box: Box) -> None:
    height, width = page.shape[:2]
    left, top = round(box[0] * width), round(box[1] * height)
    right, bottom = round((box[0] + box[2]) * width), round((box[1] + box[3]) * height)
    page[top:bottom:2, left:right:3] = 0


def screenshot(pixels: Pixels) -> Screenshot:
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    return Screenshot(stream.getvalue())


def compare(first: Pixels, second: Pixels, boxes: tuple[Box, ...] = TEXT) -> float:
    return embedded_appearance(
        reference=screenshot(first),
        candidate=screenshot(second),
        reference_boxes=boxes,
        candidate_boxes=boxes,
    )


def faded(page: Pixels, strength: float) -> Pixels:
    return np.round(255 - (255 - page.astype(float)) * (1 - strength)).astype(np.uint8)


def scrambled(page: Pixels, share: float) -> Pixels:
    random = np.random.default_rng(1)
    changed = page.copy()
    for _ in range(round(60 * share)):
        top, left = random.integers(0, 1250), random.integers(0, 1100)
        changed[top : top + 60, left : left + 120] = random.integers(0, 256, 3)
    return changed


def test_a_page_against_itself_is_exactly_1() -> None:
    """Equal bits in, 1.0 out; with and without text, blank pages too."""
    assert compare(make_page(), make_page()) == 1.0
    assert compare(np.zeros((720, 1280, 3), np.uint8), np.zeros((720, 1280, 3), np.uint8), ()) == 1.0


def test_order_does_not_matter() -> None:
    """The very same number either way."""
    first, second = make_page(), make_page(2, has_backgrounds=False)

    assert compare(first, second) == compare(second, first)


def test_repeated_runs_give_the_same_bits() -> None:
    """Five runs, one value."""
    first, second = screenshot(make_page()), screenshot(make_page(3))

    values = {
        embedded_appearance(reference=first, candidate=second, reference_boxes=TEXT, candidate_boxes=())
        for _ in range(5)
    }

    assert len(values) == 1


@pytest.mark.alike(3)
@pytest.mark.parametrize(
    ("damage", "steps"),
    [
        pytest.param(lambda amount: make_page(NUM_PICTURES - amount), range(NUM_PICTURES + 1), id="pictures"),
        pytest.param(lambda amount: make_page(num_rows=8 - amount), range(0, 9, 2), id="layout"),
        pytest.param(lambda amount: faded(make_page(), amount), (0, 0.2, 0.4, 0.6, 0.8, 1.0), id="fading"),
        pytest.param(
            lambda amount: scrambled(make_page(), amount),
            (0, 0.1, 0.3, 0.6, 1.0),
            id="scrambling",
        ),
        pytest.param(
            lambda amount: make_page(has_backgrounds=amount < 1, num_pictures=6 if amount < 2 else 0),
            (0, 1, 2),
            id="backgrounds, then pictures",
        ),
    ],
)
def test_more_damage_never_looks_better(damage: Callable[[float], Pixels], steps: list[float]) -> None:
    """Each step away from the page lowers the result, from 1 on."""
    values = [compare(make_page(), damage(step)) for step in steps]

    assert values[0] == 1.0
    assert all(after < before for before, after in pairwise(values)), values


def test_text_does_not_count() -> None:
    """What stands inside the text boxes leaves no trace."""
    with_text, without = make_page(), make_page()
    for left, top, width, height in TEXT:
        rows = slice(round(top * 1400), round((top + height) * 1400))
        without[rows, round(left * 1280) : round((left + width) * 1280)] = 255

    assert compare(with_text, without) == 1.0


def test_worst_case_stays_in_bounds() -> None:
    """White against noise: far below what generated pages get, and not below 0."""
    noise = np.random.default_rng(0).integers(0, 256, (900, 1280, 3), dtype=np.uint8)

    assert 0 <= compare(np.full((3000, 1280, 3), 255, np.uint8), noise, ()) < 0.8


def test_a_page_that_is_all_text() -> None:
    """Nothing left to see: filled with white, and comparable."""
    assert compare(make_page(), make_page(), ((0.0, 0.0, 1.0, 1.0),)) == 1.0
    picture, visible = picture_without_text(make_page(), ((0.0, 0.0, 1.0, 1.0),))
    assert (picture == 255).all()
    assert not visible.any()


def test_hidden_text_is_filled_from_around_it() -> None:
    """A box in a plain area vanishes; its surroundings close over it."""
    page = np.full((720, 1280, 3), (10, 200, 60), dtype=np.uint8)
    page[200:400, 300:900] = 0

    picture, visible = picture_without_text(page, ((300 / 1280, 200 / 720, 600 / 1280, 200 / 720),))

    assert picture.shape == (SIDE, SIDE, 3)
    assert np.abs(picture - [10, 200, 60]).max() < 2
    assert 1 - visible.mean() == pytest.approx(600 * 200 / (1280 * 720), abs=0.01)


def test_differences_are_0_for_equal_looks_and_named_by_the_terms() -> None:
    """Every term is about a difference that exists, and takes something off."""
    look = look_at(make_page(), TEXT)
    found = differences(look, look)

    assert set(found.values()) == {0.0}
    assert {name for name, _, _ in fitted_terms()} <= set(found)
    assert all(cap > 0 and weight > 0 for _, cap, weight in fitted_terms())


def test_terms_are_capped_and_the_sum_is_bounded() -> None:
    """A difference counts in proportion up to its cap; the result stops at 0."""
    terms = (("edges", 0.5, 0.2), ("text", 0.1, 0.9))

    assert similarity({"edges": 0.25, "text": 0.0}, terms) == pytest.approx(0.9)
    assert similarity({"edges": 5.0, "text": 0.0}, terms) == pytest.approx(0.8)
    assert similarity({"edges": 5.0, "text": 5.0}, terms) == 0.0
