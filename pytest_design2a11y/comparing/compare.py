"""Two runs, case by case: what became better or worse, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy
from numpy.typing import NDArray

from pytest_design2a11y.comparing.conditions import Difference, find_differences
from pytest_design2a11y.comparing.quantities import COMPARED
from pytest_design2a11y.comparing.ranks import signed_rank_p
from pytest_design2a11y.comparing.resampling import NUM_RESAMPLES, SEED, MeanDistribution, resample_means
from pytest_design2a11y.comparing.table import CaseTable, make_table
from pytest_design2a11y.exceptions import NotComparable
from pytest_design2a11y.models.run import Run

#: Share of repetitions in which the interval holds the true difference.
CONFIDENCE = 0.95

#: Differences up to this are ties: the last digits of a sum are no change.
TIE = 1e-9

State = Literal["compared", "refused", "not measured"]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs.

    Attributes:
        name: As saved.
        created: ISO 8601 time, UTC.
        is_complete: False where the run lacks cases or samples.
        num_cases: All its cases.
        num_samples: All its samples.
    """

    name: str
    created: str
    is_complete: bool
    num_cases: int
    num_samples: int


@dataclass(frozen=True, slots=True)
class CaseChange:
    """How one case moved in one metric: means over its samples."""

    case: str
    old: float
    new: float

    @property
    def difference(self) -> float:
        """New minus old."""
        return self.new - self.old


@dataclass(frozen=True, eq=False)
class MetricComparison:
    """One metric in both runs.

    Attributes:
        metric: Id in `COMPARED`.
        state: "compared", "refused" (measured in ways that do not compare) or "not measured" (in both runs,
            in any paired case).
        reason: Why it is not compared; "" where it is.
        cases: The paired cases with a value in both runs.
        old_values: Their values, (cases,).
        new_values: Their values, (cases,).
        interval: Confidence interval of the mean difference new - old; None with fewer than two cases.
        p_value: Of Wilcoxon's signed-rank test, two-sided.
        num_wins: Cases that became better.
        num_ties: Cases that did not move.
        num_losses: Cases that became worse.
        lost: Cases with a value in the old run only.
        gained: Cases with a value in the new run only.
    """

    metric: str
    state: State
    reason: str = ""
    cases: tuple[str, ...] = ()
    old_values: NDArray[numpy.float64] = field(default_factory=lambda: numpy.empty(0), repr=False)
    new_values: NDArray[numpy.float64] = field(default_factory=lambda: numpy.empty(0), repr=False)
    interval: tuple[float, float] | None = None
    p_value: float = 1.0
    num_wins: int = 0
    num_ties: int = 0
    num_losses: int = 0
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()

    @property
    def old_mean(self) -> float:
        """Mean over the paired cases."""
        return float(self.old_values.mean())

    @property
    def new_mean(self) -> float:
        """Mean over the paired cases."""
        return float(self.new_values.mean())

    @property
    def difference(self) -> float:
        """Mean of new - old."""
        return float((self.new_values - self.old_values).mean())

    @property
    def worsening(self) -> NDArray[numpy.float64]:
        """By how much every case became worse; below 0 where it became better."""
        change = self.new_values - self.old_values
        return -change if COMPARED[self.metric].is_higher_better else change

    @property
    def trend(self) -> Literal["better", "worse", "unclear"]:
        """Which way the metric went, where the interval leaves no doubt."""
        if self.interval is None or self.interval[0] <= 0 <= self.interval[1]:
            return "unclear"
        return "better" if (self.interval[0] > 0) == COMPARED[self.metric].is_higher_better else "worse"

    def moved_most(self, limit: int) -> tuple[CaseChange, ...]:
        """Give the cases that moved most, either way, ties left out."""
        change = numpy.abs(self.new_values - self.old_values)
        order = numpy.argsort(-change, kind="stable")[:limit]
        return tuple(
            CaseChange(self.cases[place], float(self.old_values[place]), float(self.new_values[place]))
            for place in order
            if change[place] > TIE
        )


@dataclass(frozen=True, slots=True)
class CaseErrors:
    """What could not be measured in one case."""

    case: str
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two runs compared.

    Attributes:
        old: The run that was there before.
        new: The run in question.
        num_cases: Cases in both runs.
        metrics: By id, in the order of the metric table.
        only_old: Cases without counterpart in the new run.
        only_new: Cases without counterpart in the old run.
        errors: Paired cases in which something could not be measured.
        differences: Measuring conditions that differ.
        confidence: Of the intervals.
        num_resamples: Bootstrap draws.
        seed: Of the draws.
    """

    old: Side
    new: Side
    num_cases: int
    metrics: Mapping[str, MetricComparison]
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]
    errors: tuple[CaseErrors, ...]
    differences: tuple[Difference, ...]
    confidence: float = CONFIDENCE
    num_resamples: int = NUM_RESAMPLES
    seed: int = SEED


def compare_runs(old: Run, new: Run, *, num_resamples: int = NUM_RESAMPLES, seed: int = SEED) -> Comparison:
    """Compare two runs, paired by case.

    A case's value is the mean over its samples, so that runs with different numbers of samples compare. Every
    case counts the same.

    Args:
        old: The run that was there before.
        new: The run in question.
        num_resamples: Bootstrap draws for the intervals.
        seed: Of the draws.

    Raises:
        NotComparable: No case is in both runs.
    """
    tables = make_table(old), make_table(new)
    places = [{case: place for place, case in enumerate(table.cases)} for table in tables]
    paired = tuple(case for case in tables[0].cases if case in places[1])
    if not paired:
        raise NotComparable(
            f"The runs {old.name!r} ({len(places[0])} cases) and {new.name!r} ({len(places[1])} cases) "
            "have no case in common.",
            stage="runs",
            advice="Cases are paired by the reference's name: compare runs over the same references.",
        )
    rows = [numpy.array([place[case] for case in paired]) for place in places]
    differences = find_differences(
        (tables[0].conditions[first], tables[1].conditions[second])
        for first, second in zip(*rows, strict=True)
    )
    values = tables[0].means[rows[0]], tables[1].means[rows[1]]
    return Comparison(
        old=_side(old, tables[0]),
        new=_side(new, tables[1]),
        num_cases=len(paired),
        metrics=_compare_metrics(paired, *values, differences, num_resamples=num_resamples, seed=seed),
        only_old=tuple(case for case in tables[0].cases if case not in places[1]),
        only_new=tuple(case for case in tables[1].cases if case not in places[0]),
        errors=_errors(paired, *tables),
        differences=differences,
        num_resamples=num_resamples,
        seed=seed,
    )


def _side(run: Run, table: CaseTable) -> Side:
    return Side(run.name, run.created, run.is_complete, len(table.cases), sum(table.num_samples))


def _errors(paired: Sequence[str], old: CaseTable, new: CaseTable) -> tuple[CaseErrors, ...]:
    return tuple(
        CaseErrors(case, old.errors.get(case, ()), new.errors.get(case, ()))
        for case in paired
        if case in old.errors or case in new.errors
    )


def _compare_metrics(
    cases: tuple[str, ...],
    old: NDArray[numpy.float64],
    new: NDArray[numpy.float64],
    differences: Sequence[Difference],
    *,
    num_resamples: int,
    seed: int,
) -> dict[str, MetricComparison]:
    measured = ~(numpy.isnan(old) | numpy.isnan(new))
    refusals = {metric: str(one) for one in differences if one.effect == "refused" for metric in one.metrics}
    comparable = [
        column
        for column, metric in enumerate(COMPARED)
        if metric not in refusals and measured[:, column].any()
    ]
    distributions = _distributions(new - old, measured, comparable, num_resamples=num_resamples, seed=seed)
    compared: dict[str, MetricComparison] = {}
    for column, metric in enumerate(COMPARED):
        if column in comparable:
            compared[metric] = _compare_metric(
                metric, cases, old[:, column], new[:, column], distributions.get(column)
            )
        elif measured[:, column].any():
            compared[metric] = MetricComparison(metric, "refused", refusals[metric])
        else:
            compared[metric] = MetricComparison(metric, "not measured", "no paired case has it in both runs")
    return compared


def _distributions(
    differences: NDArray[numpy.float64],
    measured: NDArray[numpy.bool_],
    columns: Sequence[int],
    *,
    num_resamples: int,
    seed: int,
) -> dict[int, tuple[MeanDistribution, int]]:
    """Resample the metrics, those with the same cases together: they can share the draws."""
    groups: dict[bytes, list[int]] = {}
    for column in columns:
        groups.setdefault(measured[:, column].tobytes(), []).append(column)
    found: dict[int, tuple[MeanDistribution, int]] = {}
    for group in groups.values():
        rows = measured[:, group[0]]
        if rows.sum() >= 2:
            distribution = resample_means(differences[rows][:, group], num_resamples=num_resamples, seed=seed)
            found |= {column: (distribution, place) for place, column in enumerate(group)}
    return found


def _compare_metric(
    metric: str,
    cases: tuple[str, ...],
    old: NDArray[numpy.float64],
    new: NDArray[numpy.float64],
    distribution: tuple[MeanDistribution, int] | None,
) -> MetricComparison:
    in_old, in_new = ~numpy.isnan(old), ~numpy.isnan(new)
    both = in_old & in_new
    change = new[both] - old[both]
    change[numpy.abs(change) <= TIE] = 0.0
    num_up, num_down = int((change > 0).sum()), int((change < 0).sum())
    is_up_good = COMPARED[metric].is_higher_better
    interval = None
    if distribution is not None:
        half_width = distribution[0].half_width(distribution[1], (1 - CONFIDENCE) / 2)
        mean = float((new[both] - old[both]).mean())
        interval = (mean - half_width, mean + half_width)
    return MetricComparison(
        metric,
        "compared",
        cases=_chosen(cases, both),
        old_values=old[both],
        new_values=new[both],
        interval=interval,
        p_value=signed_rank_p(change),
        num_wins=num_up if is_up_good else num_down,
        num_ties=len(change) - num_up - num_down,
        num_losses=num_down if is_up_good else num_up,
        lost=_chosen(cases, in_old & ~in_new),
        gained=_chosen(cases, in_new & ~in_old),
    )


def _chosen(cases: tuple[str, ...], mask: NDArray[numpy.bool_]) -> tuple[str, ...]:
    return tuple(cases[place] for place in numpy.flatnonzero(mask))
