"""The overview of a run as data: means with intervals, distributions, one row a measured page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev

from scipy.special import stdtrit

from pytest_design2a11y.models.metrics import METRICS, Metric
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.models.serialization import metric_value

CONFIDENCE = 0.95
NUM_BINS = 40

#: Columns of the table of cases.
COLUMNS = ("visual", "block_match", "text", "position", "color", "appearance", "ir", "iwir", "failed")

#: What became of a page, the worst first.
STATES = {"error": "not measured", "fail": "limit broken", "pass": "within limits", "none": "no limits"}


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """One metric over all cases; a case's value is the mean over its samples.

    Attributes:
        metric: Which.
        values: Of the cases that have one, ascending.
        mean: Over the cases.
        interval: Confidence interval of the mean; None with fewer than two cases.
        bins: Cases per bin, from 0 to `upper`.
        upper: The end of the last bin.
    """

    metric: Metric
    values: tuple[float, ...]
    mean: float
    interval: tuple[float, float] | None
    bins: tuple[int, ...]
    upper: float

    @property
    def median(self) -> float:
        """Of the cases."""
        return median(self.values)

    @property
    def worst(self) -> float:
        """The case that is furthest from good."""
        return self.values[0] if self.metric.is_higher_better else self.values[-1]


@dataclass(frozen=True, slots=True)
class Row:
    """One measured page in the table of cases.

    Attributes:
        number: Position in the run, from 0: names the case's part of the report.
        evaluation: What was measured.
        state: Key of `STATES`.
        values: By column, None where not measured.
    """

    number: int
    evaluation: Evaluation
    state: str
    values: dict[str, float | None]


def summarize(run: Run) -> list[MetricSummary]:
    """Summarize every metric that some page has."""
    return [
        _summary(metric, sorted(values))
        for metric in METRICS.values()
        if (values := _case_means(run.evaluations, metric.id))
    ]


def worst_first(run: Run) -> list[Row]:
    """Give a row a page: not measured, limits broken, the least similar, then the least accessible."""
    rows = [
        Row(
            number,
            evaluation,
            state_of(evaluation),
            {column: metric_value(evaluation, column) for column in COLUMNS},
        )
        for number, evaluation in enumerate(run.evaluations)
    ]
    return sorted(rows, key=_badness)


def state_of(evaluation: Evaluation) -> str:
    """Tell what became of a page: a key of `STATES`."""
    if evaluation.error is not None:
        return "error"
    if not evaluation.verdicts:
        return "none"
    return "pass" if all(verdict.is_passed for verdict in evaluation.verdicts) else "fail"


def count_states(rows: Iterable[Row]) -> dict[str, int]:
    """Count the pages per state, in the order of `STATES`, only states that occur."""
    counts = Counter(row.state for row in rows)
    return {state: counts[state] for state in STATES if counts[state]}


def _badness(row: Row) -> tuple[int, float, float, int]:
    rank = min(list(STATES).index(row.state), 2)
    visual, weighted = row.values["visual"], metric_value(row.evaluation, "weighted_ir")
    return rank, 2.0 if visual is None else visual, -(weighted or 0.0), row.number


def _case_means(evaluations: Iterable[Evaluation], metric: str) -> list[float]:
    by_case: dict[str, list[float]] = {}
    for evaluation in evaluations:
        value = metric_value(evaluation, metric)
        if value is not None:
            by_case.setdefault(evaluation.case, []).append(value)
    return [fmean(values) for values in by_case.values()]


def _summary(metric: Metric, values: Sequence[float]) -> MetricSummary:
    upper = metric.upper or max(values[-1], 1.0)
    bins = [0] * NUM_BINS
    for value in values:
        bins[min(NUM_BINS - 1, int(value / upper * NUM_BINS))] += 1
    mean = fmean(values)
    return MetricSummary(metric, tuple(values), mean, _interval(values, mean, metric), tuple(bins), upper)


def _interval(values: Sequence[float], mean: float, metric: Metric) -> tuple[float, float] | None:
    """Student's t interval, cut off where the metric ends."""
    if len(values) < 2:
        return None
    quantile = float(stdtrit(len(values) - 1, (1 + CONFIDENCE) / 2))
    half_width = quantile * stdev(values) / math.sqrt(len(values))
    return max(0.0, mean - half_width), min(metric.upper or math.inf, mean + half_width)
