"""One block for every element that owns text with ink on the page."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.blocks.ink import Ink, ink_of
from pytest_design2a11y.models import Block, Screenshot, TextRun


def find_blocks(*, text_runs: Iterable[TextRun], screenshot: Screenshot) -> tuple[Block, ...]:
    """Find the text blocks of a page.

    A block is the text of one owner. Its box is the extent of its ink: the pixels that the text covers
    fully, as the published metric takes it, or covers most where strokes are too thin for that. Its
    colour is the mean of those pixels. Text without any ink is not seen, and makes no block.

    Args:
        text_runs: In document order.
        screenshot: Of the same page.

    Returns:
        Blocks in the order in which their text begins.

    References:
        Si et al.: Design2Code, NAACL 2025, arXiv 2403.03163, section 3.
    """
    pixels = screenshot.pixels
    found: dict[int, list[tuple[str, Ink]]] = {}
    for run in text_runs:
        ink = ink_of(run, pixels)
        if ink is not None:
            found.setdefault(run.owner, []).append((run.text, ink))
    height, width = pixels.shape[:2]
    return tuple(_block(parts, width, height) for parts in found.values())


def _block(parts: list[tuple[str, Ink]], width: int, height: int) -> Block:
    extents = np.array([ink.extent for _, ink in parts])
    left, top = extents[:, :2].min(axis=0)
    right, bottom = extents[:, 2:].max(axis=0)
    box = (left / width, top / height, (right - left) / width, (bottom - top) / height)
    return Block(
        text=" ".join(text for text, _ in parts).lower(),
        box=(float(box[0]), float(box[1]), float(box[2]), float(box[3])),
        color=_mean_color([ink for _, ink in parts]),
    )


def _mean_color(inks: list[Ink]) -> tuple[int, int, int]:
    total: NDArray[np.int64] = np.sum([ink.color_sum for ink in inks], axis=0)
    red, green, blue = total // sum(ink.num_pixels for ink in inks)
    return int(red), int(green), int(blue)
