"""Elements in the same place are one, and lines that go on are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from pytest_design2a11y.capture.elements.view import SAME_PLACE
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color, clipped

# Of an element, more than that lies in a mask: it does not count.
_MASKED = 0.5
# px; places are looked up in cells.
_CELL = 16


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
            *({(corner - SAME_PLACE) // _CELL, (corner + SAME_PLACE) // _CELL} for corner in corners)
        )
        same = sorted(at for cell in near for at in places.get(cell, ()) if _is_same(kept[at].box, corners))
        if same:
            kept[same[0]] = _merged(kept[same[0]], element)
            continue
        places.setdefault(tuple(corner // _CELL for corner in corners), []).append(len(kept))
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
