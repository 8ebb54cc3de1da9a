"""Where to look for what a page shows besides its text, as its layout tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.page.frame_context import FrameContext
from pytest_design2a11y.models.elements import DesignShape
from pytest_design2a11y.models.geometry import Box, clipped

#: What candidates could be, as `elements.js` numbers it.
PICTURE, GROUND, BOX, CONTROL = range(4)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidates for elements, in document order."""

    # Of each, `PICTURE`, `GROUND` (a background image), `BOX` or `CONTROL`, shape (number,)
    looks: NDArray[np.int64]
    tags: tuple[str, ...]  # What the page makes each of
    boxes: NDArray[np.float64]  # What of each may show, px of the page, shape (number, 4)
    # How far lines reach into each: top, right, bottom, left, px, shape (number, 4)
    inner: NDArray[np.float64]
    outer: NDArray[np.float64]  # How far lines reach out of each, likewise
    blurs: NDArray[np.float64]  # How far a shadow reaches, px, shape (number,)
    radii: NDArray[np.float64]  # Of rounded corners, px, shape (number,)
    is_loose: NDArray[np.bool_]  # Whether the outline is not that of the box, shape (number,)
    worlds: NDArray[np.int64]  # Index of the world that each was found in, shape (number,)
    # First element of that world, and the one after the last, that lies in each, shape (number, 2)
    spans: NDArray[np.int64]
    num_left_out: int  # How many more there are


def candidates_of(
    answers: Sequence[dict[str, Any]], worlds: Sequence[FrameContext], page_size: tuple[int, int]
) -> Candidates:
    """Put together what the scripts of all worlds found."""
    limits = (0.0, 0.0, float(page_size[0]), float(page_size[1]))
    found = [
        (at, *placed)
        for at, (answer, world) in enumerate(zip(answers, worlds, strict=True))
        for placed in _placed(answer, world, limits)
    ]
    rows = [
        (look, *box, *inner, *outer, blur, radius, is_loose, at, first, end)
        for at, (look, _, _, inner, outer, blur, radius, is_loose, first, end, _), box in found
    ]
    table = np.array(rows, dtype=np.float64).reshape(-1, 19)
    return Candidates(
        looks=table[:, 0].astype(np.int64),
        tags=tuple(candidate[1] for _, candidate, _ in found),
        boxes=table[:, 1:5],
        inner=table[:, 5:9],
        outer=table[:, 9:13],
        blurs=table[:, 13],
        radii=table[:, 14],
        is_loose=table[:, 15] > 0,
        worlds=table[:, 16].astype(np.int64),
        spans=table[:, 17:].astype(np.int64),
        num_left_out=sum(answer["numCandidates"] - len(answer["candidates"]) for answer in answers),
    )


def candidates_of_shapes(shapes: Sequence[DesignShape]) -> Candidates:
    """Take what a design's own tool tells for what the layout of a page would."""
    number = len(shapes)
    lines = np.array([[shape.line] * 4 for shape in shapes], dtype=np.float64).reshape(-1, 4)
    ends = [(at, at + shape.inside + 1) for at, shape in enumerate(shapes)]
    return Candidates(
        looks=np.array([PICTURE if shape.kind == "picture" else BOX for shape in shapes], dtype=np.int64),
        tags=tuple(shape.name for shape in shapes),
        boxes=np.array([shape.box for shape in shapes], dtype=np.float64).reshape(-1, 4),
        inner=lines,
        outer=np.zeros((number, 4)),
        blurs=np.array([shape.shadow for shape in shapes], dtype=np.float64),
        radii=np.array([shape.radius for shape in shapes], dtype=np.float64),
        is_loose=np.zeros(number, dtype=bool),
        worlds=np.zeros(number, dtype=np.int64),
        spans=np.array(ends, dtype=np.int64).reshape(-1, 2),
        num_left_out=0,
    )


def _placed(answer: dict[str, Any], world: FrameContext, limits: Box) -> Iterator[tuple[list[Any], Box]]:
    """Return what of each candidate may show, with it; leave out what is nowhere."""
    part = limits if world.clip is None else clipped(world.clip, limits)
    if part is None:
        return
    for candidate in answer["candidates"]:
        box, pseudo = candidate[2], candidate[-1]
        if pseudo >= 0:
            bounds = answer["generatedBounds"][pseudo]
            box = bounds and clipped(tuple(bounds), tuple(answer["generatedBoxes"][pseudo][2]))
        if box:
            left, top, width, height = box
            seen = clipped((left + world.offset[0], top + world.offset[1], width, height), part)
            if seen:
                yield candidate, seen
