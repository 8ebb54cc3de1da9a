"""Things of which each has what the other had: a color, a mark, a state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.geometry import area, color_of_hex, is_inside
from pytest_design2a11y.models.thing_words import marks_of
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.joining import Exchange, Joint, exchange_of
from pytest_design2a11y.visual.differences.texts import LEAST_COLOR
from pytest_design2a11y.visual.scene.places import least_shift

#: Changes of look that two things may have exchanged, by kind and property.
_LOOKS = {
    ("recolored", "fill"): "color",
    ("recolored", "color"): "color",
    ("restyled", "marks"): "look",
    ("restyled", "border"): "border",
    ("font", "weight"): "look",
    ("font", "style"): "look",
    ("font", "font_size"): "look",
}
#: What follows from another look: how easy its words are to read.
_OF_LOOK = {"unreadable", "recolored"}
#: px; things in one row or column begin, end or are centred at most this far from each other.
IN_LINE = 4.0


def exchanged_looks(found: Sequence[Difference]) -> Iterator[Joint]:
    """Yield things of one kind of which each has what the other had: a color, a mark, a state."""
    known: dict[object, list[Difference]] = {}
    exchanged: list[Exchange] = []
    for change in found:
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
        fits = (group for group in groups if _belongs(pair, group[0]))
        group = next(fits, None)
        if group is None:
            groups.append([pair])
        else:
            group.append(pair if is_inside(pair[0].boxes[0], group[0][0].boxes[0]) else pair[::-1])
    for group in groups:
        group.sort(key=lambda pair: pair[0].kind != "state")
        kinds = {_LOOKS.get((pair[0].kind, pair[0].property or ""), "state") for pair in group}
        kinds -= {"border"} if "color" in kinds else set()
        property = "state" if "state" in kinds else kinds.pop() if len(kinds) == 1 else "look"
        parts = [part for pair in group for part in pair]
        own = {id(part) for part in parts}
        boxes = [part.boxes[0] for part in group[0]]
        others = [
            one
            for one in found
            if one.kind in _OF_LOOK
            and id(one) not in own
            and any(is_inside(one.boxes[0], box) for box in boxes)
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
    """Return whether two things have about the same height, or stand in one column."""
    heights = sorted((first.boxes[0][3], second.boxes[0][3]))
    is_column = abs(least_shift(first.boxes[0], second.boxes[0])[0]) <= IN_LINE
    if first.property == "marks" and not (_shows(first, second) and _shows(second, first)):
        return False
    return heights[1] - heights[0] <= max(IN_LINE, heights[1] / 4) or (
        is_column and heights[1] <= 2 * heights[0]
    )


def _shows(first: Difference, second: Difference) -> bool:
    """Return whether the page shows the first thing in the color in which the design shows the second."""
    made, design = (color_of_hex(str(side.get("fill"))) for side in (first.made, second.design))
    return made is None or design is None or color_difference(made, design) < LEAST_COLOR


def _belongs(pair: Exchange, group: Exchange) -> bool:
    """Return whether an exchange is of things in, or the same as, those of another."""
    for some in (pair, pair[::-1]):
        if all(is_inside(own.boxes[0], other.boxes[0]) for own, other in zip(some, group, strict=True)):
            return True
    return False
