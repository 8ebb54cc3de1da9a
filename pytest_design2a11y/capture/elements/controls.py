"""Switches, radio buttons and the like as one thing each, however they are drawn."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import area, is_inside

#: Roles of controls that style sheets draw from several boxes.
_DRAWN = {
    "switch",
    "checkbox",
    "radio",
    "menuitemcheckbox",
    "menuitemradio",
    "slider",
    "progressbar",
    "meter",
}
#: A switch without a role is a pill of such a height (px) and ratio of its sides, with a round knob of such a
#: share of its height, which lies at one of its ends.
_HEIGHTS, _RATIOS, _KNOBS, _END = (12.0, 44.0), (1.4, 2.6), (0.5, 1.0), 0.1
#: Least radius of what is round, as a share of its height.
_ROUND = 0.4

#: An element, and the index of its candidate.
Drawn = tuple[int, Element]


def with_controls(drawn: Iterable[Drawn], abouts: Sequence[Mapping[str, Any]]) -> list[Drawn]:
    """Return the elements with the parts of controls marked, and with pills that are switches as such.

    What stands for one control has one entry of `abouts`: the outermost of it is the control. A pill with a
    knob is a switch, which is checked if the knob is at its right end.
    """
    found = list(drawn)
    outermost: dict[int, Element] = {}
    for at, element in found:
        if element.role in _DRAWN:
            outer = outermost.setdefault(id(abouts[at]), element)
            if area(element.box) > area(outer.box):
                outermost[id(abouts[at])] = element
    for place, (at, element) in enumerate(found):
        outer = outermost.get(id(abouts[at]), element)
        if outer is not element and is_inside(element.box, outer.box):
            found[place] = at, replace(element, is_part=True)
    for place, (at, pill) in enumerate(found):
        if not _is_pill(pill):
            continue
        # What is in a box follows it.
        inside = [
            later
            for later in range(place + 1, min(place + 4, len(found)))
            if is_inside(found[later][1].box, pill.box)
        ]
        if len(inside) == 1 and (end := _end_of(found[inside[0]][1], pill)):
            own, knob = found[inside[0]]
            states = tuple(sorted({*pill.states, *(["checked"] if end > 0 else [])}))
            found[place] = at, replace(pill, role="switch", states=states)
            found[inside[0]] = own, replace(knob, role="switch", states=states, is_part=True)
    return found


def _is_pill(element: Element) -> bool:
    _, _, width, height = element.box
    is_free = element.kind == "box" and element.role in {"", "button"} and not element.is_part
    is_long = _HEIGHTS[0] <= height <= _HEIGHTS[1] and _RATIOS[0] <= width / height <= _RATIOS[1]
    return is_free and is_long and element.radius >= _ROUND * height


def _end_of(knob: Element, pill: Element) -> int:
    """Return at which end of a pill a knob lies: -1 at the left, 1 at the right; 0 if it is none."""
    left, _, width, height = knob.box
    is_round = knob.kind == "box" and abs(width - height) <= 1 and knob.radius >= _ROUND * height
    if not is_round or not _KNOBS[0] <= height / pill.box[3] <= _KNOBS[1]:
        return 0
    off = (left + width / 2 - pill.box[0] - pill.box[2] / 2) / pill.box[2]
    return 0 if abs(off) < _END else 1 if off > 0 else -1
