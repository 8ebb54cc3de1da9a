"""Changes between an element and its counterpart: place, size, kind, state, fill, marks; content."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color, area, clipped, grown, hex_color
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.drawings import drawing_differences
from pytest_design2a11y.visual.differences.picture_changes import (
    DRAWINGS,
    LEAST_RADIUS,
    Change,
    boxes_over,
    change_of_corners,
    fills_apart,
    picture_changes,
    pixels_of,
    size_of,
    what_is_same,
)
from pytest_design2a11y.visual.differences.texts import LEAST_COLOR
from pytest_design2a11y.visual.likeness import changed_part
from pytest_design2a11y.visual.scene.element_facts import (
    PICTURES,
    details_of,
    is_flat,
    is_plain,
    look_of_ring,
    name_of,
    subject_of,
)
from pytest_design2a11y.visual.scene.places import LEAST_SHIFT, RIM, is_moved, widened
from pytest_design2a11y.visual.scene.sight import SAME_FILL, Pixels, apart_at, colors_of, is_near
from pytest_design2a11y.visual.scene.text_facts import lies_on_picture
from pytest_design2a11y.wording import with_article

#: Degrees; what is turned by less is not noticed.
_LEAST_TURN = 2.0
#: A thing is cut off if this share of it is, and all of it would have the design's sides, but for this share.
_LEAST_CUT, _OTHER_SIDE = 0.05, 0.1
#: px by which the sides of a ring around a border may differ.
_SAME_RING = 1
#: Opacities, 0..1, that differ by less are the same.
LEAST_FADED = 0.05
#: Least visible share of an element, and of a drawing, for its look and size to be compared.
_LEAST_SHOWN, _LEAST_SHOWN_DRAWING = 0.7, 0.98
#: Least share of an element that a fill takes; levels of a channel by which a border hidden on a fill, whose
#: edge is mixed with its surroundings, may differ from it.
_LEAST_FILLED, _SAME_BORDER = 0.1, 16
#: Share of a translucent fill over a picture that must visibly differ for it to have another color.
_MOST_OF_GLASS = 0.5
#: CIEDE2000; a fill that differs by more is another one, however far it is from the page's ground.
_OTHER_FILL = 20.0
#: px; dashes, and the gaps between them, are no longer on average.
_DASH = 20
#: Controls that people tick, each with a shape that says how many may be chosen.
_CHOICES = {"checkbox", "radio button", "switch"}
#: Kinds that look alike: a line is a flat box, an icon a small picture.
_LIKE_KINDS = ({"picture", "icon"}, {"box", "line"})


def pair_differences(compared: Compared, design: Element, made: Element) -> Iterator[Difference]:
    """Yield all visible differences of a pair."""
    design, made = _with_ring(design, made), _with_ring(made, design)
    ground = compared.candidate.ground
    from_ground = color_difference(design.fill, ground) if ground else 0.0
    if fills_apart(design, made) < min(max(LEAST_COLOR, from_ground / 2), _OTHER_FILL):
        # A fill of the page's own color is still there, and so is one that a larger box around it has now.
        made = replace(made, has_fill=design.has_fill)
    sight, has_moved = compared.sight, is_moved(design.box, made.box)
    reach = RIM + max(side.ring.gap + side.ring.width if side.ring else 0.0 for side in (design, made))
    is_seen = has_moved or any(sight.pixels_in(widened(side.box, reach)) for side in (design, made))
    changes, what = [*_changes(compared, design, made)] if is_seen else [], subject_of(design)
    is_whole = any(property == "pose" or kind == "blank" for kind, property, *_ in changes)
    of_parts = (
        drawing_differences(compared, design, made, [*boxes_over(compared, design)])
        if is_seen and not is_whole
        else []
    )
    if of_parts:
        changes = [change for change in changes if change[1] not in {"picture", "strength"}]
    if not changes and not of_parts:
        return
    wanted, own = details_of(design, compared.reference), details_of(made, compared.candidate)
    for kind, property, expected, actual in changes:
        if property == "cut":
            own = {**own, "cut": _cut_of(design, made)[0]}
        is_other = property == "picture" and kind in {"recolored", "icon"}
        facts = {**own, **what_is_same(compared, design, made)} if is_other else own
        if is_other and kind == "recolored" and (part := changed_part(*pixels_of(compared, design, made))):
            facts = {**facts, "changed": part}
        yield claim(kind, what, property, expected, actual, wanted, facts)
    yield from of_parts


def _changes(compared: Compared, design: Element, made: Element) -> Iterator[Change]:
    sight, has_moved = compared.sight, is_moved(design.box, made.box)
    if _is_turned(compared, design, made):
        yield "turned", "angle", design.angle, made.angle
        return
    if has_moved:
        yield "moved", "place", None, None
    if design.kind == made.kind == "line":
        looks = zip(*map(_look_of_line, (design, made), pixels_of(compared, design, made)), strict=True)
        is_recolored = color_difference(design.fill, made.fill) >= LEAST_COLOR
        other = [pair for pair in looks if pair[0] != pair[1] and (is_recolored or pair[0][0] != "#")]
        if other:
            old, new = (" ".join(words) for words in zip(*other, strict=True))
            yield "restyled", "line", old, new
    if (cut := _cut_of(design, made)[1]) >= _LEAST_CUT:
        yield "overflowing", "cut", None, round(cut, 4)
        return
    # A drawing's size is that of its visible part.
    is_drawing = {design.tag, made.tag} & DRAWINGS
    if min(design.shown, made.shown) < (_LEAST_SHOWN_DRAWING if is_drawing else _LEAST_SHOWN):
        yield from _of_states(design, made)
        return
    is_resized = any(abs(design.box[at] - made.box[at]) >= LEAST_SHIFT for at in (2, 3))
    has_other_ring = is_resized and _has_other_ring(design, made)
    is_resized &= not has_other_ring
    pictures = {"picture", "icon"}
    is_other_kind = design.kind != made.kind and {design.kind, made.kind} not in _LIKE_KINDS
    is_other_kind &= not {design.tag, made.tag} <= PICTURES
    if is_other_kind:
        if {design.kind, made.kind} <= pictures | {"box"} and is_plain(design) and is_flat(made):
            if is_resized:  # A picture of one color is a box.
                yield "resized", "size", size_of(design), size_of(made)
            if fills_apart(design, made) >= LEAST_COLOR:
                yield "recolored", "fill", hex_color(design.fill), hex_color(made.fill)
        elif design.kind in pictures and is_flat(made) and not is_plain(design):
            yield "blank", "picture", None, hex_color(made.fill)
        elif states := [*_of_states(design, made)]:  # Another state is drawn differently.
            yield from states
        else:
            kind = f"a plain {hex_color(made.fill)} box" if made.kind == "box" else with_article(made.kind)
            yield "restyled", "kind", with_article(name_of(design)), kind
        return
    is_seen_through = not (design.has_fill and made.has_fill) or fills_apart(design, made) >= LEAST_COLOR
    is_faded = abs(design.opacity - made.opacity) >= LEAST_FADED and is_seen_through
    if is_faded and design.states == made.states:
        yield "restyled", "opacity", design.opacity, made.opacity
        return
    if design.kind in pictures:
        yield from (rings := [*_of_rings(design, made)])
        for change in picture_changes(compared, design, made, is_resized=is_resized):
            if not rings or change[1:3] not in {("edge", None), ("corner", None)}:  # That is the ring.
                yield change
        return
    if is_resized:
        yield "resized", "size", size_of(design), size_of(made)
    if states := [*_of_states(design, made)]:  # Its look follows from them.
        yield from states
        return
    yield from _of_rings(design, made)
    names = name_of(design), name_of(made)
    if names[0] != names[1] and {*names} <= _CHOICES:
        yield "restyled", "kind", with_article(names[0]), with_article(names[1])
        return
    is_other_fill = fills_apart(design, made) >= LEAST_COLOR
    is_filled = design.has_fill and made.has_fill and design.is_fill_seen and made.is_fill_seen
    # A picture shows through both fills.
    is_glass = all(side.has_fill and not side.is_fill_seen for side in (design, made)) and not has_moved
    shown = pixels_of(compared, design, made)
    # Gradients of the same colors may run in other directions.
    ends = product(design.fills, made.fills)
    is_one_gradient = any(color_difference(*colors) < LEAST_COLOR for colors in ends)
    if is_filled and is_other_fill and not is_one_gradient:
        shares = [float(is_near(part, design.fill, SAME_FILL).mean()) for part in shown]
        if shares[1] < max(_LEAST_FILLED, shares[0] / 2):
            yield "recolored", "fill", hex_color(design.fill), hex_color(made.fill)
    elif is_glass and is_other_fill and sight.striking_in(design.box) >= _MOST_OF_GLASS:
        wanted, own = (hex_color(colors_of(part)[0][0]) for part in shown)
        yield "recolored", "fill", wanted, own
    marks = [[side.has_fill, _shows_border(side), side.has_shadow] for side in (design, made)]
    inner = clipped(design.box, widened(design.box, -RIM))
    differs_at_rim = sight.pixels_in(widened(design.box)) > (sight.pixels_in(inner) if inner else 0)
    # With a picture behind it, edges come and go; a fill does not.
    on_picture = [
        lies_on_picture(side.box, page) for page, side in zip(compared.pages, (design, made), strict=True)
    ]
    has_other_fill = all(on_picture) and not has_moved and sight.striking_in(design.box) >= _MOST_OF_GLASS
    is_on_picture = on_picture[0] and not has_other_fill
    # At round ends, a border and its background mix.
    are_other = marks[0][::2] != marks[1][::2] or design.has_border != made.has_border
    are_other &= marks[0] != marks[1]
    if are_other and (has_moved or is_resized or differs_at_rim) and not is_on_picture:
        yield "restyled", "marks", None, None
    if marks[0][:2] != marks[1][:2]:
        return
    if (
        differs_at_rim
        and not is_on_picture
        and any(side[1] for side in marks)
        and (has_other_ring or _has_other_lines(design, made))
        and not _is_partly_covered(compared, made)
    ):
        yield "restyled", "border", *_line_colors(design, made)
    elif any(marks[0]) and not is_resized:
        radii = [min(side.radius, *(length / 2 for length in side.box[2:])) for side in (design, made)]
        reach = 0.3 * max(radii)  # A quarter circle leaves this share of its corner free.
        left, top, width, height = design.box
        edges = product((left, left + width - reach), (top, top + height - reach))
        differing = sum(sight.pixels_in((x, y, reach, reach)) > 0 for x, y in edges)
        if abs(radii[0] - radii[1]) >= LEAST_RADIUS and differing >= 2:
            yield "restyled", *change_of_corners(design, made)


def _look_of_line(line: Element, shown: Pixels) -> tuple[str, str, str]:
    """Return weight, style and color of a line, in words."""
    width, height = line.box[2:]
    drawn = is_near(shown, line.fill, SAME_FILL).any(axis=int(width < height))
    is_dashed = np.count_nonzero(np.diff(drawn)) * _DASH >= max(width, height)
    return f"{round(min(width, height))} px", "dashed" if is_dashed else "solid", hex_color(line.fill)


def _has_other_ring(design: Element, made: Element) -> bool:
    """Return whether two boxes are of one size, but for a line that is drawn around one of them."""
    if design.border_width == made.border_width:
        return False
    apart = [abs(a - b) for a, b in zip(design.box, made.box, strict=True)]
    width, slack = max(design.border_width, made.border_width), RIM
    if design.has_border and made.has_border:  # One has a ring, or a wider one, around its border.
        width, slack = min(width, apart[2] / 2), _SAME_RING
    return all(
        abs(far - reach) <= slack
        for far, reach in zip(apart, (width, width, 2 * width, 2 * width), strict=True)
    )


def _cut_of(design: Element, made: Element) -> tuple[str, float]:
    """Return the measure of which a part is cut off that the design shows, and its share of the whole."""
    if made.whole is None:
        return "", 0.0
    # An icon's box is that of its ink.
    whole = design.box if design.kind == made.kind == "icon" else made.whole
    pairs = zip(whole[2:], design.box[2:], strict=True)
    if any(abs(full - wanted) > _OTHER_SIDE * wanted for full, wanted in pairs):
        return "", 0.0
    lost = [1 - made.box[at] / max(whole[at], 1.0) for at in (2, 3)]
    measure = "area" if min(lost) >= _LEAST_CUT else "width" if lost[0] > lost[1] else "height"
    return measure, 1 - area(made.box) / max(area(whole), 1.0)


def _is_turned(compared: Compared, design: Element, made: Element) -> bool:
    """Return whether style sheets turn one of two boxes, so that it looks different."""
    if design.kind != "box" or made.kind != "box" or abs(design.angle - made.angle) < _LEAST_TURN:
        return False
    return bool(apart_at(compared.pages, (design.box, made.box)).any())


def _is_partly_covered(compared: Compared, made: Element) -> bool:
    """Return whether another box lies across an edge of one, and over most of it."""
    left, top, width, height = made.box
    edges: list[Box] = [(left + at, top, RIM, height) for at in (0, width - RIM)]
    edges += [(left, top + at, width, RIM) for at in (0, height - RIM)]
    boxes = (one.box for one in compared.candidate.elements or () if one.kind == "box" and one is not made)
    others = [box for box in boxes if clipped(box, made.box) not in {box, made.box}]
    return any(
        2 * area(common) > area(edge) for edge in edges for box in others if (common := clipped(edge, box))
    )


def _has_other_lines(design: Element, made: Element) -> bool:
    """Return whether the lines at the sides of two boxes differ in color, or in the sides that have one."""
    lines = zip(design.lines, made.lines, strict=False)
    return any(
        (old is None) != (new is None) or (old and new and color_difference(old, new) >= LEAST_COLOR)
        for old, new in lines
    )


def _line_colors(design: Element, made: Element) -> tuple[str | None, str | None]:
    """Return the color of the line at the side where they differ most; None where there is none."""

    def apart(pair: tuple[Color | None, Color | None]) -> float:
        old, new = pair
        return float(old is not new) if old is None or new is None else color_difference(old, new)

    old, new = max(zip(design.lines, made.lines, strict=False), key=apart)
    return old and hex_color(old), new and hex_color(new)


def _shows_border(element: Element) -> bool:
    """Return whether a border is visible: it is not if it lies on a fill of its color."""
    if not element.has_border or element.border is None or not element.has_fill:
        return element.has_border
    return max(abs(a - b) for a, b in zip(element.border, element.fill, strict=True)) > _SAME_BORDER


def _with_ring(element: Element, other: Element) -> Element:
    """Return a box with the outline that shows instead of its border as one, and the other's border below it.

    A border that looks like it is the same.
    """
    ring = element.ring
    if ring is None or not ring.is_instead:
        return element
    is_like = other.ring is None and other.border and color_difference(other.border, ring.color) < LEAST_COLOR
    if ring.is_border and is_like:
        return replace(element, ring=None)
    box = grown(element.box, -ring.gap - ring.width) if ring.is_border else element.box
    bare = replace(element, box=box, has_border=False, border=None, border_width=0.0, lines=())
    edge = other if ring.gap < 0 and not (other.ring and other.ring.is_instead) else bare
    return replace(
        bare,
        has_border=edge.has_border,
        border=edge.border,
        border_width=edge.border_width,
        lines=edge.lines,
        ring=replace(ring, is_border=False),
    )


def _of_rings(design: Element, made: Element) -> Iterator[Change]:
    old, new = design.ring, made.ring
    if not (old and new):
        if old or new:
            yield "restyled", "ring", old and look_of_ring(old), new and look_of_ring(new)
    elif old.width != new.width or color_difference(old.color, new.color) >= LEAST_COLOR:
        yield "restyled", "ring", look_of_ring(old), look_of_ring(new)
    elif abs(old.gap - new.gap) >= 1:
        yield "restyled", "offset", old.gap, new.gap


def _of_states(design: Element, made: Element) -> Iterator[Change]:
    for state in sorted({*design.states} ^ {*made.states}):
        old, new = (state if state in side.states else f"not {state}" for side in (design, made))
        yield "state", state, old, new
    is_button = "button" in {name_of(design), name_of(made)}  # Its value is a text.
    for name in () if is_button else ("value", "placeholder"):
        old, new = getattr(design, name), getattr(made, name)
        if old != new:
            yield "state", name, old or None, new or None
