"""What only the browser knows of a page: generated text, closed shadow roots, the fonts that draw text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_design2a11y.capture.browser.channel import Channel, calling
from pytest_design2a11y.capture.page.frames import FrameContext, FrozenPage
from pytest_design2a11y.models.geometry import Box, clipped
from pytest_design2a11y.models.page import CaptureWarning

_ELEMENT = 1
_REMEMBER = """(...nodes) => {
    const roots = new Set(nodes.map((node) => node.getRootNode()));
    globalThis.__design2a11yClosedRoots = new WeakMap(Array.from(roots, (root) => [root.host, root]));
    return roots.size;
}"""


@dataclass(frozen=True)
class FrameLayout:
    """What only the browser knows of a frame."""

    # Its pseudo-elements with boxes, in the flat tree's order, as `generated.js` takes them
    generated: Sequence[Mapping[str, Any]] = ()
    num_closed: int = 0  # Number of its closed shadow roots


def read_layout(world: FrameContext) -> FrameLayout:
    """Read a frame's layout, and map hosts to their closed roots in its world, `__design2a11yClosedRoots`."""
    document, strings = _snapshot(world)
    if document is None:
        return FrameLayout()
    return FrameLayout(
        list(_generated(document, strings)), _open_closed_roots(world, document["nodes"], strings)
    )


def _open_closed_roots(world: FrameContext, nodes: Mapping[str, Any], strings: Sequence[str]) -> int:
    # Nodes are listed with the kind of the root that they are in: one child of each parent finds every root.
    inside: dict[int, int] = {}
    for node, kind in zip(nodes["shadowRootType"]["index"], nodes["shadowRootType"]["value"], strict=True):
        if strings[kind] == "closed":
            inside.setdefault(nodes["parentIndex"][node], nodes["backendNodeId"][node])
    if not inside:
        return 0
    context = {"executionContextId": world.context_id}
    wanted = [("DOM.resolveNode", {"backendNodeId": node, **context}) for node in inside.values()]
    found = [{"objectId": answer["object"]["objectId"]} for answer in world.channel.send_together(wanted)]
    order = {**calling(_REMEMBER, world.context_id), "arguments": found}
    return int(world.send("Runtime.callFunctionOn", order)["result"]["value"])


def _generated(document: Mapping[str, Any], strings: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    nodes, layout, texts = document["nodes"], document["layout"], _texts(document, strings)
    # The first box of a node is its own; later ones belong to its contents.
    bounds = dict(zip(reversed(layout["nodeIndex"]), reversed(layout["bounds"]), strict=True))
    for node, kind in zip(nodes["pseudoType"]["index"], nodes["pseudoType"]["value"], strict=True):
        if node in bounds:
            tag = strings[nodes["nodeName"][nodes["parentIndex"][node]]].lower()
            yield {"kind": strings[kind], "tag": tag, "bounds": bounds[node], "text": texts.get(node)}


def _texts(document: Mapping[str, Any], strings: Sequence[str]) -> dict[int, dict[str, Any]]:
    """Return the text of pseudo-elements that have any, and its boxes, by node."""
    layout, text_boxes = document["layout"], document["textBoxes"]
    boxes_of: dict[int, list[list[float]]] = {}
    for entry, bounds in zip(text_boxes["layoutIndex"], text_boxes["bounds"], strict=True):
        boxes_of.setdefault(entry, []).append(bounds)
    pseudo_nodes = set(document["nodes"]["pseudoType"]["index"])
    found: dict[int, dict[str, Any]] = {}
    for entry, (node, text) in enumerate(zip(layout["nodeIndex"], layout["text"], strict=True)):
        if node in pseudo_nodes and text >= 0:
            record = found.setdefault(node, {"text": "", "boxes": []})
            record["text"] += strings[text]
            record["boxes"] += boxes_of.get(entry, [])
    return found


def _snapshot(world: FrameContext, styles: Sequence[str] = ()) -> tuple[dict[str, Any] | None, list[str]]:
    """Return a frame's layout, None if it is not laid out, and the texts that this refers to by number."""
    snapshot = world.send("DOMSnapshot.captureSnapshot", {"computedStyles": styles})
    strings: list[str] = snapshot["strings"]
    document = next((d for d in snapshot["documents"] if strings[d["frameId"]] == world.frame_id), None)
    return document, strings


def count_elements(channel: Channel, *, above: int) -> int:
    """Count a page's elements, also in closed shadow roots; 0 if it has no more nodes than `above`."""
    if channel.send("Memory.getDOMCounters")["nodes"] <= above:
        return 0
    snapshot = channel.send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
    every = [document["nodes"] for document in snapshot["documents"]]
    return sum(nodes["nodeType"].count(_ELEMENT) - len(nodes["pseudoType"]["index"]) for nodes in every)


_PICTURES = frozenset({"IMG", "SVG", "CANVAS", "VIDEO", "OBJECT", "EMBED"})


def picture_boxes(page: FrozenPage) -> tuple[Box, ...]:
    """Return the boxes of images, drawings and background images of a page, px of the page."""
    found: set[Box | None] = set()
    with page.stage("text"):
        for world in page.worlds:
            document, strings = _snapshot(world, ["background-image", "visibility"])
            if document is None:
                continue
            layout, names = document["layout"], document["nodes"]["nodeName"]
            rows = zip(layout["nodeIndex"], layout["styles"], layout["bounds"], strict=True)
            for node, styles, (left, top, width, height) in rows:
                background, visibility = (strings[style] for style in styles) if styles else ("", "")
                is_picture = strings[names[node]].upper() in _PICTURES or "url(" in background
                if visibility == "visible" and is_picture:
                    box = (left + world.offset[0], top + world.offset[1], width, height)
                    shown = clipped(box, world.clip or page.area)
                    found.add(shown and clipped(shown, page.area))
    return tuple(sorted(filter(None, found)))


_SAMPLES = "() => globalThis.__design2a11yText.samples"
_MOST_NAMED = 8
_SOON = 2.0


def read_fonts(page: FrozenPage) -> list[str]:
    """Return the names of the font families that draw a page's text, which has been read, sorted."""
    return sorted(set().union(*map(_fonts_of, page.worlds)))


def _fonts_of(world: FrameContext) -> set[str]:
    """Return the families that draw a frame's text; empty if the browser cannot answer soon."""
    try:
        samples = _samples(world)
        # The browser first reads all style sheets again, and may wait for one.
        if not samples or world.channel.ask("CSS.enable", seconds=_SOON) is None:
            return set()
        nodes = world.channel.send_together([("DOM.requestNode", {"objectId": text}) for text in samples])
        answers = world.channel.send_together(
            [("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]}) for node in nodes]
        )
        return {font["familyName"] for answer in answers for font in answer["fonts"]}
    finally:
        # Otherwise every change of a queried node would be reported, and a running script makes many.
        for domain in ("CSS", "DOM"):
            world.channel.post(f"{domain}.disable")


def _samples(world: FrameContext) -> list[str]:
    wanted = {"objectId": world.find(_SAMPLES), "ownProperties": True}
    # The protocol knows no nodes until the document is requested.
    _, listed = world.channel.send_together(
        [("DOM.getDocument", {"depth": 0}), ("Runtime.getProperties", wanted)]
    )
    return [entry["value"]["objectId"] for entry in listed["result"] if entry["name"].isdecimal()]


def missing_glyphs(missing: Sequence[str]) -> CaptureWarning:
    """Return the warning about characters that no font has, so that a box stands in their place."""
    codes = ((character, f"U+{ord(character):04X}") for character in missing[:_MOST_NAMED])
    named = ", ".join(f"{shown} ({code})" if shown.isprintable() else code for shown, code in codes)
    more = " and more" if len(missing) > _MOST_NAMED else ""
    message = (
        f"No installed font has these characters, which show as boxes: {named}{more}."
        " Install fonts for them, such as by `apt-get install fonts-noto-core fonts-noto-cjk"
        " fonts-noto-color-emoji`; those of an icon font come with its file."
    )
    return CaptureWarning("missing_glyphs", message, len(missing))
