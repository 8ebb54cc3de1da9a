"""Boxes against boxes."""

from __future__ import annotations

import pytest

from pytest_design2a11y.models.geometry import (
    Box,
    area,
    clipped,
    color_of_hex,
    contrast,
    readable_colors,
    stands_apart,
)


@pytest.mark.parametrize(
    ("box", "limits", "expected"),
    [
        pytest.param((10, 10, 20, 20), (0, 0, 100, 100), (10, 10, 20, 20), id="inside"),
        pytest.param((-5, 90, 20, 20), (0, 0, 100, 100), (0, 90, 15, 10), id="over a corner"),
        pytest.param((100, 0, 20, 20), (0, 0, 100, 100), None, id="touching"),
        pytest.param((10, 10, 0, 20), (0, 0, 100, 100), None, id="without an area"),
    ],
)
def test_clipped_is_the_common_part(box: Box, limits: Box, expected: Box | None) -> None:
    assert clipped(box, limits) == expected


def test_area_is_width_times_height() -> None:
    assert area((5, 5, 3, 4)) == 12


def test_contrast_is_wcags_and_the_nearest_color_that_has_enough_is_found() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((0x77, 0x77, 0x77), (255, 255, 255)) == pytest.approx(4.478, abs=0.001)
    assert readable_colors((0x77,) * 3, (255,) * 3, 4.5) == ((0x76,) * 3, (255,) * 3)
    assert readable_colors((0, 0, 200), (0, 0, 0), 4.5) == ((102, 102, 222), (0, 0, 0))


def test_light_text_stays_light_and_its_ground_gets_darker_where_white_has_too_little_contrast() -> None:
    text, ground = readable_colors((255, 255, 255), (0, 0x8B, 0), 4.5)

    assert text == (255, 255, 255)
    assert ground == (0, 0x8A, 0)
    assert contrast(text, ground) >= 4.5
    assert readable_colors((250, 250, 250), (0x80, 0x80, 0x80), 4.5) == ((255,) * 3, (0x76,) * 3)
    assert readable_colors((0, 0, 0), (0x99, 0, 0), 4.5) == ((0xB9,) * 3, (0x99, 0, 0))
    assert readable_colors((0, 0, 0), (120, 120, 120), 21) == ((0, 0, 0), (255, 255, 255))


def test_a_color_is_read_from_six_digits_only() -> None:
    assert color_of_hex("#0a0B0c") == (10, 11, 12)
    assert color_of_hex("red") is None
    assert color_of_hex("#abc") is None


@pytest.mark.parametrize(
    ("box", "is_apart"),
    [
        pytest.param((140, 0, 40, 20), True, id="farther right"),
        pytest.param((120, 0, 40, 20), False, id="within a line and a half"),
        pytest.param((-180, 0, 140, 20), True, id="farther left, as it is read from right to left"),
        pytest.param((140, 30, 40, 20), False, id="below"),
        pytest.param((-180, 16, 140, 20), False, id="the next of lines that overlap"),
    ],
)
def test_what_is_far_aside_in_a_line_is_read_apart(box: Box, *, is_apart: bool) -> None:
    assert stands_apart((0, 0, 100, 20), box) == is_apart
