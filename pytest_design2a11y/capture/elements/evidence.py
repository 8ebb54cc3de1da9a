"""What the pixels in and around a page's boxes show.

Each side is checked in several places: just inside it, just outside it, and on the lines that may lie
between. Styles determine where to look, never what is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.elements.view import (
    Integers,
    Levels,
    Mask,
    Ranks,
    View,
    difference,
    gradient_ends,
    most_common_colors,
)
from pytest_design2a11y.capture.text.candidates import BOX, CONTROL, Candidates
from pytest_design2a11y.models.geometry import Color

#: Levels of 255 by which a fill, and a picture, differ from their surroundings.
FILL = 2
INK = 4
#: A side shows something if this share of its places does.
SHOWN = 0.5

# Number of places checked along each side, and the number of hits below which there is no line.
_PLACES = 12
_FEW = 2
# Levels by which a line differs from its surroundings, and a shadow from place to place.
_LINE = 3
_SHADOW = 1
# px; farther out a shadow cannot be distinguished from its surroundings.
_FAR = 12
# If hardly any place shows a side, something may cover it.
_COVERED = 0.25
# Points across and down a box from which its color is read.
_GRID = 14
# Visible points, and box size in px, that a gradient needs.
_FEW_OF_GRADIENT = _GRID * _GRID // 2
_SMALLEST_GRADIENT = 16


class Evidence(NamedTuple):
    """What layout and pixels show of one candidate."""

    kind: int  # As `candidates.py` numbers it
    tag: str  # Its tag in the page
    edges: list[int]  # Left, top, right, bottom
    seen: list[int]  # Likewise, of the part that is not covered
    inner: list[float]  # How far lines reach into it: top, right, bottom, left, px
    outer: list[float]  # How far lines reach out of it, on each side
    is_loose: bool  # Whether its outline differs from its box
    fill: list[int]  # Its main color, -1 where it is not visible
    own: list[int]  # Likewise, just inside its sides
    around: list[int]  # Likewise, just outside
    is_step: list[bool]  # Per side, whether the color changes there
    is_off: list[bool]  # Per side, whether it is beyond the page
    is_line: list[bool]  # Per side, whether there is a line
    line_colors: list[list[int]]  # Per side, the line's color at most places
    has_shadow: bool  # Whether the page grows darker or lighter towards a side
    is_plain: bool  # Whether all that was checked has the fill's color
    is_fill_seen: bool  # Whether its fill was read from pixels not covered by anything
    fills: list[Color]  # The colors of a gradient, or none
    radius: float  # Of its corners, px
    tint: list[float]  # Background color in its style, or a glyph's text color, 0..255, and alpha, 0..1
    rank: int  # When it is painted
    shown: float  # Share of it not covered by anything opaque, other than its own content, 0..1
    about: Mapping[str, Any]  # Its label, role and state, as `Element` names them


def gather_evidence(
    view: View,
    candidates: Candidates,
    edges: Integers,
    ranks: Integers,
    is_on_picture: Mask,
    shown: NDArray[np.float64],
    ground: Color,
) -> Iterator[Evidence]:
    """Yield the evidence of each candidate.

    Args:
        view: The page.
        candidates: Where to look.
        edges: Left, top, right, bottom of each, whole px, shape (number, 4).
        ranks: When each is painted, shape (number,).
        is_on_picture: Which have a picture behind them that shows through, shape (number,).
        shown: The share of each not covered by anything opaque but its own content, 0..1, shape (number,).
        ground: The color behind everything.
    """
    number = len(edges)
    sides = Sides.of(view, edges, candidates.radii)
    inner, outer = (np.ceil(reach).astype(np.int64) for reach in (candidates.inner, candidates.outer))
    inside, is_inside = sides.at(np.minimum(inner + 1, sides.halves))
    deeper, _ = sides.at(np.minimum(inner + 3, sides.halves))
    outside, is_outside = sides.at(-outer - 2)
    change = difference(inside, outside)
    is_seen = is_inside & is_outside
    is_step = is_seen & (change > FILL) & (2 * difference(inside, deeper) <= np.maximum(change, 2 * FILL))
    is_own = is_inside & (sides.ranks(np.minimum(inner + 1, sides.halves)) <= ranks[:, None, None])
    own, _ = most_common_colors(inside.reshape(number, -1, 3), is_own.reshape(number, -1))
    around, _ = most_common_colors(outside.reshape(number, -1, 3), is_outside.reshape(number, -1))
    # Beyond the page there is no color that a line could resemble.
    is_line, shade = _lines(sides, inner, outer, (inside, np.where(is_seen[..., None], outside, -99)))
    line_colors, _ = most_common_colors(shade.reshape(-1, _PLACES, 3), is_line.reshape(-1, _PLACES))
    is_content = _shows_content(sides, np.minimum(inner + 3, sides.halves), candidates, ranks)
    cut = _seen_edges(sides, is_step | is_line, is_seen & ~is_content, edges)
    is_box = (candidates.kinds == BOX) | (candidates.kinds == CONTROL)
    fill, is_plain, fills = _fills(view, candidates, cut, ranks, is_box)
    fill = np.where(fill < 0, own, fill)
    # Background colors, blended with the page's ground by their alpha.
    alphas = candidates.tints[:, 3:]
    mixed = alphas * candidates.tints[:, :3] + (1 - alphas) * np.array(ground)
    styled: Integers = np.floor(mixed + 0.5).astype(np.int64)
    has_tint = is_box & (candidates.tints[:, 3] > 0)
    # A picture that shows through is not the box's own.
    is_fill_seen = (fill[:, 0] >= 0) & ~(has_tint & is_on_picture)
    unseen, _ = most_common_colors(inside.reshape(number, -1, 3), is_inside.reshape(number, -1))
    instead = np.where(has_tint[:, None], styled, unseen)
    own = np.where(own < 0, instead, own)
    columns = (
        *(candidates.kinds, candidates.tags),
        *(edges, cut, candidates.inner, candidates.outer, candidates.is_loose),
        *(np.where(is_fill_seen[:, None], fill, instead), own, around),
        _shares(is_step, is_seen) >= SHOWN,
        is_seen.sum(axis=-1) < _FEW,
        _shares(is_line, is_inside) >= SHOWN,
        line_colors.reshape(number, 4, 3),
        _shadows(sides, candidates.blurs, outer),
        *(is_plain, is_fill_seen, fills),
        *(candidates.radii, candidates.tints, ranks, shown, candidates.abouts),
    )
    lists = (column.tolist() if isinstance(column, np.ndarray) else column for column in columns)
    return map(Evidence._make, zip(*lists, strict=True))


@dataclass(frozen=True, slots=True)
class Sides:
    """Places along the sides of boxes, at any depth: below 0 is outside."""

    view: View  # The page
    edges: Integers  # Left, top, right, bottom of each box, shape (number, 4)
    along: Integers  # Row or column of each place, shape (number, 4, places)
    halves: Integers  # The greatest depth to check at each side, shape (number, 4)

    @classmethod
    def of(cls, view: View, edges: Integers, radii: NDArray[np.float64]) -> Sides:
        """Return the sides of boxes whose corners have these radii."""
        along = (edges[:, 2:] - edges[:, :2])[:, [0, 1, 0, 1]]
        # Corners are left out, but the middle never is.
        corner = np.minimum(radii[:, None], np.maximum(along / 2 - np.maximum(0.15 * along / 2, 1), 0))
        share = (np.arange(_PLACES) + 0.5) / _PLACES
        reach = corner[..., None] + (along - 2 * corner)[..., None] * share
        places = edges[:, [0, 1, 0, 1], None] + np.floor(reach).astype(np.int64)
        return cls(view, edges, places, (along[:, ::-1] - 1) // 2)

    def only(self, rows: Integers) -> Sides:
        """Return the sides of some of the boxes."""
        return Sides(self.view, self.edges[rows], self.along[rows], self.halves[rows])

    def at(self, depth: Integers, aside: int = 0) -> tuple[Levels, Mask]:
        """Return colors at depths (number, 4), shape (number, 4, places, 3), and whether they are seen."""
        return self.view.at(*self._places(depth, aside))

    def ranks(self, depth: Integers) -> Ranks:
        """Return the rank of what was painted last at depths (number, 4), shape (number, 4, places)."""
        return self.view.last_at(*self._places(depth))

    def _places(self, depth: Integers, aside: int = 0) -> tuple[Integers, Integers]:
        left, top, right, bottom = self.edges.T
        rows, columns = self.along + aside, self.along + aside
        rows[:, 0] = (top + depth[:, 0])[:, None]
        columns[:, 1] = (right - 1 - depth[:, 1])[:, None]
        rows[:, 2] = (bottom - 1 - depth[:, 2])[:, None]
        columns[:, 3] = (left + depth[:, 3])[:, None]
        return rows, columns


def _shares(found: Mask, seen: Mask) -> NDArray[np.float64]:
    """Return the share of places that show something, 0 where hardly any is on the page."""
    number = seen.sum(axis=-1)
    return np.where(number >= _FEW, found.sum(axis=-1) / np.maximum(number, 1), 0.0)


def _lines(sides: Sides, inner: Integers, outer: Integers, beside: Sequence[Levels]) -> tuple[Mask, Levels]:
    """Return which places show a line that differs from both of its sides, and its color."""
    best, line = np.full(beside[0].shape[:3], _LINE, dtype=np.int16), np.zeros_like(beside[0])
    for has, middle in ((inner > 0, (inner - 1) // 2), (outer > 0, -1 - (outer - 1) // 2)):
        rows = np.flatnonzero(has.any(axis=1))
        part = sides.only(rows)
        # Also beside the middle, so that dots are found too.
        for deeper, aside in ((0, 0), (0, 1), (1, 0), (-1, 0)):
            shade, is_in = part.at(middle[rows] + deeper, aside)
            least = np.minimum(*(difference(shade, colors[rows]) for colors in beside))
            is_better = is_in & has[rows][..., None] & (least > best[rows])
            best[rows] = np.where(is_better, least, best[rows])
            line[rows] = np.where(is_better[..., None], shade, line[rows])
    return best > _LINE, line


def _shows_content(sides: Sides, depth: Integers, candidates: Candidates, ranks: Integers) -> Mask:
    """Return which places at a depth show a box's own content: what is in it, or is one control with it."""
    painted = np.full(ranks.max(initial=0) + 2, -1)
    painted[ranks] = np.arange(len(ranks))
    over = painted[sides.ranks(depth)]  # The last one, -1, where nothing is painted
    own = np.arange(len(ranks))[:, None, None]
    first = candidates.spans[over, 0]
    is_within = (candidates.spans[own, 0] <= first) & (first < candidates.spans[own, 1])
    abouts = np.array([id(about) for about in candidates.abouts])
    found: Mask = (over >= 0) & (over != own) & (is_within | (abouts[over] == abouts[own]))
    return found


def _seen_edges(sides: Sides, shows: Mask, seen: Mask, edges: Integers) -> Integers:
    """Return where boxes covered at one end become visible: where the sides along them begin to show."""
    cut = edges.copy()
    shares = np.where(seen.sum(axis=-1) >= _FEW, _shares(shows, seen), 1.0)
    for side, neighbours in ((0, (1, 3)), (1, (0, 2)), (2, (1, 3)), (3, (0, 2))):
        is_forward = side in (0, 3)
        along: Mask = np.logical_or(shows[:, neighbours[0]], shows[:, neighbours[1]])
        along = along if is_forward else along[:, ::-1]
        first = along.argmax(axis=1)
        is_covered = (shares[:, side] < _COVERED) & (first > 0) & (along.mean(axis=1) >= SHOWN)
        for at in np.flatnonzero(is_covered).tolist():
            places = sides.along[at, neighbours[0]]
            places = places if is_forward else places[::-1]
            cut[at, (1, 2, 3, 0)[side]] = (places[first[at]] + places[first[at] - 1] + 1) // 2
    return cut


def _shadows(sides: Sides, blurs: NDArray[np.float64], outer: Integers) -> Mask:
    """Return the boxes towards which the surrounding page grows steadily darker or lighter."""
    found = np.zeros(len(blurs), dtype=bool)
    rows = np.flatnonzero(blurs > 0)
    if not len(rows):
        return found
    part = sides.only(rows)
    reach = np.clip(np.ceil(blurs[rows]) + 1, 3, _FAR)[:, None]
    profile, seen = [], []
    for share in np.arange(6) / 5:
        colors, is_seen = part.at(-outer[rows] - 1 - np.floor(reach * share).astype(np.int64))
        profile.append(colors.sum(axis=-1))
        seen.append(is_seen)
    for last in (3, 6):
        levels, is_seen = np.stack(profile[:last]), np.logical_and.reduce(seen[:last])
        changes = np.diff(levels, axis=0)
        total = np.abs(levels[-1] - levels[0])
        is_one_way = (changes >= -_SHADOW).all(axis=0) | (changes <= _SHADOW).all(axis=0)
        is_soft = np.abs(changes).max(axis=0) <= np.maximum(0.8 * total, 9)
        shares = _shares(is_seen & is_one_way & is_soft & (total > 3 * _SHADOW), is_seen)
        found[rows] |= (shares >= SHOWN).any(axis=1)
    return found


def _fills(
    view: View, candidates: Candidates, edges: Integers, ranks: Integers, is_box: Mask
) -> tuple[Integers, Mask, list[list[Color]]]:
    """Return each box's own main color, whether it is plain, and both colors of gradients."""
    inner = np.ceil(candidates.inner).astype(np.int64)
    low = np.minimum(edges[:, :2] + inner[:, [3, 0]], edges[:, 2:] - 1)
    high = np.maximum(edges[:, 2:] - inner[:, [1, 2]], low + 1)
    share = (np.arange(_GRID) + 0.5) / _GRID
    columns, rows = (
        low[:, at, None] + np.floor((high - low)[:, at, None] * share).astype(np.int64) for at in (0, 1)
    )
    shape = (len(edges), _GRID, _GRID)
    colors, seen = view.at(np.broadcast_to(rows[:, :, None], shape), np.broadcast_to(columns[:, None], shape))
    colors, seen = colors.reshape(len(edges), -1, 3), seen.reshape(len(edges), -1)
    own = view.is_own(rows[:, :, None], columns[:, None], ranks[:, None, None])
    seen &= own.reshape(len(edges), -1)
    # Outside round corners lies something else, a large part of a small badge without its text.
    radius = np.minimum(candidates.radii, (high - low).min(axis=1) / 2)[:, None]
    aside, above = (
        np.maximum(np.maximum(low[:, [at]] + radius - places, places - high[:, [at]] + radius), 0.0)
        for at, places in ((0, columns + 0.5), (1, rows + 0.5))
    )
    is_in = above[:, :, None] ** 2 + aside[:, None] ** 2 <= radius[..., None] ** 2
    is_inside = seen & is_in.reshape(len(edges), -1)
    fill, _ = most_common_colors(colors, np.where(is_inside.any(axis=1, keepdims=True), is_inside, seen))
    is_alike = np.all((difference(colors, fill[:, None]) <= INK) | ~seen, axis=1)
    is_plain: Mask = is_alike & seen.any(axis=1)
    fills: list[list[Color]] = [[]] * len(edges)
    is_large = (high - low).min(axis=1) >= _SMALLEST_GRADIENT
    is_large &= seen.sum(axis=1) >= _FEW_OF_GRADIENT
    for at in np.flatnonzero(is_box & ~is_plain & is_large).tolist():
        if ends := gradient_ends(colors[at], seen[at]):
            fills[at] = ends
            fill[at] = np.floor(colors[at][seen[at]].mean(axis=0) + 0.5)
    return fill, is_plain, fills
