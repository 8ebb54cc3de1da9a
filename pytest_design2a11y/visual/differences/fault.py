"""A fault: one thing that differs between two pages, before it is known how it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference, DifferenceKind, DifferenceSubject, VisualScore
from pytest_design2a11y.visual.elements import ElementMatching
from pytest_design2a11y.visual.score import WEIGHTS
from pytest_design2a11y.visual.typography import TypographyMatching

Details = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Compared:
    """Two pages, and all that was matched of them."""

    reference: Capture  # The design
    candidate: Capture  # The generated page, as far as it was compared
    score: VisualScore  # With matches, and the metrics of the whole page
    elements: ElementMatching | None  # None where not measured
    typography: TypographyMatching | None  # None where not measured

    def weight(self, metric: str) -> float:
        """Return what a metric weighs in fidelity; in the visual score where there is no fidelity."""
        if self.score.fidelity is None:
            return 1.0 if metric == "visual" else 0.0
        return WEIGHTS[metric] / sum(WEIGHTS.values())


@dataclass(frozen=True, slots=True, eq=False)
class Fault:
    """One thing that differs."""

    kind: DifferenceKind  # In what way
    what: DifferenceSubject  # What differs
    cost: float  # What it takes from fidelity, 0..1
    is_seen: bool  # Whether it is large enough to be told by itself
    words: Callable[[], tuple[str, Details | None, Details | None]]  # Says it, only where it is told
    # Where it is in the design and in the generated page, px; None where it is not there
    boxes: tuple[Box | None, Box | None] = (None, None)
    source: str = "text"  # "text", "element", "font", "ground", "appearance" or "page" (a cause of many)

    @property
    def shift(self) -> tuple[float, float]:
        """How far the centre lies from where it should, px to the right and down."""
        first, second = self.boxes
        return (0.0, 0.0) if first is None or second is None else shift_between(first, second)

    def told(self) -> Difference:
        """Return it in words."""
        message, reference, candidate = self.words()
        return Difference(self.kind, self.what, message, self.cost, reference, candidate)


def joined(
    faults: Iterable[Fault],
    kind: DifferenceKind,
    what: DifferenceSubject,
    message: str,
    sides: tuple[Details | None, Details | None] = (None, None),
) -> Fault:
    """Make one fault of those that have one cause."""
    members = tuple(faults)
    return Fault(
        kind, what, sum(fault.cost for fault in members), True, lambda: (message, *sides), source="page"
    )


#: One fault that stands for several, and these.
Joint = tuple[Fault, Sequence[Fault]]


def without(faults: Iterable[Fault], joint: Iterable[Joint]) -> list[Fault]:
    """Leave out the faults for which others stand."""
    taken = {id(fault) for _, members in joint for fault in members}
    return [fault for fault in faults if id(fault) not in taken]


def shift_between(first: Box, second: Box) -> tuple[float, float]:
    """Return how far the centre of a second box lies from that of a first one, px right and down."""
    return (
        second[0] + second[2] / 2 - first[0] - first[2] / 2,
        second[1] + second[3] / 2 - first[1] - first[3] / 2,
    )
