"""Where the text of ::before and ::after is: no script can tell, a layout snapshot can."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_design2a11y.capture.page.frame_context import FrameContext

Generated = tuple[str, list[list[float]]]
"""Text and its boxes, px of the document."""


@dataclass(frozen=True, slots=True)
class _Pseudo:
    kind: str
    tag: str
    text: str
    boxes: list[list[float]]


def locate_generated(world: FrameContext, pseudos: Sequence[Sequence[str]]) -> list[Generated | None]:
    """Find text and boxes of pseudo-elements.

    Args:
        world: Of the frame.
        pseudos: (kind, tag of the element) of each, in the order of the flat tree.

    Returns:
        One entry for each of `pseudos`, None where it has no box.

    Raises:
        RenderTimeout: The page did not answer in time.
        CaptureError: The page ended.
    """
    laid_out = iter(_laid_out(world))
    found: list[Generated | None] = []
    for kind, tag in pseudos:
        match = next((each for each in laid_out if (each.kind, each.tag) == (kind, tag)), None)
        found.append((match.text, match.boxes) if match else None)
    return found


def _laid_out(world: FrameContext) -> Iterator[_Pseudo]:
    snapshot = world.send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
    strings: list[str] = snapshot["strings"]
    document = next((d for d in snapshot["documents"] if strings[d["frameId"]] == world.frame_id), None)
    if document is None:
        return
    nodes, texts = document["nodes"], _texts(document, strings)
    for node, kind in zip(nodes["pseudoType"]["index"], nodes["pseudoType"]["value"], strict=True):
        if node in texts:
            text, boxes = texts[node]
            tag = strings[nodes["nodeName"][nodes["parentIndex"][node]]].lower()
            yield _Pseudo(strings[kind], tag, text, boxes)


def _texts(document: dict[str, Any], strings: list[str]) -> dict[int, Generated]:
    layout, text_boxes = document["layout"], document["textBoxes"]
    boxes_of: dict[int, list[list[float]]] = {}
    for entry, bounds in zip(text_boxes["layoutIndex"], text_boxes["bounds"], strict=True):
        boxes_of.setdefault(entry, []).append(bounds)
    pseudo_nodes = set(document["nodes"]["pseudoType"]["index"])
    found: dict[int, Generated] = {}
    for entry, (node, text) in enumerate(zip(layout["nodeIndex"], layout["text"], strict=True)):
        if node in pseudo_nodes and text >= 0:
            before, boxes = found.get(node, ("", []))
            found[node] = (before + strings[text], boxes + boxes_of.get(entry, []))
    return found
