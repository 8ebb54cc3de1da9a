"""Convert Figma's REST answers to a blocks file: `GET /v1/files/:key/nodes?ids=...`, or the whole file.

Nodes are as described at https://developers.figma.com/docs/rest-api/file-node-types/.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.elements import DesignBlocks, DesignText, Font
from pytest_design2a11y.models.geometry import Box, clipped
from pytest_design2a11y.source.figma_nodes import Node, shapes_of, texts_by_paint
from pytest_design2a11y.wording import counted, listed

_ADVICE = "Save what GET https://api.figma.com/v1/files/KEY/nodes?ids=ID answers."

#: Nodes that hold frames side by side, and are none.
_HOLDERS = ("DOCUMENT", "CANVAS", "SECTION")
_MOST_NAMED = 30


@dataclass(frozen=True, slots=True)
class Imported:
    """The texts of a frame."""

    blocks: DesignBlocks
    name: str
    # Numbers of text nodes left out, by reason, and of those that may show less than they contain
    left_out: Counter[str]


class _Faulty(ValueError):
    """A node is not as it should be; the message names it."""


def import_figma(content: bytes, *, label: str, node: str | None = None) -> Imported:
    """Read a frame's visible texts by its id, 1:2 or 1-2; None: the only one; or ConfigurationError."""
    try:
        record = json.loads(content)
        frame = _frame(record, node)
        with _named(frame):
            box = _box(frame, "absoluteBoundingBox")
            if box is None:
                raise ValueError(f"a {frame['type']} has no size; name a frame in it")
        left_out: Counter[str] = Counter()
        own = {**frame, "visible": True, "opacity": 1.0}
        texts = tuple(
            replace(text, boxes=tuple((x - box[0], y - box[1], w, h) for x, y, w, h in text.boxes))
            for text in _texts(own, box, 1.0, left_out)
        )
        name = str(frame.get("name", ""))
        source = f"Figma: {record.get('name', '')}, {name} ({frame.get('id', '')}), "
        source += f"version {record.get('version')}"
        with _named(frame):
            shapes = shapes_of(frame, box)
        blocks = DesignBlocks((round(box[2]), round(box[3])), texts, source, shapes)
        return Imported(blocks, name, +left_out)
    except RecursionError:
        problem = "it is nested too deep"
    except (ValueError, TypeError, AttributeError) as error:
        problem = str(error)
    raise ConfigurationError(f"{label} has no frame to import: {problem}.", advice=_ADVICE)


def _frame(record: Any, wanted: str | None) -> Node:
    """Return the requested node of Figma's answer, or the only one in it."""
    if not isinstance(record, Mapping):
        raise ValueError("it is not an object")
    if problem := record.get("err"):
        raise ValueError(f"Figma answered {record.get('status', 'an error')}: {problem!s:.200}")
    nodes = record.get("nodes")
    if isinstance(record.get("document"), Mapping):
        nodes = {"document": record}
    if not isinstance(nodes, Mapping):
        raise ValueError("it has neither 'nodes' nor 'document'")
    roots: list[Node] = [node["document"] for node in nodes.values() if node]
    frames = [frame for root in roots for frame in _frames(root)]
    named = listed([f"{frame.get('id')} {frame.get('name', '')!r:.60}" for frame in frames], most=_MOST_NAMED)
    if wanted is None:
        if len(frames) != 1:
            raise ValueError(f"it has {counted(len(frames), 'frame')} ({named}): name one with --node")
        return frames[0]
    for name in (wanted, wanted.replace("-", ":")):
        for root in roots:
            if found := _find(root, name):
                return found
    raise ValueError(f"it has no node {wanted!r}, but {named or 'none at all'}")


def _frames(node: Node) -> Iterator[Node]:
    """Yield a node, or the frames of the pages and sections of a file."""
    if node.get("type") not in _HOLDERS:
        yield node
    for child in node.get("children", ()) if node.get("type") in _HOLDERS else ():
        if "children" in child:
            yield from _frames(child)


def _find(node: Node, wanted: str) -> Node | None:
    if node.get("id") == wanted:
        return node
    return next((found for child in node.get("children", ()) if (found := _find(child, wanted))), None)


@contextmanager
def _named(node: Node) -> Iterator[None]:
    """Name the innermost node that an error concerns."""
    try:
        yield
    except _Faulty:
        raise
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        what = f"lacks {error}" if isinstance(error, KeyError) else f"is not valid: {error}"
        raise _Faulty(f"node {node.get('id')} ({node.get('name')!s:.80}) {what}") from None


def _texts(node: Node, clip: Box, opacity: float, left_out: Counter[str]) -> Iterator[DesignText]:
    """Yield the texts of a node, clipped to `clip`; `opacity` is that of its ancestors."""
    with _named(node):
        opacity *= float(node.get("opacity", 1.0))
        # The parts of a boolean operation are not drawn by themselves.
        if node.get("visible") is False or opacity <= 0 or node["type"] == "BOOLEAN_OPERATION":
            left_out["hidden"] += _num_texts(node)
            return
        if node["type"] == "TEXT":
            yield from _blocks(node, clip, opacity, left_out)
            return
        if node.get("clipsContent"):
            clip = _within(_box(node, "absoluteBoundingBox"), clip)
        inner = clip
        for child in node.get("children", ()):
            if child.get("isMask") and child.get("visible") is not False:
                # A mask is not drawn itself, and clips what lies in front of it.
                inner = _within(_box(child, "absoluteBoundingBox"), clip)
                left_out["hidden"] += _num_texts(child)
            else:
                yield from _texts(child, inner, opacity, left_out)


def _num_texts(node: Node) -> int:
    return (node.get("type") == "TEXT") + sum(map(_num_texts, node.get("children", ())))


def _within(box: Box | None, clip: Box) -> Box:
    inside = None if box is None else clipped(box, clip)
    return inside or (*clip[:2], 0.0, 0.0)


def _blocks(node: Node, clip: Box, opacity: float, left_out: Counter[str]) -> Iterator[DesignText]:
    painted = texts_by_paint(node)
    # The extent of the letters, which may exceed the box; null if nothing is drawn.
    drawn = "absoluteRenderBounds" if "absoluteRenderBounds" in node else "absoluteBoundingBox"
    box = _box(node, drawn)
    if not painted or box is None:
        left_out["hidden"] += 1
        return
    inside = clipped(box, clip)
    if inside is None:
        left_out["outside"] += 1
        return
    style = node.get("style", {})
    if "ENDING" in style.get("textTruncation", "") or style.get("textAutoResize") == "TRUNCATE":
        left_out["shortened"] += 1
    font = None
    if (size := style.get("fontSize")) is not None:
        weight = min(max(round(float(style.get("fontWeight", 400))), 1), 1000)
        # Figma does not report advance widths.
        font = Font(float(size), weight, bool(style.get("italic", False)), ())
    for text, paint in painted:
        own_opacity = round(min(1.0, opacity * paint.opacity), 4)
        if own_opacity > 0:
            yield DesignText(text, (inside,), paint.color, own_opacity, font)


def _box(node: Node, key: str) -> Box | None:
    value = node.get(key)
    if value is None:
        return None
    return float(value["x"]), float(value["y"]), float(value["width"]), float(value["height"])
