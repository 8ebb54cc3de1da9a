"""Differences of what is not text: missing, extra, moved, resized, restyled, recolored; the ground."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil

import numpy as np

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, area, clipped, hex_color, is_inside
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import marks_of
from pytest_design2a11y.visual.differences.compared import (
    RIM,
    SEEN,
    Compared,
    Details,
    is_moved,
    of_alike,
    widened,
)
from pytest_design2a11y.visual.differences.pairing import pair_elements, shift_near
from pytest_design2a11y.visual.differences.pictures import (
    DRAWINGS,
    Change,
    change_of_corners,
    color_there,
    fills_apart,
    picture_changes,
    size_of,
    what_is_same,
)
from pytest_design2a11y.visual.differences.sides import (
    PICTURES,
    details_of,
    is_acted_on,
    is_control,
    is_flat,
    is_plain,
    label_of,
    name_of,
    pixels,
    subject_of,
    without_its_line,
)
from pytest_design2a11y.visual.differences.sight import (
    EDGES,
    STRIKING,
    Sight,
    apart_at,
    color_behind,
    colors_of,
    is_near,
    part_of,
)
from pytest_design2a11y.visual.differences.text_facts import ground_below
from pytest_design2a11y.visual.differences.text_pairing import UnitMatching
from pytest_design2a11y.visual.differences.texts import LEAST_COLOR
from pytest_design2a11y.wording import with_article

#: Sizes that differ by less (px) are not reported by themselves.
_LEAST_RESIZE = 4.0
#: Corners whose radii differ by less (px) are alike.
_LEAST_RADIUS = 3.0
#: Of what is covered by more, neither look nor size is compared.
_LEAST_SHOWN, _LEAST_SHOWN_DRAWING = 0.7, 0.98
#: Levels of a channel that differ by less are of one fill, which takes so much of an element at least; those
#: of a border that is not seen on a fill, whose edge is mixed with what is around.
_SAME_FILL, _LEAST_FILLED, _SAME_BORDER = 8, 0.1, 16
#: A box that takes so much of the page is there where its fill takes so much of its place.
_PART_OF_PAGE, _MOST_FILLED = 0.25, 0.3
#: A fill that is around a box, too (px), on so many sides is not seen.
_AROUND, _MOST_SIDES = 3, 3
#: A line is sought so far (px) from its place, of whose length so much is drawn; and of a picture, so much.
_NEAR_LINE, _MOST_OF_LINE, _MOST_OF_PICTURE = 24, 0.9, 0.6
#: So much of a fill through which a picture is seen strikes the eye where it has another colour.
_MOST_OF_GLASS = 0.5
#: Colours behind a text that differ by less (CIEDE2000) are one fill.
_SAME_GROUND = 3.0
#: What takes less of the edges of a page is a bar, and no ground.
_LEAST_GROUND = 0.4
#: A bar is so many times as high as a control in it at most.
_MOST_OF_BAR = 2.0
#: Controls in which browsers draw what style sheets draw by icons, and how much of them is their edge.
_MARKED, _EDGE_OF_CONTROL = {"select", "input[type=checkbox]", "input[type=radio]"}, 0.2
#: Levels of a channel that make an edge, and how near (px) edges are one.
_LEAST_STEP, _SAME_END = 9, 2.0
#: Kinds that look alike: a line is a flat box, an icon a small picture.
_LIKE_KINDS = ({"picture", "icon"}, {"box", "line"})
_UNMARKED = {"has_fill": False, "has_border": False, "has_shadow": False}


def element_differences(compared: Compared, texts: UnitMatching, sight: Sight) -> Iterator[Difference]:
    """Yield what is wrong with each element and with the ground, with what it takes from fidelity."""
    matching = compared.elements
    first, second = compared.reference.elements, compared.candidate.elements
    if matching is None or first is None or second is None:
        return
    weight = compared.weight("elements")
    yield from _ground(compared, weight)
    labels = (
        [label_of(one, compared.reference) for one in first],
        [label_of(one, compared.candidate) for one in second],
    )
    found = pair_elements((first, second), labels, matching, texts)
    pairs = [
        (
            None if one.reference is None else first[one.reference],
            None if one.candidate is None else second[one.candidate],
            weight * one.cost,
        )
        for one in found
    ]
    both = [(design, made) for design, made, _ in pairs if design and made]
    names = {id(one): (name_of(one), label.lower()) for one, label in zip(first, labels[0], strict=True)}
    things: dict[tuple[str, str], list[tuple[Element, Element | None]]] = {}
    for design, made, _ in pairs:
        if design:
            things.setdefault(names[id(design)], []).append((design, made))
    for design, made, cost in pairs:
        if design and made:
            changes = [*_pair(compared, design, made, cost, sight)]
        elif design:
            one = _missing(compared, without_its_line(design), cost, texts, sight)
            key = names[id(design)]
            of: Details = {}
            if one.kind == "missing":
                of = _of_pictures(design, pairs) or _of_alike(design, key[1], things[key])
            changes = [replace(one, reference={**(one.reference or {}), **of})]
        elif made:
            changes = [_extra(compared, without_its_line(made), cost, texts, sight)]
        is_unseen = _is_unseen(compared, (design, made), both)
        yield from (replace(one, severity=None) if is_unseen else one for one in changes)


def _of_pictures(picture: Element, pairs: Sequence[tuple[Element | None, Element | None, float]]) -> Details:
    """Return how many of several pictures of one color are missing, where others have other sizes."""
    if name_of(picture) != "picture" or not is_plain(picture):
        return {}
    alike = [
        (one, other)
        for one, other, _ in pairs
        if one and name_of(one) == "picture" and is_plain(one) and min(one.box[2:]) >= _LEAST_RESIZE
        if fills_apart(one, picture) < LEAST_COLOR
    ]
    found = [(one, other) for one, other in alike if other]
    is_known = all(_is_as_large(one, other) for one, other in found)
    return {} if is_known else {"of": [len(alike) - len(found), len(alike)], "is_any": True}


def _of_alike(
    element: Element, name: str, things: Sequence[tuple[Element, Element | None]]
) -> dict[str, list[int]]:
    """Return how many things of one name, or of one look, are missing, if it is not known which.

    `things` are those of that name, with their counterparts.
    """
    if not name and name_of(element) not in {"picture", "icon", "link", "button"}:
        return {}
    alike = [(one, other) for one, other in things if name or _looks_like(one, element)]
    found = [(one.box, other.box) for one, other in alike if other]
    return of_alike(len(alike) - len(found), found)


def _looks_like(one: Element, other: Element) -> bool:
    """Return whether two things are of one size and colour, or are buttons of one size."""
    is_one_color = is_plain(one) and is_plain(other) and fills_apart(one, other) < LEAST_COLOR
    return _is_as_large(one, other) and (is_one_color or is_acted_on(one))


def _is_as_large(one: Element, other: Element) -> bool:
    return all(abs(one.box[at] - other.box[at]) < _LEAST_RESIZE for at in (2, 3))


def _is_unseen(
    compared: Compared,
    sides: tuple[Element | None, Element | None],
    both: Sequence[tuple[Element, Element]],
) -> bool:
    """Return whether nothing is seen of an element that one page alone has, or its control says all.

    Browsers draw the arrow of a menu, the tick of a checkbox and the dot of a radio button; style sheets draw
    icons in their place.
    """
    side = int(sides[0] is None)
    element, is_lone = sides[side], None in sides
    pages = compared.reference, compared.candidate
    if element is None or (is_lone and _blends_in(element, pages[side])):
        return True
    if element.kind != "icon" or element.tag not in _MARKED:
        return False
    for controls in both:
        own, other = controls[side], controls[1 - side]
        is_its_control = own.kind == "box" and own.tag == other.tag == element.tag
        if is_its_control and is_inside(element.box, own.box):
            return own.states != other.states or (is_lone and _has_mark(other, pages[1 - side]))
    return False


def _blends_in(element: Element, page: Capture) -> bool:
    """Return whether a box has nothing but a fill that ends only where a larger element ends, too."""
    if element.kind != "box" or element.has_border or element.has_shadow or _has_words(page, element):
        return False
    around = [
        one
        for one in page.elements or ()
        if (area(one.box) > area(element.box) and clipped(one.box, element.box))
    ]
    left, top, width, height = element.box
    shown = page.screenshot.pixels[part_of((left - 2, top - 2, width + 4, height + 4))].astype(np.int64)
    edges = _ends(element.box)
    strips = (shown[:, :4], shown[:, -4:], shown[:4].swapaxes(0, 1), shown[-4:].swapaxes(0, 1))
    for at, (edge, strip) in enumerate(zip(edges, strips, strict=True)):
        third = len(strip) // 3  # Round ones have edges in the middle alone.
        is_step = np.abs(np.diff(strip[third : len(strip) - third], axis=1)).max(axis=(1, 2)) >= _LEAST_STEP
        is_own = all(abs(_ends(one.box)[at] - edge) > _SAME_END for one in around)
        if is_own and is_step.mean() >= 0.5:
            return False
    return True


def _ends(box: Box) -> tuple[float, float, float, float]:
    """Return left, right, top and bottom of a box."""
    return box[0], box[0] + box[2], box[1], box[1] + box[3]


def _has_mark(control: Element, page: Capture) -> bool:
    """Return whether something besides text is drawn within the edges of a control."""
    left, top, width, height = control.box
    edge = ceil(_EDGE_OF_CONTROL * min(width, height))
    rows, columns = part_of((left + edge, top + edge, width - 2 * edge, height - 2 * edge))
    is_bare = np.zeros(page.screenshot.pixels.shape[:2], dtype=np.bool_)
    is_bare[rows, columns] = True
    for run in page.text_runs:
        for box in run.boxes:
            is_bare[part_of(box)] = False
    shown = page.screenshot.pixels[is_bare]
    return bool(shown.size and np.ptp(shown, axis=0).max() >= STRIKING)


def things_in_place(compared: Compared) -> Iterator[Difference]:
    """Yield the panels, controls and pictures that did not move, as differences that cost nothing."""
    first, second = compared.reference.elements or (), compared.candidate.elements or ()
    for i, j, likeness in compared.elements.pairs if compared.elements else ():
        if likeness.place == 1.0 and (what := subject_of(first[i])) in {"panel", "control", "picture"}:
            wanted, own = (
                {"box": pixels(one.box), "fill": hex_color(one.fill)} for one in (first[i], second[j])
            )
            yield Difference("moved", what, 0.0, SEEN, "place", reference=wanted, candidate=own)


def _ground(compared: Compared, weight: float) -> Iterator[Difference]:
    design, made, matching = compared.reference.ground, compared.candidate.ground, compared.elements
    if matching is None or matching.ground == 1.0 or design is None or made is None:
        return
    pages = compared.reference, compared.candidate
    behind = [color_behind(page, is_of_edges=True) for page in pages]
    wanted, own = (
        {"box": [0, 0, *page.page_size], "fill": hex_color(color), "behind": hex_color(bare)}
        for page, color, bare in zip(pages, (design, made), behind, strict=True)
    )
    # The largest panel may take more of the page than what is behind it, which people call its background.
    # What shows little of itself is a bar.
    edges = [page.screenshot.pixels[:, EDGES] for page in pages]
    shares = [is_near(one, color, _SAME_FILL).mean() for one, color in zip(edges, behind, strict=True)]
    seen = SEEN if min(shares) >= _LEAST_GROUND and color_difference(*behind) >= LEAST_COLOR else None
    cost = weight * matching.ground_loss
    yield Difference("ground", "page", cost, seen, "fill", wanted["behind"], own["behind"], wanted, own)


def _missing(
    compared: Compared, element: Element, cost: float, texts: UnitMatching, sight: Sight
) -> Difference:
    details, what = _seen_details(element, compared.reference), subject_of(element)
    pages = compared.reference, compared.candidate
    # Of pages that differ in much, `sight` looks at one pixel in four: lines are thinner.
    box = element.box
    is_seen = element.kind == "line" and bool(apart_at(pages, (box, box)).any())
    is_seen = is_seen or sight.pixels_in(widened(box)) > 0
    seen = SEEN if is_seen and not _is_drawn_there(compared, element, texts, 0) else None
    marks = marks_of(details)
    if element.kind == "icon" and (color := color_there(*pages, element)):
        made = {**details, "fill": hex_color(color)}
        return Difference("recolored", what, cost, seen, "fill", details["fill"], made["fill"], details, made)
    is_there = _has_its_texts(compared, element, texts, 0) or _is_in_table(compared.candidate, element)
    if element.kind == "box" and is_there:
        if not marks:
            return Difference("restyled", what, cost, None, "marks", reference=details)
        if is_acted_on(element):
            return Difference("missing", what, cost, seen, "box", ", ".join(marks), None, details)
        made = {**details, **_UNMARKED}
        return Difference("restyled", what, cost, seen, "marks", ", ".join(marks), None, details, made)
    return Difference("missing", what, cost, seen, reference=details)


def _extra(
    compared: Compared, element: Element, cost: float, texts: UnitMatching, sight: Sight
) -> Difference:
    """Return that an element is not in the design, or its marks alone, around texts that the design has."""
    details, what = _seen_details(element, compared.candidate), subject_of(element)
    is_seen = sight.pixels_in(element.box) > 0
    seen = SEEN if is_seen and not _is_drawn_there(compared, element, texts, 1) else None
    if element.kind == "icon" and (color := color_there(compared.candidate, compared.reference, element)):
        wanted = {**details, "fill": hex_color(color)}
        fills = wanted["fill"], details["fill"]
        return Difference("recolored", what, cost, seen, "fill", *fills, wanted, details)
    marks = marks_of(details)
    has_texts = is_control(element) and _has_its_texts(compared, element, texts, 1)
    is_there = has_texts or _is_in_table(compared.reference, element)
    if element.kind == "box" and is_there:
        design = {**details, **_UNMARKED}
        seen = seen if marks else None
        return Difference("restyled", what, cost, seen, "marks", None, ", ".join(marks), design, details)
    return Difference("extra", what, cost, seen, candidate=details)


def _seen_details(element: Element, page: Capture) -> Details:
    """Return the facts of an element, without a fill that is not seen: most sides have it beside them."""
    left, top, width, height = element.box
    strips = (
        (left - _AROUND, top, _AROUND, height),
        (left + width, top, _AROUND, height),
        (left, top - _AROUND, width, _AROUND),
        (left, top + height, width, _AROUND),
    )
    shown = [page.screenshot.pixels[part_of(strip)] for strip in strips]
    same = sum(one.size > 0 and is_near(one, element.fill, _SAME_FILL).mean() >= 0.5 for one in shown)
    return {**details_of(element, page), "has_fill": element.has_fill and bool(same < _MOST_SIDES)}


def _is_drawn_there(compared: Compared, element: Element, texts: UnitMatching, side: int) -> bool:
    """Return whether the other page shows an element of one page without having it as one."""
    page = (compared.candidate, compared.reference)[side]
    return (
        _is_filled_there(compared, element, texts, side)
        or _is_line_near(page, element)
        or (side == 0 and _is_picture_there(page, element, texts))
    )


def _is_line_near(page: Capture, element: Element) -> bool:
    """Return whether a page draws a line that it has no element for, near to where another page has it."""
    if element.kind != "line":
        return False
    left, top, width, height = element.box
    at = int(width >= height)  # The axis across the line.
    reach = [_NEAR_LINE * (axis == at) for axis in (0, 1)]
    around = left - reach[0], top - reach[1], width + 2 * reach[0], height + 2 * reach[1]
    shown = page.screenshot.pixels[part_of(around)]
    if not shown.size:
        return False
    drawn = is_near(shown, element.fill, _SAME_FILL).mean(axis=at) >= _MOST_OF_LINE
    for one in page.elements or ():
        if one.kind == "line" and (common := clipped(one.box, around)):
            start = round(common[at] - max(around[at], 0))
            drawn[max(0, start - 1) : start + round(common[at + 2]) + 1] = False
    # More of it is a ground, and no line.
    return 0 < int(drawn.sum()) <= 2 * max(min(width, height), 1) + 1


def _is_picture_there(page: Capture, element: Element, texts: UnitMatching) -> bool:
    """Return whether a page shows a picture of one color: where several touch, their edges are not seen."""
    if element.tag not in PICTURES or not is_plain(element):
        return False
    left, top, width, height = element.box
    across, down = shift_near(element.box, texts.pairs)
    place = left + across, top + down, width, height
    shown = page.screenshot.pixels[part_of(place)]
    others = [clipped(one.box, place) for one in page.elements or () if one.tag in PICTURES]
    is_free = all(area(one) < area(place) / 2 for one in others if one)
    return (
        bool(is_free and shown.size)
        and float(is_near(shown, element.fill, _SAME_FILL).mean()) >= _MOST_OF_PICTURE
    )


def _is_filled_there(compared: Compared, element: Element, texts: UnitMatching, side: int) -> bool:
    """Return whether the texts of a box lie on its fill on the other page, too: on that of a larger one.

    A control's lie on one that is not much higher than it, such as a bar of tags.
    """
    own, page = (compared.reference, compared.candidate)[:: 1 - 2 * side]
    if element.has_border or element.has_shadow or page.ground is None:
        return False
    shown = [one.screenshot.pixels[part_of(element.box)] for one in (own, page)]
    is_of_page = area(element.box) >= _PART_OF_PAGE * page.page_size[0] * page.page_size[1]
    if element.kind == "box" and is_of_page and all(one.size for one in shown):
        shares = [float(is_near(one, element.fill, _SAME_FILL).mean()) for one in shown]
        if shares[1] >= max(_MOST_FILLED, shares[0] / 2):
            return True
    if color_difference(page.ground, element.fill) < _SAME_GROUND:
        return False
    inside = [
        run
        for pair in texts.pairs
        for own in pair[side].runs
        if is_inside(own.boxes[0], element.box)
        for run in pair[1 - side].runs
        if own.text.lower() in run.text.lower()
    ]
    if is_control(element):
        around, bars = (
            [one for one in shown.elements or () if one.box[3] <= _MOST_OF_BAR * element.box[3]]
            for shown in (own, page)
        )
        inside = [run for run in inside if any(is_inside(run.boxes[0], bar.box) for bar in bars)]
        # What is not in a bar in the design has the fill of one, in whatever color.
        if not any(bar is not element and is_inside(element.box, bar.box) for bar in around):
            held = [bar for run in inside for bar in bars if is_inside(run.boxes[0], bar.box)]
            if any(_seen_details(bar, page)["has_fill"] for bar in held):
                return True
    grounds = [ground_below(run.boxes[0], page, run.color or (0, 0, 0)) for run in inside]
    alike = sum(color_difference(one, element.fill) < _SAME_GROUND for one in grounds)
    return 2 * alike > len(grounds)


def _is_in_table(page: Capture, element: Element) -> bool:
    """Return whether a page has words in the place of an element that is a row or cell of the other one."""
    return name_of(element) in {"table cell", "table row"} and _has_words(page, element)


def _has_words(page: Capture, element: Element) -> bool:
    return any(is_inside(run.boxes[0], element.box) for run in page.text_runs if run.boxes)


def _has_its_texts(compared: Compared, element: Element, texts: UnitMatching, side: int) -> bool:
    """Return whether the texts of a box on one page did not come or go with it.

    They stand in its place on both pages; those of what people act on, anywhere.
    """
    if is_acted_on(element):
        gone = [pair[side] for pair in texts.pairs if not pair[0].reads_as(pair[1])]
        gone += (texts.missing, texts.extra)[side]
        page = (compared.reference, compared.candidate)[side]
        return _has_words(page, element) and not any(is_inside(one.box, element.box) for one in gone)
    hits = [[is_inside(one.box, element.box) for one in pair] for pair in texts.pairs]
    return 2 * sum(map(all, hits)) > sum(map(any, hits))


def _pair(
    compared: Compared, design: Element, made: Element, cost: float, sight: Sight
) -> Iterator[Difference]:
    """Yield each way in which a pair differs; its cost is shared among them."""
    if fills_apart(design, made) < LEAST_COLOR:
        # A fill of the page's own color is still there.
        made = replace(made, has_fill=design.has_fill)
    has_moved = is_moved(design.box, made.box)
    is_seen = has_moved or bool(sight.pixels_in(widened(design.box)) or sight.pixels_in(widened(made.box)))
    changes = [*_changes(compared, design, made, sight)] if is_seen else []
    if not changes:
        if cost > 0:
            start, end = ({"box": pixels(one.box)} for one in (design, made))
            what = subject_of(design)
            yield Difference("restyled", what, cost, None, "marks", reference=start, candidate=end)
        return
    wanted, own = details_of(design, compared.reference), details_of(made, compared.candidate)
    one = Difference("moved", subject_of(design), cost / len(changes), SEEN, reference=wanted, candidate=own)
    for kind, property, expected, actual in changes:
        is_other = property == "picture" and kind in {"recolored", "icon"}
        facts = {**own, **what_is_same(compared, design, made)} if is_other else own
        yield replace(one, candidate=facts, kind=kind, property=property, expected=expected, actual=actual)


def _changes(compared: Compared, design: Element, made: Element, sight: Sight) -> Iterator[Change]:
    has_moved = is_moved(design.box, made.box)
    if has_moved:
        yield "moved", "place", None, None
    # The size of a drawing is that of what is seen of it.
    is_drawing = {design.tag, made.tag} & DRAWINGS
    if min(design.shown, made.shown) < (_LEAST_SHOWN_DRAWING if is_drawing else _LEAST_SHOWN):
        yield from _of_states(design, made)
        return
    is_resized = any(abs(design.box[at] - made.box[at]) >= _LEAST_RESIZE for at in (2, 3))
    pictures = {"picture", "icon"}
    is_other_kind = design.kind != made.kind and {design.kind, made.kind} not in _LIKE_KINDS
    is_other_kind &= not {design.tag, made.tag} <= PICTURES
    if is_other_kind:
        if {design.kind, made.kind} <= pictures | {"box"} and is_plain(design) and is_flat(made):
            if fills_apart(design, made) >= LEAST_COLOR:  # A picture of one colour is a box.
                yield "recolored", "fill", hex_color(design.fill), hex_color(made.fill)
        elif design.kind in pictures and is_flat(made) and not is_plain(design):
            yield "blank", "picture", None, hex_color(made.fill)
        elif states := [*_of_states(design, made)]:  # It is drawn otherwise in another state.
            yield from states
        else:
            kind = f"a plain {hex_color(made.fill)} box" if made.kind == "box" else with_article(made.kind)
            yield "restyled", "kind", with_article(name_of(design)), kind
        return
    if design.kind in pictures:
        yield from picture_changes(compared, design, made, sight, is_resized=is_resized)
        return
    if is_resized:
        yield "resized", "size", size_of(design), size_of(made)
    if states := [*_of_states(design, made)]:  # Its look follows from them.
        yield from states
        return
    is_filled = design.has_fill and made.has_fill and design.is_fill_seen and made.is_fill_seen
    is_refilled = is_filled and fills_apart(design, made) >= LEAST_COLOR
    if design.fills and made.fills:  # Gradients of the same colors may run otherwise.
        is_refilled &= not any(
            color_difference(one, other) < LEAST_COLOR for one in design.fills for other in made.fills
        )
    if is_refilled and not _is_still_filled(compared, design, made):
        yield "recolored", "fill", hex_color(design.fill), hex_color(made.fill)
    elif not has_moved and _is_other_glass(design, made, sight):
        wanted, own = (
            hex_color(colors_of(page.screenshot.pixels[part_of(one.box)])[0][0])
            for page, one in ((compared.reference, design), (compared.candidate, made))
        )
        yield "recolored", "fill", wanted, own
    marks = [[one.has_fill, _shows_border(one), one.has_shadow] for one in (design, made)]
    is_seen = has_moved or is_resized or _differs_at_rim(design.box, sight)
    # At round ends, a border and what is behind it mix.
    are_other = design.has_border != made.has_border or marks[0][::2] != marks[1][::2]
    if marks[0] != marks[1] and are_other and is_seen and not _lies_on_picture(design, compared.reference):
        yield "restyled", "marks", None, None
    elif any(marks[0]) and not is_resized and _are_other_corners(design, made, sight):
        yield "restyled", *change_of_corners(design, made)


def _shows_border(element: Element) -> bool:
    """Return whether a border is seen: not on a fill of its color."""
    color = element.border if element.has_fill else None
    return element.has_border and (
        color is None or max(abs(a - b) for a, b in zip(color, element.fill, strict=True)) > _SAME_BORDER
    )


def _is_other_glass(design: Element, made: Element, sight: Sight) -> bool:
    """Return whether a picture is seen through both fills, and these made most of it look different."""
    is_glass = all(one.has_fill and not one.is_fill_seen for one in (design, made))
    return (
        is_glass
        and fills_apart(design, made) >= LEAST_COLOR
        and sight.striking_in(design.box) >= _MOST_OF_GLASS
    )


def _is_still_filled(compared: Compared, design: Element, made: Element) -> bool:
    """Return whether the design's fill takes as much of an element on the generated page, or nearly."""
    shares = []
    for page, box in ((compared.reference, design.box), (compared.candidate, made.box)):
        shares.append(float(is_near(page.screenshot.pixels[part_of(box)], design.fill, _SAME_FILL).mean()))
    return shares[1] >= max(_LEAST_FILLED, shares[0] / 2)


def _are_other_corners(design: Element, made: Element, sight: Sight) -> bool:
    """Return whether a box in its place is rounder or less round, and differs to the eye at its corners."""
    radii = [min(one.radius, *(side / 2 for side in one.box[2:])) for one in (design, made)]
    left, top, width, height = design.box
    reach = 0.3 * max(radii)  # A quarter of a circle leaves so much of its corner free.
    edges = (left, left + width - reach), (top, top + height - reach)
    differ = [sight.pixels_in((x, y, reach, reach)) > 0 for x in edges[0] for y in edges[1]]
    return abs(radii[0] - radii[1]) >= _LEAST_RADIUS and sum(differ) >= 2


def _of_states(design: Element, made: Element) -> Iterator[Change]:
    if design.states != made.states:
        for state in sorted({*design.states} ^ {*made.states}):
            old, new = (state if state in one.states else f"not {state}" for one in (design, made))
            yield "state", state, old, new
    is_button = "button" in {name_of(design), name_of(made)}  # Its value is a text.
    for name in () if is_button else ("value", "placeholder"):
        old, new = getattr(design, name), getattr(made, name)
        if old != new:
            yield "state", name, old or None, new or None


def _lies_on_picture(element: Element, page: Capture) -> bool:
    """Return whether a picture is behind an element: it makes edges come and go."""
    return any(
        one.kind == "picture" and is_inside(element.box, one.box) and area(one.box) > area(element.box)
        for one in page.elements or ()
    )


def _differs_at_rim(box: Box, sight: Sight) -> bool:
    """Return whether something differs at the edges of a box or beside them."""
    inner = clipped(box, (box[0] + RIM, box[1] + RIM, box[2] - 2 * RIM, box[3] - 2 * RIM))
    return sight.pixels_in(widened(box)) > (sight.pixels_in(inner) if inner else 0)
