"""Differences of what is not text: missing, extra, moved, resized, restyled, recolored; the ground."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.colors import ciede2000, lab_from_srgb
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color, area, clipped, hex_color, is_inside
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference, DifferenceKind, Value
from pytest_design2a11y.models.words import marks_of
from pytest_design2a11y.visual.differences.compared import SEEN, Compared, is_moved
from pytest_design2a11y.visual.differences.pairing import pair_elements
from pytest_design2a11y.visual.differences.sides import (
    details_of,
    is_acted_on,
    is_control,
    is_flat,
    is_plain,
    label_of,
    name_of,
    pixels,
    subject_of,
)
from pytest_design2a11y.visual.differences.sight import (
    STRIKING,
    Sight,
    apart_at,
    color_behind,
    is_near,
    part_of,
)
from pytest_design2a11y.visual.differences.text_pairing import UnitMatching
from pytest_design2a11y.visual.differences.texts import LEAST_COLOR
from pytest_design2a11y.wording import with_article

#: Sizes that differ by less (px) are not reported by themselves.
_LEAST_RESIZE = 4.0
#: A picture of which so much differs to the eye shows something else; of a blank one all is one colour.
_LEAST_CHANGED = 0.01
#: Corners whose radii differ by less (px) are alike.
_LEAST_RADIUS = 3.0
#: Of what differs, so little lies inside the ellipse in a picture whose corners alone are others; and how far
#: the ellipse keeps from its edges, px, and as a share: pictures have borders.
_LEAST_INSIDE, _LEAST_MARGIN, _BORDER = 0.1, 2.0, 0.06
#: Pictures that moved by more (px) are compared by the means of their parts (CIEDE2000).
_STILL, _OTHER_PLACE, _OTHER_FRAME = 0.5, 5.0, 20.0
#: Another luma, 0..255, as a mean over the parts of a picture.
_OTHER_LUMA = 2.5
#: Of what is covered by more, neither look nor size is compared.
_LEAST_SHOWN = 0.7
#: An icon whose width and height changed so differently, as a ratio, is another one.
_LEAST_OTHER = 1.25
#: The shape of a smaller icon (px) says nothing.
_LEAST_ICON = 10
#: Drawings whose lumas, part by part, go together so much are of one form.
_SAME_SHAPE = 0.6
#: Drawings whose lumas go together so much are one, in other colours at most.
_SAME_DRAWING = 0.9
#: Pictures whose edges, of so many levels at most, go together so much may be one below another tint.
_FAINT_EDGE, _SAME_EDGES = 8, 0.8
#: Aspects of pictures that differ by less, as a ratio, are not seen.
_LEAST_DISTORTION, _CUT_NO_MORE = 1.06, 1.01
#: Levels of a channel that differ by less are of one fill, which takes so much of an element at least.
_SAME_FILL, _LEAST_FILLED = 8, 0.1
#: How far beside its edges (px) the marks of an element are sought.
_RIM = 6

#: Controls in which browsers draw what style sheets draw by icons, and how much of them is their edge.
_MARKED, _EDGE_OF_CONTROL = {"select", "input[type=checkbox]", "input[type=radio]"}, 0.2
#: Levels of a channel that make an edge, and how near (px) edges are one.
_LEAST_STEP, _SAME_END = 9, 2.0

#: Kinds that look alike: a line is a flat box, an icon a small picture.
_LIKE_KINDS = ({"picture", "icon"}, {"box", "line"})
_UNMARKED = {"has_fill": False, "has_border": False, "has_shadow": False}

#: What one finds in a pair: kind, property, how it is in the design, and in the generated page.
_Change = tuple[DifferenceKind, str, Value, Value]


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
    for design, made, cost in pairs:
        if design and made:
            changes = [*_pair(compared, design, made, cost, sight)]
        elif design:
            changes = [_missing(compared, design, cost, texts, sight)]
        elif made:
            changes = [_extra(compared, made, cost, texts, sight)]
        is_unseen = _is_unseen(compared, (design, made), both)
        yield from (replace(one, severity=None) if is_unseen else one for one in changes)


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
            wanted, own = ({"box": pixels(one.box)} for one in (first[i], second[j]))
            yield Difference("moved", what, 0.0, SEEN, "place", reference=wanted, candidate=own)


def _ground(compared: Compared, weight: float) -> Iterator[Difference]:
    design, made, matching = compared.reference.ground, compared.candidate.ground, compared.elements
    if matching is None or matching.ground == 1.0 or design is None or made is None:
        return
    wanted, own = (
        {"box": [0, 0, *page.page_size], "fill": hex_color(color), "behind": hex_color(color_behind(page))}
        for page, color in ((compared.reference, design), (compared.candidate, made))
    )
    seen = SEEN if _color_difference(design, made) >= LEAST_COLOR else None
    cost = weight * matching.ground_loss
    yield Difference("ground", "page", cost, seen, "fill", wanted["fill"], own["fill"], wanted, own)


def _missing(
    compared: Compared, element: Element, cost: float, texts: UnitMatching, sight: Sight
) -> Difference:
    details, what = details_of(element, compared.reference), subject_of(element)
    pages = compared.reference, compared.candidate
    # Of pages that differ in much, `sight` looks at one pixel in four: lines are thinner.
    box = element.box
    is_seen = element.kind == "line" and apart_at(pages, (box, box)).any()
    seen = SEEN if is_seen or sight.pixels_in(_wide(box)) else None
    marks = marks_of(details)
    if element.kind == "icon" and (color := _color_there(*pages, element)):
        made = {**details, "fill": hex_color(color)}
        return Difference("recolored", what, cost, seen, "fill", details["fill"], made["fill"], details, made)
    is_there = _has_its_texts(compared, element, texts, 0) or _is_in_table(compared.candidate, element)
    if element.kind == "box" and marks and is_there:
        if is_acted_on(element):
            return Difference("missing", what, cost, seen, "box", ", ".join(marks), None, details)
        made = {**details, **_UNMARKED}
        return Difference("restyled", what, cost, seen, "marks", ", ".join(marks), None, details, made)
    return Difference("missing", what, cost, seen, reference=details)


def _color_there(own: Capture, other: Capture, icon: Element) -> Color | None:
    """Return the colour in which another page draws an icon in its place; None where it does not."""
    drawn, there = (
        page.screenshot.pixels[part_of(icon.box)].astype(np.float64).reshape(-1, 3) for page in (own, other)
    )
    if drawn.shape != there.shape:
        return None
    together, most = _together(np.array([drawn.mean(axis=1), there.mean(axis=1)]))
    if not most or abs(together) < _SAME_DRAWING * most:
        return None
    red, green, blue = there[int(np.abs(drawn - icon.fill).sum(axis=1).argmin())].astype(int).tolist()
    return red, green, blue


def _extra(
    compared: Compared, element: Element, cost: float, texts: UnitMatching, sight: Sight
) -> Difference:
    """Return that an element is not in the design, or its marks alone, around texts that the design has."""
    details, what = details_of(element, compared.candidate), subject_of(element)
    seen = SEEN if sight.pixels_in(element.box) else None
    if element.kind == "icon" and (color := _color_there(compared.candidate, compared.reference, element)):
        wanted = {**details, "fill": hex_color(color)}
        fills = wanted["fill"], details["fill"]
        return Difference("recolored", what, cost, seen, "fill", *fills, wanted, details)
    marks = marks_of(details)
    has_texts = is_control(element) and _has_its_texts(compared, element, texts, 1)
    is_there = has_texts or _is_in_table(compared.reference, element)
    if element.kind == "box" and marks and is_there:
        design = {**details, **_UNMARKED}
        return Difference("restyled", what, cost, seen, "marks", None, ", ".join(marks), design, details)
    return Difference("extra", what, cost, seen, candidate=details)


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
    has_moved = is_moved(design.box, made.box)
    is_seen = has_moved or bool(sight.pixels_in(_wide(design.box)) or sight.pixels_in(_wide(made.box)))
    changes = [*_changes(compared, design, made, sight)] if is_seen else []
    if not changes:
        if cost > 0:
            yield Difference("restyled", subject_of(design), cost, None, "marks")
        return
    wanted, own = details_of(design, compared.reference), details_of(made, compared.candidate)
    one = Difference("moved", subject_of(design), cost / len(changes), SEEN, reference=wanted, candidate=own)
    for kind, property, expected, actual in changes:
        if (kind, property) == ("recolored", "picture") and _has_same_edges(compared, design, made):
            one = replace(one, candidate={**own, "has_same_edges": True})
        yield replace(one, kind=kind, property=property, expected=expected, actual=actual)


def _changes(compared: Compared, design: Element, made: Element, sight: Sight) -> Iterator[_Change]:
    has_moved = is_moved(design.box, made.box)
    if has_moved:
        yield "moved", "place", None, None
    if min(design.shown, made.shown) < _LEAST_SHOWN:
        yield from _of_states(design, made)
        return
    is_resized = any(abs(design.box[at] - made.box[at]) >= _LEAST_RESIZE for at in (2, 3))
    pictures = {"picture", "icon"}
    is_other_kind = design.kind != made.kind and {design.kind, made.kind} not in _LIKE_KINDS
    if is_other_kind:
        if {design.kind, made.kind} <= pictures | {"box"} and is_plain(design) and is_flat(made):
            if _apart(design, made) >= LEAST_COLOR:  # A picture of one colour is a box.
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
        yield from _of_pictures(compared, design, made, sight, is_resized=is_resized)
        return
    if is_resized:
        yield "resized", "size", _size(design), _size(made)
    if states := [*_of_states(design, made)]:  # Its look follows from them.
        yield from states
        return
    is_filled = design.has_fill and made.has_fill and design.is_fill_seen and made.is_fill_seen
    is_refilled = is_filled and not (design.fills and made.fills) and _apart(design, made) >= LEAST_COLOR
    if is_refilled and not _is_still_filled(compared, design, made):
        yield "recolored", "fill", hex_color(design.fill), hex_color(made.fill)
    marks = [[one.has_fill, one.has_border, one.has_shadow] for one in (design, made)]
    is_seen = has_moved or is_resized or _differs_at_rim(design.box, sight)
    if marks[0] != marks[1] and is_seen and not _lies_on_picture(design, compared.reference):
        yield "restyled", "marks", None, None
    elif any(marks[0]) and not is_resized and _are_other_corners(design, made, sight):
        yield "restyled", *_change_of_corners(design, made)


def _is_still_filled(compared: Compared, design: Element, made: Element) -> bool:
    """Return whether the design's fill takes as much of an element on the generated page, or nearly."""
    shares = []
    for page, box in ((compared.reference, design.box), (compared.candidate, made.box)):
        shares.append(float(is_near(page.screenshot.pixels[part_of(box)], design.fill, _SAME_FILL).mean()))
    return shares[1] >= max(_LEAST_FILLED, shares[0] / 2)


def _of_pictures(
    compared: Compared, design: Element, made: Element, sight: Sight, *, is_resized: bool
) -> Iterator[_Change]:
    ratios = [made.box[at] / max(design.box[at], 1.0) for at in (2, 3)]
    if (
        design.kind == "icon"
        and is_resized
        and min(design.box[2:]) >= _LEAST_ICON
        and max(ratios) > _LEAST_OTHER * min(ratios)
        and _is_other_shape(design, made)
    ):
        yield "icon", "picture", *_fills(design, made)
        return
    if is_resized:
        aspects = [_distortion(one) for one in (design, made)]
        if aspects[0] < _LEAST_DISTORTION <= aspects[1]:
            yield "distorted", "aspect", _size(design), _size(made)
        else:
            yield "resized", "size", _size(design), _size(made)
    elif _distortion(design) < _least_distortion(design, made) <= _distortion(made):
        yield "distorted", "aspect", _size(design), _size(made)
        return
    if is_flat(made) and not is_plain(design):
        yield "blank", "picture", None, hex_color(made.fill)
    elif not is_resized and _differs_at_corners(compared, design, made, sight):
        # Corners that are as round as before are not what differs there, but a shadow.
        is_as_round = design.radius == made.radius > 0
        yield "restyled", *(("edge", None, "around") if is_as_round else _change_of_corners(design, made))
    elif _is_other_picture(compared, design, made, sight, is_resized=is_resized):
        fills = _fills(design, made)
        if design.kind != "icon":
            yield "recolored", "picture", *fills
        elif any(fills) and not _is_other_shape(design, made, _SAME_DRAWING):
            yield "recolored", "fill", *fills
        else:
            yield "icon", "picture", *fills


def _fills(design: Element, made: Element) -> tuple[str | None, str | None]:
    """Return what colour most of each is; None where the two look the same."""
    if _apart(design, made) < LEAST_COLOR:
        return None, None
    return hex_color(design.fill), hex_color(made.fill)


def _is_other_picture(
    compared: Compared, design: Element, made: Element, sight: Sight, *, is_resized: bool
) -> bool:
    """Return whether two pictures differ to the eye, what lies over them left out."""
    if design.thumbnail is None or made.thumbnail is None:
        return False
    cells = [lab_from_srgb(np.array(one.thumbnail)) for one in (design, made)]
    apart = float(ciede2000(*cells).mean())
    if is_resized or max(abs(a - b) for a, b in zip(design.box, made.box, strict=True)) > _STILL:
        if design.kind == "icon" and min(design.box[2:]) < _LEAST_ICON:
            return False
        # The same picture in another frame shows another part of itself.
        return apart >= (_OTHER_FRAME if is_resized else _OTHER_PLACE)
    is_other = sight.striking_in(design.box, _over(compared, design)) >= _LEAST_CHANGED
    return is_other and (apart >= LEAST_COLOR or _luma_apart(design, made) >= _OTHER_LUMA)


def _has_same_edges(compared: Compared, design: Element, made: Element) -> bool:
    """Return whether light and dark change in the same places of two pictures, as below another tint."""
    lumas = [
        page.screenshot.pixels[part_of(one.box)].astype(np.float64).mean(axis=2)
        for page, one in ((compared.reference, design), (compared.candidate, made))
    ]
    if lumas[0].shape != lumas[1].shape:
        return False
    first, second = (np.diff(one, axis=1).clip(-_FAINT_EDGE, _FAINT_EDGE) for one in lumas)
    size = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum()) >= _SAME_EDGES * size > 0


def _differs_at_corners(compared: Compared, design: Element, made: Element, sight: Sight) -> bool:
    """Return whether a picture in its place was cut another way at its corners, and shows the same."""
    is_still = max(abs(a - b) for a, b in zip(design.box, made.box, strict=True)) <= _STILL
    over = [*_over(compared, design)]
    margin = max(_LEAST_MARGIN, _BORDER * min(design.box[2:]))
    whole, inner = (sight.striking_in(design.box, over, margin=one) for one in (None, margin))
    return is_still and whole >= _LEAST_CHANGED and inner < _LEAST_INSIDE * whole


def _are_other_corners(design: Element, made: Element, sight: Sight) -> bool:
    """Return whether a box in its place is rounder or less round, and differs to the eye at its corners."""
    radii = [min(one.radius, *(side / 2 for side in one.box[2:])) for one in (design, made)]
    left, top, width, height = design.box
    reach = 0.3 * max(radii)  # A quarter of a circle leaves so much of its corner free.
    edges = (left, left + width - reach), (top, top + height - reach)
    differ = [sight.pixels_in((x, y, reach, reach)) > 0 for x in edges[0] for y in edges[1]]
    return abs(radii[0] - radii[1]) >= _LEAST_RADIUS and sum(differ) >= 2


def _change_of_corners(design: Element, made: Element) -> tuple[str, Value, Value]:
    """Return the property "corner", and how round corners are, px, on each side; None where alike."""
    if abs(design.radius - made.radius) < 1:
        return "corner", None, None
    return "corner", design.radius, made.radius


def _is_other_shape(design: Element, made: Element, least: float = _SAME_SHAPE) -> bool:
    """Return whether two drawings have other forms, whatever their sizes."""
    if design.texture is None or made.texture is None:
        return True
    together, most = _together(np.array([design.texture, made.texture], dtype=np.float64))
    return not most or together < least * most


def _together(lumas: NDArray[np.float64]) -> tuple[float, float]:
    """Return how much two rows of lumas rise and fall together, and the most that they could."""
    apart = lumas - lumas.mean(axis=1, keepdims=True)
    return float(apart.prod(axis=0).sum()), float(np.sqrt((apart**2).sum(axis=1).prod()))


def _luma_apart(design: Element, made: Element) -> float:
    """Return by how much pictures are lighter or darker, part by part, 0..255: little where drawn anew."""
    if design.texture is None or made.texture is None:
        return _OTHER_LUMA
    lumas = [np.array(one.texture, dtype=np.int64) for one in (design, made)]
    return float(np.abs(lumas[0] - lumas[1]).mean())


def _over(compared: Compared, picture: Element) -> Iterator[Box]:
    """Yield what lies over a picture on either page: texts, what is smaller, and what covers a part of it."""
    for page in (compared.reference, compared.candidate):
        for run in page.text_runs:
            yield from (_wide(box) for box in run.boxes if is_inside(box, picture.box))
        for one in page.elements or ():
            is_part = area(one.box) < 0.5 * area(picture.box) or not is_inside(picture.box, one.box)
            if is_part and clipped(one.box, picture.box):
                yield _wide(one.box)


def _of_states(design: Element, made: Element) -> Iterator[_Change]:
    if design.states != made.states:
        for state in sorted({*design.states} ^ {*made.states}):
            old, new = (state if state in one.states else f"not {state}" for one in (design, made))
            yield "state", state, old, new
    for name in ("value", "placeholder"):
        old, new = getattr(design, name), getattr(made, name)
        if old != new:
            yield "state", name, old or None, new or None


def _lies_on_picture(element: Element, page: Capture) -> bool:
    """Return whether a picture is behind an element: it makes edges come and go."""
    return any(
        one.kind == "picture" and is_inside(element.box, one.box) and area(one.box) > area(element.box)
        for one in page.elements or ()
    )


def _size(element: Element) -> str:
    return f"{element.box[2]:.0f} x {element.box[3]:.0f}"


def _color_difference(first: Sequence[int], second: Sequence[int]) -> float:
    return float(ciede2000(lab_from_srgb(first), lab_from_srgb(second)))


def _apart(design: Element, made: Element) -> float:
    return _color_difference(design.fill, made.fill)


def _least_distortion(design: Element, made: Element) -> float:
    """Return from which ratio on a picture is stretched: sooner if it is one that was cut to its frame."""
    is_cut_no_more = design.is_loose_fit and not made.is_loose_fit
    return _CUT_NO_MORE if is_cut_no_more and design.natural_size == made.natural_size else _LEAST_DISTORTION


def _distortion(element: Element) -> float:
    """Return by how much a picture is stretched, as a ratio from 1 on."""
    if (
        element.natural_size is None
        or element.is_loose_fit
        or not min(*element.natural_size, *element.box[2:])
    ):
        return 1.0
    ratio = element.box[2] / element.box[3] * element.natural_size[1] / element.natural_size[0]
    return max(ratio, 1 / ratio)


def _wide(box: Box) -> Box:
    return box[0] - _RIM, box[1] - _RIM, box[2] + 2 * _RIM, box[3] + 2 * _RIM


def _differs_at_rim(box: Box, sight: Sight) -> bool:
    """Return whether something differs at the edges of a box or beside them."""
    inner = clipped(box, (box[0] + _RIM, box[1] + _RIM, box[2] - 2 * _RIM, box[3] - 2 * _RIM))
    return sight.pixels_in(_wide(box)) > (sight.pixels_in(inner) if inner else 0)
