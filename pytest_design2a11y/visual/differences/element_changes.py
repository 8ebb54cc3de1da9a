"""Changes between an element and its counterpart: place, size, kind, state, fill, marks; content."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.colors import ciede2000, color_difference, lab_from_srgb
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color, area, clipped, hex_color, is_inside
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference, DifferenceKind, Value
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.drawings import POSES, drawing_differences
from pytest_design2a11y.visual.differences.texts import LEAST_COLOR
from pytest_design2a11y.visual.likeness import Pixels, changed_part, is_on_another_ground
from pytest_design2a11y.visual.poses import pose_of
from pytest_design2a11y.visual.scene.page_index import index_of
from pytest_design2a11y.visual.scene.places import RIM, is_moved, widened
from pytest_design2a11y.visual.scene.sides import (
    PICTURES,
    details_of,
    is_flat,
    is_plain,
    name_of,
    subject_of,
)
from pytest_design2a11y.visual.scene.sight import SAME_FILL, apart_at, colors_of, is_near, shown_in
from pytest_design2a11y.wording import with_article

#: px; smaller differences in size are not reported individually.
LEAST_RESIZE = 4.0
#: Degrees; what is turned by less is not noticed.
_LEAST_TURN = 2.0
#: A thing is cut off if this share of it is, and all of it would have the design's sides, but for this share.
_LEAST_CUT, _OTHER_SIDE = 0.05, 0.1
#: Opacities, 0..1, that differ by less are the same.
LEAST_FADED = 0.05
#: px; corners whose radii differ by less are alike.
_LEAST_RADIUS = 3.0
#: Least visible share of an element, and of a drawing, for its look and size to be compared.
_LEAST_SHOWN, _LEAST_SHOWN_DRAWING = 0.7, 0.98
#: Least share of an element that a fill takes; levels of a channel by which a border hidden on a fill, whose
#: edge is mixed with its surroundings, may differ from it.
_LEAST_FILLED, _SAME_BORDER = 0.1, 16
#: Share of a translucent fill over a picture that must visibly differ for it to have another color.
_MOST_OF_GLASS = 0.5
#: Controls that people tick, each with a shape that says how many may be chosen.
_CHOICES = {"checkbox", "radio button", "switch"}
#: Kinds that look alike: a line is a flat box, an icon a small picture.
_LIKE_KINDS = ({"picture", "icon"}, {"box", "line"})
#: A picture shows something else if this share of it visibly differs.
_LEAST_CHANGED = 0.01
#: If only the corners of a picture differ, at most this share of the difference lies inside the ellipse; and
#: the ellipse's distance from the edges, px, and as a share: pictures have borders.
_LEAST_INSIDE, _LEAST_MARGIN, _BORDER = 0.1, 2.0, 0.06
#: Pictures that moved by more (px) are compared by the means of their parts (CIEDE2000).
_STILL, _OTHER_PLACE, _OTHER_FRAME = 0.5, 5.0, 20.0
#: Mean difference in luma, 0..255, over the parts of a picture, from which it is another one.
_OTHER_LUMA = 2.5
#: An icon is another one if its width and height changed by ratios that differ this much.
_LEAST_OTHER = 1.25
#: px; the shape of a smaller icon is meaningless.
_LEAST_ICON = 10
#: Drawings whose lumas, part by part, correlate this much have the same form.
_SAME_SHAPE = 0.6
#: Drawings whose lumas correlate this much are the same, except maybe in color.
_SAME_DRAWING = 0.9
#: Pictures whose edges, clipped to this many levels, correlate this much may be one under another tint.
_FAINT_EDGE, _SAME_EDGES = 8, 0.8
#: Flat share of a drawing; correlation of edges that makes two the same; most that their sizes differ (px).
_FLAT_PART, _SAME_LINES, _LEAST_RIM = 0.5, 0.85, 8
#: Aspect ratios of pictures that differ by less are not noticed.
_LEAST_DISTORTION, _CUT_NO_MORE = 1.06, 1.01

#: Elements that are as large as the drawing in them.
DRAWINGS = {"svg", "canvas"}

#: A change in a pair: kind, property, value in the design, and in the generated page.
_Change = tuple[DifferenceKind, str, Value, Value]


def pair_differences(compared: Compared, design: Element, made: Element) -> Iterator[Difference]:
    """Yield all visible differences of a pair."""
    ground = compared.candidate.ground
    from_ground = color_difference(design.fill, ground) if ground else 0.0
    if fills_apart(design, made) < max(LEAST_COLOR, from_ground / 2):
        # A fill of the page's own color is still there, and so is one that a larger box around it has now.
        made = replace(made, has_fill=design.has_fill)
    sight, has_moved = compared.sight, is_moved(design.box, made.box)
    is_seen = has_moved or bool(sight.pixels_in(widened(design.box)) or sight.pixels_in(widened(made.box)))
    changes, what = [*_changes(compared, design, made)] if is_seen else [], subject_of(design)
    is_whole = any(property == "pose" or kind == "blank" for kind, property, *_ in changes)
    of_parts = (
        drawing_differences(compared, design, made, [*_over(compared, design)])
        if is_seen and not is_whole
        else []
    )
    if of_parts:
        changes = [change for change in changes if change[1] != "picture"]
    if not changes and not of_parts:
        return
    wanted, own = details_of(design, compared.reference), details_of(made, compared.candidate)
    for kind, property, expected, actual in changes:
        if property == "cut":
            own = {**own, "cut": _cut_of(design, made)[0]}
        is_other = property == "picture" and kind in {"recolored", "icon"}
        facts = {**own, **_what_is_same(compared, design, made)} if is_other else own
        if is_other and kind == "recolored" and (part := changed_part(*_shown(compared, design, made))):
            facts = {**facts, "changed": f"{part[0]}, in {part[1]:.0%} of it"}
        yield claim(kind, what, property, expected, actual, wanted, facts)
    yield from of_parts


def _changes(compared: Compared, design: Element, made: Element) -> Iterator[_Change]:
    sight, has_moved = compared.sight, is_moved(design.box, made.box)
    if _is_turned(compared, design, made):
        yield "turned", "angle", design.angle, made.angle
        return
    if has_moved:
        yield "moved", "place", None, None
    if (cut := _cut_of(design, made)[1]) >= _LEAST_CUT:
        yield "overflowing", "cut", None, round(cut, 4)
        return
    # A drawing's size is that of its visible part.
    is_drawing = {design.tag, made.tag} & DRAWINGS
    if min(design.shown, made.shown) < (_LEAST_SHOWN_DRAWING if is_drawing else _LEAST_SHOWN):
        yield from _of_states(design, made)
        return
    is_resized = any(abs(design.box[at] - made.box[at]) >= LEAST_RESIZE for at in (2, 3))
    is_resized &= not _has_other_ring(design, made)
    pictures = {"picture", "icon"}
    is_other_kind = design.kind != made.kind and {design.kind, made.kind} not in _LIKE_KINDS
    is_other_kind &= not {design.tag, made.tag} <= PICTURES
    if is_other_kind:
        if {design.kind, made.kind} <= pictures | {"box"} and is_plain(design) and is_flat(made):
            if is_resized:  # A picture of one color is a box.
                yield "resized", "size", _size_of(design), _size_of(made)
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
    if abs(design.opacity - made.opacity) >= LEAST_FADED and design.states == made.states:
        yield "restyled", "opacity", design.opacity, made.opacity
        return
    if design.kind in pictures:
        yield from _picture_changes(compared, design, made, is_resized=is_resized)
        return
    if is_resized:
        yield "resized", "size", _size_of(design), _size_of(made)
    if states := [*_of_states(design, made)]:  # Its look follows from them.
        yield from states
        return
    names = name_of(design), name_of(made)
    if names[0] != names[1] and {*names} <= _CHOICES:
        yield "restyled", "kind", with_article(names[0]), with_article(names[1])
        return
    is_other_fill = fills_apart(design, made) >= LEAST_COLOR
    is_filled = design.has_fill and made.has_fill and design.is_fill_seen and made.is_fill_seen
    # A picture shows through both fills.
    is_glass = all(side.has_fill and not side.is_fill_seen for side in (design, made)) and not has_moved
    shown = _shown(compared, design, made)
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
    # With a picture behind it, edges come and go.
    around = [other.box for other in index_of(compared.reference).elements_at(design.box, "picture")]
    is_on_picture = any(is_inside(design.box, box) and area(box) > area(design.box) for box in around)
    # At round ends, a border and its background mix.
    are_other = marks[0][::2] != marks[1][::2] or design.has_border != made.has_border
    are_other &= marks[0] != marks[1]
    if are_other and (has_moved or is_resized or differs_at_rim) and not is_on_picture:
        yield "restyled", "marks", None, None
    elif (
        differs_at_rim
        and not is_on_picture
        and any(side[1] for side in marks)
        and _has_other_lines(design, made)
    ):
        yield "restyled", "border", *_line_colors(design, made)
    elif any(marks[0]) and not is_resized:
        radii = [min(side.radius, *(length / 2 for length in side.box[2:])) for side in (design, made)]
        reach = 0.3 * max(radii)  # A quarter circle leaves this share of its corner free.
        left, top, width, height = design.box
        edges = product((left, left + width - reach), (top, top + height - reach))
        differing = sum(sight.pixels_in((x, y, reach, reach)) > 0 for x, y in edges)
        if abs(radii[0] - radii[1]) >= _LEAST_RADIUS and differing >= 2:
            yield "restyled", *_change_of_corners(design, made)


def _has_other_ring(design: Element, made: Element) -> bool:
    """Return whether two boxes are of one size, but for a line that is drawn around one of them."""
    if design.has_border == made.has_border:
        return False
    width = max(design.border_width, made.border_width)
    apart = [abs(a - b) for a, b in zip(design.box, made.box, strict=True)]
    return all(
        abs(far - reach) <= RIM
        for far, reach in zip(apart, (width, width, 2 * width, 2 * width), strict=True)
    )


def _cut_of(design: Element, made: Element) -> tuple[str, float]:
    """Return the measure of which a part is cut off that the design shows, and its share of the whole."""
    if made.whole is None:
        return "", 0.0
    pairs = zip(made.whole[2:], design.box[2:], strict=True)
    if any(abs(full - wanted) > _OTHER_SIDE * wanted for full, wanted in pairs):
        return "", 0.0
    lost = [1 - made.box[at] / max(made.whole[at], 1.0) for at in (2, 3)]
    measure = "area" if min(lost) >= _LEAST_CUT else "width" if lost[0] > lost[1] else "height"
    return measure, 1 - area(made.box) / max(area(made.whole), 1.0)


def _is_turned(compared: Compared, design: Element, made: Element) -> bool:
    """Return whether style sheets turn one of two boxes, so that it looks different."""
    if design.kind != "box" or made.kind != "box" or abs(design.angle - made.angle) < _LEAST_TURN:
        return False
    return bool(apart_at(compared.pages, (design.box, made.box)).any())


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


def _of_states(design: Element, made: Element) -> Iterator[_Change]:
    for state in sorted({*design.states} ^ {*made.states}):
        old, new = (state if state in side.states else f"not {state}" for side in (design, made))
        yield "state", state, old, new
    is_button = "button" in {name_of(design), name_of(made)}  # Its value is a text.
    for name in () if is_button else ("value", "placeholder"):
        old, new = getattr(design, name), getattr(made, name)
        if old != new:
            yield "state", name, old or None, new or None


def _picture_changes(
    compared: Compared, design: Element, made: Element, *, is_resized: bool
) -> Iterator[_Change]:
    """Yield the differences of two pictures or icons."""
    if made.unloaded and not design.unloaded:
        yield "blank", "file", None, made.unloaded
        return
    if pose := pose_of(*_shown(compared, design, made)):
        yield POSES.get(pose, "turned"), "pose", None, pose
        return
    ratios = [made.box[at] / max(design.box[at], 1.0) for at in (2, 3)]
    has_shape = design.kind == "icon" and min(design.box[2:]) >= _LEAST_ICON
    is_stretched = is_resized and max(ratios) > _LEAST_OTHER * min(ratios)
    if has_shape and is_stretched and _is_other_shape(design, made):
        yield "icon", "picture", *_fills(design, made)
        return
    # Most parts of a drawing that is blank are gone.
    is_blank = is_flat(made) and not is_plain(design) and 2 * len(made.parts) <= len(design.parts)
    aspects = [_distortion(side) for side in (design, made)]
    # Stretching is noticed sooner if it was cut to its frame.
    is_of_one_size = design.natural_size == made.natural_size
    is_cut_no_more = design.is_loose_fit and not made.is_loose_fit and is_of_one_size
    least = _CUT_NO_MORE if is_cut_no_more else _LEAST_DISTORTION
    if is_resized and not (is_blank and design.tag in DRAWINGS):
        if aspects[0] < _LEAST_DISTORTION <= aspects[1]:
            yield "distorted", "aspect", _size_of(design), _size_of(made)
        else:
            yield "resized", "size", _size_of(design), _size_of(made)
    elif aspects[0] < least <= aspects[1]:
        yield "distorted", "aspect", _size_of(design), _size_of(made)
        return
    if is_blank:
        yield "blank", "picture", None, hex_color(made.fill)
    elif not is_resized and _differs_at_corners(compared, design, made):
        # If corners are as round as before, a shadow differs there.
        is_as_round = design.radius == made.radius > 0
        yield "restyled", *(("edge", None, "around") if is_as_round else _change_of_corners(design, made))
    elif _is_other_picture(compared, design, made, is_resized=is_resized):
        fills = _fills(design, made)
        if design.kind != "icon":
            yield "recolored", "picture", *fills
        elif any(fills) and not _is_other_shape(design, made, _SAME_DRAWING):
            yield "recolored", "fill", *fills
        else:
            yield "icon", "picture", *fills


def _shown(compared: Compared, design: Element, made: Element) -> tuple[Pixels, Pixels]:
    """Return the pixels of an element on each page."""
    reference, candidate = compared.pages
    return shown_in(reference, design.box), shown_in(candidate, made.box)


def _fills(design: Element, made: Element) -> tuple[str | None, str | None]:
    """Return the main color of each; None if the two look the same."""
    if fills_apart(design, made) < LEAST_COLOR:
        return None, None
    return hex_color(design.fill), hex_color(made.fill)


def _is_other_picture(compared: Compared, design: Element, made: Element, *, is_resized: bool) -> bool:
    """Return whether two pictures visibly differ, not counting what lies over them."""
    if design.thumbnail is None or made.thumbnail is None:
        return False
    around = (
        shown_in(page, widened(side.box)) for page, side in zip(compared.pages, (design, made), strict=True)
    )
    if is_on_another_ground(*around):
        return False
    cells = [lab_from_srgb(np.array(side.thumbnail)) for side in (design, made)]
    difference = float(ciede2000(*cells).mean())
    if is_resized or max(abs(a - b) for a, b in zip(design.box, made.box, strict=True)) > _STILL:
        if design.kind == "icon" and min(design.box[2:]) < _LEAST_ICON:
            return False
        # The same picture in another frame shows another part of itself.
        return difference >= (_OTHER_FRAME if is_resized else _OTHER_PLACE)
    if compared.sight.striking_in(design.box, _over(compared, design)) < _LEAST_CHANGED:
        return False
    if difference >= LEAST_COLOR or design.texture is None or made.texture is None:
        return True
    lumas = [np.array(side.texture, dtype=np.int64) for side in (design, made)]
    return float(np.abs(lumas[0] - lumas[1]).mean()) >= _OTHER_LUMA  # If merely drawn anew, little differs.


def _what_is_same(compared: Compared, design: Element, made: Element) -> dict[str, bool]:
    """Return what two different pictures have in common, by name, each True.

    "has_same_edges": light and dark change in the same places, as under another tint. "has_same_lines":
    drawings, mostly flat, have their edges in the same places.
    """
    shown = (side.astype(np.float64) for side in _shown(compared, design, made))
    first, second = (np.diff(part.mean(axis=2), axis=1).clip(-_FAINT_EDGE, _FAINT_EDGE) for part in shown)
    found = {"has_same_edges": first.shape == second.shape and _alike(first, second) >= _SAME_EDGES}
    height, width = np.minimum(first.shape, second.shape).tolist()
    drawn = []
    for edges in (np.abs(first), np.abs(second)):
        top, left = (edges.shape[0] - height) // 2, (edges.shape[1] - width) // 2
        drawn.append(edges[top : top + height, left : left + width])
    is_like_size = all(abs(a - b) <= _LEAST_RIM for a, b in zip(first.shape, second.shape, strict=True))
    if is_like_size and all(np.mean(edges == 0) >= _FLAT_PART for edges in drawn):
        found["has_same_lines"] = _alike(*drawn) >= _SAME_LINES
    return {name: True for name, is_same in found.items() if is_same}


def _alike(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    size = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum()) / size if size else 0.0


def _differs_at_corners(compared: Compared, design: Element, made: Element) -> bool:
    """Return whether a picture in its place was only cut differently at its corners."""
    is_still = max(abs(a - b) for a, b in zip(design.box, made.box, strict=True)) <= _STILL
    over = [*_over(compared, design)]
    margin = max(_LEAST_MARGIN, _BORDER * min(design.box[2:]))
    whole, inner = (compared.sight.striking_in(design.box, over, margin=inset) for inset in (None, margin))
    is_rounder = abs(design.radius - made.radius) >= _LEAST_RADIUS
    return is_still and (is_rounder or whole >= _LEAST_CHANGED) and inner < _LEAST_INSIDE * whole


def _is_other_shape(design: Element, made: Element, least: float = _SAME_SHAPE) -> bool:
    """Return whether two drawings have different forms, whatever their sizes."""
    if design.texture is None or made.texture is None:
        return True
    together, most = _together(np.array([design.texture, made.texture], dtype=np.float64))
    return not most or together < least * most


def color_there(own: Capture, other: Capture, icon: Element) -> Color | None:
    """Return the color in which another page draws an icon in its place; None if it does not."""
    drawn, there = (shown_in(page, icon.box).astype(np.float64).reshape(-1, 3) for page in (own, other))
    if drawn.shape != there.shape:
        return None
    together, most = _together(np.array([drawn.mean(axis=1), there.mean(axis=1)]))
    if not most or abs(together) < _SAME_DRAWING * most:
        return None
    red, green, blue = there[int(np.abs(drawn - icon.fill).sum(axis=1).argmin())].astype(int).tolist()
    return red, green, blue


def _together(lumas: NDArray[np.float64]) -> tuple[float, float]:
    """Return the covariance of two rows of lumas, and its greatest possible value."""
    around = lumas - lumas.mean(axis=1, keepdims=True)
    return float(around.prod(axis=0).sum()), float(np.sqrt((around**2).sum(axis=1).prod()))


def _over(compared: Compared, picture: Element) -> Iterator[Box]:
    """Yield what lies over a picture on either page: texts, smaller things, and things that cover a part."""
    for page in compared.pages:
        yield from map(widened, index_of(page).lines_in(picture.box))
        for box in (element.box for element in index_of(page).elements_at(picture.box)):
            if area(box) < 0.5 * area(picture.box) or not is_inside(picture.box, box):
                yield widened(box)


def _distortion(element: Element) -> float:
    """Return by how much a picture is stretched, as a ratio of at least 1."""
    own, sides = element.natural_size, element.box[2:]
    if own is None or element.is_loose_fit or not min(*own, *sides):
        return 1.0
    ratio = sides[0] / sides[1] * own[1] / own[0]
    return max(ratio, 1 / ratio)


def _change_of_corners(design: Element, made: Element) -> tuple[str, Value, Value]:
    """Return the property "corner", and the corners' radii, px, on each side; None if alike."""
    if abs(design.radius - made.radius) < 1:
        return "corner", None, None
    return "corner", design.radius, made.radius


def _size_of(element: Element) -> str:
    """Return width and height, px."""
    return f"{element.box[2]:.0f} x {element.box[3]:.0f}"


def fills_apart(design: Element, made: Element) -> float:
    """Return the difference of the fills (CIEDE2000)."""
    return color_difference(design.fill, made.fill)
