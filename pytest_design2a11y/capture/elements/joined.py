"""Join what a person sees as one element: several in the same place, and lines that continue each other."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from pytest_design2a11y.capture.elements.view import SAME_PLACE
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color

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
