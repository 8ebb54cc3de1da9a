"""What lies where on a page: its texts and elements by place and by name, each page read once."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.page import Capture, TextRun

Boxes = NDArray[np.float64]


def index_of(page: Capture) -> "PageIndex":
    """Return the index of a page, made once as long as the page is in memory."""
    if page not in _INDICES:
        _INDICES[page] = PageIndex(page.text_runs, page.elements or ())
    return _INDICES[page]


class PageIndex:
    """Finds the texts and elements of a page by place and by name."""

    def __init__(self, runs: Sequence[TextRun], elements: Sequence[Element]) -> None:
        """Take the texts and elements of a page; nothing is read yet."""
        self.runs = [run for run in runs if run.boxes]
        self.elements = elements
        #: Colors that were found behind texts, by the text's box and color.
        self.grounds: dict[tuple[Box, Color], Color | None] = {}

    @cached_property
    def _lines(self) -> tuple[list[Box], Boxes]:
        """The lines of all texts, and their centers."""
        lines = [box for run in self.runs for box in run.boxes]
        return lines, centers_of(lines)

    @cached_property
    def _starts(self) -> Boxes:
        return centers_of([run.boxes[0] for run in self.runs])

    @cached_property
    def _edges(self) -> Boxes:
        """The left, top, right and bottom edges of all elements, each in a row."""
        boxes = np.array([element.box for element in self.elements], dtype=np.float64).reshape(-1, 4).T
        return np.concatenate([boxes[:2], boxes[:2] + boxes[2:]])

    @cached_property
    def named(self) -> dict[str, list[Element]]:
        """The elements by their labels, in lower case."""
        elements: dict[str, list[Element]] = defaultdict(list)
        for element in self.elements:
            elements[element.label.lower()].append(element)
        return elements

    @cached_property
    def worded(self) -> dict[str, list[TextRun]]:
        """The texts by their words, trimmed and in lower case."""
        runs: dict[str, list[TextRun]] = defaultdict(list)
        for run in self.runs:
            runs[run.text.strip().lower()].append(run)
        return runs

    def runs_in(self, box: Box) -> list[TextRun]:
        """Return the texts whose first line has its center in a box, px."""
        return [self.runs[at] for at in inside(self._starts, box)]

    def lines_in(self, box: Box) -> list[Box]:
        """Return the lines of texts whose centers lie in a box, px."""
        lines, centers = self._lines
        return [lines[at] for at in inside(centers, box)]

    def elements_at(self, box: Box, kind: str | None = None) -> list[Element]:
        """Return the elements, of one kind or of any, that overlap a box, px."""
        left, top, width, height = box
        lefts, tops, rights, bottoms = self._edges
        is_there = (lefts < left + width) & (rights > left) & (tops < top + height) & (bottoms > top)
        overlapping = (self.elements[at] for at in is_there.nonzero()[0].tolist())
        return [element for element in overlapping if kind in (None, element.kind)]


_INDICES: WeakKeyDictionary[Capture, PageIndex] = WeakKeyDictionary()


def centers_of(boxes: Sequence[Box]) -> Boxes:
    """Return the centers of boxes by row, px."""
    rows = np.array(boxes, dtype=np.float64).reshape(-1, 4)
    return np.asarray(rows[:, :2] + rows[:, 2:] / 2)


def inside(centers: Boxes, box: Box) -> list[int]:
    """Return which centers lie in a box, by their places in the list."""
    left, top, width, height = box
    is_in = np.all((centers >= (left, top)) & (centers <= (left + width, top + height)), axis=1)
    places: list[int] = np.flatnonzero(is_in).tolist()
    return places
