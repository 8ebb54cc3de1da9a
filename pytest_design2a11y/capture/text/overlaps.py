"""Text on text: where another text lies on it, its pixels look like ink of the covered one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.browser.channel import NO_DEADLINE, Deadline
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import TextRun

_SHARED = 0.5

#: Texts that lie on each other are told apart up to so many; no person reads more in one place.
MAX_LAYERS = 8

Boxes = NDArray[np.float64]


def overlapping(runs: Sequence[TextRun], deadline: Deadline = NO_DEADLINE) -> list[int]:
    """Return the indices of runs of which half lies on or under another run."""
    at = np.array([at for at, run in enumerate(runs) for _ in run.boxes], dtype=np.intp)
    if not len(at):
        return []
    boxes = np.array([box for run in runs for box in run.boxes], dtype=np.float64)
    order = np.argsort(boxes[:, 1], kind="stable")
    at, boxes = at[order], boxes[order]
    ends = np.searchsorted(boxes[:, 1], boxes[:, 1] + boxes[:, 3], side="left")
    found = np.zeros(len(runs), dtype=bool)
    for position, end in enumerate(ends.tolist()):
        deadline.check()
        rest = np.arange(position + 1, end)
        if found[at[position]]:
            # The others are asked about only where they are not known yet.
            rest = rest[~found[at[rest]]]
        rest = rest[at[rest] != at[position]]
        common = _common(boxes[rest], boxes[position])
        least = np.minimum(_areas(boxes[rest]), _areas(boxes[position]))
        hits = rest[(common > 0) & (common >= _SHARED * least)]
        if len(hits):
            found[at[hits]] = found[at[position]] = True
    return np.flatnonzero(found).tolist()


def in_layers(
    runs: Sequence[TextRun], indices: Sequence[int], deadline: Deadline = NO_DEADLINE
) -> list[list[int]]:
    """Put runs that overlap into layers in which none lies on another; those too many are left out."""
    layers: list[list[int]] = []
    taken: list[list[Boxes]] = []
    for index in indices:
        deadline.check()
        boxes = np.array(runs[index].boxes)
        for layer, others in zip(layers, taken, strict=True):
            if not any(_common(placed, box).any() for placed in others for box in boxes):
                layer.append(index)
                others.append(boxes)
                break
        else:
            if len(layers) < MAX_LAYERS:
                layers.append([index])
                taken.append([boxes])
    return layers


def others_within(
    runs: Sequence[TextRun], indices: Iterable[int], deadline: Deadline = NO_DEADLINE
) -> Iterator[list[Box]]:
    """Return the boxes of other runs that reach into those of each of some runs."""
    at = np.array([at for at, run in enumerate(runs) for _ in run.boxes], dtype=np.intp)
    boxes = np.array([box for run in runs for box in run.boxes], dtype=np.float64).reshape(-1, 4)
    for index in indices:
        reaches = np.zeros(len(boxes), dtype=bool)
        for box in boxes[at == index]:
            deadline.check()
            reaches |= _common(boxes, box) > 0
        yield [(x, y, width, height) for x, y, width, height in boxes[reaches & (at != index)].tolist()]


def _areas(boxes: Boxes) -> Boxes:
    areas: Boxes = boxes[..., 2] * boxes[..., 3]
    return areas


def _common(boxes: Boxes, box: Boxes) -> Boxes:
    """Return the area that each box shares with one box; 0 where they do not overlap."""
    left, top = np.maximum(boxes[:, 0], box[0]), np.maximum(boxes[:, 1], box[1])
    right = np.minimum(boxes[:, 0] + boxes[:, 2], box[0] + box[2])
    bottom = np.minimum(boxes[:, 1] + boxes[:, 3], box[1] + box[3])
    return np.where((right > left) & (bottom > top), (right - left) * (bottom - top), 0.0)
