"""Where a page shows pictures, in which there may be text that the document does not have."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_design2a11y.capture.page.frame_context import FrameContext, FrozenPage
from pytest_design2a11y.models.geometry import Box, clipped

_STYLES = ["background-image", "visibility"]
_PICTURES = frozenset({"IMG", "SVG", "CANVAS", "VIDEO", "OBJECT", "EMBED"})


def picture_boxes(page: FrozenPage) -> tuple[Box, ...]:
    """Return where images, drawings and background images of a page lie, px of the page."""
    width, height = page.page_size
    limits = (0.0, 0.0, float(width), float(height))
    with page.stage("text"):
        shown = [clipped(box, world.clip or limits) for world in page.worlds for box in _boxes(world)]
    return tuple(sorted({part for box in shown if box and (part := clipped(box, limits))}))


def _boxes(world: FrameContext) -> Iterator[Box]:
    snapshot = world.send("DOMSnapshot.captureSnapshot", {"computedStyles": _STYLES})
    strings: list[str] = snapshot["strings"]
    document = next((d for d in snapshot["documents"] if strings[d["frameId"]] == world.frame_id), None)
    if document is None:
        return
    layout, names = document["layout"], document["nodes"]["nodeName"]
    for node, styles, bounds in zip(layout["nodeIndex"], layout["styles"], layout["bounds"], strict=True):
        if styles and _is_picture(strings[names[node]], *(strings[style] for style in styles)):
            left, top, width, height = bounds
            yield (left + world.offset[0], top + world.offset[1], width, height)


def _is_picture(name: str, background: str, visibility: str) -> bool:
    return visibility == "visible" and (name.upper() in _PICTURES or "url(" in background)
