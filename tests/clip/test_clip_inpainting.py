"""Inpainting in parts gives the pixels of `cv2.inpaint` on the whole page."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from numpy.typing import NDArray

from pytest_design2a11y.visual.clip.backend import inpainted, pixel_rectangles

cv2: Any = pytest.importorskip("cv2", reason="needs the extra `clip` (opencv-python-headless)")

Pixels = NDArray[numpy.uint8]
Rectangles = NDArray[numpy.int64]


def _whole_page(pixels: Pixels, rectangles: Rectangles) -> Pixels:
    mask = numpy.zeros(pixels.shape[:2], dtype=numpy.uint8)
    for left, top, right, bottom in rectangles:
        mask[top:bottom, left:right] = 255
    filled: Pixels = cv2.inpaint(numpy.ascontiguousarray(pixels), mask, 3, cv2.INPAINT_TELEA)
    return filled


def _rectangles(random: numpy.random.Generator, height: int, width: int) -> Rectangles:
    number = int(random.integers(1, 10))
    left, top = random.integers(0, width, number), random.integers(0, height, number)
    right = numpy.minimum(left + random.integers(1, 40, number), width)
    bottom = numpy.minimum(top + random.integers(1, 14, number), height)
    return numpy.stack([left, top, right, bottom], axis=1).astype(numpy.int64)


def _background(kind: str, random: numpy.random.Generator, height: int, width: int) -> Pixels:
    pixels = numpy.full((height, width, 3), 255, dtype=numpy.uint8)
    if kind == "one colour":
        pixels[:] = random.integers(0, 256, 3)
    elif kind == "one grey":
        pixels[:] = random.integers(0, 256)
    elif kind == "grey noise":
        pixels[:] = random.integers(0, 256, (height, width, 1))
    elif kind == "noise":
        pixels[:] = random.integers(0, 256, (height, width, 3))
    elif kind == "half white":
        pixels[:, : width // 2] = random.integers(0, 256, 3)
    return pixels


@pytest.mark.parametrize("kind", ["white", "one colour", "one grey", "grey noise", "noise", "half white"])
def test_every_pixel_equals_the_call_on_the_whole_page(kind: str) -> None:
    random = numpy.random.default_rng(3)
    for _ in range(120):
        height, width = (int(side) for side in random.integers(8, 160, 2))
        pixels = _background(kind, random, height, width)
        rectangles = _rectangles(random, height, width)
        for left, top, right, bottom in rectangles:
            pixels[top:bottom, left:right] = random.integers(0, 256, (bottom - top, right - left, 3))

        actual = inpainted(pixels, rectangles)

        numpy.testing.assert_array_equal(actual, _whole_page(pixels, rectangles))


@pytest.mark.parametrize("gap", range(1, 16))
def test_neighbours_at_any_distance_equal_the_call_on_the_whole_page(gap: int) -> None:
    random = numpy.random.default_rng(gap)
    pixels = random.integers(0, 256, (80, 90, 3), dtype=numpy.uint8)
    rectangles = numpy.array(
        [[20, 20, 40, 30], [40 + gap, 18, 60 + gap, 33], [22, 30 + gap, 45, 38 + gap]], dtype=numpy.int64
    )

    actual = inpainted(pixels, rectangles)

    numpy.testing.assert_array_equal(actual, _whole_page(pixels, rectangles))


def test_a_page_of_text_equals_the_call_on_the_whole_page() -> None:
    random = numpy.random.default_rng(11)
    pixels = numpy.full((1200, 1280, 3), 255, dtype=numpy.uint8)
    pixels[:90] = (26, 32, 44)
    pixels[600:900, 100:700] = random.integers(0, 256, (300, 600, 3))
    lines = [(60, top, 60 + int(random.integers(200, 1100)), top + 15) for top in range(30, 1180, 24)]
    for left, top, right, bottom in lines:
        pixels[top + 2 : bottom, left:right:3] //= 4
    rectangles = numpy.array(lines, dtype=numpy.int64)

    actual = inpainted(pixels, rectangles)

    numpy.testing.assert_array_equal(actual, _whole_page(pixels, rectangles))


def test_text_on_white_becomes_white() -> None:
    pixels = numpy.full((50, 60, 3), 255, dtype=numpy.uint8)
    pixels[20:30, 20:40] = 0

    filled = inpainted(pixels, numpy.array([[20, 20, 40, 30]]))

    assert (filled == 255).all()
    assert (pixels[20:30, 20:40] == 0).all()


def test_a_picture_without_text_stays_as_it_is() -> None:
    pixels = numpy.random.default_rng(0).integers(0, 256, (30, 40, 3), dtype=numpy.uint8)

    filled = inpainted(pixels, pixel_rectangles([], width=40, height=30))

    numpy.testing.assert_array_equal(filled, pixels)


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        ((0.1, 0.2, 0.3, 0.4), [[10, 10, 40, 30]]),
        ((0.109, 0.219, 0.309, 0.419), [[10, 10, 40, 30]]),
        ((0.5, 0.5, 0.009, 0.5), []),
        ((0.9, 0.0, 0.5, 1.5), [[90, 0, 100, 50]]),
        ((1.2, 0.0, 0.5, 0.5), []),
    ],
)
def test_boxes_are_cut_to_whole_pixels(
    box: tuple[float, float, float, float], expected: list[list[int]]
) -> None:
    assert pixel_rectangles([box], width=100, height=50).tolist() == expected


def test_a_box_may_lose_a_pixel_to_rounding_as_in_the_published_metric() -> None:
    assert int(57 / 100 * 100) == 56

    assert pixel_rectangles([(57 / 100, 0.0, 0.1, 0.5)], width=100, height=100).tolist() == [[56, 0, 66, 50]]
