"""Parts of a design in one color that are no element of it: what its texts lie on."""

from dataclasses import dataclass, replace
from typing import Any

from pytest_design2a11y.fixing.claims import Claims
from pytest_design2a11y.fixing.looks import ground_behind, least_contrast, readable_fill, shown_color
from pytest_design2a11y.models.geometry import Box, Color, area, clipped, is_inside
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.visual.scene.sight import is_near
from pytest_design2a11y.visual.scene.units import Unit

#: Colors look the same up to this difference in each channel.
_SAME_GROUND = 6


@dataclass(frozen=True)
class Ground:
    """A part of the design in one color that is no element of it."""

    box: Box  # px of the design
    fill: Color


def grounds_of(claims: Claims) -> list[Ground]:
    """Return what lies behind texts of the design where it shows neither its ground nor an element."""
    page, grounds, labels = claims.reference, list[Ground](), dict[Color, Any]()
    elements = [design for design, _ in claims.elements if design is not None]
    for unit, made in claims.texts:
        ground = None if unit is None else ground_behind(unit.runs[0], page)
        if unit is None or ground is None or (made and _is_shown(ground, unit, made, claims.candidate)):
            continue
        around = [
            element
            for element in elements
            if is_inside(unit.box, element.box) and area(element.box) >= area(unit.box)
        ]
        lowest = min(around, key=lambda element: area(element.box), default=None)
        is_known = any(_is_close(element.fill, ground) or element.fills for element in around)
        is_known |= any(is_inside(unit.box, known.box) for known in grounds)
        if page.ground and _is_close(ground, page.ground):
            is_known |= lowest is None or not (lowest.has_fill or lowest.kind == "picture")
        box = None if is_known else _part_around(unit.box, ground, page, labels)
        if box is not None and is_inside(unit.box, box):  # Else it is that of some of its words.
            grounds.append(Ground(box if lowest is None else clipped(box, lowest.box) or box, ground))
    return grounds


def _is_shown(ground: Color, unit: Unit, made: Unit, page: Capture) -> bool:
    """Return whether a page shows a color where a text of it stands, and where that is to stand."""
    runs = made.runs[0], replace(made.runs[0], boxes=unit.runs[0].boxes)
    shown = [ground_behind(run, page) for run in runs]
    return all(color is not None and _is_close(color, ground) for color in shown)


def readable_fills(claims: Claims) -> dict[Color, Color]:
    """Return the fills of the design's elements that have to be others for texts on them, by its own.

    The text of a control that is disabled need not contrast.
    """
    page, found = claims.reference, dict[Color, Color]()
    elements = [element for element, _ in claims.elements if element]
    fills = {element.fill for element in elements if element.has_fill} - {page.ground}
    disabled = [element.box for element in elements if "disabled" in element.states]
    for run in (run for unit, _ in claims.texts if unit for run in unit.runs if run.color):
        ground = ground_behind(run, page)
        if ground in fills and not any(is_inside(run.boxes[0], box) for box in disabled):
            own = found.get(ground, ground)
            fill = readable_fill(own, shown_color(run, ground), least_contrast(run.font))
            found |= {ground: fill} if fill != own else {}
    return found


def _part_around(box: Box, color: Color, page: Capture, labels: dict[Color, Any]) -> Box | None:
    """Return the extent of the part of a page in one color that a text lies on."""
    from scipy import ndimage

    if color not in labels:
        parts, _ = ndimage.label(is_near(page.screenshot.pixels, color, _SAME_GROUND))
        labels[color] = parts, ndimage.find_objects(parts)
    parts, extents = labels[color]
    left, top = max(int(box[0]) - 1, 0), max(int(box[1]) - 1, 0)
    inside = parts[top : top + int(box[3]) + 2, left : left + int(box[2]) + 2]
    numbers = [int(number) for number in inside[inside > 0]]
    if not numbers:
        return None
    rows, columns = extents[max(set(numbers), key=numbers.count) - 1]
    width, height = columns.stop - columns.start, rows.stop - rows.start
    return float(columns.start), float(rows.start), float(width), float(height)


def _is_close(first: Color, second: Color) -> bool:
    """Return whether two colors look the same."""
    return max(abs(a - b) for a, b in zip(first, second, strict=True)) <= _SAME_GROUND
