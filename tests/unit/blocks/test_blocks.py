"""Blocks from runs and pixels, on pictures drawn here."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.blocks import find_seen_text
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.models.visual import Block

WHITE = (255, 255, 255)
BLACK = (0, 0, 0)
Pixels = NDArray[np.uint8]


def find_blocks(**page: Any) -> tuple[Block, ...]:
    return find_seen_text(**page)[0]


def canvas(color: Color = WHITE) -> Pixels:
    return np.full((100, 200, 3), color, dtype=np.uint8)


def picture(pixels: Pixels) -> Screenshot:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, format="PNG")
    return Screenshot(buffer.getvalue())


def paint(pixels: Pixels, box: tuple[int, int, int, int], color: Color) -> None:
    x, y, width, height = box
    pixels[y : y + height, x : x + width] = color


def run(text: str, *boxes: Box, color: Color | None = BLACK, owner: int = 0, alpha: float = 1.0) -> TextRun:
    return TextRun(text=text, boxes=boxes, color=color, owner=owner, alpha=alpha)


def test_box_is_the_extent_of_the_ink_in_page_fractions() -> None:
    pixels = canvas()
    paint(pixels, (20, 30, 40, 10), BLACK)

    (block,) = find_blocks(text_runs=[run("Word", (10, 20, 100, 30))], screenshot=picture(pixels))

    assert block.text == "word"
    assert block.box == pytest.approx((0.1, 0.3, 0.2, 0.1))
    assert block.color == BLACK


def test_half_covered_pixels_are_neither_in_the_box_nor_in_the_colour() -> None:
    pixels = canvas()
    paint(pixels, (19, 29, 42, 12), (128, 128, 128))
    paint(pixels, (20, 30, 40, 10), BLACK)

    (block,) = find_blocks(text_runs=[run("Word", (10, 20, 100, 30))], screenshot=picture(pixels))

    assert block.box == pytest.approx((0.1, 0.3, 0.2, 0.1))
    assert block.color == BLACK


def test_one_fully_covered_pixel_in_thin_text_is_not_its_extent() -> None:
    pixels = canvas()
    paint(pixels, (20, 30, 40, 10), (16, 16, 16))
    paint(pixels, (55, 33, 1, 1), BLACK)

    (block,) = find_blocks(text_runs=[run("Word", (10, 20, 100, 30))], screenshot=picture(pixels))

    assert block.box == pytest.approx((0.1, 0.3, 0.2, 0.1))
    assert block.color == (15, 15, 15)


def test_a_tail_that_shows_under_a_cover_is_not_the_text_for_a_line_beside_it() -> None:
    """A faint line crosses the text's place, and of the letters only a descender is left."""
    pixels = canvas()
    paint(pixels, (10, 40, 60, 1), (170, 170, 170))
    paint(pixels, (90, 46, 4, 3), BLACK)

    assert find_blocks(text_runs=[run("Heading", (10, 20, 100, 30))], screenshot=picture(pixels)) == ()


def test_thin_text_without_a_fully_covered_pixel_is_seen() -> None:
    pixels = canvas()
    paint(pixels, (20, 30, 40, 10), (90, 90, 90))

    (block,) = find_blocks(text_runs=[run("Thin", (10, 20, 100, 30))], screenshot=picture(pixels))

    assert block.box == pytest.approx((0.1, 0.3, 0.2, 0.1))
    assert block.color == (90, 90, 90)


def test_runs_of_one_owner_are_one_block_with_the_mean_colour_of_their_pixels() -> None:
    pixels = canvas()
    paint(pixels, (20, 30, 30, 10), BLACK)
    paint(pixels, (60, 30, 10, 10), (200, 0, 0))
    runs = [run("Some", (15, 25, 40, 20)), run("Red", (58, 25, 14, 20), color=(200, 0, 0))]

    (block,) = find_blocks(text_runs=runs, screenshot=picture(pixels))

    assert block.text == "some red"
    assert block.box == pytest.approx((0.1, 0.3, 0.25, 0.1))
    assert block.color == (50, 0, 0)


def test_a_block_is_as_sure_as_the_least_sure_of_its_runs() -> None:
    pixels = canvas()
    paint(pixels, (20, 30, 30, 10), BLACK)
    read = replace(run("Some", (15, 25, 40, 20)), confidence=0.99)
    unsure = replace(read, confidence=0.81)

    confidences = [
        find_blocks(text_runs=runs, screenshot=picture(pixels))[0].confidence
        for runs in ([read, unsure], [read], [replace(read, confidence=None)])
    ]

    assert confidences == [0.81, 0.99, None]


def test_blocks_come_in_the_order_in_which_their_text_begins() -> None:
    pixels = canvas()
    for x in (20, 60, 100):
        paint(pixels, (x, 30, 20, 10), BLACK)
    runs = [
        run("Outer", (18, 28, 24, 14), owner=0),
        run("Inner", (58, 28, 24, 14), owner=1),
        run("Rest", (98, 28, 24, 14), owner=0),
    ]

    blocks = find_blocks(text_runs=runs, screenshot=picture(pixels))

    assert [block.text for block in blocks] == ["outer rest", "inner"]


@pytest.mark.parametrize(
    "reason",
    [
        pytest.param(WHITE, id="in the colour of its background"),
        pytest.param((0, 90, 180), id="under something opaque"),
    ],
)
def test_text_without_ink_is_no_block(reason: Color) -> None:
    pixels = canvas(reason)

    assert (
        find_blocks(text_runs=[run("Unseen", (10, 20, 100, 30), color=WHITE)], screenshot=picture(pixels))
        == ()
    )


def test_text_of_which_only_tips_peek_out_is_no_block() -> None:
    pixels = canvas()
    paint(pixels, (50, 45, 4, 3), BLACK)

    assert (
        find_blocks(text_runs=[run("Covered heading", (10, 20, 150, 30))], screenshot=picture(pixels)) == ()
    )


def test_translucent_text_is_found_in_the_colour_that_it_ends_up_with() -> None:
    pixels = canvas()
    paint(pixels, (20, 30, 40, 10), (153, 153, 153))

    (block,) = find_blocks(text_runs=[run("Faint", (10, 20, 100, 30), alpha=0.4)], screenshot=picture(pixels))

    assert block.box == pytest.approx((0.1, 0.3, 0.2, 0.1))
    assert block.color == (153, 153, 153)


def test_text_filled_with_a_gradient_is_found_by_its_contrast() -> None:
    pixels = canvas()
    pixels[30:40, 20:120] = np.linspace((200, 20, 90), (30, 90, 220), 100).astype(np.uint8)

    (block,) = find_blocks(
        text_runs=[run("Fancy", (10, 20, 150, 30), color=None)], screenshot=picture(pixels)
    )

    assert block.box == pytest.approx((0.1, 0.3, 0.5, 0.1))


def test_text_is_found_on_a_gradient() -> None:
    pixels = canvas()
    pixels[:] = np.linspace((20, 60, 90), (120, 30, 60), 200).astype(np.uint8)
    paint(pixels, (20, 30, 40, 10), WHITE)

    (block,) = find_blocks(
        text_runs=[run("White", (10, 20, 100, 30), color=WHITE)], screenshot=picture(pixels)
    )

    assert block.box == pytest.approx((0.1, 0.3, 0.2, 0.1))
    assert block.color == WHITE


def test_boxes_beyond_the_picture_are_cut_off_or_ignored() -> None:
    pixels = canvas()
    paint(pixels, (180, 30, 20, 10), BLACK)
    runs = [run("Edge", (170, 20, 100, 30)), run("Beyond", (300, 20, 50, 20), owner=1)]

    (block,) = find_blocks(text_runs=runs, screenshot=picture(pixels))

    assert block.box == pytest.approx((0.9, 0.3, 0.1, 0.1))


def test_no_text_gives_no_blocks() -> None:
    assert find_blocks(text_runs=[], screenshot=picture(canvas())) == ()
