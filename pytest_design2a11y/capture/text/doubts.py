"""Which texts something else on the page could stand in for: their ink may not be their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.page.frame_context import NO_DEADLINE, Deadline
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import TextRun

#: Kinds of what stands in for text, as `decoys.js` numbers them.
PICTURE, PAINT, FRAME, PLAIN, LID = range(5)

# Pixels by which a box may touch a text by rounding.
_TOUCH = 1.0
# Of a text's height or width, whichever is less: what reaches so far into it paints no letters.
_RIM = 0.1
_CHUNK = 1_000_000

Boxes = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FoundRun:
    """A run, and which it is of the page."""

    run: TextRun  # The run
    world: int  # Index of the world that it was found in
    number: int  # Which run of that world it is
    marks: frozenset[Box] = frozenset()  # Those of its boxes that hold a bullet or the like, not its letters
    is_plain: bool = True  # Whether it is painted as its style says, where nothing lies on it
    span: tuple[int, int] = (0, 0)  # Its first and last element in the order of the world's elements

    @property
    def letters(self) -> TextRun:
        """The run without boxes of anything but its letters."""
        boxes = tuple(box for box in self.run.boxes if box not in self.marks)
        return replace(self.run, boxes=boxes) if self.marks and boxes else self.run


@dataclass(frozen=True, slots=True)
class Decoys:
    """What could be taken for text without being it."""

    # Of each, `PICTURE`, `PAINT` (gradients, masks, blends), `FRAME`, `PLAIN` or `LID`, shape (number,)
    kinds: NDArray[np.int64]
    boxes: Boxes  # Of each, px of the page, shape (number, 4)
    worlds: NDArray[np.int64]  # Index of the world that each was found in, shape (number,)
    # First element of that world, and the one after the last, that lies in what paints each, shape (number,
    # 2)
    spans: NDArray[np.int64]
    is_anywhere: bool  # Whether there is more, and it may be anywhere


def decoys_of(answers: Sequence[dict[str, Any]], offsets: Sequence[tuple[float, float]]) -> Decoys:
    """Put together what the scripts of all worlds found."""
    rows = [
        (kind, x + left, y + top, width, height, world, *span)
        for world, (answer, (left, top)) in enumerate(zip(answers, offsets, strict=True))
        for kind, x, y, width, height, *span in answer["decoys"]
    ]
    table = np.array(rows, dtype=np.float64).reshape(-1, 8)
    return Decoys(
        kinds=table[:, 0].astype(np.int64),
        boxes=table[:, 1:5],
        worlds=table[:, 5].astype(np.int64),
        spans=table[:, 6:].astype(np.int64),
        is_anywhere=any(answer["isAnywhere"] for answer in answers),
    )


def largest_picture(others: Decoys, page_size: tuple[int, int]) -> float:
    """Return the share of a page's area that its largest picture fills, 0..1."""
    boxes = others.boxes[others.kinds == PICTURE]
    starts = np.clip(boxes[:, :2], 0, page_size)
    sides = np.clip(boxes[:, :2] + boxes[:, 2:], 0, page_size) - starts
    return float(sides.prod(axis=1).max(initial=0.0)) / (page_size[0] * page_size[1])


def doubtful(found: Sequence[FoundRun], others: Decoys, deadline: Deadline = NO_DEADLINE) -> list[int]:
    """Return the indices of runs whose ink something else could have painted.

    A picture, gradient or mask could wherever it meets a text, a frame only a text of the document around it,
    a plain box where one of its edges goes through the text, or where it is not around it in the document and
    may lie on it. Of a text that is not painted plainly, anything could.
    """
    if others.is_anywhere:
        return list(range(len(found)))
    doubts = {index for index, one in enumerate(found) if not one.is_plain}
    rows = [
        (index, one.world, *one.span, *box)
        for index, one in enumerate(found)
        if one.is_plain
        for box in one.letters.boxes
    ]
    if not rows or not len(others.kinds):
        return sorted(doubts)
    table = np.array(rows, dtype=np.float64)
    length = max(_CHUNK // len(others.kinds), 1)
    for start in range(0, len(table), length):
        deadline.check()
        part = table[start : start + length]
        is_doubtful = _is_doubtful(part[:, 1], part[:, 2:4], part[:, 4:], others)
        doubts.update(part[is_doubtful, 0].astype(int).tolist())
    return sorted(doubts)


def _is_doubtful(worlds: Boxes, spans: Boxes, boxes: Boxes, others: Decoys) -> NDArray[np.bool_]:
    rim = _RIM * boxes[:, 2:].min(axis=1, keepdims=True)
    meets = _meets(boxes, others.boxes, np.full_like(rim, _TOUCH))
    overlaps = _meets(boxes, others.boxes, rim)
    is_same = others.worlds[None, :] == worlds[:, None]
    is_within = is_same & (others.spans[:, 0] <= spans[:, :1]) & (spans[:, 1:] < others.spans[:, 1])
    could_lie_on = overlaps & ~is_within
    holds: NDArray[np.bool_] = (
        (others.boxes[:, 0] <= boxes[:, :1] + rim)
        & (others.boxes[:, 0] + others.boxes[:, 2] >= boxes[:, :1] + boxes[:, 2:3] - rim)
        & (others.boxes[:, 1] <= boxes[:, 1:2] + rim)
        & (others.boxes[:, 1] + others.boxes[:, 3] >= boxes[:, 1:2] + boxes[:, 3:4] - rim)
    )
    crosses = overlaps & ~holds
    could = np.select(
        [others.kinds == PLAIN, others.kinds == LID],
        [crosses | could_lie_on, could_lie_on],
        meets & ((others.kinds != FRAME) | is_same),
    )
    return np.asarray(could.any(axis=1))


def _meets(boxes: Boxes, others: Boxes, rim: Boxes) -> NDArray[np.bool_]:
    """Whether each of the others reaches into each box by more than its rim, shape (boxes, others)."""
    meets: NDArray[np.bool_] = (
        (others[:, 0] < boxes[:, :1] + boxes[:, 2:3] - rim)
        & (others[:, 0] + others[:, 2] > boxes[:, :1] + rim)
        & (others[:, 1] < boxes[:, 1:2] + boxes[:, 3:4] - rim)
        & (others[:, 1] + others[:, 3] > boxes[:, 1:2] + rim)
    )
    return meets
