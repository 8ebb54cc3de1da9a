"""Things of which each has what the other had: a color, a mark, a state; columns, a side of the page."""

from collections.abc import Iterator, Sequence

import numpy as np

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.geometry import Box, area, box_around, color_of_hex, is_inside
from pytest_design2a11y.models.thing_words import marks_of
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared, claim, screen_height
from pytest_design2a11y.visual.differences.joining import Exchange, Joint, except_for, exchange_of
from pytest_design2a11y.visual.differences.texts import LEAST_COLOR
from pytest_design2a11y.visual.scene.places import (
    LEAST_SHIFT,
    Details,
    in_pixels,
    least_shift,
    pixels,
    widened,
)

#: Changes of look that two things may have exchanged, by kind and property.
_LOOKS = {
    ("recolored", "fill"): "color",
    ("recolored", "color"): "color",
    ("restyled", "marks"): "look",
    ("restyled", "border"): "border",
    ("restyled", "ring"): "outline",
    ("font", "weight"): "look",
    ("font", "style"): "look",
    ("font", "font_size"): "look",
}
#: What follows from another look: how easy its words are to read.
_OF_LOOK = {"unreadable", "recolored"}


def exchanged_looks(differences: Sequence[Difference]) -> Iterator[Joint]:
    """Yield things of one kind of which each has what the other had: a color, a mark, a state."""
    known: dict[object, list[Difference]] = {}
    exchanged: list[Exchange] = []
    for change in differences:
        if (key := _key(change)) is None:
            continue
        kind, values = key
        waiting = known.get((kind, values[::-1]), [])
        other = next((one for one in waiting if _are_alike(one, change)), None)
        if other is None:
            known.setdefault((kind, values), []).append(change)
        else:
            waiting.remove(other)
            exchanged.append((other, change))
    exchanged.sort(key=lambda pair: -area(pair[0].boxes[0]))
    groups: list[list[Exchange]] = []
    for pair in exchanged:
        group = next((group for group in groups if _belongs(pair, group[0])), [])
        if not group:
            groups.append(group)
        is_first = not group or is_inside(pair[0].boxes[0], group[0][0].boxes[0])
        group.append(pair if is_first else pair[::-1])
    for group in groups:
        group.sort(key=lambda pair: pair[0].kind != "state")
        kinds = {_LOOKS.get((pair[0].kind, pair[0].property or ""), "state") for pair in group}
        kinds -= {"border"} if "color" in kinds else set()
        property = "state" if "state" in kinds else kinds.pop() if len(kinds) == 1 else "look"
        parts = [part for pair in group for part in pair]
        boxes = [part.boxes[0] for part in group[0]]
        others = [
            one
            for one in except_for(differences, parts)
            if one.kind in _OF_LOOK and any(is_inside(one.boxes[0], box) for box in boxes)
        ]
        yield exchange_of(property, group, others), [*parts, *others]


def _key(change: Difference) -> tuple[tuple[object, ...], tuple[object, object]] | None:
    """Return what kind of look changed, of what kind of thing, with the old value and the new one."""
    if change.members or change.reference is None or change.candidate is None:
        return None
    side = change.reference
    thing = change.kind, change.property, change.what, side.get("name")
    if change.kind == "state" and change.property not in {"value", "placeholder"}:
        return thing, (change.expected == change.property, change.actual == change.property)
    if (change.kind, change.property or "") not in _LOOKS:
        return None
    if change.property == "border" and None in (change.expected, change.actual):
        return None  # It lies at another side
    if change.property == "marks":
        old, new = ({*marks_of(side)} for side in (change.reference, change.candidate))
        return thing, (frozenset(old - new), frozenset(new - old))
    return thing, (change.expected, change.actual)


def _are_alike(first: Difference, second: Difference) -> bool:
    """Return whether two things have about the same height, or stand in one column.

    Texts and lines around boxes also in one row.
    """
    heights = sorted((first.boxes[0][3], second.boxes[0][3]))
    across, down = map(abs, least_shift(first.boxes[0], second.boxes[0]))
    if first.property == "marks" and not (_shows(first, second) and _shows(second, first)):
        return False
    is_as_high = heights[1] - heights[0] <= max(LEAST_SHIFT, heights[1] / 4)
    is_as_high &= (first.what != "text" and first.property != "border") or down <= heights[0] / 2
    return is_as_high or (across <= LEAST_SHIFT and heights[1] <= 2 * heights[0])


def _shows(first: Difference, second: Difference) -> bool:
    """Return whether the page shows the first thing in the fill in which the design shows the second."""
    if not (first.made.get("has_fill") or second.design.get("has_fill")):
        return True
    made, design = (color_of_hex(str(side.get("fill"))) for side in (first.made, second.design))
    return made is None or design is None or color_difference(made, design) < LEAST_COLOR


def _belongs(pair: Exchange, group: Exchange) -> bool:
    """Return whether an exchange is of things in, or the same as, those of another."""
    return any(
        all(is_inside(own.boxes[0], other.boxes[0]) for own, other in zip(some, group, strict=True))
        for some in (pair, pair[::-1])
    )


#: Share of the page's width by which what is in them moved at least, of a screen's height by which it rose or
#: sank at most; least share of a screen that each takes up.
_FAR, _LEAST = 0.1, 0.05
#: Share of the shorter column beside the other, and of the things in their place that are theirs.
_BESIDE, _THEIRS = 0.5, 0.9
#: px; columns overlap by no more, and what is in one moved as far.
_OFF, _SAME = 4.0, 12.0

_Pair = tuple[Box, Box]


def changed_sides(compared: Compared, differences: Sequence[Difference]) -> Joint | None:
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
        columns.append(_moved_alike([things[at] for at in there], [across[at] for at in there]))
    hulls = [[box_around([pair[side] for pair in column]) for side in (0, 1)] for column in columns]
    (left, left_after), (right, right_after) = hulls
    high = screen_height(compared.reference)
    if (
        min(area(hull) for pair in hulls for hull in pair) < _LEAST * compared.reference.page_size[0] * high
        # Cards that close a gap wrap: those at one side come to the other, a row higher.
        or max(abs(after[1] - before[1]) for before, after in hulls) > _FAR * high
        or left[0] + left[2] > right[0] + _OFF
        or right_after[0] + right_after[2] > left_after[0] + _OFF
        or min(_share_beside(left, right), _share_beside(left_after, right_after)) < _BESIDE
        or any(
            _share_of(column, things, hull[0]) < _THEIRS for column, hull in zip(columns, hulls, strict=True)
        )
    ):
        return None
    theirs = {in_pixels(*pair) for column in columns for pair in column}
    moved = (change for change in differences if change.kind == "moved" and change.what != "page")
    members = [change for change in moved if in_pixels(*change.boxes) in theirs]
    facts = [_facts(compared, pair) for pair in hulls]
    wanted, own = ({**facts[0][side], "other": facts[1][side]} for side in (0, 1))
    return claim("exchanged", "panel", "sides", None, None, wanted, own, members), members


def _middle(box: Box) -> float:
    return box[0] + box[2] / 2


def _moved_alike(pairs: Sequence[_Pair], shifts: Sequence[float]) -> list[_Pair]:
    """Return the pairs that moved as far as most of their area."""
    order = np.argsort(shifts)
    areas = np.array([area(pairs[at][0]) for at in order])
    middle = shifts[order[int(np.searchsorted(np.cumsum(areas), areas.sum() / 2))]]
    return [pair for pair, shift in zip(pairs, shifts, strict=True) if abs(shift - middle) <= _SAME]


def _share_beside(first: Box, second: Box) -> float:
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
    reference, candidate = ({"box": pixels(hull), **words} for hull in hulls)
    return reference, candidate
