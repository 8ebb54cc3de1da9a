"""Flaws of elements: missing, extra, painted differently, distorted, covered, in another state."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.colors import lab_from_srgb
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, area, clipped
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.visual.elements import (
    FARTHEST_COLOR,
    SMALL,
    ElementMatching,
    Likeness,
    is_small,
    likeness_of,
    looks_alike,
)
from pytest_design2a11y.visual.flaws.flaw import Flaw
from pytest_design2a11y.visual.structure import blurred, structures_of_pairs, windows_of

#: Pairs less similar than this, apart from colour, are not the same thing: one is missing, the other extra.
LEAST_SAME = 0.3
#: Elements this similar in look elsewhere are the same thing, moved; and the most that are searched.
SAME_LOOK, MOST_SOUGHT = 0.8, 400
#: Loss up to which a change is invisible, and loss from which it is another thing. For boxes, a border or
#: shadow is a nitpick, as is scaling or cropping a picture in a frame of another size; in one of the same
#: size, only the encoding may differ. For icons, which are mostly ground, a smaller loss makes another one;
#: an icon of another size may begin half a pixel off.
SEEN, SEEN_IN_FRAME, SEEN_OF_ICON, SEEN_OF_SAME_ICON = (0.2, 1.0), (0.05, 0.5), (0.25, 0.6), (0.1, 0.3)
#: Grade of another state, such as a tick or a current tab, and of another value that no text shows.
STATE_GRADE = 0.6
#: Prominence of pictures and icons: an icon counts less than a picture, and a picture the more the larger.
ICON, PICTURE, PICTURE_AREA = 0.6, 1.0, 2.0
#: Prominence of boxes, by what makes them stand out; things that people act on count more.
BORDER, SHADOW, LARGE_FILL, SMALL_FILL, CONTROL = 0.3, 0.2, 0.7, 1.0, 0.5
LINE = 0.2
#: px; boxes and pictures whose longer side is shorter count in proportion to it.
TINY = 40.0
#: px; filled boxes with sides up to this are dots: of a legend, of a status. Their colour has the meaning
#: that icons have by their shape.
DOT = 16.0
#: Greatest loss from another colour of a box: it is still there.
RECOLORED = 0.5

_CONTROLS = frozenset(
    ("button", "checkbox", "combobox", "link", "listbox", "menuitem", "radio", "searchbox", "slider")
) | {"spinbutton", "switch", "tab", "textbox"}
_GAUGES = frozenset(("meter", "progressbar", "slider"))
_COLOR_FIELD = "input[type=color]"
# px; frames whose sides differ by less have the same size.
_SAME_SIZE = 2.0
# Two elements are in the same place if they share this much of both.
_SAME_PLACE = 0.7
# Something is the content of an element if this share of it lies on the element.
_WITHIN = 0.9

Table = NDArray[np.float64]


def element_flaws(
    pages: tuple[Capture, Capture], matching: ElementMatching, *, bearing: Container[int] = ()
) -> Iterator[Flaw]:
    """Yield the flaws of single elements, wherever they lie; those `bearing` content are seen completely."""
    first, second = pages[0].elements or (), pages[1].elements or ()
    weights = [_prominences(page) for page in pages]
    lone = [set(range(len(first))), set(range(len(second)))]
    for i, j, likeness in _in_place(pages, matching):
        if likeness.place * likeness.size * likeness.marks * likeness.kind < LEAST_SAME:
            continue
        lone[0].discard(i)
        lone[1].discard(j)
        boxes = first[i].box, second[j].box
        unseen, other = _bounds(first[i], second[j])
        made = replace(second[j], shown=first[i].shown) if j in bearing else second[j]
        loss = (_paint_loss(first[i], made, likeness) - unseen) / (other - unseen)
        if loss > 0:
            yield Flaw("element", max(weights[0][i], weights[1][j]) * min(1.0, loss), boxes, (i, j))
        if _state(first[i]) != _state(second[j]):
            yield Flaw("state", STATE_GRADE, boxes, (i, j))
    _leave_out_moved(pages, lone)
    for i in sorted(lone[0]):
        yield Flaw("element", weights[0][i], (first[i].box, None), (i, None))
    for j in sorted(lone[1]):
        yield Flaw("element", weights[1][j], (None, second[j].box), (None, j))


def covered_by_content(pages: tuple[Capture, Capture], matching: ElementMatching) -> dict[int, int]:
    """Return troubles that are not real, by number, with the numbers of the covered elements.

    What covers the element lies on it in the design, too: there as its content, here as what follows it.
    """
    first, second = pages[0].elements or (), pages[1].elements or ()
    partners = {tuple(map(round, second[j].box)): (i, j) for i, j, _ in matching.pairs}
    found = {}
    for at, trouble in enumerate(pages[1].overlaps):
        under = partners.get(tuple(map(round, trouble.box)))
        over = trouble.by_box and partners.get(tuple(map(round, trouble.by_box)))
        if trouble.kind == "covered" and under and over and under != over:
            lower, upper = first[under[0]].box, first[over[0]].box
            common = clipped(upper, lower)
            if common and area(common) >= _WITHIN * area(upper) and area(upper) < area(lower):
                found[at] = under[1]
    return found


def _state(element: Element) -> tuple[str, ...]:
    """Return the states of an element, and the value that it shows without text."""
    shows_value = element.role in _GAUGES or element.tag == _COLOR_FIELD
    return (*element.states, element.value) if shows_value else element.states


def _bounds(design: Element, made: Element) -> tuple[float, float]:
    """Return the loss up to which two elements look alike, and the loss from which they are different."""
    if design.kind == made.kind == "icon":
        return SEEN_OF_SAME_ICON if design.box[2:] == made.box[2:] else SEEN_OF_ICON
    has_pictures = design.thumbnail is not None and made.thumbnail is not None
    is_same = all(abs(design.box[side] - made.box[side]) < _SAME_SIZE for side in (2, 3))
    return SEEN_IN_FRAME if has_pictures and is_same else SEEN


def _in_place(
    pages: tuple[Capture, Capture], matching: ElementMatching
) -> Iterator[tuple[int, int, Likeness]]:
    """Yield the pairs; for those paired across places, only elements in the same place.

    Two pictures, ticks or badges that were exchanged are two wrong ones, not two that moved.
    """
    first, second = pages[0].elements or (), pages[1].elements or ()
    moved = {i: j for i, j, _ in matching.pairs if _overlap(first[i].box, second[j].box) < _SAME_PLACE}
    columns = sorted(moved.values())
    exchanged: dict[int, int] = {}
    for i in sorted(moved):
        shares = ((_overlap(first[i].box, second[j].box), j) for j in columns if j not in exchanged.values())
        share, j = max(shares, default=(0.0, -1))
        if share >= _SAME_PLACE and first[i].kind == second[j].kind:
            exchanged[i] = j
    # Only if all of them took each other's places: rows of a list that moved by one are not exchanged.
    while odd := {moved[i] for i in exchanged} ^ set(exchanged.values()):
        exchanged = {i: j for i, j in exchanged.items() if j not in odd and moved[i] not in odd}
    taken = set(exchanged.values())
    for i, j, likeness in matching.pairs:
        if i not in exchanged and j not in taken:
            yield i, j, likeness
    if exchanged:
        some, others = np.array([*exchanged.items()], dtype=np.intp).T
        found = likeness_of(pages[0], pages[1], some, others)
        yield from zip(some.tolist(), others.tolist(), found, strict=True)


def _overlap(first: Box, second: Box) -> float:
    """Return the share of the area of two boxes that they have in common, 0..1."""
    width = min(first[0] + first[2], second[0] + second[2]) - max(first[0], second[0])
    height = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    common = max(0.0, width) * max(0.0, height)
    return common / max(area(first) + area(second) - common, 1.0)


def _paint_loss(design: Element, made: Element, likeness: Likeness) -> float:
    """Return how much an element's look differs from the design's, place and size aside, 0..1."""
    if design.thumbnail is None and made.thumbnail is None:
        recolored = 1.0 if _is_dot(design) and _is_dot(made) else RECOLORED
        color = 1.0 - recolored * (1.0 - likeness.color)
        is_low = design.box[3] <= SMALL[1] and made.box[3] <= SMALL[1]
        alike = likeness.kind * color * likeness.marks * (likeness.size if is_low else 1.0)
    else:
        is_known = design.natural_size is not None and made.natural_size is not None
        distortion = _distortion(design) / _distortion(made) if is_known else 1.0
        structure = likeness.structure
        if _bounds(design, made) == SEEN_OF_ICON and design.texture is not None and made.texture is not None:
            # Icons of different sizes are compared without their pixels.
            own, others = blurred(design.texture, design.box[2:]), blurred(made.texture, made.box[2:])
            structure = float(structures_of_pairs(windows_of([own]), windows_of([others]))[0])
        alike = likeness.kind * min(likeness.color, structure) * min(distortion, 1.0 / distortion)
    covered = max(0.0, design.shown - made.shown)
    # Parts that only one of them shows cannot be compared.
    common = min(design.shown, made.shown) / max(design.shown, made.shown)
    return 1.0 - (1.0 - common * (1.0 - alike)) * (1.0 - covered)


def _is_dot(element: Element) -> bool:
    return element.kind == "box" and element.has_fill and max(element.box[2:]) <= DOT


def _distortion(element: Element) -> float:
    """Return how much wider an image is drawn than its file, relative to its height; 1 if undistorted."""
    if element.natural_size is None or element.is_loose_fit or not all(element.natural_size):
        return 1.0
    wide, high = element.natural_size
    return max(element.box[2], 1.0) / max(element.box[3], 1.0) * high / wide


def _prominences(page: Capture) -> list[float]:
    """Return the prominence of each element of a page."""
    elements = page.elements or ()
    whole = page.page_size[0] * page.page_size[1]
    ground = lab_from_srgb(page.ground or (255, 255, 255))
    fills = lab_from_srgb(np.array([element.fill for element in elements]).reshape(-1, 3))
    contrasts = np.minimum(1.0, np.sqrt(((fills - ground) ** 2).sum(axis=-1)) / FARTHEST_COLOR).tolist()
    return [
        element.shown * _prominence(element, contrast, area(element.box) / whole)
        for element, contrast in zip(elements, contrasts, strict=True)
    ]


def _prominence(element: Element, contrast: float, share: float) -> float:
    if element.kind == "icon":
        return ICON
    if element.kind == "line":
        return LINE
    if _is_dot(element):
        return ICON * contrast
    size = min(1.0, max(element.box[2:]) / TINY)
    if element.kind == "picture":
        return size * (PICTURE + PICTURE_AREA * sqrt(min(1.0, share)))
    filled = contrast * (SMALL_FILL if is_small(element) else LARGE_FILL)
    seen = max(filled, BORDER * element.has_border, SHADOW * element.has_shadow)
    return size * (seen + CONTROL * (element.role in _CONTROLS))


def _leave_out_moved(pages: tuple[Capture, Capture], lone: Sequence[set[int]]) -> None:
    """Remove elements from those without a partner if one with a similar look is elsewhere."""
    rows, columns = (np.array(sorted(side), dtype=np.intp) for side in lone)
    if not (0 < len(rows) <= MOST_SOUGHT and 0 < len(columns) <= MOST_SOUGHT):
        return
    table = looks_alike(pages[0], pages[1], rows, columns)
    for row in np.argsort(-table.max(axis=1), kind="stable").tolist():
        column = int(table[row].argmax())
        if table[row, column] >= SAME_LOOK:
            table[:, column] = 0.0
            lone[0].remove(int(rows[row]))
            lone[1].remove(int(columns[column]))
