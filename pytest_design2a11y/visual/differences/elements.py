"""Differences of elements: missing, extra, moved, resized, restyled, recolored; and of the ground."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil

import numpy as np

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color, area, clipped, hex_color, is_inside
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.thing_words import marks_of
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared, claim, of_alike
from pytest_design2a11y.visual.differences.element_changes import pair_differences
from pytest_design2a11y.visual.differences.ground import ground_difference
from pytest_design2a11y.visual.differences.picture_changes import color_there, fills_apart
from pytest_design2a11y.visual.differences.texts import LEAST_COLOR, is_typed
from pytest_design2a11y.visual.match import Thing
from pytest_design2a11y.visual.match.tables import shift_near
from pytest_design2a11y.visual.match.texts import UnitMatching
from pytest_design2a11y.visual.scene.element_facts import (
    PICTURES,
    details_of,
    is_acted_on,
    is_control,
    is_plain,
    name_of,
    runs_in,
    subject_of,
    without_its_line,
)
from pytest_design2a11y.visual.scene.places import LEAST_SHIFT, SAME_EDGE, Details, is_moved, pixels, widened
from pytest_design2a11y.visual.scene.sight import (
    SAME_FILL,
    STRIKING,
    apart_at,
    is_near,
    part_of,
    shown_in,
)
from pytest_design2a11y.visual.scene.text_facts import ground_below
from pytest_design2a11y.visual.scene.units import Unit

#: A box with this share of the page is there if its fill covers this share of its place.
_PART_OF_PAGE, _MOST_FILLED = 0.25, 0.3
#: A fill is invisible if it also surrounds the box (within this many px) on this many sides.
_AROUND, _MOST_SIDES = 3, 3
#: px around its place to look for a line; shares of a line's length, and of a picture, that must be drawn.
_NEAR_LINE, _MOST_OF_LINE, _MOST_OF_PICTURE = 24, 0.9, 0.6
#: CIEDE2000; colors behind a text that differ by less are one fill.
_SAME_GROUND = 3.0
#: Greatest height of a bar, as a multiple of a control in it.
_MOST_OF_BAR = 2.0
#: Controls with marks that browsers draw, or style sheets as icons; share of such a control that is its edge.
_MARKED, _EDGE_OF_CONTROL = {"select", "input[type=checkbox]", "input[type=radio]"}, 0.2
#: A box that holds a box's texts in its place is at most this many times as large.
_MOST_OF_ROOM = 4.0
#: Number of texts that tell on what ground a box stands.
_LEAST_TEXTS = 2
#: Levels of a channel that make an edge.
_LEAST_STEP = 9


def element_differences(compared: Compared) -> Iterator[Difference]:
    """Yield the visible differences of each element and of the ground."""
    if compared.score.elements is None:
        return
    yield from ground_difference(compared)
    called = zip(compared.reference.elements or (), compared.match.labels[0], strict=True)
    names = {element: (name_of(element), label.lower()) for element, label in called}
    alike: dict[tuple[str, str], list[Thing]] = {}
    for thing in compared.match.things:
        if thing[0]:
            alike.setdefault(names[thing[0]], []).append(thing)
    for design, made in compared.match.things:
        if _is_unseen(compared, (design, made)):
            continue
        if design and made:
            yield from pair_differences(compared, design, made)
        elif design and (gone := _lone(compared, without_its_line(design), 0)):
            key = names[design]
            of = _of_pictures(design, compared.match.things) or _of_alike(design, key[1], alike[key])
            yield replace(gone, reference={**gone.design, **of}) if gone.kind == "missing" else gone
        elif made and (new := _lone(compared, without_its_line(made), 1)):
            yield new


def _of_pictures(picture: Element, things: Sequence[Thing]) -> Details:
    """Return how many of several single-color pictures are missing, if others have other sizes."""
    if name_of(picture) != "picture" or not is_plain(picture):
        return {}
    pictures = [(design, made) for design, made in things if design and name_of(design) == "picture"]
    alike = [
        pair for pair in pictures if min(pair[0].box[2:]) >= LEAST_SHIFT and _are_one_color(pair[0], picture)
    ]
    on_page = [(design, made) for design, made in alike if made]
    is_known = all(_is_as_large(*sides) for sides in on_page)
    return {} if is_known else {"of": [len(alike) - len(on_page), len(alike)], "is_any": True}


def _of_alike(element: Element, label: str, things: Sequence[Thing]) -> Details:
    """Return how many things of one name, or of one look, are missing, if it is not known which.

    `things` are those of that name and label, with their counterparts. Without a label, things of the same
    size and color look alike, and so do buttons of the same size.
    """
    if not label and name_of(element) not in {"picture", "icon", "link", "button"}:
        return {}
    sides = ((design, made) for design, made in things if design)
    alike = [pair for pair in sides if label or _is_as_large(pair[0], element)]
    alike = [pair for pair in alike if label or is_acted_on(pair[0]) or _are_one_color(pair[0], element)]
    on_page = [(design.box, made.box) for design, made in alike if made]
    return of_alike(len(alike) - len(on_page), on_page)


def _are_one_color(first: Element, second: Element) -> bool:
    return is_plain(first) and is_plain(second) and fills_apart(first, second) < LEAST_COLOR


def _is_as_large(first: Element, second: Element) -> bool:
    return all(abs(first.box[at] - second.box[at]) < LEAST_SHIFT for at in (2, 3))


def _is_unseen(compared: Compared, sides: Thing) -> bool:
    """Return whether an element of only one page is invisible, or its control already accounts for it.

    Browsers draw the arrow of a menu, the tick of a checkbox and the dot of a radio button; style sheets draw
    icons in their place.
    """
    side, pages, both = int(sides[0] is None), compared.pages, compared.pairs
    element, is_lone = sides[side], None in sides
    if element is None or (is_lone and _blends_in(element, pages[side])):
        return True
    if element.is_part and _is_of_state(element, both, side):
        return True
    if is_lone and "::" in element.tag and _is_typed_there(compared, element, side):
        return True
    if element.kind != "icon" or element.tag not in _MARKED:
        return False
    for controls in both:
        own, other = controls[side], controls[1 - side]
        is_its_control = own.kind == "box" and own.tag == other.tag == element.tag
        if is_its_control and is_inside(element.box, own.box):
            return own.states != other.states or (is_lone and _has_mark(other, pages[1 - side]))
    return False


def _is_typed_there(compared: Compared, drawn: Element, side: int) -> bool:
    """Return whether the other page has typed a sign that a style sheet draws beside a text."""
    left, top, width, height = drawn.box
    for pair in compared.texts.pairs:
        line = pair[side].line_height
        around = left - 2 * line, top - line, width + 4 * line, height + 2 * line
        if pair[0].key != pair[1].key and clipped(pair[side].box, around) and is_typed(compared, *pair):
            return True
    return False


def _is_of_state(part: Element, both: Sequence[tuple[Element, Element]], side: int) -> bool:
    """Return whether a knob or dot differs because the control that it belongs to has another state."""
    for controls in both:
        own, other = controls[side], controls[1 - side]
        is_its_control = not own.is_part and (own.role, own.label) == (part.role, part.label)
        if is_its_control and is_inside(part.box, own.box):
            return (own.states, own.value) != (other.states, other.value)
    return False


def _blends_in(element: Element, page: Capture) -> bool:
    """Return whether a box has only a fill, which ends only where a larger element ends, too."""
    if element.kind != "box" or element.has_border or element.has_shadow or runs_in(element, page):
        return False
    larger = (other.box for other in page.elements or () if area(other.box) > area(element.box))
    around = [_ends(box) for box in larger if clipped(box, element.box)]
    shown = shown_in(page, widened(element.box, 2)).astype(np.int64)
    edges = _ends(element.box)
    strips = (shown[:, :4], shown[:, -4:], shown[:4].swapaxes(0, 1), shown[-4:].swapaxes(0, 1))
    for at, (edge, strip) in enumerate(zip(edges, strips, strict=True)):
        third = len(strip) // 3  # Round ones have edges only in the middle.
        is_step = np.abs(np.diff(strip[third : len(strip) - third], axis=1)).max(axis=(1, 2)) >= _LEAST_STEP
        is_own = all(abs(ends[at] - edge) > SAME_EDGE for ends in around)
        if is_own and is_step.mean() >= 0.5:
            return False
    return True


def _ends(box: Box) -> tuple[float, float, float, float]:
    """Return left, right, top and bottom of a box."""
    return box[0], box[0] + box[2], box[1], box[1] + box[3]


def _has_mark(control: Element, page: Capture) -> bool:
    """Return whether something besides text is drawn within the edges of a control."""
    edge = ceil(_EDGE_OF_CONTROL * min(control.box[2:]))
    is_bare = np.zeros(page.screenshot.pixels.shape[:2], dtype=np.bool_)
    is_bare[part_of(widened(control.box, -edge))] = True
    for run in page.text_runs:
        for box in run.boxes:
            is_bare[part_of(box)] = False
    shown = page.screenshot.pixels[is_bare]
    return bool(shown.size and np.ptp(shown, axis=0).max() >= STRIKING)


def things_in_place(compared: Compared) -> Iterator[Difference]:
    """Yield the panels, controls and pictures that did not move, as differences."""
    for design, made in compared.pairs:
        is_in_place = not is_moved(design.box, made.box)
        if is_in_place and (what := subject_of(design)) in {"panel", "control", "picture"}:
            wanted, own = ({"box": pixels(side.box), "fill": hex_color(side.fill)} for side in (design, made))
            yield claim("moved", what, "place", reference=wanted, candidate=own)


def _lone(compared: Compared, element: Element, side: int) -> Difference | None:
    """Return what differs if only the design (0) or the page (1) has an element; None if nothing does.

    It may be only its marks, around texts that both have.
    """
    own, other = compared.pages[side], compared.pages[1 - side]
    details, what, box = _seen_details(element, own), subject_of(element), element.box
    if element.has_fill and element.has_border and _has_lines_there(other, element):
        details = {**details, "has_border": False}
    is_seen = compared.sight.pixels_in(box if side else widened(box)) > 0
    if side == 0 and element.kind == "line":
        # On very different pages, `sight` checks one pixel in four: lines are thinner.
        is_seen = is_seen or bool(apart_at(compared.pages, (box, box)).any())
    # The other page may show it without having it as an element.
    if (
        not is_seen
        or _is_filled_there(compared, element, side)
        or _is_line_near(other, element)
        or (side == 0 and _is_picture_there(other, element, compared.texts))
    ):
        return None
    color = color_there(own, other, element) if element.kind == "icon" else None
    if details["has_fill"] and what == "panel":
        color = _bare_ground(compared, element, side)
    if color:
        wanted, made = [details, {**details, "fill": hex_color(color)}][:: 1 - 2 * side]
        return claim("recolored", what, "fill", wanted["fill"], made["fill"], wanted, made)
    is_box = element.tag not in PICTURES and (side == 0 or is_control(element))
    is_there = is_box and _has_its_texts(compared, element, side)
    if element.kind == "box" and (is_there or _is_cell_there(compared, element, other)):
        if side == 0 and details["has_fill"] and (fill := _fill_of_texts(compared, element)):
            if _are_one(fill, element.fill):
                details = {**details, "has_fill": False}
            elif not is_acted_on(element):
                made = {**details, "fill": hex_color(fill)}
                return claim("recolored", what, "fill", details["fill"], made["fill"], details, made)
        marks = ", ".join(marks_of(details))
        if not marks:
            return None
        bare = {**details, "has_fill": False, "has_border": False, "has_shadow": False}
        is_ring = bool(details.get("is_outlined")) and len(marks_of(details)) == 1
        property, value = ("ring", details["ring"]) if is_ring else ("marks", marks)
        if side:
            return claim("restyled", what, property, None, value, bare, details)
        if is_acted_on(element) and not is_ring:
            return claim("missing", what, "box", marks, None, details)
        return claim("restyled", what, property, value, None, details, bare)
    if side:
        return claim("extra", what, candidate=details)
    return claim("missing", what, reference=details)


def _is_cell_there(compared: Compared, element: Element, other: Capture) -> bool:
    """Return whether a cell or row has words on the other page, and none of its own are missing.

    A cell is there, too, if what stands in it still does, and in no other cell.
    """
    name = name_of(element)
    is_of_table = name in {"table cell", "table row"} and runs_in(element, other)
    if is_of_table and not any(is_inside(one.box, element.box) for one in compared.texts.missing):
        return True
    inside = (pair for pair in compared.pairs if all(is_inside(side.box, element.box) for side in pair))
    still = [made.box for design, made in inside if not is_moved(design.box, made.box)]
    cells = [one.box for one in other.elements or () if name_of(one) == name]
    is_of_another = any(is_inside(box, cell) for box in still for cell in cells)
    return name == "table cell" and bool(still) and not is_of_another


def _fill_of_texts(compared: Compared, element: Element) -> Color | None:
    """Return the color on which most texts of a box of the design stand, wherever the page has them.

    Any other than its own is that of a box of about its size there. Texts on filled parts of it do not count.
    """
    inside = [pair for pair in compared.texts.pairs if is_inside(pair[0].box, element.box)]
    parts = [one.box for one in compared.reference.elements or () if one.has_fill]
    parts = [box for box in parts if area(box) < area(element.box)]
    own = [pair for pair in inside if not any(is_inside(pair[0].box, box) for box in parts)]
    grounds = [_below(compared, pair, 1) for pair in own or inside]
    boxes = (one for one in compared.candidate.elements or () if one.has_fill)
    boxes = (one for one in boxes if area(one.box) <= _MOST_OF_ROOM * area(element.box))
    places = [made.runs[0].boxes[0] for _, made in own]
    held = dict.fromkeys(box.fill for box in boxes for place in places if is_inside(place, box.box))
    for fill in (element.fill, *held):
        alike = sum(_are_one(ground, fill) for ground in grounds)
        if 2 * alike > len(grounds):
            return fill
    return None


def _bare_ground(compared: Compared, element: Element, side: int) -> Color | None:
    """Return the color on which the other page has most texts of a box, if no box there has it as its fill.

    Where bands cover most of a page, what shows between them looks like one more band.
    """
    page = compared.pages[1 - side]
    inside = [pair for pair in compared.texts.pairs if is_inside(pair[side].box, element.box)]
    if len(inside) < _LEAST_TEXTS or page.ground is None:
        return None
    grounds = Counter(_below(compared, pair, 1 - side) for pair in inside)
    color, number = grounds.most_common(1)[0]
    boxes = [one.box for one in page.elements or () if one.has_fill and _are_one(one.fill, color)]
    is_of_box = any(is_inside(pair[1 - side].box, box) for pair in inside for box in boxes)
    is_known = is_of_box or any(_are_one(other, color) for other in (page.ground, element.fill))
    return color if 2 * number > len(inside) and not is_known else None


def _are_one(first: Color, second: Color) -> bool:
    return color_difference(first, second) < LEAST_COLOR


def _below(compared: Compared, texts: tuple[Unit, Unit], side: int) -> Color:
    """Return the color on which the design (0) or the page (1) has a text."""
    run = texts[side].runs[0]
    return ground_below(run.boxes[0], compared.pages[side], run.color or (0, 0, 0))


def _seen_details(element: Element, page: Capture) -> Details:
    """Return the facts of an element, leaving out a fill that is invisible because most sides continue it."""
    left, top, width, height = element.box
    strips = (
        (left - _AROUND, top, _AROUND, height),
        (left + width, top, _AROUND, height),
        (left, top - _AROUND, width, _AROUND),
        (left, top + height, width, _AROUND),
    )
    shown = [shown_in(page, strip) for strip in strips]
    same = sum(part.size > 0 and is_near(part, element.fill, SAME_FILL).mean() >= 0.5 for part in shown)
    return {**details_of(element, page), "has_fill": element.has_fill and bool(same < _MOST_SIDES)}


def _is_line_near(page: Capture, element: Element) -> bool:
    """Return whether a page draws a line, which is not among its elements, near another page's line."""
    if element.kind != "line":
        return False
    left, top, width, height = element.box
    at = int(width >= height)  # The axis across the line
    reach = [_NEAR_LINE * (axis == at) for axis in (0, 1)]
    around = left - reach[0], top - reach[1], width + 2 * reach[0], height + 2 * reach[1]
    shown = shown_in(page, around)
    if not shown.size:
        return False
    drawn = is_near(shown, element.fill, SAME_FILL).mean(axis=at) >= _MOST_OF_LINE
    for other in page.elements or ():
        if other.kind == "line" and (common := clipped(other.box, around)):
            start = round(common[at] - max(around[at], 0))
            drawn[max(0, start - 1) : start + round(common[at + 2]) + 1] = False
    # A thicker area is a ground, not a line.
    return 0 < int(drawn.sum()) <= 2 * max(min(width, height), 1) + 1


def _has_lines_there(page: Capture, element: Element) -> bool:
    """Return whether a page draws the lines at the sides of another page's box, as the edges of others."""
    left, top, width, height = element.box
    edges = [  # Upper, right, lower, left; with 1 px at both sides of a line.
        (left, top - 1, width, 3.0),
        (left + width - 2, top, 3.0, height),
        (left, top + height - 2, width, 3.0),
        (left - 1, top, 3.0, height),
    ]
    lines = [
        is_near(shown, color, SAME_FILL).mean(axis=1 - at % 2)
        for at, (edge, color) in enumerate(zip(edges, element.lines, strict=False))
        if color and (shown := shown_in(page, edge)).size
    ]
    return bool(lines) and all(drawn.max() >= _MOST_OF_LINE for drawn in lines)


def _is_picture_there(page: Capture, element: Element, texts: UnitMatching) -> bool:
    """Return whether a page shows a picture of one color: if several touch, their edges are invisible."""
    if element.tag not in PICTURES or not is_plain(element):
        return False
    left, top, width, height = element.box
    across, down = shift_near(element.box, texts.pairs)
    place = left + across, top + down, width, height
    shown = shown_in(page, place)
    others = [clipped(other.box, place) for other in page.elements or () if other.tag in PICTURES]
    is_free = all(area(part) < area(place) / 2 for part in others if part)
    share = is_near(shown, element.fill, SAME_FILL).mean() if is_free and shown.size else 0.0
    return bool(share >= _MOST_OF_PICTURE)


def _is_filled_there(compared: Compared, element: Element, side: int) -> bool:
    """Return whether the texts of a box lie on the same fill on the other page, maybe a larger element's.

    For a control, that element must not be much higher, such as a bar of tags.
    """
    pages = compared.pages[side], compared.pages[1 - side]
    page = pages[1]
    if element.has_border or element.has_shadow or page.ground is None:
        return False
    shown = [shown_in(capture, element.box) for capture in pages]
    is_of_page = area(element.box) >= _PART_OF_PAGE * page.page_size[0] * page.page_size[1]
    if element.kind == "box" and is_of_page and all(part.size for part in shown):
        shares = [float(is_near(part, element.fill, SAME_FILL).mean()) for part in shown]
        if shares[1] >= max(_MOST_FILLED, shares[0] / 2):
            return True
    if color_difference(page.ground, element.fill) < _SAME_GROUND:
        return False
    inside = [
        run
        for pair in compared.texts.pairs
        for own in pair[side].runs
        if is_inside(own.boxes[0], element.box)
        for run in pair[1 - side].runs
        if own.text.lower() in run.text.lower()
    ]
    if is_control(element):
        around, bars = (
            [bar for bar in capture.elements or () if bar.box[3] <= _MOST_OF_BAR * element.box[3]]
            for capture in pages
        )
        inside = [run for run in inside if any(is_inside(run.boxes[0], bar.box) for bar in bars)]
        # If it is in no bar in the design, any filled bar around its texts here stands for it.
        if not any(bar is not element and is_inside(element.box, bar.box) for bar in around):
            held = [bar for run in inside for bar in bars if is_inside(run.boxes[0], bar.box)]
            if any(_seen_details(bar, page)["has_fill"] for bar in held):
                return True
    grounds = [ground_below(run.boxes[0], page, run.color or (0, 0, 0)) for run in inside]
    alike = sum(color_difference(ground, element.fill) < _SAME_GROUND for ground in grounds)
    return 2 * alike > len(grounds)


def _has_its_texts(compared: Compared, element: Element, side: int) -> bool:
    """Return whether the texts of a box on one page did not appear or vanish with it.

    They are in its place on both pages; for things that people act on, anywhere.
    """
    texts = compared.texts
    if is_acted_on(element):
        gone = [pair[side] for pair in texts.pairs if not pair[0].reads_as(pair[1])]
        gone += (texts.missing, texts.extra)[side]
        is_gone = any(is_inside(unit.box, element.box) for unit in gone)
        return not is_gone and bool(runs_in(element, compared.pages[side]))
    hits = [[is_inside(unit.box, element.box) for unit in pair] for pair in texts.pairs]
    if 2 * sum(map(all, hits)) > sum(map(any, hits)):
        return True
    # Words within a longer text, such as those of a highlight, are there if that text still has them.
    own = {run: "".join(run.text.lower().split()) for run in runs_in(element, compared.pages[side])}
    shown = [own[run] in pair[1 - side].key for pair in texts.pairs for run in pair[side].runs if run in own]
    return 2 * sum(shown) > len(own) or _is_highlight(compared, element, side)


def _is_highlight(compared: Compared, element: Element, side: int) -> bool:
    """Return whether a box lies behind words of a text that the other page has, too."""
    words = "".join(element.label.lower().split())
    return bool(words) and any(
        is_inside(element.box, pair[side].box)
        and words in pair[side].key
        and words in pair[1 - side].key
        and area(element.box) < area(pair[side].box)
        for pair in compared.texts.pairs
    )
