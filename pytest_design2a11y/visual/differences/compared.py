"""What differences are found in: two pages, with all that was matched of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
from pytest_design2a11y.visual.elements import ElementMatching
from pytest_design2a11y.visual.figures import FigureMatching
from pytest_design2a11y.visual.flaws import Flaw, flaw_costs
from pytest_design2a11y.visual.score import mean_of
from pytest_design2a11y.visual.typography import Paragraph, TypographyMatching

Details = Mapping[str, Any]

#: What is large enough to be reported by itself, until it is graded; None is what is not.
SEEN: Severity = "minor"
#: A shift by less (px) is not reported by itself.
LEAST_SHIFT = 4.0
#: How far beside its edges (px) the marks of an element are sought.
RIM = 6


@dataclass(frozen=True, slots=True)
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
    def flaw_costs(self) -> tuple[float, ...]:
        """What each flaw takes of fidelity: of what the means leave, the share that it is."""
        mean = mean_of(self.score.score, self.score.elements, self.score.typography)
        return tuple((mean or 0.0) * cost for cost in flaw_costs(self.flaws))

    def weight(self, metric: str) -> float:
        """Return what a metric weighs in the mean that fidelity begins with; without one, in the score."""
        if self.score.fidelity is None:
            return 1.0 if metric == "visual" else 0.0
        return FIDELITY_WEIGHTS[metric] / sum(FIDELITY_WEIGHTS.values())


def joined(
    members: Sequence[Difference], kind: DifferenceKind, what: DifferenceSubject, property: str, **facts: Any
) -> Difference:
    """Return one difference that stands for those that have one cause."""
    return Difference(
        kind,
        what,
        sum(one.cost for one in members),
        SEEN,
        property,
        members=tuple(one for one in members if one.severity is not None),
        **facts,
    )


#: One difference that stands for several, and these.
Joint = tuple[Difference, Sequence[Difference]]


def without(differences: Iterable[Difference], joint: Iterable[Joint]) -> list[Difference]:
    """Leave out those for which others stand."""
    taken = {id(one) for _, members in joint for one in members}
    return [one for one in differences if id(one) not in taken]


def box_of(difference: Difference, side: int = 0) -> Box:
    """Return where it is in the design (0) or in the generated page (1), px; all 0 where it is not there."""
    box = ((difference.reference, difference.candidate)[side] or {}).get("box", (0, 0, 0, 0))
    left, top, width, height = box
    return left, top, width, height


def least_shift(first: Box, second: Box) -> tuple[float, float]:
    """Return how far a box moved, px right and down: by the edge or centre along each axis that moved least.

    What has grown in its place did not move.
    """
    shifts = []
    for axis in (0, 1):
        start = second[axis] - first[axis]
        grown = second[axis + 2] - first[axis + 2]
        shifts.append(min(start, start + grown / 2, start + grown, key=abs))
    return shifts[0], shifts[1]


def is_moved(first: Box, second: Box) -> bool:
    """Return whether a box moved so far that it is reported."""
    return max(map(abs, least_shift(first, second))) >= LEAST_SHIFT


def of_alike(missing: int, found: Sequence[tuple[Box, Box]]) -> dict[str, list[int]]:
    """Return how many of several like things are missing, "of" how many; nothing if it is known which.

    It is where none of those that are `found` moved.
    """
    is_known = not any(is_moved(one, other) for one, other in found)
    return {} if is_known else {"of": [missing, missing + len(found)]}


def widened(box: Box) -> Box:
    """Return a box with the rim in which its borders and its shadow are sought."""
    return box[0] - RIM, box[1] - RIM, box[2] + 2 * RIM, box[3] + 2 * RIM
