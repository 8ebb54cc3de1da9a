"""A page's pixels without its texts, the colors of many places at once, and what was painted last."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.text.candidates import GROUND, Candidates
from pytest_design2a11y.models.colors import largest_channel
from pytest_design2a11y.models.elements import Veil
from pytest_design2a11y.models.geometry import Box, Color

# Share of a row that its most common color needs; otherwise the mean of the most similar ones is taken.
_PLAIN_SHARE = 0.2

Levels = NDArray[np.int16]
Mask = NDArray[np.bool_]
Integers = NDArray[np.int64]


def most_common_colors(colors: Levels, seen: Mask) -> tuple[Integers, NDArray[np.float64]]:
    """Return each row's most common visible color, -1 if none is visible, and its share of the visible ones.

    If no color is common, it is the mean of the fullest of 4096 bins.

    Args:
        colors: Shape (rows, places, 3).
        seen: Which of them count, shape (rows, places).
    """
    wide = colors.astype(np.int64)
    exact, share = _mode(wide @ np.array([1 << 16, 1 << 8, 1]), seen)
    found = np.stack([exact >> 16, exact >> 8 & 255, exact & 255], axis=-1)
    found[exact < 0] = -1
    vague = np.flatnonzero((exact >= 0) & (share < _PLAIN_SHARE))
    if len(vague):
        bins = (wide[vague] >> 4) @ np.array([256, 16, 1])
        fullest, share[vague] = _mode(bins, seen[vague])
        is_in = (bins == fullest[:, None]) & seen[vague]
        sums = (wide[vague] * is_in[..., None]).sum(axis=1)
        found[vague] = np.floor(sums / is_in.sum(axis=1)[:, None] + 0.5).astype(np.int64)
    return found, share


def _mode(keys: Integers, seen: Mask) -> tuple[Integers, NDArray[np.float64]]:
    """Return each row's most common key, the least of several, -1 where none is seen, and its share."""
    number, length = keys.shape
    ordered = np.sort(np.where(seen, keys, -1), axis=1)
    is_first = np.ones((number, length), dtype=bool)
    is_first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    starts = np.flatnonzero(is_first)
    counts = np.diff(starts, append=number * length)
    values = ordered.reshape(-1)[starts]
    counts[values < 0] = 0
    firsts = np.searchsorted(starts, np.arange(number) * length)
    most = np.maximum.reduceat(counts, firsts)
    is_most = counts == most[starts // length]
    rows, chosen = np.unique(starts[is_most] // length, return_index=True)
    found = np.full(number, -1, dtype=np.int64)
    found[rows] = values[np.flatnonzero(is_most)[chosen]]
    found[most == 0] = -1
    return found, most / np.maximum(seen.sum(axis=1), 1)


def difference(some: NDArray[np.integer], others: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return the largest difference of any channel, in levels of 255, shape (...)."""
    largest: NDArray[np.integer] = largest_channel(np.abs(some - others))
    return largest


def differs(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the same for two colors."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]), abs(one[2] - other[2]))


def as_color(levels: Sequence[int]) -> Color:
    """Return three levels as a color, with 0 for unknown ones."""
    red, green, blue = levels
    return max(red, 0), max(green, 0), max(blue, 0)


#: px; boxes whose sides are at most this far apart are in the same place.
SAME_PLACE = 2

# Pixels around a text in which its letters may still show.
_TEXT_RIM = 2
# Number of pixels from which the ground is read, and the least share of the page that must be bare.
_SAMPLE = 50_000
_BARE = 0.005

Pixels = NDArray[np.uint8]
Ranks = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class View:
    """A page's pixels, shape (height, width, 3), and data about each, shape (height, width)."""

    pixels: Pixels
    is_text: Mask  # Whether text lies there
    ranks: Ranks  # Rank of what was painted last there; -1 where nothing was

    def at(self, rows: Integers, columns: Integers) -> tuple[Levels, Mask]:
        """Return colors, and whether there is a pixel, which is false beyond the page."""
        height, width = self.is_text.shape
        is_in = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        index = np.where(is_in, rows * width + columns, 0)
        return self.pixels.reshape(-1, 3)[index].astype(np.int16), is_in

    def last_at(self, rows: Integers, columns: Integers) -> Ranks:
        """Return the rank of what was painted last; places beyond the page take that of its edge."""
        height, width = self.is_text.shape
        return self.ranks[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]

    def is_own(self, rows: Integers | slice, columns: Integers | slice, rank: Integers | int) -> Mask:
        """Return where what was painted at a rank is neither covered nor text; all within the page."""
        own: Mask = (self.ranks[rows, columns] <= rank) & ~self.is_text[rows, columns]
        return own


def text_mask(texts: Iterable[Box], shape: tuple[int, ...]) -> Mask:
    """Return where texts lie, including a rim."""
    mask = np.zeros(shape, dtype=bool)
    for x, y, width, height in texts:
        top, left = max(int(y) - _TEXT_RIM, 0), max(int(x) - _TEXT_RIM, 0)
        mask[top : int(y + height) + _TEXT_RIM + 1, left : int(x + width) + _TEXT_RIM + 1] = True
    return mask


def fills_page(edges: Integers, view: View) -> Mask:
    """Return which boxes (left, top, right, bottom) are as large as the page, without visible edges."""
    height, width = view.is_text.shape
    fills: Mask = (
        (edges[:, :2] <= SAME_PLACE).all(axis=1)
        & (edges[:, 2] >= width - SAME_PLACE)
        & (edges[:, 3] >= height - SAME_PLACE)
    )
    return fills


def ground_color(view: View, edges: Integers) -> Color:
    """Return the most common color of the bare pixels, or of the whole page if almost nothing is bare."""
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


def veils_of(candidates: Candidates, edges: Integers, view: View) -> Mask:
    """Return which candidates are veils: they lie over most of the page, are as wide, and let it through."""
    height, width = view.is_text.shape
    alphas = candidates.tints[:, 3]
    covers = np.array([about.get("covers", False) for about in candidates.abouts], dtype=np.bool_)
    is_wide = (edges[:, :2] <= SAME_PLACE).all(axis=1) & (edges[:, 2] >= width - SAME_PLACE)
    is_high = edges[:, 3] >= np.where(
        covers, min(height - SAME_PLACE, _LEAST_VEIL * width), height - SAME_PLACE
    )
    veils: Mask = is_wide & is_high & (alphas > 0) & (alphas < _OPAQUE)
    # What scrolls with the page is a veil if it is painted over most of it, and no background.
    for at in np.flatnonzero(veils & ~covers).tolist():
        first, end = candidates.spans[at]
        is_outside = (candidates.spans[:, 0] < first) | (candidates.spans[:, 0] >= end)
        veils[at] = 2 * (is_outside & (candidates.ranks < candidates.ranks[at])).sum() > len(edges)
    return veils


def without_veils(color: Color, veils: Iterable[Veil]) -> Color:
    """Return a color as it is beneath translucent veils, such as a dialog's backdrop, the topmost last."""
    seen = np.array(color, dtype=np.float64)
    for veil in reversed([*veils]):
        # The browser rounds the mixture down.
        seen = (seen + 0.5 - veil.alpha * np.array(veil.tint)) / (1 - veil.alpha)
    return as_color(np.clip(np.rint(seen), 0, 255).astype(np.int64).tolist())


# Least height of a veil, as a share of the page's width: a bar is less high.
_LEAST_VEIL = 0.4
# From this opacity on, nothing shows through.
_OPAQUE = 0.9
# px; cell size for counting shares of boxes.
_CELL = 4
# Number of places across and down a box.
_GRID = 14


def painted_ranks(candidates: Candidates) -> Integers:
    """Return each candidate's rank in painting order, from 0 without gaps; frames come after the page."""
    order = candidates.worlds * (1 + candidates.ranks.max(initial=0)) + candidates.ranks
    _, ranks = np.unique(order, return_inverse=True)
    return ranks.astype(np.int64).reshape(-1)


def last_ranks(
    candidates: Candidates, edges: Integers, ranks: Integers, shape: tuple[int, ...]
) -> tuple[Ranks, Mask]:
    """Return the rank of what was painted last at each pixel, -1 where nothing was, shape (height, width).

    Also return which candidates have a picture directly behind them that shows through, shape (number,).
    """
    last = np.full(shape, -1, dtype=np.int16)
    on_picture = np.zeros(len(edges), dtype=bool)
    behind = np.zeros(len(edges) + 1, dtype=bool)
    grounds, worlds = candidates.grounds.tolist(), candidates.worlds.tolist()
    is_picture, is_through = candidates.kinds <= GROUND, candidates.tints[:, 3] < _OPAQUE
    for at in np.argsort(ranks, kind="stable").tolist():
        if grounds[at] <= 0 or worlds[at]:
            continue
        left, top, right, bottom = (max(edge, 0) for edge in edges[at].tolist())
        middle = last[min((top + bottom) // 2, shape[0] - 1), min((left + right) // 2, shape[1] - 1)]
        on_picture[at] = is_through[at] and behind[middle]
        behind[ranks[at]] = is_picture[at] or on_picture[at]
        last[top:bottom, left:right] = ranks[at]
    return last, on_picture


@dataclass(frozen=True, slots=True)
class Lids:
    """The opaque candidate painted last in each cell of a page, not counting frames."""

    last: Ranks  # Its index, -1 if there is none, shape (rows, columns)
    candidates: Candidates  # All of them
    edges: Integers  # Left, top, right, bottom of each, px, shape (number, 4)
    shape: tuple[int, ...]  # Height and width of the page, px

    def over(self, edges: Integers, ranks: Integers, spans: Integers) -> tuple[NDArray[np.float64], Integers]:
        """Return the share of each box that others cover, 0..1, and the candidate that covers most of it.

        Args:
            edges: Left, top, right, bottom of each, px, shape (number, 4).
            ranks: When each is painted, shape (number,).
            spans: Its first element, and the one after its last, shape (number, 2).

        Returns:
            Both have shape (number,); the candidate is -1 where nothing covers a box.
        """
        if not len(self.edges):
            return np.zeros(len(edges)), np.full(len(edges), -1)
        places = (np.arange(_GRID) + 0.5) / _GRID
        inside = edges[:, :2, None] + (edges[:, 2:] - edges[:, :2])[..., None] * places
        limits = np.array(self.shape[::-1])[:, None] - 1
        columns, rows = (np.clip(inside, 0, limits).astype(np.int64) // _CELL).transpose(1, 0, 2)
        top = self.last[rows[:, :, None], columns[:, None]].reshape(len(edges), -1).astype(np.int64)
        first = self.candidates.spans[top, 0]
        is_within = (spans[:, :1] <= first) & (first < spans[:, 1:])
        is_covered = (top >= 0) & (self.candidates.ranks[top] > ranks[:, None]) & ~is_within
        shares = is_covered.mean(axis=1)
        by = np.full(len(edges), -1)
        for at in np.flatnonzero(shares).tolist():
            by[at] = np.bincount(top[at][is_covered[at]]).argmax()
        return shares, by


def lids_of(candidates: Candidates, edges: Integers, shape: tuple[int, ...]) -> Lids:
    """Find the opaque candidate that was painted last in each cell."""
    last = np.full((-(-shape[0] // _CELL), -(-shape[1] // _CELL)), -1, dtype=np.int16)
    is_lid = (candidates.grounds >= _OPAQUE) & (candidates.worlds == 0)
    order = np.argsort(candidates.ranks, kind="stable")
    for at in order[is_lid[order]].tolist():
        left, top, right, bottom = (max(-(-edge // _CELL), 0) for edge in edges[at].tolist())
        last[top:bottom, left:right] = at
    return Lids(last, candidates, edges, shape)
