"""The look of a design's texts and elements as CSS."""

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from itertools import pairwise
from statistics import median
from typing import Any

from pytest_design2a11y.fixing.claims import Claims
from pytest_design2a11y.models.elements import Element, Font
from pytest_design2a11y.models.geometry import (
    Box,
    Color,
    MeanColor,
    contrast,
    hex_color,
    is_inside,
    readable_colors,
)
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.report.inventory import LEAST_CONTRAST, required_contrast
from pytest_design2a11y.visual.scene.sight import shown_in
from pytest_design2a11y.visual.scene.text_facts import ground_of, text_facts
from pytest_design2a11y.visual.scene.units import Unit

#: By how much more than WCAG requires text contrasts: colors are rounded, and letters are drawn smoothly.
_MORE = 0.05
SIDES = ("top", "right", "bottom", "left")
#: Shadow of an element that has one: its own is not known.
_SHADOW = "0 1px 3px rgb(0 0 0 / 25%)"

#: Pixels, across and down at most, of a picture that stands in for one of the design.
_MOST_PIXELS = 24
#: Share of a picture in one color, with this difference in each channel, that is told by the color alone.
_LEAST_PLAIN, _SAME_COLOR = 0.99, 6
#: Pictures whose means differ by less than this in every channel look the same.
_LIKE = 24

#: Names of families that are tried for letters without one.
FAMILIES = (
    *("serif", "sans-serif", "monospace", "Arial", "Helvetica", "Times New Roman", "Georgia", "Verdana"),
    *("Tahoma", "Trebuchet MS", "Courier New", "system-ui", "Roboto", "Open Sans", "DejaVu Sans"),
    *("DejaVu Serif", "DejaVu Sans Mono", "Liberation Sans", "Liberation Serif", "Liberation Mono"),
    "cursive",
)


def px(length: float) -> str:
    """Return a length as CSS."""
    return f"{round(length, 2):g}px"


@dataclass(frozen=True)
class PageLooks:
    """A page whose texts and elements are told as CSS."""

    page: Capture
    families: Mapping[Any, str] = field(default_factory=dict)  # CSS names of its fonts, by `family_key`
    fills: Mapping[Color, Color] = field(default_factory=dict)  # On which its texts can be read, by its own


def base_css(unit: Unit, looks: PageLooks) -> dict[str, str]:
    """Return font and color of most of a text, as `font_css` does."""
    return font_css(max(unit.runs, key=lambda run: len(run.text)), looks)


def font_css(run: TextRun, looks: PageLooks) -> dict[str, str]:
    """Return font and color of a text; the color is readable on the ground that it gets."""
    css: dict[str, str] = {}
    font = run.font
    if font is not None:
        css = {
            "font-size": px(font.size),
            "font-weight": str(font.weight),
            "font-style": "italic" if font.is_italic else "normal",
            "letter-spacing": px(font.letter_spacing) if font.letter_spacing else "normal",
        }
        if family := looks.families.get(family_key(font)):
            css["font-family"] = family
    if color := _readable_color(run, looks):
        css["color"] = hex_color(color)
        if run.alpha < 1 and run.color is not None and color == _whole(run.color):
            css["color"] = f"rgb({color[0]} {color[1]} {color[2]} / {run.alpha:.0%})"
    return css


def family_key(font: Font) -> tuple[Any, ...]:
    """Return what a font's family is known by."""
    return font.advances, font.weight, font.is_italic


def _readable_color(run: TextRun, looks: PageLooks) -> Color | None:
    """Return the color of a text, or the nearest that is readable on the ground that it gets."""
    ground = ground_behind(run, looks.page)
    if run.color is None or ground is None:
        return run.color
    shown = shown_color(run, ground)
    readable = readable_on(looks.fills.get(ground, ground), shown, least_contrast(run.font))
    return run.color if readable == _whole(shown) else readable


def shown_color(run: TextRun, ground: Color) -> MeanColor:
    """Return the color of a text as its ground shines through it."""
    red, green, blue = (b + run.alpha * (a - b) for a, b in zip(run.color or ground, ground, strict=True))
    return red, green, blue


@cache
def readable_on(ground: Color, color: MeanColor, least: float) -> Color:
    """Return a color, or the nearest that has this contrast with a ground, and a little more."""
    own = _whole(color)
    if contrast(own, ground) >= least:
        return own
    return _whole(readable_colors(own, ground, least + _MORE, keeps_ground=True)[0])


def readable_fill(fill: Color, color: MeanColor, least: float) -> Color:
    """Return a fill, or the nearest on which this color has this contrast, if that is near enough."""
    own = _whole(color)
    return fill if contrast(own, fill) >= least else _whole(readable_colors(own, fill, least + _MORE)[1])


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


def _whole(color: MeanColor) -> Color:
    red, green, blue = (round(channel) for channel in color)
    return red, green, blue


def ground_behind(run: TextRun, page: Capture) -> Color | None:
    """Return the color behind a text."""
    if run.color is None or not run.boxes:
        return None
    return ground_of(run.boxes[0], page, run.color)


def least_contrast(font: Font | None) -> float:
    """Return the contrast that WCAG requires of a text."""
    return required_contrast(font.size, font.weight) if font else LEAST_CONTRAST


def line_css(unit: Unit, page: Capture) -> dict[str, str]:
    """Return width, alignment and line height of a text, so that its lines end where the design's do."""
    facts = text_facts(unit, page)
    boxes = [box for run in unit.runs for box in run.boxes]
    usual, tops = median(box[3] for box in boxes), sorted({box[1] for box in boxes})
    # Its first letter may be as high as several lines.
    steps = [after - before for before, after in pairwise(tops) if after - before > usual / 2]
    if not steps:
        return {"white-space": "nowrap"}
    align = {"centered": "center", "right": "right"}.get(str(facts.get("align")), "left")
    return {
        "width": px(unit.box[2] + 1),
        "max-width": "none",
        "line-height": px(facts.get("line_height") or median(steps)),
        "text-align": align,
        "white-space": "normal",
        "overflow-wrap": "anywhere",
    }


def padding_css(unit: Unit, box: Box, css: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """Return the padding of a box that brings the text in it to its place."""
    left, top = unit.box[0] - box[0], unit.box[1] - box[1]
    around = known.get("border", "0")
    lines = {side: _width_of(known.get(f"border-{side}", around)) for side in SIDES}
    high = float(css["line-height"][:-2]) if "line-height" in css else unit.line_height
    spare = (high - unit.line_height) / 2
    top -= spare
    bottom = box[3] - top - unit.box[3] - 2 * spare
    is_one_line = "width" not in css
    right = 0.0 if is_one_line else box[2] - left - unit.box[2] - 2
    return {
        **{name: value for name, value in css.items() if name not in ("width", "max-width")},
        "line-height": px(high),
        "text-align": css.get("text-align", "left"),
        "padding-top": px(max(0, top - lines["top"])),
        "padding-left": px(max(0, left - lines["left"])),
        "padding-bottom": px(max(0, bottom - lines["bottom"])),
        "padding-right": px(max(0, right - lines["right"])),
        "align-items": "flex-start",
        "justify-content": "left",
        "text-indent": "0px",
    }


def _width_of(border: str) -> float:
    number = border.partition("px")[0]
    return float(number) if number.replace(".", "").isdigit() else 0.0


def look_css(element: Element, fills: Mapping[Color, Color] | None = None) -> dict[str, str]:
    """Return fill, border, corners, shadow and outline of an element, with other `fills` for some."""
    is_line = element.kind == "line"  # No text stands on it.
    others = {} if is_line else fills or {}
    fill = others.get(element.fill, element.fill)
    is_filled = element.has_fill or is_line
    css = {"background-color": hex_color(fill) if is_filled else "transparent"}
    if element.fills:
        css["background-image"] = f"linear-gradient({', '.join(map(hex_color, element.fills))})"
    else:
        css["background-image"] = "none"
    width, lines = px(max(element.border_width, 1)), list[str]()
    for color in _border_colors(element):
        shown = fill if color == element.fill else color
        lines.append(f"{width} solid {hex_color(shown)}" if shown else "0px none")
    names = ["border"] if len({*lines}) == 1 else [f"border-{side}" for side in SIDES]
    css |= dict(zip(names, lines, strict=False))
    css["border-radius"] = px(element.radius)
    css["box-shadow"] = _SHADOW if element.has_shadow else "none"
    if (ring := element.ring) and not ring.is_border:
        css |= {"outline": f"{px(ring.width)} solid {hex_color(ring.color)}", "outline-offset": px(ring.gap)}
    else:
        css["outline"] = "none"
    return css


def _border_colors(element: Element) -> Sequence[Color | None]:
    if not element.has_border:
        return (None,) * 4
    return element.lines if len(element.lines) == len(SIDES) else (element.border,) * 4


def plain_size_css(box: Box) -> dict[str, str]:
    """Return the size of an element that nothing else sizes."""
    return {"box-sizing": "border-box", "width": px(box[2]), "height": px(box[3])}


def size_css(box: Box) -> dict[str, str]:
    """Return the size of an element, whatever its content."""
    return {
        **plain_size_css(box),
        "flex": "none",
        "min-width": "0px",
        "min-height": "0px",
        "max-width": "none",
        "max-height": "none",
    }


def style_of(css: Mapping[str, str]) -> str:
    """Return CSS as an attribute's value."""
    return escape("; ".join(f"{name}: {value}" for name, value in css.items()))


def is_like(picture: Element, other: Element) -> bool:
    """Return whether two pictures look the same, as far as is known."""
    cells = zip(*(one.thumbnail or (one.fill,) for one in (picture, other)), strict=False)
    return all(abs(a - b) < _LIKE for pair in cells for a, b in zip(*pair, strict=True))


def background_of(element: Element, page: Capture) -> str:
    """Return what a page shows in a picture's place as a background: its color, if it has but one."""
    import numpy as np

    shown = shown_in(page, element.box).reshape(-1, 3)
    color = np.median(shown, axis=0).tolist()
    if shown.size and float((abs(shown - color).max(axis=1) <= _SAME_COLOR).mean()) >= _LEAST_PLAIN:
        red, green, blue = color
        return hex_color(_whole((red, green, blue)))
    return f"url({picture_of(element, page)}) 0 0 / 100% 100%"


def picture_of(element: Element, page: Capture) -> str:
    """Return a small picture of what a page shows in a picture's place, as a source."""
    from PIL import Image

    made, data = Image.fromarray(shown_in(page, element.box)), io.BytesIO()
    made.resize((min(made.width, _MOST_PIXELS), min(made.height, _MOST_PIXELS))).quantize(16).save(
        data, "PNG"
    )
    return f"data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}"
