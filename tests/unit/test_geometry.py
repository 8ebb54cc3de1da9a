"""Boxes against boxes."""

from __future__ import annotations

import pytest

from pytest_design2a11y.models.geometry import Box, area, clipped


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
