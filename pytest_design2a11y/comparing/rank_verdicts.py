"""Who is surely better than whom in a metric: the statistics of a ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy

from pytest_design2a11y.comparing.aggregate import CONFIDENCE, Interval, interval_around, mean_over_cases
from pytest_design2a11y.comparing.comparison import TIE
from pytest_design2a11y.comparing.multiple import holm
from pytest_design2a11y.comparing.quantities import COMPARED
from pytest_design2a11y.comparing.ranking import PairVerdict, Place, RankedMetric
from pytest_design2a11y.comparing.resampling import resample_means
from pytest_design2a11y.comparing.table import Values


@dataclass(frozen=True, slots=True)
class _Estimate:
    """A mean over cases, its interval, and the two-sided p-value of "it is 0"."""

    mean: float
    interval: Interval | None
    p_value: float


def with_statistics(ranked: RankedMetric) -> RankedMetric:
    """Resample the means and the differences of a metric; the p-values are of each pair alone."""
    values = ranked.values
    pairs = list(combinations(range(values.shape[1]), 2))
    changes = numpy.stack([values[:, second] - values[:, first] for first, second in pairs], axis=1)
    changes = numpy.where(numpy.abs(changes) <= TIE, 0.0, changes)
    estimates = _estimate(values, ranked.metric, is_difference=False)
    verdicts = (
        PairVerdict(*pair, one.mean, one.interval, one.p_value, None)
        for pair, one in zip(pairs, _estimate(changes, ranked.metric, is_difference=True), strict=True)
    )
    means = [one.mean for one in estimates]
    sign = -1 if ranked.is_higher_better else 1
    order = sorted(range(len(means)), key=lambda one: sign * means[one])
    places = (Place(one, _rank(one, order, means), means[one], estimates[one].interval) for one in order)
    return replace(ranked, pairs=tuple(verdicts), places=tuple(places))


def with_verdicts(metrics: Sequence[RankedMetric]) -> dict[str, RankedMetric]:
    """Tell which differences are sure, corrected for all pairs of all metrics that a reader sees."""
    judged = {
        (metric.metric, number): pair.p_value
        for metric in metrics
        if metric.has_verdicts
        for number, pair in enumerate(metric.pairs)
    }
    corrected = {test: p_value for test, _num_open, p_value in holm(judged)}
    return {metric.metric: _judged(metric, corrected) for metric in metrics}


def _estimate(columns: Values, metric: str, *, is_difference: bool) -> list[_Estimate]:
    """Return the mean of each column, (cases, columns), its interval, and how sure it is not 0."""
    means = [mean_over_cases(columns[:, place]) for place in range(columns.shape[1])]
    if len(columns) < 2:
        return [_Estimate(mean, None, 1.0) for mean in means]
    sampled = resample_means(columns)
    half_widths = [sampled.half_width(place, (1 - CONFIDENCE) / 2) for place in range(len(means))]
    return [
        _Estimate(
            mean,
            interval_around(mean, half_widths[place], COMPARED[metric], is_difference=is_difference),
            sampled.p_two_sided(place) if is_difference else 1.0,
        )
        for place, mean in enumerate(means)
    ]


def _rank(contender: int, order: Sequence[int], means: Sequence[float]) -> int:
    return 1 + next(place for place, other in enumerate(order) if abs(means[other] - means[contender]) <= TIE)


def _judged(metric: RankedMetric, corrected: Mapping[tuple[str, int], float]) -> RankedMetric:
    pairs = tuple(
        _verdict(pair, corrected.get((metric.metric, number), 1.0), metric)
        for number, pair in enumerate(metric.pairs)
    )
    ranks = {place.contender: place.rank for place in metric.places}
    places = tuple(
        replace(place, beaten_by=tuple(sorted(ranks[one] for one in _winners_over(place.contender, pairs))))
        for place in metric.places
    )
    return replace(metric, pairs=pairs, places=places)


def _verdict(pair: PairVerdict, p_value: float, metric: RankedMetric) -> PairVerdict:
    better = None
    if p_value < 1 - CONFIDENCE:
        better = pair.second if (pair.difference > 0) == metric.is_higher_better else pair.first
    return replace(pair, p_value=p_value, better=better)


def _winners_over(contender: int, pairs: Sequence[PairVerdict]) -> Iterator[int]:
    for pair in pairs:
        if pair.better is not None and pair.better != contender and contender in (pair.first, pair.second):
            yield pair.better
