"""sRGB to Lab, and CIEDE2000 against the published table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_design2a11y.models.colors import ciede2000, lab_from_srgb

# Sharma, Wu, Dalal (2005), table 1: first colour, second colour, difference.
SHARMA = [
    ((50.0000, 2.6772, -79.7751), (50.0000, 0.0000, -82.7485), 2.0425),
    ((50.0000, 3.1571, -77.2803), (50.0000, 0.0000, -82.7485), 2.8615),
    ((50.0000, 2.8361, -74.0200), (50.0000, 0.0000, -82.7485), 3.4412),
    ((50.0000, -1.3802, -84.2814), (50.0000, 0.0000, -82.7485), 1.0000),
    ((50.0000, -1.1848, -84.8006), (50.0000, 0.0000, -82.7485), 1.0000),
    ((50.0000, -0.9009, -85.5211), (50.0000, 0.0000, -82.7485), 1.0000),
    ((50.0000, 0.0000, 0.0000), (50.0000, -1.0000, 2.0000), 2.3669),
    ((50.0000, -1.0000, 2.0000), (50.0000, 0.0000, 0.0000), 2.3669),
    ((50.0000, 2.4900, -0.0010), (50.0000, -2.4900, 0.0009), 7.1792),
    ((50.0000, 2.4900, -0.0010), (50.0000, -2.4900, 0.0010), 7.1792),
    ((50.0000, 2.4900, -0.0010), (50.0000, -2.4900, 0.0011), 7.2195),
    ((50.0000, 2.4900, -0.0010), (50.0000, -2.4900, 0.0012), 7.2195),
    ((50.0000, -0.0010, 2.4900), (50.0000, 0.0009, -2.4900), 4.8045),
    ((50.0000, -0.0010, 2.4900), (50.0000, 0.0010, -2.4900), 4.8045),
    ((50.0000, -0.0010, 2.4900), (50.0000, 0.0011, -2.4900), 4.7461),
    ((50.0000, 2.5000, 0.0000), (50.0000, 0.0000, -2.5000), 4.3065),
    ((50.0000, 2.5000, 0.0000), (73.0000, 25.0000, -18.0000), 27.1492),
    ((50.0000, 2.5000, 0.0000), (61.0000, -5.0000, 29.0000), 22.8977),
    ((50.0000, 2.5000, 0.0000), (56.0000, -27.0000, -3.0000), 31.9030),
    ((50.0000, 2.5000, 0.0000), (58.0000, 24.0000, 15.0000), 19.4535),
    ((50.0000, 2.5000, 0.0000), (50.0000, 3.1736, 0.5854), 1.0000),
    ((50.0000, 2.5000, 0.0000), (50.0000, 3.2972, 0.0000), 1.0000),
    ((50.0000, 2.5000, 0.0000), (50.0000, 1.8634, 0.5757), 1.0000),
    ((50.0000, 2.5000, 0.0000), (50.0000, 3.2592, 0.3350), 1.0000),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((63.0109, -31.0961, -5.8663), (62.8187, -29.7946, -4.0864), 1.2630),
    ((61.2901, 3.7196, -5.3901), (61.4292, 2.2480, -4.9620), 1.8731),
    ((35.0831, -44.1164, 3.7933), (35.0232, -40.0716, 1.5901), 1.8645),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((36.4612, 47.8580, 18.3852), (36.2715, 50.5065, 21.2231), 1.4146),
    ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
    ((90.9257, -0.5406, -0.9208), (88.6381, -0.8985, -0.7239), 1.5381),
    ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]

channels = st.tuples(*[st.floats(0, 255)] * 3)


def test_all_published_differences() -> None:
    """The 34 pairs of the paper, to the digits that it prints, all in one call."""
    first, second, expected = (np.array(column) for column in zip(*SHARMA, strict=True))

    assert ciede2000(first, second) == pytest.approx(expected, abs=1e-4)


def test_order_does_not_matter() -> None:
    """The published pairs, exactly opposite hues among them, give the same either way."""
    first, second, _ = (np.array(column) for column in zip(*SHARMA, strict=True))

    assert ciede2000(second, first) == pytest.approx(ciede2000(first, second), abs=1e-12)
    assert ciede2000((50, 20, 0), (60, -30, 0)) == ciede2000((60, -30, 0), (50, 20, 0))


def test_exactly_opposite_hues_are_as_near_as_nearly_opposite_ones_however_they_are_rounded() -> None:
    angles = np.radians(np.linspace(0.5, 179.5, 1000))
    first, nearer = (
        np.stack([np.full(1000, 50.0), 20 * np.cos(turned), 20 * np.sin(turned)], axis=-1)
        for turned in (angles, angles + 1e-6)
    )
    opposite = first * (1, -1, -1)

    assert ciede2000(first, opposite) == pytest.approx(ciede2000(nearer, opposite), abs=1e-4)


@pytest.mark.parametrize(
    ("srgb", "lab"),
    [
        ((255, 255, 255), (100.0, 0.0, 0.0)),
        ((0, 0, 0), (0.0, 0.0, 0.0)),
        ((255, 0, 0), (53.24, 80.09, 67.20)),
        ((0, 255, 0), (87.73, -86.18, 83.18)),
        ((0, 0, 255), (32.30, 79.19, -107.86)),
        ((119, 119, 119), (50.03, 0.0, 0.0)),
    ],
)
def test_known_colours(srgb: tuple[int, int, int], lab: tuple[float, float, float]) -> None:
    """Lab values of the primaries under D65, as in common tables."""
    assert lab_from_srgb(srgb) == pytest.approx(lab, abs=0.02)


def test_black_and_white_are_100_apart() -> None:
    """The largest difference in lightness alone."""
    assert ciede2000(lab_from_srgb((0, 0, 0)), lab_from_srgb((255, 255, 255))) == pytest.approx(100, abs=1e-3)


@settings(max_examples=60, deadline=None)
@given(channels, channels)
def test_any_two_colours(first: tuple[float, ...], second: tuple[float, ...]) -> None:
    """Never negative, never NaN, 0 for equal colours, the same either way."""
    lab1, lab2 = lab_from_srgb(first), lab_from_srgb(second)

    assert ciede2000(lab1, lab1) == 0
    assert ciede2000(lab1, lab2) >= 0
    assert ciede2000(lab1, lab2) == pytest.approx(float(ciede2000(lab2, lab1)), abs=1e-9)


def test_shapes_broadcast() -> None:
    """A whole picture against one colour."""
    picture = lab_from_srgb(np.zeros((4, 5, 3)))

    assert ciede2000(picture, lab_from_srgb((255, 255, 255))).shape == (4, 5)
