"""Candidates for elements, from a page's layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.page.frames import FrameContext
from pytest_design2a11y.models.elements import DesignShape
from pytest_design2a11y.models.geometry import Box, clipped
from pytest_design2a11y.models.page import TextRun


@dataclass(frozen=True, slots=True)
class FoundRun:
    """A run, and which it is of the page."""

    run: TextRun  # The run
    world: int  # Index of the world that it was found in
    number: int  # Which run of that world it is
    marks: frozenset[Box] = frozenset()  # Those of its boxes that hold a bullet or the like, not its letters
    span: tuple[int, int] = (0, 0)  # Its first and last element in the order of the world's elements
    rank: int = 0  # When it is painted, among the runs and candidates of its world
    cut: float = 0.0  # The share of it that is clipped, 0..1

    @property
    def letters(self) -> TextRun:
        """The run without boxes of anything but its letters."""
        boxes = tuple(box for box in self.run.boxes if box not in self.marks)
        return replace(self.run, boxes=boxes) if self.marks and boxes else self.run


#: What candidates could be, as `elements.js` numbers it.
PICTURE, GROUND, BOX, CONTROL, ICON = range(5)


class About(NamedTuple):
    """A candidate's label, role and state, as in `Element`, from `about.js`."""

    role: str = ""
    label: str = ""
    region: str = ""
    states: tuple[str, ...] = ()
    value: str = ""
    placeholder: str = ""
    natural_size: tuple[int, int] | None = None
    is_loose_fit: bool = False
    covers: bool = False


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidates for elements, in document order."""

    # Of each, `PICTURE`, `GROUND` (a background image), `BOX` or `CONTROL`, shape (number,)
    looks: NDArray[np.int64]
    tags: tuple[str, ...]  # What the page makes each of
    boxes: NDArray[np.float64]  # What of each may show, px of the page, shape (number, 4)
    # How far lines reach into each: top, right, bottom, left, px, shape (number, 4)
    inner: NDArray[np.float64]
    outer: NDArray[np.float64]  # How far lines reach out of each, on each side
    blurs: NDArray[np.float64]  # How far a shadow reaches, px, shape (number,)
    radii: NDArray[np.float64]  # Of rounded corners, px, shape (number,)
    is_loose: NDArray[np.bool_]  # Whether the outline is not that of the box, shape (number,)
    worlds: NDArray[np.int64]  # Index of the world that each was found in, shape (number,)
    # First element of that world, and the one after the last, that lies in each, shape (number, 2)
    spans: NDArray[np.int64]
    ranks: NDArray[np.int64]  # When each is painted, among those of its world, shape (number,)
    # How opaque what each paints all over its box is, 0..1; 0 where it paints none of it, shape (number,)
    grounds: NDArray[np.float64]
    tints: NDArray[np.float64]  # Background colour of each, 0..255, and its alpha, 0..1, shape (number, 4)
    abouts: tuple[About, ...]
    num_left_out: int  # How many more there are

    def largest_picture(self, page_size: tuple[int, int], texts: Iterable[FoundRun]) -> float:
        """Return the share of a page's area that its largest picture without text of its own fills, 0..1."""
        is_silent = np.isin(self.looks, (PICTURE, GROUND))
        for one in texts:
            is_around = (self.spans[:, 0] <= one.span[0]) & (one.span[1] < self.spans[:, 1])
            is_silent &= ~(is_around & (self.looks == PICTURE) & (self.worlds == one.world))
        sides = self.boxes[is_silent, 2:]
        return float(sides.prod(axis=1).max(initial=0.0)) / (page_size[0] * page_size[1])


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
        (
            *(one["look"], *box, *one["inner"], *one["outer"], one["blur"], one["radius"], one["isLoose"]),
            *(at, one["first"], one["end"], one["rank"], one["ground"], *one["tint"]),
        )
        for at, one, box in found
    ]
    table = np.array(rows, dtype=np.float64).reshape(-1, 25)
    abouts = [[_about(one) for one in answer["abouts"]] for answer in answers]
    return Candidates(
        looks=table[:, 0].astype(np.int64),
        tags=tuple(candidate["tag"] for _, candidate, _ in found),
        boxes=table[:, 1:5],
        inner=table[:, 5:9],
        outer=table[:, 9:13],
        blurs=table[:, 13],
        radii=table[:, 14],
        is_loose=table[:, 15] > 0,
        worlds=table[:, 16].astype(np.int64),
        spans=table[:, 17:19].astype(np.int64),
        ranks=table[:, 19].astype(np.int64),
        grounds=table[:, 20],
        tints=table[:, 21:],
        abouts=tuple(abouts[at][candidate["about"]] for at, candidate, _ in found),
        num_left_out=sum(answer["numCandidates"] - len(answer["candidates"]) for answer in answers),
    )


def candidates_of_shapes(shapes: Sequence[DesignShape]) -> Candidates:
    """Return the elements of a design's tool as candidates, like those of a page's layout."""
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
        ranks=np.arange(number),
        grounds=np.zeros(number),
        tints=np.zeros((number, 4)),
        abouts=(About(),) * number,
        num_left_out=0,
    )


def _about(found: Mapping[str, Any]) -> About:
    size = found["naturalSize"]
    return About(
        role=found["role"],
        label=found["label"],
        region=found["region"],
        states=tuple(found["states"]),
        value=found["value"],
        placeholder=found["placeholder"],
        natural_size=size and (size[0], size[1]),
        is_loose_fit=found["isLooseFit"],
        covers=found["covers"],
    )


def _placed(answer: dict[str, Any], world: FrameContext, limits: Box) -> Iterator[tuple[dict[str, Any], Box]]:
    """Return what of each candidate may show, with it; leave out what is nowhere."""
    part = limits if world.clip is None else clipped(world.clip, limits)
    if part is None:
        return
    for candidate in answer["candidates"]:
        box, pseudo = candidate["box"], candidate["pseudo"]
        if pseudo is not None:
            bounds = answer["generatedBounds"][pseudo]
            box = bounds and clipped(tuple(bounds), tuple(answer["generatedBoxes"][pseudo]["clip"]))
        if box:
            left, top, width, height = box
            seen = clipped((left + world.offset[0], top + world.offset[1], width, height), part)
            if seen:
                yield candidate, seen
