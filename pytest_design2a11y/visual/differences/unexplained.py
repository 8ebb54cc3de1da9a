"""Visible differences that no other difference explains, so that nothing visible goes unreported."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from pytest_design2a11y.models.geometry import Box, area, hex_color, is_inside
from pytest_design2a11y.models.geometry import moved as moved_to
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.models.visual import Difference, Value
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.element_changes import LEAST_FADED
from pytest_design2a11y.visual.differences.joining import joined
from pytest_design2a11y.visual.differences.picture_changes import boxes_over
from pytest_design2a11y.visual.differences.texts import fill_change, is_visible
from pytest_design2a11y.visual.same_text import MOST_CHANGE
from pytest_design2a11y.visual.scene.page_index import centers_of, inside
from pytest_design2a11y.visual.scene.places import pixels, widened
from pytest_design2a11y.visual.scene.sight import (
    STRIKING,
    Mask,
    apart_at,
    main_color,
    part_of,
    regions,
    shown_in,
)
from pytest_design2a11y.visual.scene.text_facts import text_facts
from pytest_design2a11y.visual.scene.units import Unit

#: Page-wide differences that explain everything else.
_EXPLAIN_ALL = {"style", "theme", "mirrored", "fill"}
#: Page-wide differences that explain what is below the end of the shorter page.
_OF_HEIGHT = {"height", "size", "gap"}
#: A region with fewer pixels is too small for a person to find.
_LEAST_PIXELS = 40
#: Least number of striking pixels that are noticed in a text, and their least share.
_LEAST_IN_TEXT, _LEAST_OF_TEXT = 16, 0.01
#: A line of text of the same length, but higher by this factor, is turned.
_HIGHER = 1.25
#: px; a difference explains what lies this near: shadows, outlines.
_AROUND, _SHADOW = 6, 40
#: px; a box that moved or grew by less wavers.
_LITTLE = 8.0
#: A picture is the same, merely drawn anew, if less than this share of it is striking.
_DRAWN_ANEW = 0.05
#: px; the marker of a list item is this near to its text.
_MARKER = 30.0
#: Most regions that are reported individually.
_MOST = 12


def unexplained(compared: Compared, differences: Sequence[Difference]) -> Iterator[Difference]:
    """Yield the regions that look different but have no other difference, largest first."""
    if any(cause.what == "page" and cause.property in _EXPLAIN_ALL for cause in differences):
        return
    texts, sight = compared.texts, compared.sight
    explained = _drawn_anew(compared)
    if any(cause.what == "page" and cause.property in _OF_HEIGHT for cause in differences):
        explained[min(page.page_size[1] for page in compared.pages) :] = True
    _follow_moves(compared, differences, explained)
    for difference in differences:
        is_seen = difference.what != "page"
        for member in (*difference.members, *([difference] if is_seen else [])):
            _explain(explained, member)
    for facts in (side for part in _single(differences) for side in (part.reference, part.candidate)):
        if facts and facts.get("has_shadow"):
            # A faint difference around a box is its shadow.
            within, around = part_of(facts["box"]), part_of(widened(facts["box"], _SHADOW))
            before = explained[within].copy()
            explained[around] |= ~sight.striking[around]
            explained[within] = before
    for units, page in ((texts.missing, compared.reference), (texts.extra, compared.candidate)):
        _mark(explained, *(unit.box for unit in units if not is_visible(unit, page)))
    is_of_letters = any(cause.kind == "font" and _is_of_most(cause) for cause in differences)
    _mark(explained, *_wavering(compared, is_of_letters))
    left = sight.mask & ~explained
    screen = 800 * compared.reference.page_size[0]
    faded = [group.boxes[0] for group in differences if group.property == "opacity"]
    yield from _texts(compared, left & sight.striking, left, screen, faded)
    ranked = sorted(regions(left), key=lambda region: -region[1])
    by_colors: dict[object, list[Difference]] = {}
    for box, number in (one for one in ranked[:_MOST] if one[1] >= _LEAST_PIXELS):
        part, share = part_of(box), round(number / max(area(box), 1.0), 3)
        striking = round(int((left[part] & sight.striking[part]).sum()) / screen, 5)
        looks: list[dict[str, object]] = []
        for page in compared.pages:
            shown = shown_in(page, box)
            visible = shown[left[part][: shown.shape[0], : shown.shape[1]]]
            color = main_color(visible)
            fill = {"fill": hex_color(color)} if color else {}
            looks.append({"box": pixels(box), "striking": striking, **fill})
        colors = tuple(look.get("fill") for look in looks)
        known = colors if all(colors) else (*colors, box)
        wanted, own = looks
        by_colors.setdefault(known, []).append(claim("unexplained", "page", "look", None, share, wanted, own))
    for members in by_colors.values():
        striking = sum(one.made["striking"] for one in members)
        yield replace(joined(members), candidate={**members[0].made, "striking": striking})


def _texts(
    compared: Compared, striking: Mask, left: Mask, screen: float, faded: Sequence[Box]
) -> Iterator[Difference]:
    """Yield texts in place that look different, such as one no longer struck out, and mark them.

    What stands in a group that has another opacity follows from that.
    """
    restyled: dict[tuple[str, Value, Value], list[Difference]] = {}
    for design, made in compared.texts.pairs:
        if design.box != made.box and not _is_turned(design, made):
            continue
        part = part_of(design.box)
        number = int(striking[part].sum())
        if number >= max(_LEAST_IN_TEXT, _LEAST_OF_TEXT * area(design.box)):
            wanted, own = text_facts(design, compared.reference), text_facts(made, compared.candidate)
            own = {**own, "striking": round(number / screen, 5)}
            change = fill_change(design, made) or _paint_change(design.runs[0], made.runs[0])
            follows = change and change[0] == "opacity" and any(is_inside(design.box, one) for one in faded)
            if change and not follows:
                restyled.setdefault(change, []).append(claim("restyled", "text", *change, wanted, own))
            elif (
                not change
                and (apart_at(compared.pages, (design.box,) * 2) > MOST_CHANGE).sum() >= _LEAST_IN_TEXT
            ):
                yield claim("unexplained", "text", "look", None, None, wanted, own)
        left[part] = False
    for members in restyled.values():
        yield joined(members)


def _paint_change(design: TextRun, made: TextRun) -> tuple[str, Value, Value] | None:
    """Return how letters are painted in another way: their opacity or their shadow."""
    old, new = round(design.alpha, 2), round(made.alpha, 2)
    if abs(old - new) >= LEAST_FADED:
        return "opacity", old, new
    if design.has_shadow != made.has_shadow:
        with_it, without_it = "with a shadow", "without a shadow"
        return "letters", *((with_it, without_it) if design.has_shadow else (without_it, with_it))
    return None


def _is_turned(design: Unit, made: Unit) -> bool:
    """Return whether a line of text in its place has the same length, but a very different height."""
    if not _is_one_line(design, made):
        return False
    widths, heights = zip(design.box[2:], made.box[2:], strict=True)
    return max(heights) >= _HIGHER * min(heights) and max(widths) < _HIGHER * min(widths)


def _is_of_most(font: Difference) -> bool:
    return bool(font.design.get("is_all") or font.design.get("is_most"))


def _is_one_line(*units: Unit) -> bool:
    return all(len(unit.runs) == len(unit.runs[0].boxes) == 1 for unit in units)


def _follow_moves(compared: Compared, differences: Sequence[Difference], explained: Mask) -> None:
    """Mark what looks the same where it moved to; otherwise more than its place has changed."""
    parts = [part for part in _single(differences) if part.what != "page"]
    # A difference with members represents several that moved by different distances.
    moved = [part for part in parts if part.kind == "moved" and not part.members and part.candidate]
    moved.sort(key=lambda part: -area(part.boxes[0]))
    boxes = [part.boxes for part in parts]
    boxes += [(design.box, made.box) for design, made in compared.texts.pairs]
    centers = centers_of([end for _, end in boxes])
    _mark(explained, *(part.boxes[1] for part in moved))
    for part in moved:
        start, end = part.boxes
        if part.what == "text":
            start, end = _with_marker(start), _with_marker(end)
        apart = apart_at(compared.pages, (start, end))
        height, width = apart.shape
        rows, columns = part_of(start)
        explained[rows, columns][:height, :width] = apart < STRIKING
        _mark(explained, *_rim(start), *_rim(end))
        # Things inside it that moved elsewhere are checked by themselves.
        for own, there in (boxes[at] for at in inside(centers, end)):
            if area(there) < area(end):
                _mark(explained, own, moved_to(there, (start[0] - end[0], start[1] - end[1])))


def _with_marker(box: Box) -> Box:
    """Return the box of a text with the room at its left where a list item has its number or bullet."""
    return box[0] - _MARKER, box[1], box[2] + _MARKER, box[3]


def _single(differences: Iterable[Difference]) -> Iterator[Difference]:
    """Yield the single differences that differences represent, recursively."""
    for difference in differences:
        for member in difference.members or (difference,):
            yield from (member,) if member is difference or not member.members else _single([member])


def _explain(explained: Mask, difference: Difference) -> None:
    """Mark where a difference shows: for another size or border, only the edges, not the inside."""
    if difference.kind == "moved":
        return
    is_of_edge = difference.property in {"edge", "corner", "border"}
    is_frame = difference.what in {"panel", "control"} and (difference.kind == "resized" or is_of_edge)
    for box, other in permutations(difference.boxes):
        if is_frame:
            _mark(explained, *_rim(box), *_surplus(box, other))
        else:
            is_around = is_of_edge or difference.property in {"marks", "ring", "offset"}
            _mark(explained, box, around=_SHADOW if is_around else _AROUND)


def _surplus(box: Box, other: Box) -> Iterator[Box]:
    """Yield the parts of a box by which it is larger than another: before and after that, on each axis."""
    for axis in (0, 1):
        grown = box[axis + 2] - other[axis + 2]
        before = min(max(other[axis] - box[axis], 0.0), max(grown, 0.0))
        end = box[axis] + box[axis + 2]
        for start, length in ((box[axis], before), (end - grown + before, grown - before)):
            if length > 0:
                across, down, width, height = box
                yield (start, down, length, height) if axis == 0 else (across, start, width, length)


def _drawn_anew(compared: Compared) -> Mask:
    """Return where pictures show that were merely drawn anew, without what lies over them."""
    is_anew = np.zeros_like(compared.sight.mask)
    # The largest first: smaller pictures may lie over it, and be drawn anew, too.
    for design, made in sorted(compared.pairs, key=lambda pair: -area(pair[0].box)):
        is_picture = {design.kind, made.kind} <= {"picture", "icon"}
        if is_picture and (design.box != made.box or compared.sight.striking_in(design.box) < _DRAWN_ANEW):
            _mark(is_anew, design.box, made.box)
            if design.box == made.box:
                _mark(is_anew, *boxes_over(compared, design), around=0, to=False)
    return is_anew


def _wavering(compared: Compared, is_of_letters: bool) -> Iterable[Box]:
    """Yield boxes that moved or grew too little to be reported, or as the letters of the page did."""
    for unit, other in compared.texts.pairs:
        is_longer = not is_of_letters and _is_one_line(unit, other) and not _are_near(unit.box, other.box)
        if unit.box != other.box and not is_longer and not _is_turned(unit, other):
            yield from (unit.box, other.box)
    for design, made in compared.pairs:
        old, new = design.box, made.box
        if old != new and _are_near(old, new):
            yield from (*_rim(old), *_rim(new))


def _are_near(first: Box, second: Box) -> bool:
    return max(abs(a - b) for a, b in zip(first, second, strict=True)) < _LITTLE


def _rim(box: Box) -> Iterable[Box]:
    left, top, width, height = box
    for across in (left, left + width):
        yield across - 2, top, 4, height
    for down in (top, top + height):
        yield left, down - 2, width, 4


def _mark(mask: Mask, *boxes: Box, around: int = _AROUND, to: bool = True) -> None:
    for left, top, width, height in boxes:
        if width or height:
            rows = slice(max(0, round(top) - around), round(top + height) + around)
            mask[rows, max(0, round(left) - around) : round(left + width) + around] = to
