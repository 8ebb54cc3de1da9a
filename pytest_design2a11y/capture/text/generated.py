"""What only the browser knows about text, not scripts: where pseudo-elements lie, and which fonts draw it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pytest_design2a11y.capture.browser.bounded import together
from pytest_design2a11y.capture.page.frames import FrameContext, FrozenPage
from pytest_design2a11y.models.geometry import Box, clipped
from pytest_design2a11y.models.page import CaptureWarning

Generated = tuple[str, list[list[float]]]
"""Text and its boxes, px of the document."""


@dataclass(frozen=True, slots=True)
class Pseudo:
    """A pseudo-element."""

    kind: str  # "before", "after", "marker"
    tag: str  # Its element's
    text: Generated | None  # Its text, and where; None if it has none
    bounds: list[float]  # Its box, [x, y, width, height], px of the document


def matches(laid_out: Sequence[Pseudo], pseudos: Iterable[Mapping[str, Any]]) -> Iterator[Pseudo | None]:
    """Yield the pseudo-element of each (kind, tag) if it has a box; both are in the flat tree's order."""
    start = 0
    for pseudo in pseudos:
        key = (pseudo["kind"], pseudo["tag"])
        rest = enumerate(laid_out[start:], start + 1)
        start, found = next(
            ((end, part) for end, part in rest if (part.kind, part.tag) == key), (start, None)
        )
        yield found


def _snapshot(world: FrameContext, styles: Sequence[str]) -> tuple[dict[str, Any] | None, list[str]]:
    """Return a frame's layout, None if it is not laid out, and the texts that this refers to by number."""
    snapshot = world.send("DOMSnapshot.captureSnapshot", {"computedStyles": styles})
    strings: list[str] = snapshot["strings"]
    document = next((d for d in snapshot["documents"] if strings[d["frameId"]] == world.frame_id), None)
    return document, strings


def laid_out(world: FrameContext) -> Iterator[Pseudo]:
    """Yield the pseudo-elements of a frame that have boxes."""
    document, strings = _snapshot(world, [])
    if document is None:
        return
    nodes, layout, texts = document["nodes"], document["layout"], _texts(document, strings)
    # The first box of a node is its own; later ones belong to its contents.
    bounds = dict(zip(reversed(layout["nodeIndex"]), reversed(layout["bounds"]), strict=True))
    for node, kind in zip(nodes["pseudoType"]["index"], nodes["pseudoType"]["value"], strict=True):
        if node in bounds:
            tag = strings[nodes["nodeName"][nodes["parentIndex"][node]]].lower()
            yield Pseudo(strings[kind], tag, texts.get(node), bounds[node])


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


_PICTURES = frozenset({"IMG", "SVG", "CANVAS", "VIDEO", "OBJECT", "EMBED"})


def picture_boxes(page: FrozenPage) -> tuple[Box, ...]:
    """Return the boxes of images, drawings and background images of a page, px of the page."""
    limits = (0.0, 0.0, float(page.page_size[0]), float(page.page_size[1]))
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
                    shown = clipped(box, world.clip or limits)
                    found.add(shown and clipped(shown, limits))
    return tuple(sorted(filter(None, found)))


_SAMPLES = "() => globalThis.__design2a11yText.samples"
_MOST_NAMED = 8
_SOON = 2.0


def read_fonts(world: FrameContext) -> set[str]:
    """Return the font families that draw a frame's text; empty if the browser cannot answer soon."""
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
        disabling = [partial(world.channel.post, f"{domain}.disable") for domain in ("CSS", "DOM")]
        together(disabling, seconds=_SOON)


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
