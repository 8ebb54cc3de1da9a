"""What a ranking of several runs, or of the parts of runs, holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy

from pytest_design2a11y.comparing.aggregate import Interval
from pytest_design2a11y.comparing.comparison import TIE, Side, State
from pytest_design2a11y.comparing.conditions import Difference
from pytest_design2a11y.comparing.failed_pages import FailedPages
from pytest_design2a11y.comparing.gates import COMPARED
from pytest_design2a11y.comparing.pairing import AxisValues
from pytest_design2a11y.comparing.resampling import MIN_CASES
from pytest_design2a11y.comparing.table import Values


@dataclass(frozen=True, slots=True)
class Contender:
    """What is ranked: a run, or the part of a run that has certain values of axes.

    Attributes:
        name: Unique in the ranking.
        axes: Values of the axes that it was grouped by, "run" first where several runs have such a group;
            empty where whole runs are ranked.
        side: What is known of its run, of that part alone.
        absent: Cases, along their axes, that others have and it lacks.
    """

    name: str
    axes: AxisValues
    side: Side
    absent: tuple[str, ...] = ()
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """Two contenders in one metric.

    Attributes:
        first: Number of the one that was named earlier, from 0.
        second: Number of the other.
        difference: Mean of second - first over the cases.
        interval: Its 95 % confidence interval, of this pair alone; None with fewer than two cases.
        p_value: Two-sided, of "the mean difference is 0", corrected for all pairs and metrics (Holm).
        better: Number of the one that is surely better; None where neither is.
    """

    first: int
    second: int
    difference: float
    interval: Interval | None
    p_value: float
    better: int | None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a contender comes in one metric.

    Attributes:
        rank: From 1; contenders with the same mean share it.
        interval: 95 % confidence interval of the mean, within the metric's bounds; None with one case.
        beaten_by: Ranks of the contenders that are surely better.
        block_match: Its mean of `block_match`, where the metric is blind to missing text and contenders
            differ in it by more than `MISSING_CONTENT`; else None.
        lacks_content: Whether its `block_match` is that much below another's: it is never called best.
    """

    contender: int
    rank: int
    mean: float
    interval: Interval | None
    beaten_by: tuple[int, ...] = ()
    block_match: float | None = None
    lacks_content: bool = False


@dataclass(frozen=True, eq=False)
class RankedMetric:
    """One metric over all contenders.

    Attributes:
        metric: Id in `COMPARED`.
        state: "compared", "refused" (measured in ways that do not compare) or "not measured" (no case has it
            in all of them).
        reason: Why there is no ranking; "" where there is one.
        cases: Those that all contenders have a value for.
        values: Their values, (cases, contenders); each the mean over the axes that cases are aligned along.
        places: The best first.
        pairs: Of every two contenders.
        lacking: Cases without a value that others have one for, by contender.
    """

    metric: str
    state: State
    reason: str = ""
    cases: tuple[str, ...] = ()
    values: Values = field(default_factory=lambda: numpy.empty((0, 0)), repr=False)
    places: tuple[Place, ...] = ()
    pairs: tuple[PairVerdict, ...] = ()
    lacking: tuple[int, ...] = ()

    @property
    def has_verdicts(self) -> bool:
        """Whether there are enough cases to call a difference sure."""
        return len(self.cases) >= MIN_CASES

    @property
    def is_higher_better(self) -> bool:
        """Which way is better."""
        return COMPARED[self.metric].is_higher_better

    def place_of(self, contender: int) -> Place:
        """Return the place of a contender."""
        return next(place for place in self.places if place.contender == contender)

    def moved_most(self, limit: int | None) -> tuple[tuple[str, tuple[float, ...]], ...]:
        """Return the cases that differ most between contenders, with their values; None: all that differ."""
        spread = numpy.ptp(self.values, axis=1)
        order = numpy.argsort(-spread, kind="stable")[:limit]
        return tuple(
            (self.cases[place], tuple(map(float, self.values[place])))
            for place in order
            if spread[place] > TIE
        )


@dataclass(frozen=True, slots=True)
class DifferingPairs:
    """A measuring condition in which contenders differ.

    Attributes:
        difference: Between two of them.
        pairs: Names of all pairs that differ in the same way.
    """

    difference: Difference
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class Ranking:
    """Several contenders, ranked in some metrics.

    Attributes:
        changes: Axes that tell the contenders apart: the value of each.
        axes: Values of the axes that cases are aligned along, those with several.
        grouped_by: Names of the axes that contenders were grouped by, "run" first where it is one of them.
    """

    contenders: tuple[Contender, ...]
    metrics: Mapping[str, RankedMetric]
    num_cases: int
    differences: tuple[DifferingPairs, ...]
    changes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    grouped_by: tuple[str, ...] = ()
    failed_pages: FailedPages = "exclude"
