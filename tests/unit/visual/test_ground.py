"""What people call the background of a page: a color, or a gradient."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pytest_design2a11y.models.elements import Element, Screenshot
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.visual.differences.ground import Ground, ground_of
from tests.pages_by_hand import BLACK, BLUE, WHITE, box, page


def _ground(shown: Capture) -> Ground:
    return ground_of(shown, shown.page_size[0])


def test_the_background_of_a_page_is_not_the_color_of_a_bar_at_its_edges() -> None:
    bar = box(0, 900, 1000, 100, fill=(245, 245, 245))
    assert _ground(page([], [bar], ground=(200, 200, 200))) == Ground((200, 200, 200), 0.9)
    panel = box(0, 0, 1000, 900, fill=(180, 180, 180))
    shown = replace(
        page([], [panel, replace(bar, fill=(90, 90, 90))], ground=(180, 180, 180)), elements=(panel,)
    )
    assert _ground(shown) == Ground((180, 180, 180), 0.9)
    # A panel that covers less of them is not what people call the background, and no picture is.
    panel = box(0, 80, 1000, 600, fill=BLACK)
    assert _ground(page([], [panel], ground=WHITE)) == Ground(WHITE, 0.4)
    for height, color in ((699, WHITE), (700, BLACK)):
        panel = box(0, 0, 1000, height, fill=BLACK)
        assert _ground(replace(page([], [panel], ground=WHITE), ground=BLACK)).color == color
    picture = box(0, 200, 1000, 800, fill=BLUE, tag="img", kind="picture")
    assert _ground(replace(page([], [picture], ground=WHITE), ground=BLUE)).share < 0.4


def _running(first: int, last: int, *elements: Element) -> Capture:
    """Return a page whose gray runs from one level to another, below its elements."""
    shown = page([], elements, ground=(first, first, first))
    pixels = shown.screenshot.pixels.copy()
    levels = np.linspace(first, last, len(pixels)).round().astype(np.uint8)[:, None, None]
    is_bare = np.ones(pixels.shape, dtype=np.bool_)
    for x, y, width, height in (tuple(map(int, one.box)) for one in elements):
        is_bare[y : y + height, x : x + width] = False
    image = Screenshot(b"")
    vars(image)["pixels"] = np.where(is_bare, levels, pixels)
    return replace(shown, image=image)


def test_a_background_that_runs_from_one_color_to_another_is_a_gradient() -> None:
    assert _ground(_running(200, 216)) == Ground((200,) * 3, 1.0, ((200,) * 3, (216,) * 3))
    assert _ground(_running(200, 215)).ends == ()
    bar = box(0, 0, 1000, 300, fill=BLACK)
    assert _ground(_running(100, 200, bar)).ends == ((130,) * 3, (200,) * 3)
    # Less of the edges is left than a ground has.
    assert _ground(_running(100, 200, replace(bar, box=(0, 0, 1000, 601)))).ends == ()


@pytest.mark.parametrize(("step", "is_gradient"), [(4, True), (5, False)])
def test_bands_are_no_gradient(step: int, is_gradient: bool) -> None:
    shown = _running(100, 100)
    rows = 100 + np.arange(len(shown.screenshot.pixels)) // 100 * step
    shown.screenshot.pixels[:] = rows[:, None, None]
    assert bool(_ground(shown).ends) is is_gradient


def test_a_color_above_a_bar_and_another_below_it_are_no_gradient() -> None:
    shown = _running(100, 100, box(0, 300, 1000, 50, fill=BLACK))
    shown.screenshot.pixels[350:] = 200
    assert _ground(shown).ends == ()


def test_a_gradient_from_side_to_side_is_one() -> None:
    shown = _running(100, 100)
    shown.screenshot.pixels[:] = np.linspace(100, 200, 1000).round().astype(np.uint8)[None, :, None]
    assert _ground(shown).ends == ((100,) * 3, (200,) * 3)


def test_beyond_the_window_is_not_where_the_background_is_looked_for() -> None:
    shown = page([], [], ground=WHITE)
    shown.screenshot.pixels[:, 800:] = 90
    assert ground_of(shown, 800) == Ground(WHITE, 1.0)
    assert _ground(shown).share == 0.5
