"""Candidates for elements, from a page's layout."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.page.frames import FrameContext
from pytest_design2a11y.models.elements import DesignShape
from pytest_design2a11y.models.geometry import Box, clipped, moved
from pytest_design2a11y.models.page import TextRun


@dataclass(frozen=True, slots=True)
class FoundRun:
    """A run, and its place in the page."""

    run: TextRun  # The run
    world: int  # Index of the world that it was found in
    number: int  # Which run of that world it is
    marks: frozenset[Box] = frozenset()  # Its boxes that hold a bullet or the like, not letters
    span: tuple[int, int] = (0, 0)  # Its first and last element, by their order in the world
    rank: int = 0  # Its painting order among the runs and candidates of its world
    cut: float = 0.0  # The share of it that is clipped, 0..1
    window: Box | None = None  # The part of the page that cuts it off and can be scrolled, px
    is_cut_in_height: bool = False  # Whether that is of its lines' height rather than of their length
    around: Box | None = None  # All of it, including what is clipped; None if unknown

    @property
    def letters(self) -> TextRun:
        """Return the run with the boxes of its letters only."""
        boxes = tuple(box for box in self.run.boxes if box not in self.marks)
        return replace(self.run, boxes=boxes) if self.marks and boxes else self.run


#: Kinds of candidates, numbered as in `elements.js`.
PICTURE, GROUND, BOX, CONTROL, ICON = range(5)
PICTURES = frozenset([PICTURE, GROUND, ICON])
# Names shared by `about.js` and `Element`.
_ABOUT = ("role", "label", "region", "value", "placeholder", "covers", "unloaded")


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of a drawing, which may show."""

    tag: str  # Its tag in the page
    box: Box  # With its stroke, px of the page
    tint: tuple[
        float, float, float, float
    ]  # Of its fill, or else its stroke: 0..255, alpha 0..1; -1: unknown
    is_line: bool  # Whether it has a stroke and no fill
    group: int  # The same for shapes that stand in one element of the drawing
    label: str  # Its name; "" without one
    is_dashed: bool  # Whether its stroke has gaps all along
    places: tuple[tuple[float, float], ...]  # Points in it, px of the page; empty if they are unknown


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidates for elements, in document order."""

    # Each one's kind: `PICTURE`, `GROUND` (a background image), `BOX` or `CONTROL`, shape (number,)
    kinds: NDArray[np.int64]
    tags: tuple[str, ...]  # Each one's tag in the page
    boxes: NDArray[np.float64]  # The part of each that may show, px of the page, shape (number, 4)
    # How far lines reach into each: top, right, bottom, left, px, shape (number, 4)
    inner: NDArray[np.float64]
    outer: NDArray[np.float64]  # How far lines reach out of each, on each side
    # How far from each a line around it is, and its width, 0 without one, px, shape (number, 2)
    rings: NDArray[np.float64]
    blurs: NDArray[np.float64]  # How far a shadow reaches, px, shape (number,)
    radii: NDArray[np.float64]  # Of rounded corners, px, shape (number,)
    is_loose: NDArray[np.bool_]  # Whether the outline differs from the box, shape (number,)
    angles: NDArray[np.float64]  # By how many degrees each is turned clockwise, shape (number,)
    worlds: NDArray[np.int64]  # Index of the world that each was found in, shape (number,)
    # First element of its world that lies in each, and the one after the last, shape (number, 2)
    spans: NDArray[np.int64]
    ranks: NDArray[np.int64]  # Painting order of each within its world, shape (number,)
    # Opacity, 0..1, of what each paints over its whole box; 0 if it does not fill it, shape (number,)
    grounds: NDArray[np.float64]
    tints: NDArray[np.float64]  # Background color of each, 0..255, and its alpha, 0..1, shape (number, 4)
    abouts: tuple[Mapping[str, Any], ...]  # Label, role and state of each, as `Element` names them
    controls: NDArray[np.int64]  # Number of the control that each stands for, or of itself, shape (number,)
    shapes: tuple[Sequence[Shape], ...]  # Those of each drawing, in painting order
    # The part of the page that cuts each off and can be scrolled, px; None if there is none
    windows: tuple[Box | None, ...]
    opacities: NDArray[np.float64]  # Of each with what is around it, 0..1, shape (number,)
    wholes: tuple[Box | None, ...]  # All of each that is cut off, px of the page; None: it is not
    num_left_out: int  # Number of candidates beyond the limit

    def largest_picture(self, page_size: tuple[int, int], texts: Iterable[FoundRun]) -> float:
        """Return the share of a page's area, 0..1, that its largest picture without text of its own fills."""
        is_silent = np.isin(self.kinds, (PICTURE, GROUND))
        is_silent &= np.array([not about.get("unloaded") for about in self.abouts], dtype=np.bool_)
        for text in texts:
            is_around = (self.spans[:, 0] <= text.span[0]) & (text.span[1] < self.spans[:, 1])
            is_silent &= ~(is_around & (self.kinds == PICTURE) & (self.worlds == text.world))
        sides = self.boxes[is_silent, 2:]
        return float(sides.prod(axis=1).max(initial=0.0)) / (page_size[0] * page_size[1])


def candidates_of(
    answers: Sequence[dict[str, Any]], worlds: Sequence[FrameContext], page_size: tuple[int, int]
) -> Candidates:
    """Return the candidates that the scripts of all worlds found."""
    limits = (0.0, 0.0, float(page_size[0]), float(page_size[1]))
    rows: list[dict[str, Any]] = []
    num_controls = 0
    for index, (answer, world) in enumerate(zip(answers, worlds, strict=True)):
        abouts = [
            {
                **{name: about[name] for name in _ABOUT},
                "states": tuple(about["states"]),
                "natural_size": about["naturalSize"] and tuple(about["naturalSize"]),
                "is_loose_fit": about["isLooseFit"],
            }
            for about in answer["abouts"]
        ]
        part = clipped(world.clip or limits, limits) or (0.0, 0.0, 0.0, 0.0)
        for candidate in answer["candidates"]:
            box = clipped(moved(candidate["box"], world.offset), part)
            if box:
                about = abouts[candidate["about"]]
                shapes = [_shape(shape, world.offset) for shape in json.loads(candidate["shapes"] or "[]")]
                window = candidate["window"] and moved(candidate["window"], world.offset)
                whole = candidate["whole"] and moved(candidate["whole"], world.offset)
                facts = {"box": box, "world": index, "about": about, "shapes": shapes, "window": window}
                facts |= {"whole": whole, "control": num_controls + candidate["about"]}
                rows.append({**candidate, **facts})
        num_controls += len(abouts)
    num_left_out = sum(answer["numCandidates"] - len(answer["candidates"]) for answer in answers)
    return _table(rows, num_left_out=num_left_out)


def _shape(record: Mapping[str, Any], offset: Sequence[float]) -> Shape:
    return Shape(
        tag=record["tag"],
        box=moved(record["box"], offset),
        tint=tuple(record["tint"]),
        is_line=record["isLine"],
        group=record["group"],
        label=record["label"],
        is_dashed=record["isDashed"],
        places=tuple((x + offset[0], y + offset[1]) for x, y in record["places"]),
    )


def candidates_of_shapes(shapes: Sequence[DesignShape]) -> Candidates:
    """Return the elements listed by a design tool as candidates, like those of a page's layout."""
    bare = {
        "outer": [0] * 4,
        "ring": [0] * 2,
        "isLoose": False,
        "angle": 0,
        "world": 0,
        "ground": 0,
        "tint": [0] * 4,
        "shapes": (),
        "window": None,
        "opacity": 1.0,
        "whole": None,
    }
    rows = [
        {
            **bare,
            "kind": PICTURE if shape.kind == "picture" else BOX,
            "tag": shape.name,
            "box": shape.box,
            "inner": [shape.line] * 4,
            "blur": shape.shadow,
            "radius": shape.radius,
            "span": (at, at + shape.inside + 1),
            "rank": at,
            "about": {},
            "control": at,
        }
        for at, shape in enumerate(shapes)
    ]
    return _table(rows)


def _table(rows: Sequence[Mapping[str, Any]], num_left_out: int = 0) -> Candidates:
    """Return candidates as columns."""

    def column(name: str, *shape: int) -> NDArray[np.float64]:
        return np.array([row[name] for row in rows], dtype=np.float64).reshape(-1, *shape)

    return Candidates(
        kinds=column("kind").astype(np.int64),
        tags=tuple(row["tag"] for row in rows),
        boxes=column("box", 4),
        inner=column("inner", 4),
        outer=column("outer", 4),
        rings=column("ring", 2),
        blurs=column("blur"),
        radii=column("radius"),
        is_loose=column("isLoose") > 0,
        angles=column("angle"),
        worlds=column("world").astype(np.int64),
        spans=column("span", 2).astype(np.int64),
        ranks=column("rank").astype(np.int64),
        grounds=column("ground"),
        tints=column("tint", 4),
        abouts=tuple(row["about"] for row in rows),
        controls=column("control").astype(np.int64),
        shapes=tuple(row["shapes"] for row in rows),
        windows=tuple(row["window"] for row in rows),
        opacities=column("opacity"),
        wholes=tuple(row["whole"] for row in rows),
        num_left_out=num_left_out,
    )
