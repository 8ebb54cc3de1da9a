"""Differences of pictures and icons: stretched, blank, cut otherwise at the corners, or of something else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.colors import ciede2000, color_difference, lab_from_srgb
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color, area, clipped, hex_color, is_inside
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import DifferenceKind, Value
from pytest_design2a11y.visual.differences.compared import Compared, widened
from pytest_design2a11y.visual.differences.sides import is_flat, is_plain
from pytest_design2a11y.visual.differences.sight import Sight, part_of
from pytest_design2a11y.visual.differences.texts import LEAST_COLOR

#: A picture of which so much differs to the eye shows something else; of a blank one all is one colour.
_LEAST_CHANGED = 0.01
#: Of what differs, so little lies inside the ellipse in a picture whose corners alone are others; and how far
#: the ellipse keeps from its edges, px, and as a share: pictures have borders.
_LEAST_INSIDE, _LEAST_MARGIN, _BORDER = 0.1, 2.0, 0.06
#: Pictures that moved by more (px) are compared by the means of their parts (CIEDE2000).
_STILL, _OTHER_PLACE, _OTHER_FRAME = 0.5, 5.0, 20.0
#: Another luma, 0..255, as a mean over the parts of a picture.
_OTHER_LUMA = 2.5
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
#: Of a drawing so much is flat; whose edges go together so much are one, in sizes that differ so little (px).
_FLAT_PART, _SAME_LINES, _LEAST_RIM = 0.5, 0.85, 8
#: Aspects of pictures that differ by less, as a ratio, are not seen.
_LEAST_DISTORTION, _CUT_NO_MORE = 1.06, 1.01

#: What takes as much room as is drawn in it.
DRAWINGS = {"svg", "canvas"}

#: What one finds in a pair: kind, property, how it is in the design, and in the generated page.
Change = tuple[DifferenceKind, str, Value, Value]


def picture_changes(
    compared: Compared, design: Element, made: Element, sight: Sight, *, is_resized: bool
) -> Iterator[Change]:
    """Yield each way in which two pictures or icons differ."""
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
    is_blank = is_flat(made) and not is_plain(design)
    if is_resized and not (is_blank and design.tag in DRAWINGS):
        aspects = [_distortion(one) for one in (design, made)]
        if aspects[0] < _LEAST_DISTORTION <= aspects[1]:
            yield "distorted", "aspect", size_of(design), size_of(made)
        else:
            yield "resized", "size", size_of(design), size_of(made)
    elif _distortion(design) < _least_distortion(design, made) <= _distortion(made):
        yield "distorted", "aspect", size_of(design), size_of(made)
        return
    if is_blank:
        yield "blank", "picture", None, hex_color(made.fill)
    elif not is_resized and _differs_at_corners(compared, design, made, sight):
        # Corners that are as round as before are not what differs there, but a shadow.
        is_as_round = design.radius == made.radius > 0
        yield "restyled", *(("edge", None, "around") if is_as_round else change_of_corners(design, made))
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
    if fills_apart(design, made) < LEAST_COLOR:
        return None, None
    return hex_color(design.fill), hex_color(made.fill)


def _is_other_picture(
    compared: Compared, design: Element, made: Element, sight: Sight, *, is_resized: bool
) -> bool:
    """Return whether two pictures differ to the eye, what lies over them left out."""
    if design.thumbnail is None or made.thumbnail is None:
        return False
    cells = [lab_from_srgb(np.array(one.thumbnail)) for one in (design, made)]
    difference = float(ciede2000(*cells).mean())
    if is_resized or max(abs(a - b) for a, b in zip(design.box, made.box, strict=True)) > _STILL:
        if design.kind == "icon" and min(design.box[2:]) < _LEAST_ICON:
            return False
        # The same picture in another frame shows another part of itself.
        return difference >= (_OTHER_FRAME if is_resized else _OTHER_PLACE)
    is_other = sight.striking_in(design.box, _over(compared, design)) >= _LEAST_CHANGED
    return is_other and (difference >= LEAST_COLOR or _luma_apart(design, made) >= _OTHER_LUMA)


def what_is_same(compared: Compared, design: Element, made: Element) -> dict[str, bool]:
    """Return what two pictures that differ have in common, by name, each True.

    "has_same_edges": light and dark change in the same places, as below another tint. "has_same_lines":
    drawings, flat for the most part, have their edges in the same places.
    """
    pages = (compared.reference, design), (compared.candidate, made)
    lumas = [page.screenshot.pixels[part_of(one.box)].astype(np.float64).mean(axis=2) for page, one in pages]
    first, second = (np.diff(one, axis=1).clip(-_FAINT_EDGE, _FAINT_EDGE) for one in lumas)
    found = {
        "has_same_edges": first.shape == second.shape and _alike(first, second) >= _SAME_EDGES,
        "has_same_lines": _have_same_lines(np.abs(first), np.abs(second)),
    }
    return {name: True for name, is_same in found.items() if is_same}


def _have_same_lines(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    if any(abs(a - b) > _LEAST_RIM for a, b in zip(first.shape, second.shape, strict=True)):
        return False
    height, width = (min(sides) for sides in zip(first.shape, second.shape, strict=True))
    drawn = [
        one[
            (top := (one.shape[0] - height) // 2) : top + height,
            (left := (one.shape[1] - width) // 2) : left + width,
        ]
        for one in (first, second)
    ]
    is_flat_for_most = all(np.mean(one == 0) >= _FLAT_PART for one in drawn)
    return bool(is_flat_for_most and _alike(*drawn) >= _SAME_LINES)


def _alike(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    size = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum()) / size if size else 0.0


def _differs_at_corners(compared: Compared, design: Element, made: Element, sight: Sight) -> bool:
    """Return whether a picture in its place was cut another way at its corners, and shows the same."""
    is_still = max(abs(a - b) for a, b in zip(design.box, made.box, strict=True)) <= _STILL
    over = [*_over(compared, design)]
    margin = max(_LEAST_MARGIN, _BORDER * min(design.box[2:]))
    whole, inner = (sight.striking_in(design.box, over, margin=one) for one in (None, margin))
    return is_still and whole >= _LEAST_CHANGED and inner < _LEAST_INSIDE * whole


def _is_other_shape(design: Element, made: Element, least: float = _SAME_SHAPE) -> bool:
    """Return whether two drawings have other forms, whatever their sizes."""
    if design.texture is None or made.texture is None:
        return True
    together, most = _together(np.array([design.texture, made.texture], dtype=np.float64))
    return not most or together < least * most


def color_there(own: Capture, other: Capture, icon: Element) -> Color | None:
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


def _together(lumas: NDArray[np.float64]) -> tuple[float, float]:
    """Return how much two rows of lumas rise and fall together, and the most that they could."""
    around = lumas - lumas.mean(axis=1, keepdims=True)
    return float(around.prod(axis=0).sum()), float(np.sqrt((around**2).sum(axis=1).prod()))


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
            yield from (widened(box) for box in run.boxes if is_inside(box, picture.box))
        for one in page.elements or ():
            is_part = area(one.box) < 0.5 * area(picture.box) or not is_inside(picture.box, one.box)
            if is_part and clipped(one.box, picture.box):
                yield widened(one.box)


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


def change_of_corners(design: Element, made: Element) -> tuple[str, Value, Value]:
    """Return the property "corner", and how round corners are, px, on each side; None where alike."""
    if abs(design.radius - made.radius) < 1:
        return "corner", None, None
    return "corner", design.radius, made.radius


def size_of(element: Element) -> str:
    """Return width and height, px."""
    return f"{element.box[2]:.0f} x {element.box[3]:.0f}"


def fills_apart(design: Element, made: Element) -> float:
    """Return how different the fills look (CIEDE2000)."""
    return color_difference(design.fill, made.fill)
