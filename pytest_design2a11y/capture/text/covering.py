"""Text under something opaque: where another text lies on it, its pixels look like ink of the covered one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.page.world import Deadline, World
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import TextRun

_STYLES = ["background-color", "background-image", "opacity"]
_PICTURES = frozenset({"IMG", "CANVAS", "VIDEO", "IFRAME", "OBJECT", "EMBED"})
_SHARED = 0.5
_HELD = 0.9


Boxes = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Layers:
    """Boxes, shape (layers, 4), and the order in which each is painted, shape (layers,)."""

    boxes: Boxes
    orders: NDArray[np.int64]


def overlapping(runs: Sequence[TextRun], deadline: Deadline | None = None) -> list[int]:
    """Give the indices of runs of which half lies on or under a run of another owner.

    Args:
        runs: Text with its boxes.
        deadline: Of the capture; None: as long as it takes.

    Raises:
        RenderTimeout: The deadline passed.
    """
    at = np.array([at for at, run in enumerate(runs) for _ in run.boxes], dtype=np.intp)
    if not len(at):
        return []
    boxes = np.array([box for run in runs for box in run.boxes], dtype=np.float64)
    owners = np.array([run.owner for run in runs])[at]
    order = np.argsort(boxes[:, 1], kind="stable")
    at, boxes, owners = at[order], boxes[order], owners[order]
    ends = np.searchsorted(boxes[:, 1], boxes[:, 1] + boxes[:, 3], side="left")
    found = np.zeros(len(runs), dtype=bool)
    for position, end in enumerate(ends.tolist()):
        _check(deadline)
        rest = np.arange(position + 1, end)
        if found[at[position]]:
            # The others are asked about only where they are not known yet.
            rest = rest[~found[at[rest]]]
        rest = rest[owners[rest] != owners[position]]
        common = _common(boxes[rest], boxes[position])
        least = np.minimum(_areas(boxes[rest]), _areas(boxes[position]))
        hits = rest[(common > 0) & (common >= _SHARED * least)]
        if len(hits):
            found[at[hits]] = found[at[position]] = True
    return np.flatnonzero(found).tolist()


def _check(deadline: Deadline | None) -> None:
    if deadline is not None and deadline.is_over():
        raise deadline.exceeded()


def _areas(boxes: Boxes) -> Boxes:
    areas: Boxes = boxes[..., 2] * boxes[..., 3]
    return areas


def _common(boxes: Boxes, box: Boxes) -> Boxes:
    """Give the area that each box shares with one box; 0 where they do not overlap."""
    left, top = np.maximum(boxes[:, 0], box[0]), np.maximum(boxes[:, 1], box[1])
    right = np.minimum(boxes[:, 0] + boxes[:, 2], box[0] + box[2])
    bottom = np.minimum(boxes[:, 1] + boxes[:, 3], box[1] + box[3])
    return np.where((right > left) & (bottom > top), (right - left) * (bottom - top), 0.0)


def without_covered(world: World, runs: Sequence[TextRun]) -> list[TextRun]:
    """Leave out the runs of a frame that lie under something opaque, among those that other text overlaps.

    Args:
        world: Of the frame.
        runs: Of the frame, boxes in px of the page.

    Raises:
        RenderTimeout: The page did not answer in time.
        CaptureError: The page ended.
    """
    deadline = world.channel.deadline
    doubtful = overlapping(runs, deadline)
    if not doubtful:
        return list(runs)
    texts, lids = _layers(world)
    covered = {at for at in doubtful if _is_covered(runs[at], texts, lids, deadline)}
    return [run for at, run in enumerate(runs) if at not in covered]


def _is_covered(run: TextRun, texts: _Layers, lids: _Layers, deadline: Deadline) -> bool:
    _check(deadline)
    return all(_is_under(np.array(box), texts, lids) for box in run.boxes)


def _is_under(box: Boxes, texts: _Layers, lids: _Layers) -> bool:
    common = _common(texts.boxes, box)
    is_same = (common > 0) & (common >= _HELD * np.maximum(_areas(texts.boxes), _areas(box)))
    if not is_same.any():
        return False
    common = _common(lids.boxes, box)
    holds = (common > 0) & (common >= _HELD * _areas(box))
    return bool((lids.orders[holds] > texts.orders[is_same].max()).any())


def _layers(world: World) -> tuple[_Layers, _Layers]:
    """Give the boxes of the texts, and those of opaque elements, with the order in which they are painted."""
    options = {"computedStyles": _STYLES, "includePaintOrder": True}
    snapshot = world.send("DOMSnapshot.captureSnapshot", options)
    strings: list[str] = snapshot["strings"]
    document = next((d for d in snapshot["documents"] if strings[d["frameId"]] == world.frame_id), None)
    if document is None:
        return _stacked([]), _stacked([])
    return _stacked(_texts(document, world.offset)), _stacked(_lids(document, strings, world.offset))


def _stacked(layers: Iterable[tuple[Box, int]]) -> _Layers:
    listed = list(layers)
    return _Layers(
        np.array([box for box, _ in listed], dtype=np.float64).reshape(-1, 4),
        np.array([order for _, order in listed], dtype=np.int64),
    )


def _texts(document: dict[str, Any], offset: tuple[float, float]) -> Iterator[tuple[Box, int]]:
    orders, boxes = document["layout"]["paintOrders"], document["textBoxes"]
    for entry, bounds in zip(boxes["layoutIndex"], boxes["bounds"], strict=True):
        yield _moved(bounds, offset), orders[entry]


def _lids(
    document: dict[str, Any], strings: list[str], offset: tuple[float, float]
) -> Iterator[tuple[Box, int]]:
    layout, names = document["layout"], document["nodes"]["nodeName"]
    entries = zip(layout["nodeIndex"], layout["styles"], layout["bounds"], layout["paintOrders"], strict=True)
    for node, styles, bounds, order in entries:
        if styles and _is_opaque(*(strings[style] for style in styles), name=strings[names[node]]):
            yield _moved(bounds, offset), order


def _is_opaque(background: str, image: str, opacity: str, *, name: str) -> bool:
    is_filled = background.startswith("rgb(") or image != "none" or name in _PICTURES
    return is_filled and float(opacity) == 1.0


def _moved(bounds: Sequence[float], offset: tuple[float, float]) -> Box:
    x, y, width, height = bounds
    return (x + offset[0], y + offset[1], width, height)
