"""Text under something opaque: where another text lies on it, its pixels look like ink of the covered one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_design2a11y.capture.page.world import World
from pytest_design2a11y.models.geometry import Box, area, clipped
from pytest_design2a11y.models.page import TextRun

_STYLES = ["background-color", "background-image", "opacity"]
_PICTURES = frozenset({"IMG", "CANVAS", "VIDEO", "IFRAME", "OBJECT", "EMBED"})
_SHARED = 0.5


@dataclass(frozen=True, slots=True)
class _Layer:
    box: Box
    order: int


def overlapping(runs: Sequence[TextRun]) -> list[int]:
    """Give the indices of runs of which half lies on or under a run of another owner."""
    boxes = [(at, box) for at, run in enumerate(runs) for box in run.boxes]
    boxes.sort(key=lambda entry: entry[1][1])
    found: set[int] = set()
    for position, (at, box) in enumerate(boxes):
        for other, its_box in boxes[position + 1 :]:
            if its_box[1] >= box[1] + box[3]:
                break
            common = clipped(box, its_box) if runs[at].owner != runs[other].owner else None
            if common and area(common) >= _SHARED * min(area(box), area(its_box)):
                found.update((at, other))
    return sorted(found)


def without_covered(world: World, runs: Sequence[TextRun]) -> list[TextRun]:
    """Leave out the runs of a frame that lie under something opaque, among those that other text overlaps.

    Args:
        world: Of the frame.
        runs: Of the frame, boxes in px of the page.

    Raises:
        RenderTimeout: The page did not answer in time.
        CaptureError: The page ended.
    """
    doubtful = overlapping(runs)
    if not doubtful:
        return list(runs)
    texts, lids = _layers(world)
    covered = {at for at in doubtful if _is_covered(runs[at], texts, lids)}
    return [run for at, run in enumerate(runs) if at not in covered]


def _is_covered(run: TextRun, texts: Sequence[_Layer], lids: Sequence[_Layer]) -> bool:
    return all(_is_under(box, texts, lids) for box in run.boxes)


def _is_under(box: Box, texts: Sequence[_Layer], lids: Sequence[_Layer]) -> bool:
    orders = [text.order for text in texts if _holds(text.box, box) and _holds(box, text.box)]
    return bool(orders) and any(lid.order > max(orders) and _holds(lid.box, box) for lid in lids)


def _holds(outer: Box, inner: Box) -> bool:
    common = clipped(outer, inner)
    return common is not None and area(common) >= 0.9 * area(inner)


def _layers(world: World) -> tuple[list[_Layer], list[_Layer]]:
    """Give the boxes of the texts, and those of opaque elements, with the order in which they are painted."""
    options = {"computedStyles": _STYLES, "includePaintOrder": True}
    snapshot = world.send("DOMSnapshot.captureSnapshot", options)
    strings: list[str] = snapshot["strings"]
    document = next((d for d in snapshot["documents"] if strings[d["frameId"]] == world.frame_id), None)
    if document is None:
        return [], []
    return list(_texts(document, world.offset)), list(_lids(document, strings, world.offset))


def _texts(document: dict[str, Any], offset: tuple[float, float]) -> Iterator[_Layer]:
    orders, boxes = document["layout"]["paintOrders"], document["textBoxes"]
    for entry, bounds in zip(boxes["layoutIndex"], boxes["bounds"], strict=True):
        yield _Layer(_moved(bounds, offset), orders[entry])


def _lids(document: dict[str, Any], strings: list[str], offset: tuple[float, float]) -> Iterator[_Layer]:
    layout, names = document["layout"], document["nodes"]["nodeName"]
    entries = zip(layout["nodeIndex"], layout["styles"], layout["bounds"], layout["paintOrders"], strict=True)
    for node, styles, bounds, order in entries:
        if styles and _is_opaque(*(strings[style] for style in styles), name=strings[names[node]]):
            yield _Layer(_moved(bounds, offset), order)


def _is_opaque(background: str, image: str, opacity: str, *, name: str) -> bool:
    is_filled = background.startswith("rgb(") or image != "none" or name in _PICTURES
    return is_filled and float(opacity) == 1.0


def _moved(bounds: Sequence[float], offset: tuple[float, float]) -> Box:
    x, y, width, height = bounds
    return (x + offset[0], y + offset[1], width, height)
