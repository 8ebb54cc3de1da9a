"""What is drawn along the sides of boxes: lines, shadows, and where a covered box begins to show.

Each side is checked in several places: just inside it, just outside it, and on the lines that may lie
between.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.elements.view import Integers, Levels, Mask, Ranks, View, difference
from pytest_design2a11y.capture.text.candidates import Candidates

#: A side shows something if this share of its places does.
SHOWN = 0.5

#: Number of places checked along each side, and where those of a line have several colors; number of hits
#: below which there is no line.
PLACES, MANY_PLACES = 12, 96
FEW = 2
# Levels by which a line, and a clear one, differs from its surroundings, and a shadow from place to place.
_LINE, _CLEAR = 3, 12
_SHADOW = 1
# px; farther out a shadow cannot be distinguished from its surroundings.
_FAR = 12
# If hardly any place shows a side, something may cover it.
_COVERED = 0.25


@dataclass(frozen=True, slots=True)
class Sides:
    """Places along the sides of boxes, at any depth: below 0 is outside."""

    view: View  # The page
    edges: Integers  # Left, top, right, bottom of each box, shape (number, 4)
    along: Integers  # Row or column of each place, shape (number, 4, places)
    halves: Integers  # The greatest depth to check at each side, shape (number, 4)

    @classmethod
    def of(cls, view: View, edges: Integers, radii: NDArray[np.float64], places: int = PLACES) -> "Sides":
        """Return the sides of boxes whose corners have these radii."""
        along = (edges[:, 2:] - edges[:, :2])[:, [0, 1, 0, 1]]
        # Corners are left out, but the middle never is.
        corner = np.minimum(radii[:, None], np.maximum(along / 2 - np.maximum(0.15 * along / 2, 1), 0))
        share = (np.arange(places) + 0.5) / places
        reach = corner[..., None] + (along - 2 * corner)[..., None] * share
        starts = edges[:, [0, 1, 0, 1], None]
        return cls(view, edges, starts + np.floor(reach).astype(np.int64), (along[:, ::-1] - 1) // 2)

    def only(self, rows: Integers) -> "Sides":
        """Return the sides of some of the boxes."""
        return Sides(self.view, self.edges[rows], self.along[rows], self.halves[rows])

    def at(self, depth: Integers, aside: int = 0) -> tuple[Levels, Mask]:
        """Return colors at depths (number, 4), shape (number, 4, places, 3), and whether they are seen."""
        return self.view.at(*self._places(depth, aside))

    def beside(self, inner: Integers, outer: Integers) -> tuple[Levels, Levels, Mask, Mask]:
        """Return the colors just inside and outside of lines, and which of them are seen."""
        inside, is_inside = self.at(np.minimum(inner + 1, self.halves))
        outside, is_outside = self.at(-outer - 2)
        return inside, outside, is_inside, is_outside

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


def shares_of(found: Mask, seen: Mask) -> NDArray[np.float64]:
    """Return the share of places that show something, 0 where hardly any is on the page."""
    number = seen.sum(axis=-1)
    return np.where(number >= FEW, found.sum(axis=-1) / np.maximum(number, 1), 0.0)


def lines_along(
    sides: Sides, inner: Integers, outer: Integers, middle: Integers | None = None
) -> tuple[Mask, Levels]:
    """Return which places show a line that differs from both of its sides, and its color.

    Its middle is at a depth that is given, or is that of a line along the box, within or around it.
    """
    along = ((inner > 0, (inner - 1) // 2), (outer > 0, -1 - (outer - 1) // 2))
    inside, outside, is_inside, is_outside = sides.beside(inner, outer)
    # Beyond the page there is no color that a line could resemble.
    beside = (inside, np.where((is_inside & is_outside)[..., None], outside, -99))
    best, line = np.full(inside.shape[:3], _LINE, dtype=np.int16), np.zeros_like(inside)
    for has, depth in along if middle is None else ((np.ones_like(inner, dtype=bool), middle),):
        rows = np.flatnonzero(has.any(axis=1))
        part, least = sides.only(rows), best[rows]
        # Beside the middle only where it is not clear: dots are found there, but also letters over a line.
        for deeper, aside in ((0, 0), (0, 1), (1, 0), (-1, 0)):
            shade, is_in = part.at(depth[rows] + deeper, aside)
            apart = np.minimum(*(difference(shade, colors[rows]) for colors in beside))
            is_open = best[rows] <= np.maximum(least, _CLEAR)
            is_better = is_in & has[rows][..., None] & is_open & (apart > best[rows])
            best[rows] = np.where(is_better, apart, best[rows])
            line[rows] = np.where(is_better[..., None], shade, line[rows])
    return best > _LINE, line


def shows_content(sides: Sides, depth: Integers, candidates: Candidates, ranks: Integers) -> Mask:
    """Return which places at a depth show a box's own content: what is in it, or is one control with it."""
    painted = np.full(ranks.max(initial=0) + 2, -1)
    painted[ranks] = np.arange(len(ranks))
    over = painted[sides.ranks(depth)]  # The last one, -1, where nothing is painted
    own = np.arange(len(ranks))[:, None, None]
    first = candidates.spans[over, 0]
    is_within = (candidates.spans[own, 0] <= first) & (first < candidates.spans[own, 1])
    is_one_control = candidates.controls[over] == candidates.controls[own]
    content: Mask = (over >= 0) & (over != own) & (is_within | is_one_control)
    return content


def seen_edges(sides: Sides, shows: Mask, seen: Mask, edges: Integers) -> Integers:
    """Return where boxes covered at one end become visible: where the sides along them begin to show."""
    cut = edges.copy()
    shares = np.where(seen.sum(axis=-1) >= FEW, shares_of(shows, seen), 1.0)
    for side, neighbors in ((0, (1, 3)), (1, (0, 2)), (2, (1, 3)), (3, (0, 2))):
        step = 1 if side in (0, 3) else -1
        along: Mask = np.logical_or(shows[:, neighbors[0]], shows[:, neighbors[1]])
        first = along[:, ::step].argmax(axis=1)
        is_covered = (shares[:, side] < _COVERED) & (first > 0) & (along.mean(axis=1) >= SHOWN)
        for at in np.flatnonzero(is_covered).tolist():
            places = sides.along[at, neighbors[0], ::step]
            cut[at, (1, 2, 3, 0)[side]] = (places[first[at]] + places[first[at] - 1] + 1) // 2
    return cut


def has_shadows(sides: Sides, blurs: NDArray[np.float64], outer: Integers) -> Mask:
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
        shares = shares_of(is_seen & is_one_way & is_soft & (total > 3 * _SHADOW), is_seen)
        found[rows] |= (shares >= SHOWN).any(axis=1)
    return found
