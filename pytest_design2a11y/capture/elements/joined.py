"""Join what a person sees as one element: parts of a control, several in the same place, lines that go on."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from pytest_design2a11y.capture.elements.view import SAME_PLACE
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color, area, is_inside

# px; cell size for finding elements in the same place.
_CELL = 16
# Order in which elements in the same place are kept, and tags that say more than others.
_ORDER = ("picture", "icon", "box", "line")
_TELLING_TAGS = (
    *("button", "input", "select", "textarea", "a", "summary"),
    *("table", "nav", "header", "footer", "form"),
)


def distinct(found: Iterable[Element]) -> list[Element]:
    """Merge elements in the same place, preferring a picture to a box, and a box to a line."""
    kept: list[Element] = []
    by_cell: dict[tuple[float, ...], list[int]] = {}
    for element in found:
        sides = corners(element.box)
        cells = product(*({(edge - SAME_PLACE) // _CELL, (edge + SAME_PLACE) // _CELL} for edge in sides))
        for index in sorted(index for cell in cells for index in by_cell.get(cell, ())):
            edges = zip(corners(kept[index].box), sides, strict=True)
            if all(abs(edge - other) <= SAME_PLACE for edge, other in edges):
                kept[index] = _merged(kept[index], element)
                break
        else:
            by_cell.setdefault(tuple(edge // _CELL for edge in sides), []).append(len(kept))
            kept.append(element)
    return kept


def corners(box: Box) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of a box."""
    x, y, width, height = box
    return x, y, x + width, y + height


def _merged(first: Element, second: Element) -> Element:
    kept = min(first, second, key=lambda element: (_ORDER.index(element.kind), not element.is_fill_seen))
    other = second if kept is first else first
    tags = sorted((first.tag, second.tag), key=lambda tag: tag.partition("[")[0] not in _TELLING_TAGS)
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
        is_part=first.is_part and second.is_part,
        parts=kept.parts or other.parts,
        lines=kept.lines or other.lines,
        ring=kept.ring or other.ring,
        radius=max(first.radius, second.radius),  # One of them clips the other
    )


def joined_lines(elements: Iterable[Element]) -> list[Element]:
    """Join lines that continue each other, as under the cells of a table."""
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


def with_controls(drawn: Iterable[Drawn], controls: Sequence[int]) -> list[Drawn]:
    """Return the elements with the parts of controls marked, and with pills that are switches as such.

    What stands for one control has one number in `controls`: the outermost of it is the control. A pill with
    a knob is a switch, which is checked if the knob is at its right end.
    """
    found = list(drawn)
    outermost: dict[int, Element] = {}
    for at, element in found:
        if element.role in _DRAWN:
            outer = outermost.setdefault(controls[at], element)
            if area(element.box) > area(outer.box):
                outermost[controls[at]] = element
    for place, (at, element) in enumerate(found):
        outer = outermost.get(controls[at], element)
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
