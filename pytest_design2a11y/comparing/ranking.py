"""Several runs, or parts of runs, ranked: the records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy

from pytest_design2a11y.comparing.aggregate import Interval
from pytest_design2a11y.comparing.comparison import TIE, ComparisonState, RunFacts
from pytest_design2a11y.comparing.conditions import DifferingCondition
from pytest_design2a11y.comparing.pairing import AxisValues
from pytest_design2a11y.comparing.resampling import MIN_CASES
from pytest_design2a11y.comparing.table import FailedPages, Values
from pytest_design2a11y.models.metrics import COMPARED


@dataclass(frozen=True, slots=True)
class Contender:
    """A ranked run, or the part of a run with certain values of axes."""

    name: str  # Unique in the ranking
    # Values of the axes that it was grouped by, with "run" first if several runs have such a group; empty if
    # whole runs are ranked
    axes: AxisValues
    run: RunFacts  # Limited to that part
    absent: tuple[str, ...] = ()  # Cases, along their axes, that others have but it lacks
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """Two contenders in one metric."""

    first: int  # Number, from 0, of the contender that was named earlier
    second: int  # Number of the other contender
    difference: float  # Mean of second - first over the cases
    # 95 % confidence interval of the difference, for this pair alone; None with fewer than two cases
    interval: Interval | None
    p_value: float  # Two-sided, of "the mean difference is 0", corrected for all pairs and metrics (Holm)
    better: int | None  # Number of the contender that is surely better; None if neither is


@dataclass(frozen=True, slots=True)
class RankedPlace:
    """The place of a contender in one metric."""

    contender: int
    rank: int  # From 1; contenders with the same mean share it
    mean: float
    # 95 % confidence interval of the mean, within the metric's bounds; None with one case
    interval: Interval | None
    beaten_by: tuple[int, ...] = ()  # Ranks of the contenders that are surely better
    # Its mean `block_match` if the metric is blind to missing text and contenders differ in it by more than
    # `MISSING_CONTENT`; else None
    block_match: float | None = None
    # Whether its `block_match` is that much below another's; if so, it is never called the best
    lacks_content: bool = False


@dataclass(frozen=True, eq=False)
class RankedMetric:
    """One metric over all contenders."""

    metric: str  # Id in `COMPARED`
    # "compared", "refused" (measured in incompatible ways) or "not measured" (no case has a value for all of
    # them)
    state: ComparisonState
    reason: str = ""  # Why there is no ranking, or ""
    cases: tuple[str, ...] = ()  # The cases for which all contenders have a value
    # Their values, (cases, contenders); each the mean over the axes that cases are aligned along
    values: Values = field(default_factory=lambda: numpy.empty((0, 0)), repr=False)
    places: tuple[RankedPlace, ...] = ()  # Best first
    pairs: tuple[PairVerdict, ...] = ()  # One for every two contenders
    lacking: tuple[int, ...] = ()  # Number of cases, by contender, without a value that others have

    @property
    def has_verdicts(self) -> bool:
        """Whether there are enough cases for sure verdicts."""
        return len(self.cases) >= MIN_CASES

    @property
    def is_higher_better(self) -> bool:
        """Whether higher values are better."""
        return COMPARED[self.metric].is_higher_better

    def place_of(self, contender: int) -> RankedPlace:
        """Return the place of a contender."""
        return next(place for place in self.places if place.contender == contender)

    def moved_most(self, limit: int | None) -> tuple[tuple[str, tuple[float, ...]], ...]:
        """Return the cases that differ most between contenders, with values; None: all that differ."""
        spread = numpy.ptp(self.values, axis=1)
        order = numpy.argsort(-spread, kind="stable")[:limit]
        return tuple(
            (self.cases[row], tuple(map(float, self.values[row]))) for row in order if spread[row] > TIE
        )


@dataclass(frozen=True, slots=True)
class DifferingPairs:
    """A measuring condition in which contenders differ."""

    difference: DifferingCondition  # Between two of them
    pairs: tuple[tuple[str, str], ...]  # Names of all pairs with the same difference


@dataclass(frozen=True, eq=False)
class Ranking:
    """Several contenders, ranked in some metrics."""

    contenders: tuple[Contender, ...]
    metrics: Mapping[str, RankedMetric]
    num_cases: int
    differences: tuple[DifferingPairs, ...]
    # Axes in which the contenders differ, each with the value per contender
    changes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Values of the axes that cases are aligned along, for axes with several values
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Names of the axes that contenders were grouped by, "run" first if it is one of them
    grouped_by: tuple[str, ...] = ()
    failed_pages: FailedPages = "exclude"
