"""Texts that lie on each other, in layers of which none overlaps itself."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.browser.channel import NO_DEADLINE, Deadline
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import TextRun

# Least share of a text that lies on or under another one.
_SHARED = 0.5

#: Up to this many overlapping texts are separated; a person does not read more in one place.
MAX_LAYERS = 8

Boxes = NDArray[np.float64]


def overlapping(runs: Sequence[TextRun], deadline: Deadline = NO_DEADLINE) -> list[int]:
    """Return the indices of runs at least half of which lies on or under another run."""
    at = np.array([at for at, run in enumerate(runs) for _ in run.boxes], dtype=np.intp)
    if not len(at):
        return []
    boxes = np.array([box for run in runs for box in run.boxes], dtype=np.float64)
    order = np.argsort(boxes[:, 1], kind="stable")
    at, boxes = at[order], boxes[order]
    areas = boxes[:, 2] * boxes[:, 3]
    ends = np.searchsorted(boxes[:, 1], boxes[:, 1] + boxes[:, 3], side="left")
    found = np.zeros(len(runs), dtype=bool)
    for position, end in enumerate(ends.tolist()):
        deadline.check()
        rest = np.arange(position + 1, end)
        if found[at[position]]:
            # The others are checked only if they are not known yet.
            rest = rest[~found[at[rest]]]
        rest = rest[at[rest] != at[position]]
        common = _common(boxes[rest], boxes[position])
        hits = rest[(common > 0) & (common >= _SHARED * np.minimum(areas[rest], areas[position]))]
        if len(hits):
            found[at[hits]] = found[at[position]] = True
    return np.flatnonzero(found).tolist()


def in_layers(
    runs: Sequence[TextRun], indices: Sequence[int], deadline: Deadline = NO_DEADLINE
) -> list[list[int]]:
    """Return layers of overlapping runs that do not overlap within a layer; too many are left out."""
    layers: list[list[tuple[int, Boxes]]] = [[] for _ in range(MAX_LAYERS)]
    for index in indices:
        deadline.check()
        boxes = np.array(runs[index].boxes)
        for layer in layers:
            if not any(_common(others, box).any() for _, others in layer for box in boxes):
                layer.append((index, boxes))
                break
    return [[index for index, _ in layer] for layer in layers if layer]


def others_within(
    runs: Sequence[TextRun], indices: Iterable[int], deadline: Deadline = NO_DEADLINE
) -> Iterator[list[Box]]:
    """Yield, for each of some runs, the boxes of other runs that reach into its boxes."""
    at = np.array([at for at, run in enumerate(runs) for _ in run.boxes], dtype=np.intp)
    boxes = np.array([box for run in runs for box in run.boxes], dtype=np.float64).reshape(-1, 4)
    for index in indices:
        reaches = np.zeros(len(boxes), dtype=bool)
        for box in boxes[at == index]:
            deadline.check()
            reaches |= _common(boxes, box) > 0
        yield [(x, y, width, height) for x, y, width, height in boxes[reaches & (at != index)].tolist()]


def _common(boxes: Boxes, box: Boxes) -> Boxes:
    """Return the area that each box shares with one box; 0 if they do not overlap."""
    left, top = np.maximum(boxes[:, 0], box[0]), np.maximum(boxes[:, 1], box[1])
    right = np.minimum(boxes[:, 0] + boxes[:, 2], box[0] + box[2])
    bottom = np.minimum(boxes[:, 1] + boxes[:, 3], box[1] + box[3])
    return np.where((right > left) & (bottom > top), (right - left) * (bottom - top), 0.0)
