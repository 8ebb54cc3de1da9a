"""Where two screenshots visibly differ, pixel by pixel: the evidence of every difference."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.page import Capture

#: Least channel difference of two colors visible side by side (CIEDE2000 of 2.3).
_LEAST = 9
#: Channel difference that is striking: not caused by another renderer or by resizing a picture.
STRIKING = 32
#: Up to this many different pixels are checked one by one; above, one in four.
_MOST_PIXELS = 400_000
#: Side (px) of the squares that regions are made of; least number of different pixels in a square.
CELL = 8
_LEAST_IN_CELL = 8
#: Number of colors distinguished; least share of a page that shows the ground.
_MOST_COLORS, _LEAST_BARE = 20, 0.01
#: Channel levels that differ by less belong to one fill.
SAME_FILL = 8
#: Pixels are of one color if more than this share of them is.
_MOSTLY = 0.5
#: The number of bits set in each byte.
_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.uint8)
#: Rows of pages of this width (px) compared at a time, so that they stay in the processor's cache.
_BAND, _WIDTH = 32, 1280

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Levels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """Visible differences of two screenshots laid over each other."""

    mask: Mask  # Pixels that differ, shape (height, width) covering both pages
    striking: Mask  # Those of them that are striking

    def pixels_in(self, box: Box) -> int:
        """Return how many pixels differ in a box."""
        return int(np.count_nonzero(self.mask[part_of(box)]))

    def striking_in(self, box: Box, besides: Iterable[Box] = (), *, margin: float | None = None) -> float:
        """Return the share of a box that is striking, 0..1, without other boxes.

        With a margin, px, only inside the ellipse at that distance from its edges.
        """
        left, top = max(0, round(box[0])), max(0, round(box[1]))
        part = self.striking[top : round(box[1] + box[3]), left : round(box[0] + box[2])]
        counts = np.ones_like(part)
        if margin is not None:
            down, across = (
                np.linspace(-1.0, 1.0, size) * (1 + 2 * margin / max(size, 1)) for size in part.shape
            )
            counts = down[:, None] ** 2 + across**2 < 1
        for x, y, width, height in besides:
            counts[
                max(0, round(y) - top) : max(0, round(y + height) - top),
                max(0, round(x) - left) : max(0, round(x + width) - left),
            ] = False
        number = int(counts.sum())
        return float((part & counts).sum() / number) if number else 0.0


def look(reference: Capture, candidate: Capture) -> Sight:
    """Return where two pages visibly differ.

    A pixel does not differ if its color occurs within 1 px of its place on the other page, in both
    directions, so that letters and edges may waver.
    """
    pages = reference, candidate
    height, width = np.max([page.screenshot.pixels.shape[:2] for page in pages], axis=0).tolist()
    padded = []
    for page in pages:
        shown, color = page.screenshot.pixels, page.ground or (255, 255, 255)
        own_height, own_width, _ = shown.shape
        if (own_height, own_width) != (height, width):
            inner, shown = shown, np.empty((height, width, 3), dtype=np.uint8)
            shown[:own_height, :own_width] = inner
            shown[own_height:] = shown[:own_height, own_width:] = color
        padded.append(shown)
    levels = differing(*padded)
    return Sight(levels >= _LEAST, levels >= STRIKING)


def part_of(box: Box) -> tuple[slice, slice]:
    """Return the rows and columns of a box, px, starting at the page's first ones."""
    left, top, width, height = box
    rows = slice(max(0, round(top)), max(0, round(top + height)))
    return rows, slice(max(0, round(left)), max(0, round(left + width)))


def shown_in(page: Capture, box: Box) -> Pixels:
    """Return the pixels of a page in a box, clipped to the page."""
    return page.screenshot.pixels[part_of(box)]


def apart_at(pages: Sequence[Capture], boxes: Sequence[Box]) -> Levels:
    """Return the differences, in levels, of the pixels in a box on each page, laid over each other."""
    first, second = map(shown_in, pages, boxes)
    height, width = (min(first.shape[at], second.shape[at]) for at in (0, 1))
    return differing(first[:height, :width], second[:height, :width])


def colors_of(pixels: Pixels) -> list[tuple[Color, float]]:
    """Return the colors of pixels, shape (..., 3), with their shares, 0..1, the most common first."""
    keys = pixels.reshape(-1, 3).astype(np.uint32) @ np.array([65536, 256, 1], dtype=np.uint32)
    values, counts = np.unique(keys, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:_MOST_COLORS]
    return [
        ((value >> 16, value >> 8 & 255, value & 255), count / len(keys))
        for value, count in zip(values[order].tolist(), counts[order].tolist(), strict=True)
    ]


def color_behind(page: Capture) -> Color:
    """Return the color of what no element covers; if almost nothing is bare, the page's ground."""
    pixels = page.screenshot.pixels
    is_bare = np.ones(pixels.shape[:2], dtype=np.bool_)
    for element in page.elements or ():
        is_bare[part_of(element.box)] = False
    # One pixel in sixteen is enough for the most common color.
    sample = slice(None, None, 4), slice(None, None, 4)
    color = bare_color(pixels[sample], is_bare[sample])
    return color or page.ground or colors_of(pixels[sample][is_bare[sample]])[0][0]


def bare_color(pixels: Pixels, is_bare: Mask) -> Color | None:
    """Return the most common color of bare pixels, shape (..., 3); None if almost none is."""
    return colors_of(pixels[is_bare])[0][0] if is_bare.mean() >= _LEAST_BARE else None


def is_near(pixels: Pixels, color: Color, most: int) -> Mask:
    """Return which pixels, shape (..., 3), are within `most` levels of a color per channel; shape (...)."""
    bounds = ((max(level - most, 0), min(level + most, 255)) for level in color)
    channels = zip(np.moveaxis(pixels, -1, 0), bounds, strict=True)
    red, green, blue = ((least <= levels) & (levels <= top) for levels, (least, top) in channels)
    return np.asarray(red & green & blue)


def main_color(pixels: Pixels) -> Color | None:
    """Return the color of more than half of some pixels, shape (..., 3); None if none is."""
    (color, share), *_ = colors_of(pixels) if pixels.size else [((0, 0, 0), 0.0)]
    return color if share > _MOSTLY else None


def differing(first: Pixels, second: Pixels) -> Levels:
    """Return by how many levels each pixel of two equally sized pictures differs from all near its place."""
    height, width = first.shape[:2]
    apart = np.zeros((height, width), dtype=np.bool_)
    rows = max(1, _WIDTH // max(width, 1)) * _BAND
    bands = [slice(top, min(top + rows, height)) for top in range(0, height, rows)]
    for band in bands:
        if not np.array_equal(first[band], second[band]):
            is_other = np.maximum(first[band], second[band]) - np.minimum(first[band], second[band]) >= _LEAST
            apart[band] = is_other[..., 0] | is_other[..., 1] | is_other[..., 2]
    step = 2 if np.count_nonzero(apart) > _MOST_PIXELS else 1
    mask: Levels = np.zeros((height, width), dtype=np.uint8)
    for band in bands:
        columns = np.flatnonzero(apart[band].any(axis=0))
        if columns.size:
            part = band, slice(int(columns[0]) // step * step, int(columns[-1]) + 1)
            _spread(mask[part], _with_rim(first, part), _with_rim(second, part), step)
    mask *= apart
    return mask


def _spread(mask: Levels, first: Levels, second: Levels, step: int) -> None:
    """Write into a mask by how many levels pixels differ from all near their places on the other page.

    Both pictures come by channel, with a rim. One pixel of each square with sides of `step` is checked.
    """
    rows, columns = (-(-side // step) for side in mask.shape)
    near = [*product(range(3), repeat=2)]
    views = []
    for picture in (first, second):
        # Made contiguous, so that whole rows are compared at once.
        phases = [
            [np.ascontiguousarray(picture[:, down::step, across::step]) for across in range(step)]
            for down in range(step)
        ]
        views.append(
            [
                phases[down % step][across % step][:, down // step :, across // step :][:, :rows, :columns]
                for down, across in near
            ]
        )
    least = []
    for one, others in ((views[0][4], views[1]), (views[1][4], views[0])):
        apart = (np.maximum(one, other) - np.minimum(one, other) for other in others)
        most = (np.maximum(np.maximum(red, green), blue) for red, green, blue in apart)
        least.append(reduce(np.minimum, most))
    levels: Levels = np.maximum(*least)
    if step > 1:
        levels = levels.repeat(step, axis=0).repeat(step, axis=1)
    mask[:] = levels[: mask.shape[0], : mask.shape[1]]


def _with_rim(pixels: Pixels, part: tuple[slice, slice]) -> Levels:
    """Return a part of a picture with 1 px around it, by channel; beyond the picture, its edge."""
    down, across = part
    rows = np.clip(np.arange(down.start - 1, down.stop + 1), 0, len(pixels) - 1)
    left, right = max(across.start - 1, 0), min(across.stop + 1, pixels.shape[1])
    planes: Levels = np.empty((3, len(rows), across.stop - across.start + 2), dtype=np.uint8)
    inner = planes[:, :, left - across.start + 1 :][:, :, : right - left]
    inner[:] = pixels[:, left:right][rows].transpose(2, 0, 1)
    planes[:, :, 0], planes[:, :, -1] = (
        planes[:, :, int(across.start == 0)],
        planes[:, :, -2 if across.stop == pixels.shape[1] else -1],
    )
    return planes


def regions(mask: Mask) -> Iterator[tuple[Box, int]]:
    """Yield the regions of set pixels, with their numbers of pixels; regions near each other are one."""
    height = -(-mask.shape[0] // CELL)
    # A square's row is one byte.
    in_row = _BITS[np.packbits(mask, axis=1)]
    full = np.zeros((height * CELL, in_row.shape[1]), dtype=np.uint8)
    full[: len(in_row)] = in_row
    cells = full.reshape(height, CELL, -1).sum(axis=1)
    is_set = cells >= _LEAST_IN_CELL
    around = np.pad(is_set, 2)
    # Squares within two steps, down or across, belong to one region.
    steps = [(down, abs(down - 2)) for down in range(5)]
    near = [(down, across) for down, by in steps for across in range(by, 5 - by)]
    parts = [around[down:, across:][: is_set.shape[0], : is_set.shape[1]] for down, across in near]
    labels = _labels_of(np.logical_or.reduce(parts))[is_set]
    order = np.argsort(labels, kind="stable")
    firsts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    rows, columns = (indices[order] for indices in np.nonzero(is_set))
    for part in np.split(np.arange(len(order)), firsts[1:]) if len(order) else ():
        top, left = int(rows[part[0]]) * CELL, int(columns[part].min()) * CELL
        shown = mask[top : (int(rows[part[-1]]) + 1) * CELL, left : (int(columns[part].max()) + 1) * CELL]
        down, across = np.flatnonzero(shown.any(axis=1)), np.flatnonzero(shown.any(axis=0))
        size = float(across[-1] - across[0] + 1), float(down[-1] - down[0] + 1)
        number = int(cells[rows[part], columns[part]].sum())
        yield (float(left + across[0]), float(top + down[0]), *size), number


def _labels_of(cells: Mask) -> NDArray[np.int64]:
    """Return the group of each set cell, where touching cells are one group; -1 elsewhere."""
    turns = np.diff(np.pad(cells, [(0, 0), (1, 1)]).astype(np.int8), axis=1)
    (rows, starts), (_, ends) = np.nonzero(turns == 1), np.nonzero(turns == -1)
    # For each stretch of a row, those of the next row that touch it.
    above = (rows + 1) * turns.shape[1]
    firsts = np.searchsorted(rows * turns.shape[1] + ends, above + starts, side="right")
    lasts = np.searchsorted(rows * turns.shape[1] + starts, above + ends, side="left")
    stretches = zip(firsts.tolist(), lasts.tolist(), strict=True)
    links = ((at, other) for at, (first, last) in enumerate(stretches) for other in range(first, last))
    labels = np.full(cells.shape, -1)
    labels[cells] = np.repeat(groups_of(len(rows), links), ends - starts)
    return labels


def groups_of(number: int, links: Iterable[Sequence[int]]) -> list[int]:
    """Return the group of each of `number` things, named by its first thing's index."""
    parents = list(range(number))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = at = parents[parents[at]]
        return at

    for start, end in links:
        first, second = sorted((root(start), root(end)))
        parents[second] = first
    roots = [root(at) for at in range(number)]
    numbers = {at: group for group, at in enumerate(sorted({*roots}))}
    return [numbers[at] for at in roots]
