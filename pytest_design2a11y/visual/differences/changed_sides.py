"""Columns that changed sides: what stood at the left of the other stands at its right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytest_design2a11y.models.geometry import Box, area, box_around, is_inside
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared, claim, screen_height
from pytest_design2a11y.visual.differences.joining import Joint
from pytest_design2a11y.visual.scene.places import Details, in_pixels, pixels, widened

#: Least share of the page's width by which what is in them moved, and of a screen that each takes up.
_FAR, _LEAST = 0.1, 0.05
#: Share of the shorter column beside the other, and of the things in their place that are theirs.
_BESIDE, _THEIRS = 0.5, 0.9
#: px; columns overlap by no more, and what is in one moved as far.
_OFF, _SAME = 4.0, 12.0

_Pair = tuple[Box, Box]


def changed_sides(compared: Compared, found: Sequence[Difference]) -> Joint | None:
    """Return the cause if two columns stand in each other's place, with all that moved with them."""
    things = [(design.box, made.box) for design, made in compared.pairs]
    things += [(design.box, made.box) for design, made in compared.texts.pairs]
    across = [_middle(made) - _middle(design) for design, made in things]
    far = _FAR * compared.reference.page_size[0]
    columns = []
    for way in (1, -1):
        there = [at for at, shift in enumerate(across) if way * shift >= far]
        if not there:
            return None
        columns.append(_alike([things[at] for at in there], [across[at] for at in there]))
    hulls = [[box_around([pair[side] for pair in column]) for side in (0, 1)] for column in columns]
    (left, left_after), (right, right_after) = hulls
    screen = compared.reference.page_size[0] * screen_height(compared.reference)
    if (
        min(area(hull) for pair in hulls for hull in pair) < _LEAST * screen
        or left[0] + left[2] > right[0] + _OFF
        or right_after[0] + right_after[2] > left_after[0] + _OFF
        or min(_beside(left, right), _beside(left_after, right_after)) < _BESIDE
        or any(
            _share_of(column, things, hull[0]) < _THEIRS for column, hull in zip(columns, hulls, strict=True)
        )
    ):
        return None
    theirs = {in_pixels(*pair) for column in columns for pair in column}
    moved = (change for change in found if change.kind == "moved" and change.what != "page")
    members = [change for change in moved if in_pixels(*change.boxes) in theirs]
    facts = [_facts(compared, pair) for pair in hulls]
    wanted, own = ({**facts[0][side], "other": facts[1][side]} for side in (0, 1))
    return claim("exchanged", "panel", "sides", None, None, wanted, own, members), members


def _middle(box: Box) -> float:
    return box[0] + box[2] / 2


def _alike(pairs: Sequence[_Pair], shifts: Sequence[float]) -> list[_Pair]:
    """Return the pairs that moved as far as most of their area."""
    order = np.argsort(shifts)
    areas = np.array([area(pairs[at][0]) for at in order])
    middle = shifts[order[int(np.searchsorted(np.cumsum(areas), areas.sum() / 2))]]
    return [pair for pair, shift in zip(pairs, shifts, strict=True) if abs(shift - middle) <= _SAME]


def _beside(first: Box, second: Box) -> float:
    """Return the share of the shorter of two boxes that is beside the other."""
    common = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    return common / max(min(first[3], second[3]), 1.0)


def _share_of(column: Sequence[_Pair], things: Sequence[_Pair], hull: Box) -> float:
    """Return how much of what is in the place of a column belongs to it."""
    there = [pair for pair in things if is_inside(pair[0], widened(hull, 1))]
    return len(column) / max(len(there), 1)


def _facts(compared: Compared, hulls: Sequence[Box]) -> tuple[Details, Details]:
    """Return the place of a column on each page, and its first words."""
    held = [design for design, _ in compared.texts.pairs if is_inside(design.box, hulls[0])]
    words = {"text": min(held, key=lambda unit: unit.box[1]).text} if held else {}
    first, second = ({"box": pixels(hull), **words} for hull in hulls)
    return first, second
