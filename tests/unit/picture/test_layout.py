"""At which width a picture's page was laid out: what is said beats what is inferred."""

from __future__ import annotations

import pytest

from pytest_design2a11y.picture.layout import PictureLayout, is_one_screen, layout_of


def told(layout: PictureLayout) -> tuple[int, float, list[str]]:
    return layout.width, layout.scale, [warning.code for warning in layout.warnings]


@pytest.mark.parametrize("width", [1280, 1440, 1920, 375, 390])
def test_a_common_width_is_scale_one(width: int) -> None:
    assert told(layout_of(width)) == (width, 1.0, [])


@pytest.mark.parametrize(
    ("width", "expected"), [(2560, (1280, 2.0)), (2880, (1440, 2.0)), (3840, (1920, 2.0))]
)
def test_a_multiple_of_a_common_width_is_inferred_and_said(width: int, expected: tuple[int, float]) -> None:
    assert told(layout_of(width)) == (*expected, ["picture_rescaled"])


def test_the_name_says_the_scale() -> None:
    assert told(layout_of(750, name="designs/login@2x.png")) == (375, 2.0, ["picture_rescaled"])


def test_the_option_beats_name_and_density() -> None:
    assert told(layout_of(1280, name="login@2x.png", density=3.0, scale=1.0)) == (1280, 1.0, [])


def test_the_density_beats_the_width() -> None:
    assert told(layout_of(2048, density=2.0)) == (1024, 2.0, ["picture_rescaled"])


def test_an_uncommon_width_is_taken_as_it_is_and_said() -> None:
    layout = layout_of(1000)

    assert told(layout) == (1000, 1.0, ["picture_width_unknown"])
    assert "the candidate is rendered 1000 px wide" in layout.warnings[0].message


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((750, 1334), (375, 2.0)),
        ((1170, 2532), (390, 3.0)),
        ((1290, 2796), (430, 3.0)),
        ((1080, 2400), (360, 3.0)),
    ],
)
def test_a_phones_screen_is_inferred_and_said(size: tuple[int, int], expected: tuple[int, float]) -> None:
    assert told(layout_of(*size)) == (*expected, ["picture_rescaled"])


def test_a_wide_picture_is_no_phones_screen() -> None:
    assert told(layout_of(1080, 1080)) == (1080, 1.0, ["picture_width_unknown"])


@pytest.mark.parametrize(
    "size", [(1440, 900), (1440, 1024), (1280, 720), (1920, 1080), (375, 812), (375, 667)]
)
def test_a_picture_as_high_as_a_screen_is_one_screen(size: tuple[int, int]) -> None:
    assert is_one_screen(*size)


@pytest.mark.parametrize("size", [(1440, 3000), (1280, 300), (375, 1800)])
def test_a_longer_or_shorter_picture_is_not(size: tuple[int, int]) -> None:
    assert not is_one_screen(*size)
