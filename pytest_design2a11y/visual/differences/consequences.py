"""What follows from another difference in the same place is not reported beside it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from pytest_design2a11y.models.geometry import area, clipped, is_inside
from pytest_design2a11y.models.thing_words import marks_of
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.texts import LEAST_CONTRAST
from pytest_design2a11y.visual.scene.places import LEAST_SHIFT, SAME_EDGE, widened

_MARKS = ("has_fill", "has_border", "has_shadow")
#: Apparent changes to what a group holds that has another opacity.
_OF_FADED = {"unreadable", "recolored", "restyled"}
#: A text with less contrast cannot be read at all.
_LEAST_SEEN = 1.5
#: Apparent changes to the text of a field with another value.
_OF_VALUES = {"missing", "extra", "reworded", "figure", "recolored"}


def without_consequences(differences: Iterable[Difference]) -> list[Difference]:
    """Return the differences, without consequences of others.

    A text has less contrast because of its button's new fill; a translucent control has other colors because
    of another picture; a text that something covers is not missing; an outline covers the borders beside it.
    """
    differences = _selected([*differences])
    refilled = [change for change in differences if change.kind == "recolored" and change.property == "fill"]
    pictures = [
        one for one in differences if one.property == "picture" and one.kind in {"recolored", "blank"}
    ]
    parts = (part for difference in differences for part in (difference, *difference.members))
    hidden = [part for part in parts if part.kind in {"covered", "overflowing"}]
    hidden += [text for text in differences if text.kind == "unreadable" and text.reference is None]
    inked = [text for text in differences if text.kind == "recolored" and text.what == "text"]
    inked = [text for text in inked if text.made.get("contrast", LEAST_CONTRAST) < LEAST_CONTRAST]
    inked += [text for text in differences if text.kind == "unreadable" and text.reference is not None]
    cut = [text for text in differences if text.property == "cut" and text.reference is not None]
    faded = [group for group in differences if group.property == "opacity"]
    values = [one for one in differences if one.kind == "state" and one.property in {"value", "placeholder"}]
    rings = [one for one in differences if one.property == "ring"]
    lost = [one for one in differences if (one.what, one.kind, one.property) == ("control", "missing", None)]
    kept = []
    for difference in differences:
        what, kind, is_new = difference.what, difference.kind, difference.reference is None
        is_other = kind == "restyled" or (kind, difference.property) == ("recolored", "fill")
        is_less_readable = kind == "unreadable" and not is_new
        is_less_readable &= difference.made.get("contrast", _LEAST_SEEN) >= _LEAST_SEEN
        is_caused = (
            (is_less_readable and _lies_in(difference, [*refilled, *pictures]))
            or (kind == "unreadable" and is_new and _is_same_text(difference, inked))
            or (kind in _OF_FADED and _lies_in(difference, faded))
            or (what == "control" and is_other and _lies_in(difference, pictures))
            or (what == "text" and kind in {"missing", "reworded"} and _is_same_text(difference, hidden))
            or (difference.property == "cut" and is_new and _is_same_text(difference, cut))
            or (what == "text" and kind == "missing" and _is_same_text(difference, lost))
            or (what == "text" and kind in _OF_VALUES and _lies_in(difference, values))
            or (difference.property == "border" and _adjoins(difference, rings))
        )
        if not is_caused and (own := _without_known_fill(difference, refilled)):
            kept.append(own)
    missing = [text for text in differences if text.what == "text" and text.kind == "missing"]
    return [_with_texts(item, missing, lost) if item in lost else item for item in kept]


def _without_known_fill(difference: Difference, refilled: Sequence[Difference]) -> Difference | None:
    """Return a thing with new marks without a fill that is told elsewhere; None if no mark is left.

    As that of a larger thing around it, such as a cell's row, or of parts that take most of it.
    """
    made = difference.made
    if difference.property != "marks" or difference.design.get("has_fill") or not made.get("has_fill"):
        return difference
    alike = [one for one in refilled if one.made.get("fill") == made.get("fill")]
    parts = [one.boxes[1] for one in alike if _lies_in(one, [difference])]
    if not _lies_in(difference, alike) and 2 * sum(map(area, parts)) <= area(difference.boxes[1]):
        return difference
    bare = replace(difference, candidate={**made, "has_fill": False})
    old, new = marks_of(difference.design), marks_of(bare.made)
    return None if old == new else replace(bare, actual=bare.actual and ", ".join(new))


def _with_texts(control: Difference, missing: Sequence[Difference], lost: Sequence[Difference]) -> Difference:
    """Return a missing control with the missing texts in it, unless they are in a smaller one."""
    smaller = [other for other in lost if _lies_in(other, [control])]
    own = [text for text in missing if _is_same_text(text, [control])]
    texts = [text.reference for text in own if not any(_is_same_text(text, [other]) for other in smaller)]
    return replace(control, reference={**control.design, "texts": texts}) if texts else control


def _selected(differences: list[Difference]) -> list[Difference]:
    """Return the differences; if one of similar controls lost what another gained, it is a changed state."""
    controls = [(at, one) for at, one in enumerate(differences) if one.what == "control"]
    lost = [(at, one) for at, one in controls if one.kind == "missing" and one.property == "box"]
    marked = [(at, one) for at, one in controls if one.kind == "restyled" and one.property == "marks"]
    gained = [(at, bare) for at, bare in marked if not any(bare.design.get(mark) for mark in _MARKS)]
    selected = [*differences]
    for (at, old), (other, new) in product(lost, gained):
        # They are in one row or column, and have similar sizes across it.
        apart = [abs(a - b) for a, b in zip(old.boxes[0], new.boxes[1], strict=True)]
        is_one_tag = old.design.get("tag") == new.design.get("tag")
        if min(max(apart[::2]), max(apart[1::2])) <= LEAST_SHIFT and is_one_tag:
            bare = {**old.design, **dict.fromkeys(_MARKS, False)}
            state = replace(old, kind="state", property="current", expected="current", actual="not current")
            selected[at] = replace(state, candidate=bare)
            selected[other] = replace(
                new, kind="state", property="current", expected="not current", actual="current"
            )
    return selected


def _lies_in(difference: Difference, others: Sequence[Difference]) -> bool:
    side = int(difference.reference is None)
    box = difference.boxes[side]
    return any(
        is_inside(box, other.boxes[side]) and area(other.boxes[side]) > area(box)
        for other in others
        if other is not difference
    )


def _adjoins(difference: Difference, others: Sequence[Difference]) -> bool:
    for box, *boxes in zip(difference.boxes, *(other.boxes for other in others), strict=True):
        beside = (other for other in boxes if clipped(widened(box, SAME_EDGE), other))
        if any(not is_inside(box, other) and not is_inside(other, box) for other in beside):
            return True
    return False


def _is_same_text(difference: Difference, others: Sequence[Difference]) -> bool:
    page = int(difference.reference is None)
    own = "".join(str(difference.facts.get("text", "")).lower().split())
    for other in others:
        side = other.candidate or other.design
        text = "".join(str(side.get("text") or side.get("label") or "").lower().split())
        is_here = other.candidate is not None or is_inside(difference.boxes[page], other.boxes[page])
        if text and is_here and (text in own or own in text):
            return True
    return False
