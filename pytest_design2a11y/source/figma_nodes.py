"""What nodes of a Figma document show: characters by color, pictures, fills, lines, shadows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from msgspec import structs

from pytest_design2a11y.models.elements import DesignShape
from pytest_design2a11y.models.geometry import Box, Color, clipped

Node = Mapping[str, Any]

_CASES = {"UPPER": str.upper, "LOWER": str.lower}


class Paint(NamedTuple):
    """The paint of a text: its color (None: several), and its opacity, above 0 and up to 1."""

    color: Color | None
    opacity: float


def texts_by_paint(node: Node) -> list[tuple[str, Paint]]:
    """Return the characters of a text node by paint, each paint once, ordered by its first character.

    Words in another color, such as a link, are a separate element on a page; bold words in the same color
    look the same in a picture, and stay with the rest.
    """
    parts: dict[Paint, list[str]] = {}
    for style, characters in _stretches(node):
        paint = paint_of(style.get("fills", node.get("fills", ())))
        text = " ".join(_CASES.get(style.get("textCase", "ORIGINAL"), str)(characters).split())
        if paint is not None and text:
            parts.setdefault(paint, []).append(text)
    return [(" ".join(texts), paint) for paint, texts in parts.items()]


def _stretches(node: Node) -> Iterator[tuple[Node, str]]:
    """Yield stretches of characters in one style; what an override does not set is the node's own."""
    base: Node = node.get("style", {})
    table: Mapping[str, Node] = node.get("styleOverrideTable", {})
    # Figma counts characters in UTF-16, as JavaScript does.
    units = node["characters"].encode("utf-16-le", "surrogatepass")
    numbers = list(node.get("characterStyleOverrides", ()))
    numbers += [0] * (len(units) // 2 - len(numbers))
    start = 0
    for number, same in groupby(numbers[: len(units) // 2]):
        end = start + 2 * len(list(same))
        override = table.get(str(number), {}) if number else {}
        style = {"textCase": base["textCase"], **override} if "textCase" in base else override
        yield style, units[start:end].decode("utf-16-le", "replace")
        start = end


def paint_of(fills: Sequence[Node]) -> Paint | None:
    """Return the combined paint of fills, bottom first; None if none is visible."""
    channels: tuple[float, ...] = (0.0, 0.0, 0.0)
    opacity, is_single = 0.0, True
    for fill in fills:
        if fill.get("visible") is False:
            continue
        stops = fill.get("gradientStops")
        colors = [stop["color"] for stop in stops] if stops else [fill.get("color", {})]
        # Its opacity where it is greatest
        strength = float(fill.get("opacity", 1.0)) * max(float(color.get("a", 1.0)) for color in colors)
        if strength <= 0:
            continue
        below = opacity * (1 - strength)
        opacity = strength + below
        is_solid = fill["type"] == "SOLID"
        is_single = is_solid and (is_single or strength >= 1)
        if is_solid:
            color = fill["color"]
            channels = tuple(
                (strength * color[name] + below * under) / opacity
                for name, under in zip("rgb", channels, strict=True)
            )
    if opacity <= 0:
        return None
    red, green, blue = (min(255, max(0, round(255 * channel))) for channel in channels)
    return Paint((red, green, blue) if is_single else None, round(opacity, 4))


#: Nodes drawn like an icon or illustration.
_DRAWN = frozenset({"VECTOR", "BOOLEAN_OPERATION", "STAR", "REGULAR_POLYGON"})
_BEYOND = {"OUTSIDE": 1.0, "CENTER": 0.5}
_PLAIN = frozenset({"RECTANGLE", "ELLIPSE", "LINE"})


def shapes_of(frame: Node, box: Box) -> tuple[DesignShape, ...]:
    """Return what a frame may show, px of the frame; what only pixels can tell is left to them."""
    return tuple(shape for child in frame.get("children", ()) for shape in _shapes(child, box, box))


def _shapes(node: Node, frame: Box, clip: Box) -> list[DesignShape]:
    bounds = node.get("absoluteBoundingBox")
    if node.get("visible") is False or not node.get("opacity", 1.0) or node["type"] == "TEXT" or not bounds:
        return []
    x, y, width, height = (float(bounds[key]) for key in ("x", "y", "width", "height"))
    stroke = float(node.get("strokeWeight", 0.0)) if _seen(node.get("strokes", ())) else 0.0
    # How far the stroke extends beyond the node; a line has no area, but its stroke has.
    beyond = stroke * _BEYOND.get(node.get("strokeAlign", ""), 0.0)
    x, y, width, height = x - beyond, y - beyond, width + 2 * beyond, height + 2 * beyond
    box = clipped((x, y, max(width, stroke), max(height, stroke)), clip)
    children = node.get("children", ())
    # An icon is drawn itself, or has no fill and consists only of drawn parts.
    leaves = set(_leaves(node))
    is_drawn = bool(leaves & _DRAWN) and leaves <= _DRAWN | _PLAIN
    if is_drawn and (node["type"] in _DRAWN or not _seen(node.get("fills", ()))):
        return [] if box is None else [_shape(node, box, frame, is_picture=True)]
    inner = box if node.get("clipsContent") else clip
    found = [shape for child in children if inner is not None for shape in _shapes(child, frame, inner)]
    fills = _seen(node.get("fills", ()))
    effects = [effect for effect in _seen(node.get("effects", ())) if effect["type"] == "DROP_SHADOW"]
    if box is None or not (fills or stroke or effects):
        return found
    is_picture = any(fill["type"] in ("IMAGE", "VIDEO") for fill in fills)
    node_shape = _shape(node, box, frame, is_picture=is_picture)
    reach = max((float(effect.get("radius", 0)) for effect in effects), default=0.0)
    line = 0.0 if min(box[2:]) <= 2 * stroke else stroke
    corners = (0, *node.get("rectangleCornerRadii", ()), node.get("cornerRadius", 0))
    radius = min(box[2:]) / 2 if node["type"] == "ELLIPSE" else max(map(float, corners))
    return [structs.replace(node_shape, inside=len(found), line=line, shadow=reach, radius=radius), *found]


def _seen(paints: Iterable[Node]) -> list[Node]:
    return [paint for paint in paints if paint.get("visible") is not False and paint.get("opacity", 1.0)]


def _shape(node: Node, box: Box, frame: Box, *, is_picture: bool) -> DesignShape:
    place = (box[0] - frame[0], box[1] - frame[1], *box[2:])
    return DesignShape("picture" if is_picture else "box", str(node.get("name", "")), place)


def _leaves(node: Node) -> Iterator[str]:
    if node["type"] in _DRAWN or not node.get("children"):
        yield node["type"]
    else:
        for child in node["children"]:
            yield from _leaves(child)
