"""A run of text as the layout tells of it, with where it lies in the document and when it is painted."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pytest_design2a11y.models.geometry import Box
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
