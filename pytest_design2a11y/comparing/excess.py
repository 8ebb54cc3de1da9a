"""By how much a metric became worse than a gate allows: how the mean of that varies."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy

from pytest_design2a11y.comparing.comparison import TIE, Comparison, MetricComparison
from pytest_design2a11y.comparing.gates import Gate
from pytest_design2a11y.comparing.resampling import MeanDistribution, resample_means
from pytest_design2a11y.comparing.table import Values

#: Quantile of the normal distribution that four in five lie below.
_FOUR_IN_FIVE = 0.8416

#: Upper bound for planning.
_MAX_NEEDED = 10_000

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, eq=False)
class Excess:
    """A gate's metric, and how the mean of "worsening beyond the margin" is distributed."""

    gate: Gate
    metric: MetricComparison
    distribution: MeanDistribution
    column: int

    @property
    def p_value(self) -> float:
        """One-sided: of "the metric did not become worse by more than the margin"."""
        return self.distribution.p_above(self.column, 0.0)

    @property
    def mean(self) -> float:
        """Mean worsening beyond the margin."""
        return float(self.distribution.means[self.column])

    def half_width(self, level: float) -> float:
        """Return how far the bound with one-sided error `level` lies from the mean."""
        return self.distribution.half_width(self.column, level)

    def detectable(self, level: float) -> float | None:
        """Return the smallest excess that is found in four comparisons of five; None where nothing varies."""
        error = float(self.distribution.errors[self.column])
        return None if error <= TIE else self.half_width(level) + _FOUR_IN_FIVE * error

    def cases_needed(self, level: float) -> int | None:
        """Return how many cases bring the bound to the margin, if mean and spread stay; None: none."""
        distance = abs(self.mean)
        if distance <= TIE:
            return None
        num_cases = math.ceil(self.distribution.num_cases * (self.half_width(level) / distance) ** 2)
        return num_cases if num_cases <= _MAX_NEEDED else None


def make_excesses(gates: Mapping[K, tuple[Gate, Comparison]]) -> dict[K, Excess]:
    """Resample what the gates judge; those on the same cases of a comparison share the draws."""
    groups: dict[tuple[int, tuple[str, ...]], list[K]] = {}
    comparisons: list[Comparison] = []
    for place, (gate, comparison) in gates.items():
        if comparison not in comparisons:
            comparisons.append(comparison)
        number = comparisons.index(comparison)
        groups.setdefault((number, comparison.metrics[gate.metric].cases), []).append(place)
    excesses: dict[K, Excess] = {}
    for (number, _cases), places in groups.items():
        comparison = comparisons[number]
        metrics = [(gates[place][0], comparison.metrics[gates[place][0].metric]) for place in places]
        columns = numpy.stack([_excess(gate, metric) for gate, metric in metrics], axis=1)
        distribution = resample_means(columns, num_resamples=comparison.num_resamples, seed=comparison.seed)
        excesses |= {
            place: Excess(gate, metric, distribution, column)
            for column, (place, (gate, metric)) in enumerate(zip(places, metrics, strict=True))
        }
    return excesses


def _excess(gate: Gate, metric: MetricComparison) -> Values:
    """A relative margin is taken of every case's old value, so that the old mean's own spread is counted."""
    return metric.worsening - (gate.margin * metric.old_values if gate.is_relative else gate.margin)
