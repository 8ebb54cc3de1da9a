"""The input for finding differences: two pages, with everything that was matched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.metrics import FIDELITY_WEIGHTS
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import (
    Difference,
    DifferenceKind,
    DifferenceSubject,
    Severity,
    VisualScore,
)
from pytest_design2a11y.visual.differences.pairing import ElementPair, pair_elements
from pytest_design2a11y.visual.differences.places import is_moved
from pytest_design2a11y.visual.differences.sides import label_of
from pytest_design2a11y.visual.differences.sight import Sight, look
from pytest_design2a11y.visual.differences.text_pairing import UnitMatching, match_units
from pytest_design2a11y.visual.differences.units import read_as_words, units_of
from pytest_design2a11y.visual.elements import ElementMatching
from pytest_design2a11y.visual.score import mean_of
from pytest_design2a11y.visual.typography import TypographyMatching

#: Large enough to be reported individually, until it is graded; None is for those that are not.
SEEN: Severity = "minor"


@dataclass(frozen=True)
class Compared:
    """Two pages, and everything that was matched of them."""

    reference: Capture  # The design
    candidate: Capture  # The compared part of the generated page
    score: VisualScore  # With matches, and the metrics of the whole page
    elements: ElementMatching | None  # None if not measured
    typography: TypographyMatching | None  # None if not measured
    # The visible text of both; None: all that the captures contain
    runs: tuple[Sequence[TextRun], Sequence[TextRun]] | None = None

    @property
    def pages(self) -> tuple[Capture, Capture]:
        """The design and the generated page."""
        return self.reference, self.candidate

    @cached_property
    def sight(self) -> Sight:
        """Where the pages visibly differ."""
        return look(*self.pages)

    @cached_property
    def texts(self) -> UnitMatching:
        """Their texts as people read them, and their matching."""
        runs = self.runs or tuple(page.text_runs for page in self.pages)
        return match_units(*(units_of(read_as_words(*own)) for own in zip(runs, self.pages, strict=True)))

    @cached_property
    def labels(self) -> tuple[list[str], list[str]]:
        """The labels of the elements of both pages."""
        first, second = ([label_of(element, page) for element in page.elements or ()] for page in self.pages)
        return first, second

    @cached_property
    def things(self) -> Sequence[ElementPair]:
        """All elements of both pages, each once, with its counterpart if it has one."""
        sides = tuple(page.elements for page in self.pages)
        if self.elements is None or sides[0] is None or sides[1] is None:
            return ()
        return pair_elements((sides[0], sides[1]), self.labels, self.elements, self.texts)

    @cached_property
    def pairs(self) -> Sequence[tuple[Element, Element]]:
        """The elements that both pages have."""
        return [
            (thing.reference, thing.candidate) for thing in self.things if thing.reference and thing.candidate
        ]

    @cached_property
    def mean(self) -> float | None:
        """The mean that fidelity starts from; None if a part of it was not measured."""
        return mean_of(self.score.score, self.score.elements, self.score.typography)

    def weight(self, metric: str) -> float:
        """Return a metric's weight in the mean that fidelity starts from; without one, in the score."""
        if self.mean is None:
            return 1.0 if metric == "visual" else 0.0
        return FIDELITY_WEIGHTS[metric] / sum(FIDELITY_WEIGHTS.values())


def joined(
    members: Sequence[Difference], kind: DifferenceKind, what: DifferenceSubject, property: str, **facts: Any
) -> Difference:
    """Return one difference that represents several with one cause."""
    cost = sum(member.cost for member in members)
    seen = tuple(member for member in members if member.severity is not None)
    return Difference(kind, what, cost, SEEN, property, members=seen, **facts)


#: One difference that represents several, and these.
Joint = tuple[Difference, Sequence[Difference]]


def without(differences: Iterable[Difference], joint: Iterable[Joint]) -> list[Difference]:
    """Leave out those that are represented by others."""
    taken = {id(member) for _, members in joint for member in members}
    return [difference for difference in differences if id(difference) not in taken]


def box_of(difference: Difference, side: int = 0) -> Box:
    """Return its box in the design (0) or in the generated page (1), px; all 0 if it is not there."""
    facts = difference.candidate if side else difference.reference
    left, top, width, height = (facts or {}).get("box", (0, 0, 0, 0))
    return left, top, width, height


def both_boxes(difference: Difference) -> tuple[Box, Box]:
    """Return its boxes in the design and in the generated page, px."""
    return box_of(difference), box_of(difference, 1)


def of_alike(missing: int, found: Sequence[tuple[Box, Box]]) -> dict[str, list[int]]:
    """Return how many of several similar things are missing, "of" how many; empty if it is known which.

    It is known if none of those that are `found` moved.
    """
    is_doubtful = any(is_moved(*boxes) for boxes in found)
    return {"of": [missing, missing + len(found)]} if is_doubtful else {}
