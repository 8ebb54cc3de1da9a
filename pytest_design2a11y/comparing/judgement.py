"""What gates find: whether a metric became worse than they allow, with confidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy
from numpy.typing import NDArray

from pytest_design2a11y.comparing.compare import CONFIDENCE, Comparison, MetricComparison
from pytest_design2a11y.comparing.gates import Gate
from pytest_design2a11y.comparing.resampling import MeanDistribution, resample_means

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """What a gate found.

    Attributes:
        gate: The gate.
        state: "passed", "failed", or "error": it could not be judged, which is no pass.
        worse_by: Mean worsening, in the metric's unit; below 0 where it became better. None on error.
        margin: What was allowed, in the metric's unit. None on error.
        surely_worse_by: The worsening's near end: what it exceeds with the gate's confidence. None where the
            point decides, or on error.
        fails_from: The smallest mean worsening that would have failed with cases that vary like these: with
            few cases or noisy ones much more than the margin. None on error.
        level: One-sided error level of the near end: 0.05, less with several gates (Holm).
        p_value: One-sided, corrected for the number of gates; None where the point decides, or on error.
        num_cases: Cases that it was judged on.
        sentence: The outcome for the user.
    """

    gate: Gate
    state: Literal["passed", "failed", "error"]
    worse_by: float | None
    margin: float | None
    surely_worse_by: float | None
    fails_from: float | None
    level: float | None
    p_value: float | None
    num_cases: int
    sentence: str


def judge_gates(
    gates: Sequence[Gate], comparison: Comparison, *, on_point: bool = False
) -> tuple[GateOutcome, ...]:
    """Tell which gates hold.

    A gate fails when the metric became worse by more than the margin with 95 % confidence: the lower
    one-sided 95 % bound of the mean worsening is above the margin. So, where nothing changed, one gate fails
    in 5 % of comparisons; with several gates Holm's correction keeps this at 5 % for all of them together.
    On a new run that is incomplete a gate can fail, but not pass: what is missing may be the worst of it.

    Args:
        gates: Which.
        comparison: What to judge.
        on_point: Judge the mean itself, however unsure it is.

    References:
        Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics
        6(2), 1979.
    """
    judged: dict[int, GateOutcome] = {}
    open_gates: dict[int, tuple[Gate, MetricComparison]] = {}
    for place, gate in enumerate(gates):
        metric = comparison.metrics[gate.metric]
        reason = _unjudgeable(metric, on_point=on_point)
        if reason:
            judged[place] = _error(gate, metric, reason)
        elif on_point:
            judged[place] = _judge_point(gate, metric)
        else:
            open_gates[place] = gate, metric
    judged |= _judge_with_confidence(_excesses(open_gates, comparison))
    outcomes = tuple(judged[place] for place in range(len(gates)))
    return outcomes if comparison.new.is_complete else tuple(map(_without_pass, outcomes))


def exit_code(outcomes: Iterable[GateOutcome]) -> int:
    """Give 1 where a gate failed, else 3 where one could not be judged, else 0."""
    states = {outcome.state for outcome in outcomes}
    return 1 if "failed" in states else 3 if "error" in states else 0


@dataclass(frozen=True, eq=False)
class _Excess:
    """A gate's metric, and how the mean of "worsening beyond the margin" is distributed."""

    gate: Gate
    metric: MetricComparison
    distribution: MeanDistribution
    column: int

    @property
    def p_value(self) -> float:
        return self.distribution.p_above(self.column, 0.0)

    @property
    def mean(self) -> float:
        return float(self.distribution.means[self.column])

    def half_width(self, level: float) -> float:
        return self.distribution.half_width(self.column, level)


def _excesses(
    gates: Mapping[int, tuple[Gate, MetricComparison]], comparison: Comparison
) -> dict[int, _Excess]:
    """Resample the gates, those on the same cases together: they can share the draws."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, (_gate, metric) in gates.items():
        groups.setdefault(metric.cases, []).append(place)
    excesses: dict[int, _Excess] = {}
    for places in groups.values():
        columns = numpy.stack([_excess(*gates[place]) for place in places], axis=1)
        distribution = resample_means(columns, num_resamples=comparison.num_resamples, seed=comparison.seed)
        excesses |= {
            place: _Excess(*gates[place], distribution, column) for column, place in enumerate(places)
        }
    return excesses


def _excess(gate: Gate, metric: MetricComparison) -> NDArray[numpy.float64]:
    """A relative margin is taken of every case's old value, so that the old mean's own spread is counted."""
    return metric.worsening - (gate.margin * metric.old_values if gate.is_relative else gate.margin)


def _unjudgeable(metric: MetricComparison, *, on_point: bool) -> str:
    if metric.state != "compared":
        return metric.reason
    if not on_point and len(metric.cases) < 2:
        return (
            "one case gives no confidence; take more cases, or judge the point (--design2a11y-fail-on-point)"
        )
    return ""


def _error(gate: Gate, metric: MetricComparison, reason: str) -> GateOutcome:
    sentence = f"{gate}: cannot be judged: {reason}"
    return GateOutcome(gate, "error", None, None, None, None, None, None, len(metric.cases), sentence)


def _without_pass(outcome: GateOutcome) -> GateOutcome:
    if outcome.state != "passed":
        return outcome
    return replace(outcome, state="error", sentence=f"{outcome.sentence}; no pass: the new run is incomplete")


def _allowed(gate: Gate, metric: MetricComparison) -> float:
    return gate.margin * metric.old_mean if gate.is_relative else gate.margin


def _judge_point(gate: Gate, metric: MetricComparison) -> GateOutcome:
    worse_by, allowed = float(metric.worsening.mean()), _allowed(gate, metric)
    is_failed = worse_by > allowed + _ROUNDING
    sentence = f"{_said(gate, metric, worse_by)}; margin {allowed:.4g}; judged on the point"
    state: Literal["failed", "passed"] = "failed" if is_failed else "passed"
    return GateOutcome(gate, state, worse_by, allowed, None, allowed, None, None, len(metric.cases), sentence)


def _judge_with_confidence(excesses: dict[int, _Excess]) -> dict[int, GateOutcome]:
    """Holm: from the smallest p-value up, each at the level that those still open leave it."""
    outcomes: dict[int, GateOutcome] = {}
    num_open, may_fail, corrected = len(excesses), True, 0.0
    for place, excess in sorted(excesses.items(), key=lambda item: item[1].p_value):
        level = (1 - CONFIDENCE) / num_open
        half_width = excess.half_width(level)
        corrected = max(corrected, min(1.0, num_open * excess.p_value))
        may_fail = may_fail and excess.mean - half_width > _ROUNDING
        outcomes[place] = _outcome(
            excess, level=level, half_width=half_width, p_value=corrected, is_failed=may_fail
        )
        num_open -= 1
    return outcomes


def _outcome(
    excess: _Excess, *, level: float, half_width: float, p_value: float, is_failed: bool
) -> GateOutcome:
    gate, metric = excess.gate, excess.metric
    allowed, worse_by = _allowed(gate, metric), float(metric.worsening.mean())
    surely = worse_by - half_width
    fails_from = allowed + half_width
    sentence = f"{_said(gate, metric, worse_by)}; margin {allowed:.4g}; "
    if is_failed:
        sentence += f"with {100 * (1 - level):.4g} % confidence worse by {surely:.4f} or more"
    else:
        sentence += f"a worsening from {fails_from:.4f} on would have failed"
    return GateOutcome(
        gate=gate,
        state="failed" if is_failed else "passed",
        worse_by=worse_by,
        margin=allowed,
        surely_worse_by=surely,
        fails_from=fails_from,
        level=level,
        p_value=p_value,
        num_cases=len(metric.cases),
        sentence=sentence,
    )


def _said(gate: Gate, metric: MetricComparison, worse_by: float) -> str:
    if abs(worse_by) <= _ROUNDING:
        moved = "unchanged"
    else:
        moved = f"{'worse' if worse_by > 0 else 'better'} by {abs(worse_by):.4f}"
    return f"{gate}: {moved} ({metric.old_mean:.4f} -> {metric.new_mean:.4f}, {len(metric.cases)} cases)"
