"""Structural similarity of two pictures, regardless of colors: SSIM's term of contrast and structure."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: Levels of luma along the side of a texture, and along the side of a window used for comparison.
TEXTURE, WINDOW = 24, 8

# Stabilizes the comparison where there is almost nothing to see.
_STEADY = (0.03 * 255) ** 2
_NUMBER, _LEVELS = (TEXTURE // WINDOW) ** 2, WINDOW**2

Table = NDArray[np.float64]


def windows_of(textures: Sequence[Sequence[float]]) -> Table:
    """Cut textures of 24 x 24 levels, row by row, into windows: shape (number, 9, 64)."""
    side = TEXTURE // WINDOW
    levels = np.array(textures, dtype=np.float64).reshape(-1, side, WINDOW, side, WINDOW)
    return levels.swapaxes(2, 3).reshape(-1, _NUMBER, _LEVELS)


def structures(first: Table, second: Table) -> Table:
    """Compare textures of two pages, cut into windows, pair by pair: shape (number,), 0..1.

    References:
        Wang, Bovik, Sheikh, Simoncelli: Image quality assessment: from error visibility to structural
        similarity, IEEE Transactions on Image Processing 13(4), 2004, equation 13 without its luminance.
    """
    products, sums, others = (first * second).sum(axis=-1), _moments(first), _moments(second)
    # Sums of whole numbers are exact in any order.
    covariances = products / _LEVELS - sums[0] * others[0] / _LEVELS**2
    spreads = sum(squares / _LEVELS - total * total / _LEVELS**2 for total, squares in (sums, others))
    alike = (2.0 * covariances + _STEADY) / (spreads + _STEADY)
    return np.asarray(np.clip(alike.mean(axis=-1), 0.0, 1.0))


def _moments(windows: Table) -> Table:
    """Return the sums of windows and of their squares, shape (2, number, 9)."""
    return np.stack([windows.sum(axis=-1), (windows**2).sum(axis=-1)])
