"""What follows from another difference in the same place is not reported beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pytest_design2a11y.models.geometry import Box, area, is_inside
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import box_of

#: By how much a control may seem recolored that lets another picture shine through (CIEDE2000).
_SHINE = 12.0
#: What seems to happen to what something covers; of so many texts at least.
_HIDDEN = {"missing", "reworded", "recolored", "restyled", "resized", "overflowing", "unreadable", "blank"}
_LEAST_HIDDEN = 2
#: Edges of controls in one row or column differ by less (px).
_IN_LINE = 4.0
#: What a text in a field seems to be where the field has another value.
_OF_VALUES = {"missing", "extra", "reworded", "figure", "recolored"}


def without_consequences(found: Iterable[Difference]) -> list[Difference]:
    """Return the differences, those that others bring about as too small to be reported.

    A text is hard to read for the new fill of its button; a control that lets a picture shine through has
    other colours with another picture; a text that something covers is not missing.
    """
    found = _selected(_covering([*found]))
    refilled = [one for one in found if one.kind == "recolored" and one.property == "fill"]
    pictures = [one for one in found if one.kind in {"recolored", "blank"} and one.property == "picture"]
    parts = [part for one in found for part in (one, *one.members)]
    covered = [one for one in parts if one.kind in {"covered", "overflowing"}]
    cut = [one for one in found if one.property == "cut" and one.reference is not None]
    values = [one for one in found if one.kind == "state" and one.property in {"value", "placeholder"}]
    lost = [one for one in found if one.what == "control" and one.kind == "missing" and one.property is None]
    kept = []
    for one in found:
        is_caused = (
            (one.kind == "unreadable" and one.reference is not None and _lies_in(one, [*refilled, *pictures]))
            or (one.what == "control" and one in refilled and _lies_in(one, pictures) and not _is_strong(one))
            or (one.kind == "restyled" and one.what == "control" and _lies_in(one, pictures))
            or (one.what == "text" and one.kind in {"missing", "reworded"} and _is_same_text(one, covered))
            or (one.property == "cut" and one.reference is None and _is_same_text(one, cut))
            or (one.what == "text" and one.kind == "missing" and _is_same_text(one, lost))
            or (one.what == "text" and one.kind in _OF_VALUES and _lies_in(one, values))
        )
        kept.append(replace(one, severity=None) if is_caused else one)
    return [_with_texts(one, found, lost) if one in lost else one for one in kept]


def _with_texts(control: Difference, found: Sequence[Difference], lost: Sequence[Difference]) -> Difference:
    """Return a control that is missing with the missing texts in it, and in no smaller one."""
    texts = [
        one.reference
        for one in found
        if one.what == "text"
        and one.kind == "missing"
        and _is_same_text(one, [control])
        and not any(_is_same_text(one, [other]) and _lies_in(other, [control]) for other in lost)
    ]
    return replace(control, reference={**(control.reference or {}), "texts": texts}) if texts else control


def _selected(found: list[Difference]) -> list[Difference]:
    """Return the differences, where one of like controls lost what another gained, as another one's state."""
    lost = [one for one in found if one.what == "control" and one.kind == "missing" and one.property == "box"]
    gained = [one for one in found if one.what == "control" and _is_gained(one)]
    states: dict[int, Difference] = {}
    for one in lost:
        for other in gained:
            if _are_beside(box_of(one), box_of(other, 1)) and _tag(one) == _tag(other):
                made = {**(one.reference or {}), "has_fill": False, "has_border": False, "has_shadow": False}
                states[id(one)] = replace(
                    one,
                    kind="state",
                    property="current",
                    expected="current",
                    actual="not current",
                    candidate=made,
                )
                states[id(other)] = replace(
                    other, kind="state", property="current", expected="not current", actual="current"
                )
    return [states.get(id(one), one) for one in found]


def _is_gained(one: Difference) -> bool:
    side = one.reference or {}
    is_plain = not any(side.get(f"has_{mark}") for mark in ("fill", "border", "shadow"))
    return one.kind == "restyled" and one.property == "marks" and is_plain


def _are_beside(first: Box, second: Box) -> bool:
    """Return whether boxes stand in one row or column, and are of like size across it."""
    return any(
        abs(first[axis] - second[axis]) <= _IN_LINE and abs(first[axis + 2] - second[axis + 2]) <= _IN_LINE
        for axis in (0, 1)
    )


def _tag(one: Difference) -> object:
    return (one.reference or {}).get("tag")


def _covering(found: list[Difference]) -> list[Difference]:
    """Return the differences, what an extra thing covers, or one that has grown, as part of that."""
    for at, one in enumerate(found):
        is_over = one.kind in {"extra", "resized"} and (one.candidate or {}).get("covers")
        if not is_over or one.property == "cover":
            continue
        before, around = box_of(one), box_of(one, 1)
        hidden = [
            other
            for other in found
            if (other.kind == "covered" and is_inside((other.candidate or {}).get("by_box", before), around))
            or (
                other.reference is not None
                and other.kind in _HIDDEN
                and is_inside(box_of(other), around)
                and not is_inside(box_of(other), before)
            )
        ]
        least = _LEAST_HIDDEN if one.kind == "extra" else 1
        if sum(other.what == "text" and other.kind in {"missing", "covered"} for other in hidden) >= least:
            taken = {id(other) for other in hidden}
            cost = one.cost + sum(other.cost for other in hidden)
            found[at] = replace(one, cost=cost, property="cover", members=(one, *hidden))
            return _covering([other for other in found if id(other) not in taken])
    return found


def _lies_in(one: Difference, others: Sequence[Difference]) -> bool:
    side = int(one.reference is None)
    box = box_of(one, side)
    return any(
        is_inside(box, box_of(other, side)) and area(box_of(other, side)) > area(box)
        for other in others
        if other is not one and other.severity is not None
    )


def _is_same_text(one: Difference, others: Sequence[Difference]) -> bool:
    own = "".join(str((one.reference or {}).get("text", "")).lower().split())
    for other in others:
        side = other.candidate or other.reference or {}
        text = "".join(str(side.get("text") or side.get("label") or "").lower().split())
        is_here = other.candidate is not None or is_inside(box_of(one), box_of(other))
        if text and is_here and (text in own or own in text):
            return True
    return False


def _is_strong(one: Difference) -> bool:
    return float((one.candidate or {}).get("color_difference", 0.0)) >= _SHINE
