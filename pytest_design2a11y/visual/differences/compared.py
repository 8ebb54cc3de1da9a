"""What differences are found in: two pages, with all that was matched of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

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
from pytest_design2a11y.visual.differences.sight import Sight, look
from pytest_design2a11y.visual.differences.text_pairing import UnitMatching, match_units
from pytest_design2a11y.visual.differences.units import read_as_words, units_of
from pytest_design2a11y.visual.elements import ElementMatching, Likeness
from pytest_design2a11y.visual.figures import FigureMatching
from pytest_design2a11y.visual.flaws import Flaw
from pytest_design2a11y.visual.typography import Paragraph, TypographyMatching

Details = Mapping[str, Any]

#: What is large enough to be reported by itself, until it is graded; None is what is not.
SEEN: Severity = "minor"
#: A shift by less (px) is not reported by itself.
LEAST_SHIFT = 4.0
#: How far beside its edges (px) the marks of an element are sought.
RIM = 6


@dataclass(frozen=True)
class Compared:
    """Two pages, and all that was matched of them."""

    reference: Capture  # The design
    candidate: Capture  # The generated page, as far as it was compared
    score: VisualScore  # With matches, and the metrics of the whole page
    elements: ElementMatching | None  # None where not measured
    typography: TypographyMatching | None  # None where not measured
    figures: FigureMatching | None = None  # None where the design shows none
    # Of both pages, as matched in `typography`; none where not measured
    paragraphs: tuple[tuple[Paragraph, ...], tuple[Paragraph, ...]] = ((), ())
    flaws: tuple[Flaw, ...] = ()  # What a reviewer would point out; empty without fidelity
    # The text of both that is seen; none: all that the captures hold
    runs: tuple[Sequence[TextRun], Sequence[TextRun]] | None = None

    @property
    def pages(self) -> tuple[Capture, Capture]:
        """The design and the generated page."""
        return self.reference, self.candidate

    @cached_property
    def sight(self) -> Sight:
        """Where the pages differ to the eye."""
        return look(*self.pages)

    @cached_property
    def texts(self) -> UnitMatching:
        """Their texts as people read them, and which stands where on the other page."""
        runs = self.runs or tuple(page.text_runs for page in self.pages)
        return match_units(*(units_of(read_as_words(*own)) for own in zip(runs, self.pages, strict=True)))

    @property
    def element_pairs(self) -> Sequence[tuple[int, int, Likeness]]:
        """The elements that were matched, by index, with how alike they are."""
        return () if self.elements is None else self.elements.pairs

    def weight(self, metric: str) -> float:
        """Return what a metric weighs in the mean that fidelity begins with; without one, in the score."""
        if self.score.fidelity is None:
            return 1.0 if metric == "visual" else 0.0
        return FIDELITY_WEIGHTS[metric] / sum(FIDELITY_WEIGHTS.values())


def joined(
    members: Sequence[Difference], kind: DifferenceKind, what: DifferenceSubject, property: str, **facts: Any
) -> Difference:
    """Return one difference that stands for those that have one cause."""
    cost = sum(member.cost for member in members)
    seen = tuple(member for member in members if member.severity is not None)
    return Difference(kind, what, cost, SEEN, property, members=seen, **facts)


#: One difference that stands for several, and these.
Joint = tuple[Difference, Sequence[Difference]]


def without(differences: Iterable[Difference], joint: Iterable[Joint]) -> list[Difference]:
    """Leave out those for which others stand."""
    taken = {id(member) for _, members in joint for member in members}
    return [difference for difference in differences if id(difference) not in taken]


def box_of(difference: Difference, side: int = 0) -> Box:
    """Return where it is in the design (0) or in the generated page (1), px; all 0 where it is not there."""
    facts = difference.candidate if side else difference.reference
    left, top, width, height = (facts or {}).get("box", (0, 0, 0, 0))
    return left, top, width, height


def both_boxes(difference: Difference) -> tuple[Box, Box]:
    """Return where it is in the design, and in the generated page, px."""
    return box_of(difference), box_of(difference, 1)


def least_shift(first: Box, second: Box) -> tuple[float, float]:
    """Return how far a box moved, px right and down: by the edge or centre along each axis that moved least.

    What has grown in its place did not move.
    """
    shifts = []
    for axis in (0, 1):
        start, grown = second[axis] - first[axis], second[axis + 2] - first[axis + 2]
        shifts.append(min(start, start + grown / 2, start + grown, key=abs))
    return shifts[0], shifts[1]


def is_moved(first: Box, second: Box) -> bool:
    """Return whether a box moved so far that it is reported."""
    return max(map(abs, least_shift(first, second))) >= LEAST_SHIFT


def of_alike(missing: int, found: Sequence[tuple[Box, Box]]) -> dict[str, list[int]]:
    """Return how many of several like things are missing, "of" how many; nothing if it is known which.

    It is where none of those that are `found` moved.
    """
    is_doubtful = any(is_moved(*boxes) for boxes in found)
    return {"of": [missing, missing + len(found)]} if is_doubtful else {}


def widened(box: Box, by: float = RIM) -> Box:
    """Return a box with a rim, px: the one in which its borders and its shadow are sought, or another."""
    return box[0] - by, box[1] - by, box[2] + 2 * by, box[3] + 2 * by
