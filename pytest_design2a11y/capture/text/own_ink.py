"""Whether a text's own painting can be seen, or only what is painted beside or behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.colors import most_frequent_color
from pytest_design2a11y.models.page import TextRun

# Levels of 255 by which text changes a pixel that is seen.
_LEAST_CHANGE = 6.0
# Of the contrast that is there: less is lost in it.
_LEAST_SHARE_OF_CONTRAST = 0.3
# Text this long (px) of which less than this share is seen is covered, but for its tips.
_WORD_LENGTH = 40
_LEAST_SHARE = 0.1
# Where what a text paints and what stands out without it are so much the same, a picture shows its words.
_ECHOED = 0.5

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Views:
    """The same part of a page several times, each of shape (height, width, 3), sRGB.

    Attributes:
        whole: As a person sees it.
        shown: With the texts that are looked at, and perhaps not with others.
        bare: Without any text.
        origin: Left and top of that part, px of the page.
    """

    whole: Pixels
    shown: Pixels
    bare: Pixels
    origin: tuple[int, int]


def has_own_ink(run: TextRun, views: Views) -> bool:
    """Tell whether a person sees what a run itself paints.

    Args:
        run: The run, boxes in px of the page.
        views: Of a part of the page with the run.
    """
    length, inked = 0, 0
    for whole, shown, bare in _crops(run, views):
        height, width = shown.shape[:2]
        own = _own_pixels(whole, shown, bare)
        # Across the lines, which run down in some writings.
        across = 0 if width >= height else 1
        length += max(width, height)
        inked += int(own.any(axis=across).sum())
    return inked > 0 and (length < _WORD_LENGTH or inked >= _LEAST_SHARE * length)


def _crops(run: TextRun, views: Views) -> Iterator[tuple[Pixels, Pixels, Pixels]]:
    left, top = views.origin
    for x, y, width, height in run.boxes:
        rows = slice(max(floor(y) - top, 0), max(ceil(y + height) - top, 0))
        columns = slice(max(floor(x) - left, 0), max(ceil(x + width) - left, 0))
        if views.bare[rows, columns].size:
            yield views.whole[rows, columns], views.shown[rows, columns], views.bare[rows, columns]


def _own_pixels(whole: Pixels, shown: Pixels, bare: Pixels) -> Mask:
    contrast = max(_contrast(whole), _contrast(bare))
    change = np.maximum(shown, bare) - np.minimum(shown, bare)
    own: Mask = change.max(axis=2) >= max(_LEAST_CHANGE, _LEAST_SHARE_OF_CONTRAST * contrast)
    return own & False if _is_echo(own, bare, contrast) else own


def _contrast(pixels: Pixels) -> float:
    return float(np.ptp(np.percentile(pixels, (2, 98), axis=(0, 1)), axis=0).max())


def _is_echo(own: Mask, bare: Pixels, contrast: float) -> bool:
    ground = most_frequent_color(bare)
    stands_out = np.abs(bare - ground).max(axis=2) >= max(_LEAST_CHANGE, contrast / 2)
    return bool(
        own.any() and np.count_nonzero(own & stands_out) >= _ECHOED * np.count_nonzero(own | stands_out)
    )
