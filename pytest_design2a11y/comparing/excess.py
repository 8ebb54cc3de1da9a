"""How far a metric surely became worse than a gate allows, by resampling the cases."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy

from pytest_design2a11y.comparing.comparison import TIE, Comparison, MetricComparison
from pytest_design2a11y.comparing.gates import Gate
from pytest_design2a11y.comparing.resampling import MeanDistribution, resample_means

#: The 80 % quantile of the normal distribution.
_FOUR_IN_FIVE = 0.8416

#: Largest number of cases in a plan.
_MAX_NEEDED = 10_000

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, eq=False)
class Excess:
    """A gate's metric, and the distribution of its mean "worsening beyond the margin"."""

    gate: Gate
    metric: MetricComparison
    distribution: MeanDistribution
    column: int

    @property
    def p_value(self) -> float:
        """One-sided p-value of "the metric did not become worse by more than the margin"."""
        return self.distribution.p_above(self.column, 0.0)

    @property
    def mean(self) -> float:
        """Mean worsening beyond the margin."""
        return float(self.distribution.means[self.column])

    def half_width(self, level: float) -> float:
        """Return the distance between the mean and its bound with one-sided error `level`."""
        return self.distribution.half_width(self.column, level)

    def detectable(self, level: float) -> float | None:
        """Return the smallest excess found in 80 % of comparisons; None if nothing varies."""
        error = float(self.distribution.errors[self.column])
        return None if error <= TIE else self.half_width(level) + _FOUR_IN_FIVE * error

    def cases_needed(self, level: float) -> int | None:
        """Return how many cases move the bound to the margin, if mean and spread stay; None: none do."""
        distance = abs(self.mean)
        if distance <= TIE:
            return None
        num_cases = math.ceil(self.distribution.num_cases * (self.half_width(level) / distance) ** 2)
        return num_cases if num_cases <= _MAX_NEEDED else None


def make_excesses(gates: Mapping[K, tuple[Gate, Comparison]]) -> dict[K, Excess]:
    """Resample what the gates judge; gates on the same cases of a comparison share the draws."""
    groups: dict[tuple[int, tuple[str, ...]], list[K]] = {}
    comparisons: list[Comparison] = []
    for key, (gate, comparison) in gates.items():
        if comparison not in comparisons:
            comparisons.append(comparison)
        number = comparisons.index(comparison)
        groups.setdefault((number, comparison.metrics[gate.metric].cases), []).append(key)
    excesses: dict[K, Excess] = {}
    for (number, _cases), keys in groups.items():
        comparison = comparisons[number]
        metrics = [(gates[key][0], comparison.metrics[gates[key][0].metric]) for key in keys]
        # A relative margin applies to each case's old value, so that the spread of the old mean counts too.
        columns = [
            metric.worsening - (gate.margin * metric.old_values if gate.is_relative else gate.margin)
            for gate, metric in metrics
        ]
        distribution = resample_means(numpy.stack(columns, axis=1))
        excesses |= {
            key: Excess(gate, metric, distribution, column)
            for column, (key, (gate, metric)) in enumerate(zip(keys, metrics, strict=True))
        }
    return excesses
