"""What lies where: what was painted last at each pixel, elements in one place, and lines that go on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.elements.view import SAME_PLACE, Integers, Mask, Ranks
from pytest_design2a11y.capture.text.candidates import GROUND, Candidates
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color, clipped

# From so much on, nothing is seen through what is painted.
_OPAQUE = 0.9
# px; shares of boxes are counted in cells.
_CELL = 4
# Places across and down a box.
_GRID = 14


def painted_ranks(candidates: Candidates) -> Integers:
    """Return when each candidate is painted, from 0 without gaps; frames are painted over the page."""
    _, ranks = np.unique(
        candidates.worlds * (1 + candidates.ranks.max(initial=0)) + candidates.ranks, return_inverse=True
    )
    return ranks.astype(np.int64).reshape(-1)


def last_ranks(
    candidates: Candidates, edges: Integers, ranks: Integers, shape: tuple[int, ...]
) -> tuple[Ranks, Mask]:
    """Return the rank of what was painted last at each pixel, -1 where nothing was, shape (height, width).

    And which candidates have a picture right behind them that is seen through them, shape (number,).
    """
    last = np.full(shape, -1, dtype=np.int16)
    on_picture = np.zeros(len(edges), dtype=bool)
    behind = np.zeros(len(edges) + 1, dtype=bool)
    grounds, worlds = candidates.grounds.tolist(), candidates.worlds.tolist()
    is_picture, is_through = candidates.looks <= GROUND, candidates.tints[:, 3] < _OPAQUE
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
    """Which opaque candidate was painted last in each cell of a page; frames neither cover nor are covered.

    Attributes:
        last: Its index, -1 where none was, shape (rows, columns).
        candidates: All of them.
        edges: Left, top, right, bottom of each, px, shape (number, 4).
        shape: Height and width of the page, px.
    """

    last: NDArray[np.int16]
    candidates: Candidates
    edges: Integers
    shape: tuple[int, ...]

    def over(self, edges: Integers, ranks: Integers, spans: Integers) -> tuple[NDArray[np.float64], Integers]:
        """Return the share of each box that lies under what is not in it, 0..1, and what covers it most.

        Args:
            edges: Left, top, right, bottom of each, px, shape (number, 4).
            ranks: When each is painted, shape (number,).
            spans: First of its elements, and the one after the last, shape (number, 2).

        Returns:
            Both of shape (number,); the candidate is -1 where nothing covers a box.
        """
        if not len(self.edges):
            return np.zeros(len(edges)), np.full(len(edges), -1)
        places = (np.arange(_GRID) + 0.5) / _GRID
        columns, rows = (
            np.clip(edges[:, [at]] + (edges[:, [at + 2]] - edges[:, [at]]) * places, 0, limit - 1).astype(
                np.int64
            )
            // _CELL
            for at, limit in ((0, self.shape[1]), (1, self.shape[0]))
        )
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
    """Find which opaque candidate was painted last where."""
    last = np.full((-(-shape[0] // _CELL), -(-shape[1] // _CELL)), -1, dtype=np.int16)
    is_lid = (candidates.grounds >= _OPAQUE) & (candidates.worlds == 0)
    order = np.argsort(candidates.ranks, kind="stable")
    for at in order[is_lid[order]].tolist():
        left, top, right, bottom = (max(-(-edge // _CELL), 0) for edge in edges[at].tolist())
        last[top:bottom, left:right] = at
    return Lids(last, candidates, edges, shape)


# Of an element, more than that lies in a mask: it does not count.
_MASKED = 0.5
# px; places are looked up in cells.
_PLACE = 16


_ORDER = ("picture", "icon", "box", "line")
# fmt: off
_TELLING = (
    "button", "input", "select", "textarea", "a", "summary", "table", "nav", "header", "footer", "form",
)
# fmt: on


def distinct(found: Iterable[Element]) -> list[Element]:
    """Take elements in the same place for one: a picture before a box before a line."""
    kept: list[Element] = []
    places: dict[tuple[float, ...], list[int]] = {}
    for element in found:
        x, y, width, height = element.box
        corners = (x, y, x + width, y + height)
        near = product(
            *({(corner - SAME_PLACE) // _PLACE, (corner + SAME_PLACE) // _PLACE} for corner in corners)
        )
        same = sorted(at for cell in near for at in places.get(cell, ()) if _is_same(kept[at].box, corners))
        if same:
            kept[same[0]] = _merged(kept[same[0]], element)
            continue
        places.setdefault(tuple(corner // _PLACE for corner in corners), []).append(len(kept))
        kept.append(element)
    return kept


def _is_same(box: Box, corners: Sequence[float]) -> bool:
    x, y, width, height = box
    return all(
        abs(one - other) <= SAME_PLACE
        for one, other in zip((x, y, x + width, y + height), corners, strict=True)
    )


def _merged(first: Element, second: Element) -> Element:
    kept = min(first, second, key=lambda one: (_ORDER.index(one.kind), not one.is_fill_seen))
    other = second if kept is first else first
    tags = sorted((first.tag, second.tag), key=lambda tag: tag.partition("[")[0] not in _TELLING)
    return replace(
        kept,
        tag=kept.tag if kept.kind == "picture" else tags[0],
        has_fill=first.has_fill or second.has_fill,
        has_border=first.has_border or second.has_border,
        has_shadow=first.has_shadow or second.has_shadow,
        label=kept.label or other.label,
        role=kept.role or other.role,
        states=tuple(sorted({*first.states, *second.states})),
        value=kept.value or other.value,
        placeholder=kept.placeholder or other.placeholder,
    )


def joined_lines(elements: Iterable[Element]) -> list[Element]:
    """Take lines that go on where another ends for one, as under the cells of a table."""
    joined: list[Element] = []
    ends: dict[tuple[bool, float, float, Color], int] = {}
    for element in elements:
        if element.kind != "line":
            joined.append(element)
            continue
        x, y, width, height = element.box
        is_flat = width >= height
        key = (is_flat, y if is_flat else x, height if is_flat else width, element.fill)
        at = ends.get(key)
        start, end = (x, x + width) if is_flat else (y, y + height)
        if at is not None:
            left, top, wide, high = joined[at].box
            last_start, last_end = (left, left + wide) if is_flat else (top, top + high)
            if start - last_end <= SAME_PLACE and last_start - end <= SAME_PLACE:
                low, far = min(start, last_start), max(end, last_end)
                box = (low, y, far - low, height) if is_flat else (x, low, width, far - low)
                joined[at] = replace(joined[at], box=box)
                continue
        ends[key] = len(joined)
        joined.append(element)
    return joined


def is_masked(box: Box, masks: Sequence[Box]) -> bool:
    """Return whether most of a box lies in a mask."""
    parts = (clipped(box, mask) for mask in masks)
    return any(part is not None and part[2] * part[3] > _MASKED * box[2] * box[3] for part in parts)
