"""What a frame of Figma may show besides text: pictures, and nodes with a fill, lines or a shadow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pytest_design2a11y.models.design_blocks import DesignShape
from pytest_design2a11y.models.geometry import Box, clipped
from pytest_design2a11y.source.design_kit.figma_texts import Node

#: Nodes that are drawn as an icon or illustration is.
_DRAWN = frozenset({"VECTOR", "BOOLEAN_OPERATION", "STAR", "REGULAR_POLYGON"})
_BEYOND = {"OUTSIDE": 1.0, "CENTER": 0.5}
_PLAIN = frozenset({"RECTANGLE", "ELLIPSE", "LINE"})


def shapes_of(frame: Node, box: Box) -> tuple[DesignShape, ...]:
    """Return what a frame may show, px of the frame; what only its pixels tell is left to them."""
    return tuple(shape for child in frame.get("children", ()) for shape in _shapes(child, box, box))


def _shapes(node: Node, frame: Box, clip: Box) -> list[DesignShape]:
    bounds = node.get("absoluteBoundingBox")
    if node.get("visible") is False or not node.get("opacity", 1.0) or node["type"] == "TEXT" or not bounds:
        return []
    x, y, width, height = (float(bounds[key]) for key in ("x", "y", "width", "height"))
    stroke = float(node.get("strokeWeight", 0.0)) if _seen(node.get("strokes", ())) else 0.0
    # How far it is painted beyond the node; a line has no area, and its stroke has.
    beyond = stroke * _BEYOND.get(node.get("strokeAlign", ""), 0.0)
    x, y, width, height = x - beyond, y - beyond, width + 2 * beyond, height + 2 * beyond
    box = clipped((x, y, max(width, stroke), max(height, stroke)), clip)
    children = node.get("children", ())
    if _is_drawing(node):
        return [] if box is None else [_shape("picture", node, box, frame)]
    inner = box if node.get("clipsContent") else clip
    found = [] if inner is None else [one for child in children for one in _shapes(child, frame, inner)]
    fills = _seen(node.get("fills", ()))
    effects = [effect for effect in _seen(node.get("effects", ())) if effect["type"] == "DROP_SHADOW"]
    if box is None or not (fills or stroke or effects):
        return found
    is_picture = any(fill["type"] in ("IMAGE", "VIDEO") for fill in fills)
    own = _shape("picture" if is_picture else "box", node, box, frame)
    reach = max((float(effect.get("radius", 0)) for effect in effects), default=0.0)
    line = 0.0 if min(box[2:]) <= 2 * stroke else stroke
    radius = max((float(corner) for corner in node.get("rectangleCornerRadii", ())), default=0.0)
    radius = (
        min(box[2:]) / 2 if node["type"] == "ELLIPSE" else max(radius, float(node.get("cornerRadius", 0)))
    )
    return [replace(own, inside=len(found), line=line, shadow=reach, radius=radius), *found]


def _seen(paints: Iterable[Node]) -> list[Node]:
    return [paint for paint in paints if paint.get("visible") is not False and paint.get("opacity", 1.0)]


def _shape(kind: str, node: Node, box: Box, frame: Box) -> DesignShape:
    place = (box[0] - frame[0], box[1] - frame[1], *box[2:])
    return DesignShape("picture" if kind == "picture" else "box", str(node.get("name", "")), place)


def _is_drawing(node: Node) -> bool:
    """Return whether a node is an icon: drawn, or without a fill and made of nothing but what is drawn."""
    leaves = set(_leaves(node))
    is_drawn = bool(leaves & _DRAWN) and leaves <= _DRAWN | _PLAIN
    return is_drawn and (node["type"] in _DRAWN or not _seen(node.get("fills", ())))


def _leaves(node: Node) -> Iterator[str]:
    if node["type"] in _DRAWN or not node.get("children"):
        yield node["type"]
        return
    for child in node["children"]:
        yield from _leaves(child)
