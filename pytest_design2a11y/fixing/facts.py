"""The look of things as CSS, from the facts that a saved run has of them."""

import re
from html import escape

from pytest_design2a11y.fixing.looks import SIDES, plain_size_css, px, readable_on, style_of
from pytest_design2a11y.models.geometry import color_of_hex, hex_color
from pytest_design2a11y.models.thing_words import Facts
from pytest_design2a11y.report.inventory import required_contrast

#: The property for each fact of a text, its value, and its value where a text is known not to have the fact.
_OF_TEXTS = {
    "font_size": ("font-size", "{:g}px", ""),
    "weight": ("font-weight", "{}", ""),
    "family": ("font-family", "{}", ""),
    "is_italic": ("font-style", "italic", "normal"),
    "letter_spacing": ("letter-spacing", "{:g}px", "normal"),
    "is_underlined": ("text-decoration-line", "underline", "none"),
    "line_height": ("line-height", "{:g}px", ""),
    "align": ("text-align", "{}", ""),
    "color": ("color", "{}", ""),
}
_CENTERED = {"centered": "center"}
_BORDER = re.compile(r"([\d.]+) px (#[0-9a-f]{6})(?: at the (.+))?")


def changed_look(design: Facts, made: Facts) -> dict[str, str]:
    """Return the CSS of every fact in which a thing of the page is not known to be as in the design."""
    wanted, own = look_of(design), _raw_look(made)
    is_whole = _is_whole(design) and _is_whole(made)
    return {
        name: value for name, value in wanted.items() if own.get(name) != value and (is_whole or name in own)
    }


def look_of(side: Facts) -> dict[str, str]:
    """Return the CSS of a thing of the design; the color of a text is readable on its ground."""
    css = _raw_look(side)
    color, ground = (color_of_hex(str(side.get(name))) for name in ("color", "ground"))
    if color and ground and not side.get("on_picture"):
        least = required_contrast(side.get("font_size") or 0.0, side.get("weight") or 0)
        css["color"] = hex_color(readable_on(ground, color, least))
    return css


def _is_whole(side: Facts) -> bool:
    """Return whether a fact that is not there is known not to be true."""
    return "ground" in side or "has_fill" in side


def _raw_look(side: Facts) -> dict[str, str]:
    if "has_fill" in side:
        return _look_of_box(side)
    return {
        name: form.format(_CENTERED.get(str(value), value)) if value else default
        for fact, (name, form, default) in _OF_TEXTS.items()
        if (value := side.get(fact)) or (_is_whole(side) and default)
    }


def _look_of_box(side: Facts) -> dict[str, str]:
    """Return fill, border, corners and shadow of an element."""
    fills = side.get("fills")
    fill = str(side.get("fill")) if side["has_fill"] else "transparent"
    css = {"background": f"linear-gradient({', '.join(fills)})" if fills else fill}
    border = _BORDER.match(str(side.get("border", ""))) if side.get("has_border") else None
    for edge in SIDES:
        is_drawn = border and edge in (border[3] or edge)
        css[f"border-{edge}"] = f"{border[1]}px solid {border[2]}" if border and is_drawn else "0px none"
    return {**css, "border-radius": px(side.get("radius") or 0)}


def markup_of(side: Facts) -> str:
    """Return a thing that the page lacks as markup, where the design has it."""
    left, top, width, _ = side["box"]
    css = {"position": "absolute", "left": px(left), "top": px(top), **look_of(side)}
    if "text" in side:
        css = {name: value for name, value in css.items() if value not in ("normal", "none")}
        lines = {"width": px(width + 1)} if side.get("line_height") else {"white-space": "nowrap"}
        return f'<p style="{style_of({**css, **lines, "margin": "0px"})}">{escape(side["text"])}</p>'
    if side.get("name") in ("picture", "icon"):
        css["background"] = str(side.get("fill"))
    tag = "button" if side.get("name") == "button" else "div"
    label = escape(str(side.get("label") or ""), quote=True)
    name = f' aria-label="{label}"' if label and tag == "button" else ""
    name = f' role="img" aria-label="{label}"' if label and side.get("name") in ("picture", "icon") else name
    return f'<{tag}{name} style="{style_of({**css, **plain_size_css(tuple(side["box"]))})}"></{tag}>'
