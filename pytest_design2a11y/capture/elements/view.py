"""A page's pixels, its texts left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.elements.colors import Integers, Levels, Mask, as_color, most_common_colors
from pytest_design2a11y.models.geometry import Box, Color

#: px; boxes whose sides are no further apart are in the same place.
SAME_PLACE = 2

# Pixels around a text in which its letters may still be seen.
_TEXT_RIM = 2
# Pixels that tell the ground, and how much of the page must be bare for it.
_SAMPLE = 50_000
_BARE = 0.005

Pixels = NDArray[np.uint8]
Ranks = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class View:
    """A page's pixels, shape (height, width, 3), and what is known of each, shape (height, width)."""

    pixels: Pixels
    is_text: Mask  # Whether a text lies there
    ranks: Ranks  # When what was painted last there was; -1 where nothing was

    def at(self, rows: Integers, columns: Integers) -> tuple[Levels, Mask]:
        """Return colours, and whether there is a pixel; what is beyond the page has none."""
        height, width = self.is_text.shape
        is_in = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        index = np.where(is_in, rows * width + columns, 0)
        return self.pixels.reshape(-1, 3)[index].astype(np.int16), is_in

    def last_at(self, rows: Integers, columns: Integers) -> Ranks:
        """Return when what was painted last there was, on the page's edge for what is beyond it."""
        height, width = self.is_text.shape
        return self.ranks[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]

    def is_own(self, rows: Integers | slice, columns: Integers | slice, rank: Integers | int) -> Mask:
        """Return where what was painted at a rank is neither covered nor text, all within the page."""
        own: Mask = (self.ranks[rows, columns] <= rank) & ~self.is_text[rows, columns]
        return own


def text_mask(texts: Iterable[Box], shape: tuple[int, ...]) -> Mask:
    """Return where texts lie, a rim included."""
    mask = np.zeros(shape, dtype=bool)
    for x, y, width, height in texts:
        top, left = max(int(y) - _TEXT_RIM, 0), max(int(x) - _TEXT_RIM, 0)
        mask[top : int(y + height) + _TEXT_RIM + 1, left : int(x + width) + _TEXT_RIM + 1] = True
    return mask


def fills_page(edges: Integers, view: View) -> Mask:
    """Return which boxes (left, top, right, bottom) are as large as the page: nobody sees where they end."""
    height, width = view.is_text.shape
    fills: Mask = (
        (edges[:, :2] <= SAME_PLACE).all(axis=1)
        & (edges[:, 2] >= width - SAME_PLACE)
        & (edges[:, 3] >= height - SAME_PLACE)
    )
    return fills


def ground_color(view: View, edges: Integers) -> Color:
    """Return the most common colour of what is bare; of the whole page where next to nothing is."""
    height, width = view.is_text.shape
    step = max(1, isqrt(height * width // _SAMPLE))
    sample = view.pixels[step // 2 :: step, step // 2 :: step]
    is_bare = ~view.is_text[step // 2 :: step, step // 2 :: step]
    starts = np.maximum(-(-(edges[:, :2] - step // 2) // step), 0)
    ends = np.maximum(-(-(edges[:, 2:] - step // 2) // step), 0)
    whole = is_bare.copy()
    for (left, top), (right, bottom) in zip(starts.tolist(), ends.tolist(), strict=True):
        is_bare[top:bottom, left:right] = False
    chosen = is_bare if is_bare.sum() >= _BARE * is_bare.size else whole
    colors = sample[chosen if chosen.any() else np.ones_like(chosen)].astype(np.int16)
    color, _ = most_common_colors(colors[None], np.ones((1, len(colors)), dtype=bool))
    return as_color(color[0].tolist())
