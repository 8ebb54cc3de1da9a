"""A run's mean over its cases, and its interval; no other module computes either.

A sample's value is the mean over the tests that measured it. A case's value along its axes is the mean over
its samples, and over its axes the mean of those, so every case has the same weight. The interval is about
other cases like these, so cases are resampled, each with all its axes and samples.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy

from pytest_design2a11y.comparing.resampling import MeanDistribution, resample_means
from pytest_design2a11y.comparing.table import RunTable, Values, mean_by_group
from pytest_design2a11y.models.metric import Metric
from pytest_design2a11y.models.metrics import COMPARED, METRICS
from pytest_design2a11y.models.verdicts import CaseKey

#: Share of repetitions in which an interval contains the true value.
CONFIDENCE = 0.95

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """One metric over all cases of a run."""

    metric: Metric
    values: tuple[float, ...]  # One per case that has it, ascending
    mean: float
    interval: Interval | None  # Of the mean, 95 % confidence, within the metric's bounds; None with one case
    worst: float  # The value furthest from good, over all pages

    @property
    def median(self) -> float:
        """The median over the cases."""
        return median(self.values)


def summarize_table(table: RunTable) -> dict[str, MetricSummary]:
    """Summarize every metric that any case of a table has, by its id."""
    _cases, values = mean_over_axes(table.keys, table.means)
    measured = ~numpy.isnan(values)
    columns = [at for at, name in enumerate(COMPARED) if name in METRICS and measured[:, at].any()]
    distributions = resample_columns(values, [column for column in columns if measured[:, column].sum() >= 2])
    summaries = {}
    for column in columns:
        metric = list(COMPARED.values())[column]
        ordered = numpy.sort(values[measured[:, column], column])
        mean, interval = mean_over_cases(values[:, column]), None
        if column in distributions:
            interval = interval_of(mean, *distributions[column], metric)
        summaries[metric.name] = MetricSummary(
            metric,
            tuple(map(float, ordered)),
            mean,
            interval,
            float(table.extremes[0 if metric.is_higher_better else 1, column]),
        )
    return summaries


def mean_over_cases(values: Values) -> float:
    """Return the mean of one value per case, shape (cases,), ignoring NaN."""
    return float(values[~numpy.isnan(values)].mean())


def mean_over_axes(keys: Sequence[CaseKey], values: Values) -> tuple[tuple[str, ...], Values]:
    """Return each case once with its mean over axes, ignoring NaN: (keys, columns) to (cases, columns)."""
    numbers: dict[str, int] = {}
    groups = [numbers.setdefault(case, len(numbers)) for case, _axes in keys]
    return tuple(numbers), mean_by_group(values, groups)


def resample_columns(values: Values, columns: Sequence[int]) -> dict[int, tuple[MeanDistribution, int]]:
    """Resample the cases of columns of (cases, columns), each with two values or more that are not NaN.

    Columns with the same cases share the draws. Returns, by column, the distribution and its index in it.
    """
    measured = ~numpy.isnan(values)
    groups: dict[bytes, list[int]] = {}
    for column in columns:
        groups.setdefault(measured[:, column].tobytes(), []).append(column)
    distributions: dict[int, tuple[MeanDistribution, int]] = {}
    for group in groups.values():
        rows = measured[:, group[0]]
        distribution = resample_means(values[rows][:, group])
        distributions |= {column: (distribution, number) for number, column in enumerate(group)}
    return distributions


def interval_of(
    mean: float, sampled: MeanDistribution, column: int, metric: Metric, *, is_difference: bool = False
) -> Interval:
    """Return the 95 % interval of a mean, clipped to the bounds of the metric or of its differences."""
    half_width = sampled.half_width(column, (1 - CONFIDENCE) / 2)
    upper = math.inf if metric.upper is None else metric.upper
    lower = -upper if is_difference else 0.0
    return max(lower, mean - half_width), min(upper, mean + half_width)


def estimate(
    columns: Values, metric: str, *, is_difference: bool
) -> list[tuple[float, Interval | None, float]]:
    """Return each column's mean, interval and two-sided p-value of 0; columns have shape (cases, columns)."""
    means = [mean_over_cases(columns[:, column]) for column in range(columns.shape[1])]
    if len(columns) < 2:
        return [(mean, None, 1.0) for mean in means]
    sampled = resample_means(columns)
    estimates: list[tuple[float, Interval | None, float]] = []
    for column, mean in enumerate(means):
        interval = interval_of(mean, sampled, column, COMPARED[metric], is_difference=is_difference)
        estimates.append((mean, interval, sampled.p_two_sided(column) if is_difference else 1.0))
    return estimates
