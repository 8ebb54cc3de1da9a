"""What differs to the eye and no other difference explains: nothing visible goes unreported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, area, clipped, hex_color
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import SEEN, Compared, box_of, is_moved, least_shift
from pytest_design2a11y.visual.differences.sides import details_of, pixels, subject_of
from pytest_design2a11y.visual.differences.sight import (
    STRIKING,
    Mask,
    Sight,
    apart_at,
    colors_of,
    part_of,
    regions,
)
from pytest_design2a11y.visual.differences.text_facts import text_facts
from pytest_design2a11y.visual.differences.text_pairing import UnitMatching
from pytest_design2a11y.visual.differences.texts import is_visible
from pytest_design2a11y.visual.differences.units import Unit

#: Differences that explain whatever differs.
_EXPLAIN_ALL = {"style", "theme", "mirrored", "fill"}
#: Fewer pixels are not a region that a person finds.
_LEAST_PIXELS = 40
#: Of a text, so many that strike the eye are seen, and such a share of it.
_LEAST_IN_TEXT, _LEAST_OF_TEXT = 16, 0.01
#: A line of text that is as long and so many times as high is turned.
_HIGHER = 1.25
#: A difference explains what lies so near to it (px): shadows, outlines.
_AROUND, _SHADOW = 6, 40
#: A picture of which less strikes the eye is the same, drawn in another way.
_DRAWN_ANEW = 0.05
#: Of what differs at corners, so much lies inside the box; beside it, shadows do.
_LEAST_INSIDE = 0.1
#: So near to an edge (px) a region lies at it.
_EDGE = 8
#: Regions that are reported one by one.
_MOST = 12


def unexplained(
    compared: Compared, found: Sequence[Difference], texts: UnitMatching, sight: Sight
) -> Iterator[Difference]:
    """Yield the regions that look different and in which no difference was found, the largest first."""
    if any(one.what == "page" and one.property in _EXPLAIN_ALL for one in found):
        return
    explained = np.zeros_like(sight.mask)
    _follow_moves(compared, found, texts, explained)
    for one in found:
        for side in (0, 1):
            if one.severity is not None and one.kind != "moved" and one.what != "page":
                _explain(explained, one, side)
            for member in one.members:
                _explain(explained, member, side)
    sides = [side for one in found for each in _single(one) for side in (each.reference, each.candidate)]
    for facts in sides:
        if facts and facts.get("has_shadow"):
            _explain_shadow(explained, facts["box"], sight)
    for units, page in ((texts.missing, compared.reference), (texts.extra, compared.candidate)):
        _set_all(explained, (unit.box for unit in units if not is_visible(unit, page)))
    _set_all(explained, _wavering(compared, texts, sight))
    left = sight.mask & ~explained
    screen = 800 * compared.reference.page_size[0]
    yield from _texts(compared, texts, left & sight.striking, left, screen)
    ranked = sorted(regions(left), key=lambda region: -region[1])
    at_edges = [*_at_edges(compared, ranked, left)]
    yield from (one for one, _ in at_edges)
    taken = {box for _, boxes in at_edges for box in boxes}
    for box, number in ranked[:_MOST]:
        if number >= _LEAST_PIXELS and box not in taken:
            part, share = part_of(box), round(number / max(area(box), 1.0), 3)
            striking = int((left[part] & sight.striking[part]).sum()) / screen
            own, wanted = (
                {"box": pixels(box), "striking": round(striking, 5), **_color_in(box, page, left)}
                for page in (compared.candidate, compared.reference)
            )
            yield Difference("unexplained", "page", 0.0, SEEN, "look", None, share, wanted, own)


def untold(found: Iterable[Difference], sight: Sight) -> Mask:
    """Return where something differs to the eye besides what the differences concern."""
    told = np.zeros_like(sight.mask)
    for part in (part for one in found for part in _single(one)):
        around = _SHADOW if part.property in {"marks", "edge", "corner"} else _AROUND
        if part.what != "page" or part.kind == "unexplained":
            _set_all(told, (box_of(part, side) for side in (0, 1)), around)
    rest: Mask = sight.mask & ~told
    return rest


def _color_in(box: Box, page: Capture, mask: Mask) -> dict[str, str]:
    """Return the colour of most pixels of a mask in a box of a page; nothing beyond the page's end."""
    shown = page.screenshot.pixels[part_of(box)]
    own = shown[mask[part_of(box)][: shown.shape[0], : shown.shape[1]]]
    return {"fill": hex_color(colors_of(own)[0][0])} if own.size else {}


def _texts(
    compared: Compared, texts: UnitMatching, striking: Mask, left: Mask, screen: float
) -> Iterator[Difference]:
    """Yield the texts in their place that look different, such as one struck out no more, and mark them."""
    for design, made in texts.pairs:
        if design.box != made.box and not _is_turned(design, made):
            continue
        part = part_of(design.box)
        number = int(striking[part].sum())
        if number >= max(_LEAST_IN_TEXT, _LEAST_OF_TEXT * area(design.box)):
            wanted, own = text_facts(design, compared.reference), text_facts(made, compared.candidate)
            own = {**own, "striking": round(number / screen, 5)}
            yield Difference("unexplained", "text", 0.0, SEEN, "look", None, None, wanted, own)
        left[part] = False


def _is_turned(design: Unit, made: Unit) -> bool:
    """Return whether a line of text in its place is as long, and much higher or less high."""
    if any(len(unit.runs) > 1 or len(unit.runs[0].boxes) > 1 for unit in (design, made)):
        return False
    widths, heights = zip(design.box[2:], made.box[2:], strict=True)
    return max(heights) >= _HIGHER * min(heights) and max(widths) < _HIGHER * min(widths)


def _at_edges(
    compared: Compared, ranked: Sequence[tuple[Box, int]], mask: Mask
) -> Iterator[tuple[Difference, list[Box]]]:
    """Yield the elements that look different at one edge or at corners alone, with the regions there."""
    first, second = compared.reference.elements or (), compared.candidate.elements or ()
    pairs = compared.elements.pairs if compared.elements else ()
    in_place = {i: second[j] for i, j, _ in pairs if not is_moved(first[i].box, second[j].box)}
    for at, element in enumerate(first):
        left, top, width, height = element.box
        if element.kind != "box" or min(width, height) < 3 * _EDGE:
            continue
        found: dict[str, list[Box]] = {}
        for box, _ in ranked:
            x, y, across, down = box
            is_along = (
                left - _EDGE <= x <= left + width + _EDGE - across
                and top - _EDGE <= y <= top + height + _EDGE - down
            )
            if not is_along:
                continue
            is_beside = abs(x - left) <= _EDGE and left + width - x - across > _EDGE
            is_right = abs(x + across - left - width) <= _EDGE and x - left > _EDGE
            is_above = abs(y - top) <= _EDGE and top + height - y - down > _EDGE
            is_below = abs(y + down - top - height) <= _EDGE and y - top > _EDGE
            if across <= 2 * _EDGE and 0.8 * height <= down <= height + 2 * _EDGE and (is_beside or is_right):
                where = "left" if is_beside else "right"
                middle = x, top + 0.4 * height, across, 0.2 * height
            elif down <= 2 * _EDGE and 0.8 * width <= across <= width + 2 * _EDGE and (is_above or is_below):
                where = "upper" if is_above else "lower"
                middle = left + 0.4 * width, y, 0.2 * width, down
            elif max(across, down) <= 6 * _EDGE and (is_beside or is_right) and (is_above or is_below):
                where, middle = "corner", box
            else:
                continue
            # Of two corners near to each other, little differs between them.
            is_whole = mask[part_of(middle)].mean() >= mask[part_of(box)].mean() / 2
            found.setdefault(where if is_whole else "corner", []).append(box)
        for where, boxes in found.items():
            made = in_place.get(at, element)
            wanted, own = details_of(element, compared.reference), details_of(made, compared.candidate)
            change: tuple[str, str | None] = "edge", where
            if where == "corner":
                change = ("corner", None) if _lies_inside(boxes, mask, element) else ("edge", "around")
            what, property, actual = subject_of(element), *change
            yield Difference("restyled", what, 0.0, SEEN, property, None, actual, wanted, own), boxes


def _lies_inside(regions: Iterable[Box], mask: Mask, element: Element) -> bool:
    """Return whether what differs lies in an element, and not beside it, as its shadow does."""
    parts = [(part_of(one), clipped(one, element.box)) for one in regions]
    inside = sum(int(mask[part_of(common)].sum()) for _, common in parts if common)
    return inside >= _LEAST_INSIDE * sum(int(mask[part].sum()) for part, _ in parts)


def _follow_moves(
    compared: Compared, found: Sequence[Difference], texts: UnitMatching, explained: Mask
) -> None:
    """Mark what looks the same where it moved to; what does not has not moved alone."""
    parts = [part for one in found for part in _single(one) if part.what != "page"]
    moved = sorted((one for one in parts if _is_move(one)), key=lambda one: -area(box_of(one)))
    places = [(box_of(one), box_of(one, 1)) for one in parts]
    places += [(one.box, other.box) for one, other in texts.pairs]
    ends = np.array([end for _, end in places]).reshape(-1, 4)
    centres = ends[:, :2] + ends[:, 2:] / 2
    _set_all(explained, (box_of(one, 1) for one in moved))
    for one in moved:
        start, end = box_of(one), box_of(one, 1)
        apart = apart_at((compared.reference, compared.candidate), (start, end))
        height, width = apart.shape
        rows, columns = part_of(start)
        explained[rows, columns][:height, :width] = apart < STRIKING
        _set_all(explained, (*_rim(start), *_rim(end)))
        # What lies in it, and went elsewhere than it, is looked at by itself.
        is_in = ((centres >= end[:2]) & (centres <= (end[0] + end[2], end[1] + end[3]))).all(axis=1)
        for at in np.flatnonzero(is_in & (ends[:, 2:].prod(axis=1) < area(end))).tolist():
            own, (x, y, *size) = places[at]
            _set(explained, own)
            _set(explained, (x - end[0] + start[0], y - end[1] + start[1], size[0], size[1]))


def _single(one: Difference) -> Iterator[Difference]:
    """Yield what a difference stands for, down to the single ones."""
    if not one.members:
        yield one
    for member in one.members:
        if member.members and member is not one:
            yield from _single(member)
        else:
            yield member


def _is_move(one: Difference) -> bool:
    """Return whether one thing moved, and not several by ways of their own."""
    return one.kind == "moved" and one.what != "page" and not one.members and bool(one.candidate)


def _explain(explained: Mask, one: Difference, side: int) -> None:
    """Mark where a difference shows: of another size or border, at the edges, not in all that lies inside."""
    box = box_of(one, side)
    if one.kind == "moved":
        return
    if one.what in {"panel", "control"} and (one.kind == "resized" or one.property in {"edge", "corner"}):
        _set_all(explained, _rim(box))
        _set_all(explained, _beyond(box, box_of(one, 1 - side)))
    else:
        _set(explained, box, _SHADOW if one.property in {"marks", "edge", "corner"} else _AROUND)


def _explain_shadow(explained: Mask, box: Box, sight: Sight) -> None:
    """Mark what differs faintly around a box: it is the shadow of it."""
    left, top, width, height = box
    around = part_of((left - _SHADOW, top - _SHADOW, width + 2 * _SHADOW, height + 2 * _SHADOW))
    inside = explained[part_of(box)].copy()
    explained[around] |= ~sight.striking[around]
    explained[part_of(box)] = inside


def _beyond(box: Box, other: Box) -> Iterable[Box]:
    """Yield the parts of a box, to the right and below, by which it is larger than another one."""
    left, top, width, height = box
    if (across := width - other[2]) > 0:
        yield left + other[2], top, across, height
    if (down := height - other[3]) > 0:
        yield left, top + other[3], width, down


def _wavering(compared: Compared, texts: UnitMatching, sight: Sight) -> Iterable[Box]:
    """Yield what moved or grew by less than what is reported, and pictures that were drawn anew."""
    for design, made in texts.pairs:
        if _is_turned(design, made):
            continue
        if design.box != made.box and (
            any(least_shift(design.box, made.box)) or design.box[2:] != made.box[2:]
        ):
            yield from (design.box, made.box)
    first, second = compared.reference.elements or (), compared.candidate.elements or ()
    for i, j, _ in compared.elements.pairs if compared.elements else ():
        one, other = first[i].box, second[j].box
        is_picture = {first[i].kind, second[j].kind} <= {"picture", "icon"}
        if is_picture and (one != other or sight.striking_in(one) < _DRAWN_ANEW):
            yield from (one, other)
        if one != other and max(abs(a - b) for a, b in zip(one, other, strict=True)) < 8:
            yield from _rim(one)
            yield from _rim(other)


def _rim(box: Box) -> Iterable[Box]:
    left, top, width, height = box
    for across in (left, left + width):
        yield across - 2, top, 4, height
    for down in (top, top + height):
        yield left, down - 2, width, 4


def _set_all(mask: Mask, boxes: Iterable[Box], around: int = _AROUND) -> None:
    for box in boxes:
        _set(mask, box, around)


def _set(mask: Mask, box: Box, around: int = _AROUND) -> None:
    left, top = (max(0, round(side) - around) for side in box[:2])
    if not (box[2] or box[3]):
        return
    mask[top : round(box[1] + box[3]) + around, left : round(box[0] + box[2]) + around] = True
