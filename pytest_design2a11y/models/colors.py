"""sRGB to CIE Lab, the CIEDE2000 color difference, and the color of a background, in numpy."""

from functools import lru_cache
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytest_design2a11y.models.geometry import Color

_LINEAR_SRGB_TO_XYZ = np.array(
    [
        [0.412424, 0.357579, 0.180464],
        [0.212656, 0.715158, 0.0721856],
        [0.0193324, 0.119193, 0.950444],
    ]
)
_WHITE_D65 = np.array([0.95047, 1.0, 1.08883])
_LAB_EPSILON = 216 / 24389
_LAB_KAPPA = 24389 / 27
_CHROMA_25_TO_7 = 25.0**7
# Degrees; tolerance that keeps exactly opposite hues within half a turn, however arctan2 rounds.
_HALF_TURN = 180.0 + 1e-9

# The background is estimated from at least this many pixels, and at most four times as many.
_SAMPLE = 512
# A region with this share of the text's color is a ground of that color: letters never fill their line.
_FLOOD = 0.75
_BIN_OF = np.array([256, 16, 1])

FloatArray = NDArray[np.float64]


def _linear(encoded: FloatArray) -> FloatArray:
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


_LINEAR = _linear(np.arange(256) / 255)


def luminance(levels: NDArray[np.integer]) -> FloatArray:
    """Return the relative luminance of WCAG 2, 0..1, of sRGB colors (..., 3), each channel 0..255."""
    found: FloatArray = _LINEAR[levels] @ np.array([0.2126, 0.7152, 0.0722])
    return found


def lab_from_srgb(srgb: ArrayLike) -> FloatArray:
    """Convert sRGB colors (..., 3), each channel 0..255, to CIE L*a*b* under D65, L* in 0..100.

    References:
        IEC 61966-2-1 (sRGB); CIE 15:2004 (Lab).
    """
    linear = _linear(np.asarray(srgb, dtype=np.float64) / 255.0)
    relative = linear @ _LINEAR_SRGB_TO_XYZ.T / _WHITE_D65
    compressed = np.where(relative > _LAB_EPSILON, np.cbrt(relative), (_LAB_KAPPA * relative + 16.0) / 116.0)
    x, y, z = compressed[..., 0], compressed[..., 1], compressed[..., 2]
    return np.stack([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)], axis=-1)


@lru_cache(maxsize=4096)
def color_difference(first: Color, second: Color) -> float:
    """Return how different two sRGB colors look (CIEDE2000)."""
    return float(ciede2000(lab_from_srgb(first), lab_from_srgb(second)))


def ciede2000(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Return how different CIE Lab colors (..., 3) look, in any order: 0 if equal, about 100 at most.

    References:
        Sharma, Wu, Dalal: The CIEDE2000 color-difference formula, Color Research and Application 30(1),
        2005, equations 2 to 22.
    """
    lab1, lab2 = np.broadcast_arrays(np.asarray(first, np.float64), np.asarray(second, np.float64))
    lightness1, lightness2 = lab1[..., 0], lab2[..., 0]
    unadjusted = (np.hypot(lab1[..., 1], lab1[..., 2]) + np.hypot(lab2[..., 1], lab2[..., 2])) / 2.0
    stretch = 1.0 + 0.5 * (1.0 - np.sqrt(unadjusted**7 / (unadjusted**7 + _CHROMA_25_TO_7)))
    chroma1, hue1 = _polar(stretch * lab1[..., 1], lab1[..., 2])
    chroma2, hue2 = _polar(stretch * lab2[..., 1], lab2[..., 2])

    delta_lightness = lightness2 - lightness1
    delta_chroma = chroma2 - chroma1
    is_gray = chroma1 * chroma2 == 0
    turn = hue2 - hue1
    # Exactly opposite hues keep their sign, so that swapping the colors changes nothing.
    shortest = np.where(turn > _HALF_TURN, turn - 360.0, np.where(turn < -_HALF_TURN, turn + 360.0, turn))
    delta_hue = np.where(is_gray, 0.0, shortest)
    delta_big_hue = 2.0 * np.sqrt(chroma1 * chroma2) * _sine(delta_hue / 2.0)

    mean_lightness = (lightness1 + lightness2) / 2.0
    mean_chroma = (chroma1 + chroma2) / 2.0
    total = hue1 + hue2
    across_zero = np.where(total < 360.0, total + 360.0, total - 360.0)
    mean_hue = np.where(np.abs(turn) <= _HALF_TURN, total, across_zero) / 2.0
    mean_hue = np.where(is_gray, total, mean_hue)

    lightness_weight = 1.0 + 0.015 * (mean_lightness - 50.0) ** 2 / np.sqrt(
        20.0 + (mean_lightness - 50.0) ** 2
    )
    chroma_weight = 1.0 + 0.045 * mean_chroma
    hue_weight = 1.0 + 0.015 * mean_chroma * (
        1.0
        - 0.17 * _cosine(mean_hue - 30.0)
        + 0.24 * _cosine(2.0 * mean_hue)
        + 0.32 * _cosine(3.0 * mean_hue + 6.0)
        - 0.20 * _cosine(4.0 * mean_hue - 63.0)
    )
    angle = 30.0 * np.exp(-(((mean_hue - 275.0) / 25.0) ** 2))
    strength = 2.0 * np.sqrt(mean_chroma**7 / (mean_chroma**7 + _CHROMA_25_TO_7))
    rotation = -_sine(2.0 * angle) * strength

    scaled_lightness = delta_lightness / lightness_weight
    scaled_chroma = delta_chroma / chroma_weight
    scaled_hue = delta_big_hue / hue_weight
    squared = scaled_lightness**2 + scaled_chroma**2 + scaled_hue**2 + rotation * scaled_chroma * scaled_hue
    difference: FloatArray = np.sqrt(np.maximum(squared, 0.0))
    return difference


def largest_channel(levels: NDArray[Any]) -> NDArray[Any]:
    """Return the largest channel of pixels (..., 3), many times faster than numpy along a short axis."""
    red, green, blue = np.moveaxis(levels, -1, 0)
    largest: NDArray[Any] = np.maximum(np.maximum(red, green), blue)
    return largest


def most_frequent_color(pixels: NDArray[np.uint8], *, own: ArrayLike | None = None) -> FloatArray:
    """Return the most frequent color, each channel 0..255, of a part of a picture: that behind its text.

    It is the mean of the pixels, shape (height, width, 3), in the fullest of 4096 bins; the text's own color
    is left out unless nearly all pixels have it.
    """
    step = max(1, isqrt(pixels.shape[0] * pixels.shape[1] // _SAMPLE))
    sample = pixels[::step, ::step].reshape(-1, 3)
    coarse = (sample >> 4).astype(np.uint16)
    bins = (coarse[:, 0] << 8) | (coarse[:, 1] << 4) | coarse[:, 2]
    counts = np.bincount(bins, minlength=4096)
    if own is not None:
        own_bin = int((np.asarray(own).astype(np.int64) >> 4) @ _BIN_OF)
        if counts[own_bin] < len(sample) * _FLOOD:
            counts[own_bin] = 0
    fullest = sample[bins == counts.argmax()]
    return np.asarray(fullest.sum(axis=0) / len(fullest))


def _polar(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    return np.hypot(a, b), np.degrees(np.arctan2(b, a)) % 360.0


def _sine(degrees: FloatArray) -> FloatArray:
    return np.sin(np.radians(degrees))


def _cosine(degrees: FloatArray) -> FloatArray:
    return np.cos(np.radians(degrees))
