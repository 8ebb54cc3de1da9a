"""Changes between two pictures or icons: size, pose, content, corners; blank, not loaded, stretched."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.colors import ciede2000, color_difference, lab_from_srgb
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color, area, hex_color, is_inside
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import DifferenceKind, Value
from pytest_design2a11y.visual.differences.compared import Compared
from pytest_design2a11y.visual.differences.drawings import POSES
from pytest_design2a11y.visual.differences.texts import LEAST_COLOR
from pytest_design2a11y.visual.likeness import (
    Pixels,
    is_drawn_alike,
    is_on_another_ground,
    is_round,
    strength_of,
)
from pytest_design2a11y.visual.poses import pose_of
from pytest_design2a11y.visual.scene.element_facts import is_flat, is_plain
from pytest_design2a11y.visual.scene.page_index import index_of
from pytest_design2a11y.visual.scene.places import widened
from pytest_design2a11y.visual.scene.sight import shown_in

#: px; corners whose radii differ by less are alike.
LEAST_RADIUS = 3.0
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
Change = tuple[DifferenceKind, str, Value, Value]


def picture_changes(
    compared: Compared, design: Element, made: Element, *, is_resized: bool
) -> Iterator[Change]:
    """Yield the differences of two pictures or icons."""
    if made.unloaded and not design.unloaded:
        yield "blank", "file", None, made.unloaded
        return
    if pose := pose_of(*pixels_of(compared, design, made)):
        yield POSES.get(pose, "turned"), "pose", None, pose
        return
    ratios = [made.box[at] / max(design.box[at], 1.0) for at in (2, 3)]
    has_shape = design.kind == "icon" and min(design.box[2:]) >= _LEAST_ICON
    is_stretched = is_resized and max(ratios) > _LEAST_OTHER * min(ratios)
    if has_shape and is_stretched and _is_other_shape(design, made):
        yield "icon", "picture", *_fills(design, made)
        return
    # A pale pattern is nearly flat in the design, too. Most parts of a drawing that is blank are gone.
    is_paler = not is_plain(design) and (is_plain(made) or not is_flat(design))
    is_blank = is_flat(made) and is_paler and 2 * len(made.parts) <= len(design.parts)
    aspects = [_distortion(side) for side in (design, made)]
    # Stretching is noticed sooner if it was cut to its frame.
    is_of_one_size = design.natural_size == made.natural_size
    is_cut_no_more = design.is_loose_fit and not made.is_loose_fit and is_of_one_size
    least = _CUT_NO_MORE if is_cut_no_more else _LEAST_DISTORTION
    if is_resized and not (is_blank and design.tag in DRAWINGS):
        if aspects[0] < _LEAST_DISTORTION <= aspects[1]:
            yield "distorted", "aspect", size_of(design), size_of(made)
        else:
            yield "resized", "size", size_of(design), size_of(made)
    elif aspects[0] < least <= aspects[1]:
        yield "distorted", "aspect", size_of(design), size_of(made)
        return
    if is_blank:
        yield "blank", "picture", None, hex_color(made.fill)
    elif not is_resized and _differs_at_corners(compared, design, made):
        # If corners are as round as before, a shadow differs there.
        is_as_round = design.radius == made.radius > 0
        yield (
            "restyled",
            *(("edge", None, "around") if is_as_round else _other_corners(compared, design, made)),
        )
    elif _is_other_picture(compared, design, made, is_resized=is_resized):
        fills, shown = _fills(design, made), pixels_of(compared, design, made)
        if design.kind != "icon" and (strength := strength_of(*shown)):
            yield "restyled", "strength", None, round(strength, 2)
        elif design.kind != "icon":
            yield "recolored", "picture", *fills
        elif any(fills) and (is_drawn_alike(*shown) or not _is_other_shape(design, made, _SAME_DRAWING)):
            yield "recolored", "fill", *fills
        elif any(fills) or not is_drawn_alike(*shown):  # Otherwise its ground alone is another.
            yield "icon", "picture", *fills


def pixels_of(compared: Compared, design: Element, made: Element) -> tuple[Pixels, Pixels]:
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
        is_drawn_anew = fills_apart(design, made) < LEAST_COLOR and not _is_other_shape(design, made)
        if design.kind == "icon" and (min(design.box[2:]) < _LEAST_ICON or is_drawn_anew):
            return False
        # The same picture in another frame shows another part of itself.
        return difference >= (_OTHER_FRAME if is_resized else _OTHER_PLACE)
    if compared.sight.striking_in(design.box, boxes_over(compared, design)) < _LEAST_CHANGED:
        return False
    if difference >= LEAST_COLOR or design.texture is None or made.texture is None:
        return True
    lumas = [np.array(side.texture, dtype=np.int64) for side in (design, made)]
    return float(np.abs(lumas[0] - lumas[1]).mean()) >= _OTHER_LUMA  # If merely drawn anew, little differs.


def what_is_same(compared: Compared, design: Element, made: Element) -> dict[str, bool]:
    """Return what two different pictures have in common, by name, each True.

    "has_same_edges": light and dark change in the same places, as under another tint. "has_same_lines":
    drawings, mostly flat, have their edges in the same places.
    """
    shown = (side.astype(np.float64) for side in pixels_of(compared, design, made))
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
    over = [*boxes_over(compared, design)]
    margin = max(_LEAST_MARGIN, _BORDER * min(design.box[2:]))
    whole, inner = (compared.sight.striking_in(design.box, over, margin=inset) for inset in (None, margin))
    is_rounder = abs(design.radius - made.radius) >= LEAST_RADIUS
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


def boxes_over(compared: Compared, picture: Element) -> Iterator[Box]:
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


def _other_corners(compared: Compared, design: Element, made: Element) -> tuple[str, Value, Value]:
    """Return the corners' radii; if what cuts a picture to a circle is not its own, those that it shows."""
    property, *radii = change_of_corners(design, made)
    sides = zip(compared.pages, (design, made), strict=True)
    circles = [is_round(shown_in(page, widened(side.box, 1))) for page, side in sides]
    if radii[0] is None and circles[0] != circles[1]:
        radii = [min(design.box[2:]) / 2 if has_circle else 0.0 for has_circle in circles]
    return property, radii[0], radii[1]


def change_of_corners(design: Element, made: Element) -> tuple[str, Value, Value]:
    """Return the property "corner", and the corners' radii, px, on each side; None if alike."""
    if abs(design.radius - made.radius) < 1:
        return "corner", None, None
    return "corner", design.radius, made.radius


def size_of(element: Element) -> str:
    """Return width and height, px."""
    return f"{element.box[2]:.0f} x {element.box[3]:.0f}"


def fills_apart(design: Element, made: Element) -> float:
    """Return the difference of the fills (CIEDE2000)."""
    return color_difference(design.fill, made.fill)
