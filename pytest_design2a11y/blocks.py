"""Find one block for every element whose text has ink on the page, judged by color; or as published."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.models.colors import most_frequent_color
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import LEAST_CONTRAST, is_but_tips
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.models.visual import Block, least_confidence


def find_seen_text(
    *, text_runs: Iterable[TextRun], screenshot: Screenshot, time_limit: TimeLimit | None = None
) -> tuple[tuple[Block, ...], tuple[TextRun, ...]]:
    """Return the text blocks of a page (Si et al.: Design2Code, NAACL 2025, arXiv 2403.03163, section 3).

    A block is the text of one owner. Its box is the extent of its ink: the pixels that the text covers fully,
    as in the published metric, or covers most if strokes are too thin for that. Its color is the mean of
    those pixels. Text without any ink is invisible, and makes no block. The runs that have ink come second.
    """
    found = find_ink(text_runs, screenshot, ink_of, time_limit or TimeLimit())
    blocks = tuple(block_of(parts, screenshot) for parts in found.values())
    return blocks, tuple(run for parts in found.values() for run, _ in parts)


def find_ink(
    text_runs: Iterable[TextRun],
    screenshot: Screenshot,
    ink_of: "Callable[[TextRun, Pixels, TimeLimit], Ink | None]",
    time_limit: TimeLimit,
) -> "dict[int, list[tuple[TextRun, Ink]]]":
    """Return the runs that have ink, together with it, by owner."""
    found: dict[int, list[tuple[TextRun, Ink]]] = {}
    for run in text_runs:
        time_limit.check("blocks")
        ink = ink_of(run, screenshot.pixels, time_limit)
        if ink is not None:
            found.setdefault(run.owner, []).append((run, ink))
    return found


def block_of(parts: "Sequence[tuple[TextRun, Ink]]", screenshot: Screenshot) -> Block:
    """Return one block of the runs of one owner."""
    height, width = screenshot.pixels.shape[:2]
    ink = united([ink for _, ink in parts])
    left, top, right, bottom = ink.extent
    red, green, blue = (int(channel) for channel in ink.color_sum // ink.num_pixels)
    return Block(
        text=" ".join(run.text for run, _ in parts).lower(),
        box=(left / width, top / height, (right - left) / width, (bottom - top) / height),
        color=(red, green, blue),
        confidence=least_confidence(run.confidence for run, _ in parts),
        owners=(parts[0][0].owner,),
    )


def find_published_blocks(
    *, text_runs: Iterable[TextRun], screenshot: Screenshot, time_limit: TimeLimit | None = None
) -> tuple[Block, ...]:
    """Find the text blocks that the published code finds, with the white space of the source in their texts.

    It recolors the text of listed elements and checks where that shows. So it misses generated text, form
    values, text in SVG and frames, and text outside these elements; it finds no ink of text that has a color
    of its own inside one, and finds text that has the color of its background. An element's hidden text is
    part of its text.
    """
    texts: dict[int, list[str]] = {}
    recolored = []
    for run in text_runs:
        if run.source is not None:
            texts.setdefault(run.owner, []).append(run.source.text)
            if run.source.is_recolored:
                recolored.append(run)
    found = find_ink(
        recolored, screenshot, lambda *run: ink_of(*run) or boxes_as_ink(*run), time_limit or TimeLimit()
    )
    return tuple(
        replace(block_of(found[owner], screenshot), text="".join(parts).lower())
        for owner, parts in texts.items()
        if owner in found
    )


# A pixel counts as fully covered from this coverage: the threshold of the published metric's test on
# recolored pictures, measured on its own blocks.
_FULL = 0.965
# If strokes are too thin for that, pixels near the strongest one are ink.
_NEAR_STRONGEST = 0.9
# They are too thin if the fully covered pixels extend over less than this share of the width.
_LEAST_REACH = 0.5
# The colors of a gradient or picture are unknown, so half of the greatest contrast must be enough.
_FULL_CONTRAST = 0.5
# The strongest pixel of visible text has at least this coverage.
_LEAST = 0.3
# Lines this high (px) have ink in more than this share of their rows if it is letters; a border has less.
_LETTER_HEIGHT = 10
_LEAST_ROWS = 0.2

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Vector = NDArray[np.float64]
Coverage = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Ink:
    """The pixels that a run covers: the sum of their sRGB colors, shape (3,), and their number.

    `extent`: (left, top, right, bottom) px, right and bottom exclusive.
    """

    extent: tuple[int, int, int, int]
    color_sum: NDArray[np.int64]
    num_pixels: int


@dataclass(frozen=True, slots=True)
class _Line:
    """One box of a run: its position (left, top), its pixels and the text's coverage of each."""

    place: tuple[int, int]
    pixels: Pixels
    coverage: Coverage


def ink_of(run: TextRun, pixels: Pixels, time_limit: TimeLimit | None = None) -> Ink | None:
    """Find the pixels that a run covers fully, or most if none; None for a text without ink."""
    lines = [line for line in _lines(run, pixels, time_limit) if line.coverage.size]
    strongest = max((float(line.coverage.max()) for line in lines), default=0.0)
    if strongest < _LEAST:
        return None
    width = sum(line.coverage.shape[1] for line in lines)
    inked = sum(int((line.coverage >= strongest / 2).any(axis=0).sum()) for line in lines)
    if is_but_tips(inked, width) or _is_line(run, lines, strongest):
        return None
    if run.color is None:
        return _inked(lines, _FULL_CONTRAST)
    full = _inked(lines, _FULL)
    # The total extent of the lines, which no ink exceeds.
    right = max(line.place[0] + len(line.pixels[0]) for line in lines)
    reach = right - min(line.place[0] for line in lines)
    if full is not None and _width(full) >= _LEAST_REACH * reach:
        return full
    strong = _inked(lines, _NEAR_STRONGEST * strongest)
    if full is not None and strong is not None and _width(full) >= _LEAST_REACH * _width(strong):
        return full
    return strong


def boxes_as_ink(run: TextRun, pixels: Pixels, time_limit: TimeLimit | None = None) -> Ink | None:
    """Take all pixels of a run's boxes as ink; None if the text's color differs from its background."""
    lines = [line for line in _lines(run, pixels, time_limit) if line.pixels.size]
    if run.color is None or not lines:
        return None
    text = np.array(run.color, dtype=np.float64)
    grounds = [most_frequent_color(line.pixels, own=text) for line in lines]
    if any(np.abs(text - ground).max() >= LEAST_CONTRAST for ground in grounds):
        return None
    return united([ink for line in lines if (ink := _ink(line, np.ones_like(line.coverage, dtype=bool)))])


def united(inks: Sequence[Ink]) -> Ink:
    """Combine several inks (at least one) into one."""
    if len(inks) == 1:
        return inks[0]
    lefts, tops, rights, bottoms = zip(*(ink.extent for ink in inks), strict=True)
    color_sum = np.sum([ink.color_sum for ink in inks], axis=0)
    extent = min(lefts), min(tops), max(rights), max(bottoms)
    return Ink(extent, color_sum, sum(ink.num_pixels for ink in inks))


def _lines(run: TextRun, pixels: Pixels, time_limit: TimeLimit | None) -> Iterator[_Line]:
    for box in run.boxes:
        if time_limit is not None:
            time_limit.check("blocks")
        height, width = pixels.shape[:2]
        left, top = max(floor(box[0]) - 1, 0), max(floor(box[1]), 0)
        right, bottom = min(ceil(box[0] + box[2]) + 1, width), min(ceil(box[1] + box[3]), height)
        crop = pixels[top:bottom, left:right]
        yield _Line((left, top), crop, coverage_of(crop, run))


def _is_line(run: TextRun, lines: Sequence[_Line], strongest: float) -> bool:
    """Return whether the ink is a line where there should be letters."""
    if not any(map(str.isalnum, run.text)):
        return False
    crossed = [line.coverage >= strongest / 2 for line in lines]
    # Across the line, which is vertical in some scripts.
    axes = [1 if mask.shape[1] >= mask.shape[0] else 0 for mask in crossed]
    height = sum(min(mask.shape) for mask in crossed)
    inked = sum(int(mask.any(axis=axis).sum()) for mask, axis in zip(crossed, axes, strict=True))
    return bool(height >= _LETTER_HEIGHT and inked < _LEAST_ROWS * height)


def _inked(lines: Sequence[_Line], threshold: float) -> Ink | None:
    found = [ink for line in lines if (ink := _ink(line, line.coverage >= threshold))]
    return united(found) if found else None


def _width(ink: Ink) -> int:
    return ink.extent[2] - ink.extent[0]


def _ink(line: _Line, mask: Mask) -> Ink | None:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return None
    left, top = line.place
    extent = (
        left + int(columns[0]),
        top + int(rows[0]),
        left + int(columns[-1]) + 1,
        top + int(rows[-1]) + 1,
    )
    members = line.pixels[mask]
    return Ink(extent, members.sum(axis=0, dtype=np.int64), len(members))


def coverage_of(crop: Pixels, run: TextRun) -> Coverage:
    """Estimate how much of each pixel in one of its boxes a run covers.

    It is 1 where a pixel of the crop, shape (height, width, 3), sRGB, has the text's color, 0 where it has
    the background's, and less where it is farther away; all 0 if the two colors are the same.
    """
    nothing = np.zeros(crop.shape[:2], dtype=np.float32)
    if not crop.size:
        return nothing
    if run.color is None:
        distance = _distance(crop, most_frequent_color(crop))
        strongest = float(distance.max())
        if strongest < LEAST_CONTRAST:
            return nothing
        return np.divide(distance, strongest, dtype=np.float32)
    text = np.array(run.color, dtype=np.float64)
    ground = most_frequent_color(crop, own=text)
    if run.alpha < 1.0:
        strength = (crop - ground) @ (text - ground)
        text = np.asarray(crop.reshape(-1, 3)[strength.argmax()], dtype=np.float64)
    contrast = float(np.abs(text - ground).max())
    if contrast < LEAST_CONTRAST:
        return nothing
    return np.subtract(1.0, _distance(crop, text) / contrast, dtype=np.float32)


def _distance(crop: Pixels, color: Vector) -> NDArray[np.uint8]:
    """Return each pixel's difference from a color, in the channel where it is greatest."""
    apart = [
        np.maximum(crop[..., channel], level) - np.minimum(crop[..., channel], level)
        for channel, level in enumerate(np.rint(color).astype(np.uint8))
    ]
    return np.asarray(np.maximum(np.maximum(apart[0], apart[1]), apart[2]))
