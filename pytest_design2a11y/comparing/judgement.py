"""Judging gates: whether a metric surely became worse than allowed, surely did not, or neither."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy

from pytest_design2a11y.comparing import NEGLIGIBLE, TIE, Comparison, MetricComparison
from pytest_design2a11y.comparing.aggregate import CONFIDENCE
from pytest_design2a11y.comparing.gates import Gate, GateOutcome, GateState, amount
from pytest_design2a11y.comparing.resampling import MIN_CASES, MeanDistribution, holm, resample_means
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.wording import counted, listed, setting

_ROUNDING = 1e-12

#: The 80 % quantile of the normal distribution.
_FOUR_IN_FIVE = 0.8416

#: Largest number of cases that is given as deciding.
_MAX_NEEDED = 10_000

#: Number of new differences that a gate's sentence names, and maximum characters of each.
_MOST_NAMED, _LONGEST = 3, 160


Test = tuple[int, int]
"""A gate's test: the numbers of its comparison and of the gate."""


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


def judge_groups(
    gates: Sequence[Gate],
    comparisons: Sequence[Comparison],
    *,
    on_point: bool = False,
    allow_missing: float = 0.0,
) -> list[tuple[GateOutcome, ...]]:
    """Judge the gates in each of several comparisons; return their outcomes for each.

    A gate fails if the metric became worse by more than the margin with 95 % confidence: the lower one-sided
    95 % bound of the mean worsening is above the margin. So if nothing changed, one gate fails in 5 % of
    comparisons; with several gates or comparisons, Holm's correction keeps this at 5 % for all of them
    together. A gate passes if the upper bound is not above the margin; else it is inconclusive. `on_point`
    judges by the mean itself, however uncertain it is.

    A gate may fail, but not pass, if the new run is incomplete or more than a share `allow_missing`, 0..1, of
    the pages is missing: they may be the worst.
    """
    judged: dict[Test, GateOutcome] = {}
    open_gates: dict[Test, tuple[Gate, Comparison]] = {}
    for row, comparison in enumerate(comparisons):
        for column, gate in enumerate(gates):
            outcome = _judge_simply(gate, comparison, on_point=on_point)
            if outcome is None:
                open_gates[row, column] = gate, comparison
            else:
                judged[row, column] = outcome
    judged |= _judge_with_confidence(_excesses(open_gates))
    return [
        tuple(
            _noted(judged[row, column], comparison, allow_missing=allow_missing)
            for column in range(len(gates))
        )
        for row, comparison in enumerate(comparisons)
    ]


def _judge_simply(gate: Gate, comparison: Comparison, *, on_point: bool) -> GateOutcome | None:
    """Judge a gate that needs no resampling; None for the others."""
    metric = comparison.metrics[gate.metric]
    if metric.state != "compared":
        return _error(gate, metric, metric.reason)
    if gate.scope == "case":
        return _judge_cases(gate, comparison)
    allowed = _allowed(gate, metric)
    if metric.is_unchanged:
        sentence = f"{_mean_change(gate, metric, 0.0)}; margin {allowed:.4g}"
        return _outcome(gate, metric, "passed", sentence, 0.0)
    if on_point:
        worse_by = float(metric.worsening.mean())
        is_beyond = worse_by > allowed + _ROUNDING and worse_by >= NEGLIGIBLE
        sentence = f"{_mean_change(gate, metric, worse_by)}; margin {allowed:.4g}; judged on the point"
        return _outcome(gate, metric, "failed" if is_beyond else "passed", sentence, worse_by)
    if len(metric.cases) < MIN_CASES:
        return _error(
            gate,
            metric,
            f"too few cases: {len(metric.cases)} give no confidence, {MIN_CASES} are needed; take more, or "
            f"judge the point ({setting('fail_on_point')}=true)",
        )
    return None


def _judge_cases(gate: Gate, comparison: Comparison) -> GateOutcome:
    metric = comparison.metrics[gate.metric]
    margins = gate.margin * metric.old_values if gate.is_relative else gate.margin
    worsening = comparison.worsening(gate.metric)
    excess = worsening - margins
    worst = int(numpy.argmax(excess))
    num_beyond = int(((excess > _ROUNDING) & (worsening >= NEGLIGIBLE)).sum())
    worse_by = float(worsening[worst])
    moved = f"{metric.old_values[worst]:.4f} -> {metric.new_values[worst]:.4f}"
    text = f"{_moved(worse_by)} ({moved})"
    if gate.metric == "blocking":
        new = [
            sanitize(in_words(difference), limit=_LONGEST)
            for change in comparison.blockers
            if change.key[0] == metric.cases[worst]
            for difference in change.new
        ]
        named = listed(new, most=_MOST_NAMED, separator="; ")
        text = f"has {worse_by:g} new{': ' if new else ''}{named}"
    if num_beyond:
        cases = counted(len(metric.cases), "case")
        sentence = f"{gate}: {num_beyond} of {cases} worse by more; {metric.cases[worst]} {text}"
    else:
        sentence = f"{gate}: no case worse by more; the worst is {metric.cases[worst]}, {text}"
    if gate.metric == "iwir" and (note := comparison.severity_notes.get(metric.cases[worst])):
        sentence += f"; {note}"
    outcome = _outcome(gate, metric, "failed" if num_beyond else "passed", sentence, worse_by)
    margin = float(numpy.broadcast_to(margins, excess.shape)[worst])
    return replace(outcome, margin=margin)


def _error(gate: Gate, metric: MetricComparison, reason: str) -> GateOutcome:
    sentence = f"{gate}: could not be judged: {reason}"
    return GateOutcome(gate, "error", sentence, len(metric.cases), metric.missing)


def _outcome(
    gate: Gate, metric: MetricComparison, state: GateState, sentence: str, worse_by: float
) -> GateOutcome:
    return GateOutcome(
        gate=gate,
        state=state,
        sentence=sentence,
        num_cases=len(metric.cases),
        missing=metric.missing,
        worse_by=worse_by,
        margin=_allowed(gate, metric),
    )


def _noted(outcome: GateOutcome, comparison: Comparison, *, allow_missing: float) -> GateOutcome:
    """Add to a gate's sentence what its number hides; with missing pages, no gate passes."""
    why = []
    if outcome.missing > allow_missing + _ROUNDING:
        why.append(
            f"{100 * outcome.missing:.3g} % of the pages are missing in one of the runs, and "
            f"{100 * allow_missing:.3g} % may be ({setting('allow_missing')})"
        )
    if not comparison.new.is_complete:
        why.append("the new run is incomplete")
    is_unjudged = bool(why) and outcome.state not in ("failed", "error")
    notes = [f"could not be judged: {'; '.join(why)}"] if is_unjudged else []
    notes.append(comparison.content_note(outcome.gate.metric))
    if outcome.gate.metric == "iwir" and outcome.gate.scope == "mean":
        notes.append(comparison.severity_note)
    text = "; ".join([outcome.sentence, *filter(None, notes)])
    return replace(outcome, sentence=text, state="error" if is_unjudged else outcome.state)


def _allowed(gate: Gate, metric: MetricComparison) -> float:
    return gate.margin * metric.old_mean if gate.is_relative else gate.margin


def _excesses(gates: Mapping[Test, tuple[Gate, Comparison]]) -> dict[Test, Excess]:
    """Resample what the gates judge; gates on the same cases of a comparison share the draws."""
    groups: dict[tuple[int, tuple[str, ...]], list[Test]] = {}
    for test, (gate, comparison) in gates.items():
        groups.setdefault((test[0], comparison.metrics[gate.metric].cases), []).append(test)
    excesses: dict[Test, Excess] = {}
    for tests in groups.values():
        judged = [
            (gate, comparison.metrics[gate.metric]) for gate, comparison in map(gates.__getitem__, tests)
        ]
        # A relative margin applies to each case's old value, so that the spread of the old mean counts too.
        columns = [
            metric.worsening - (gate.margin * metric.old_values if gate.is_relative else gate.margin)
            for gate, metric in judged
        ]
        distribution = resample_means(numpy.stack(columns, axis=1))
        for column, (test, (gate, metric)) in enumerate(zip(tests, judged, strict=True)):
            excesses[test] = Excess(gate, metric, distribution, column)
    return excesses


def _judge_with_confidence(excesses: Mapping[Test, Excess]) -> dict[Test, GateOutcome]:
    """Judge by Holm: from the smallest p-value up, each at the level left by the tests still open."""
    outcomes: dict[Test, GateOutcome] = {}
    may_fail = True
    p_values = {test: excess.p_value for test, excess in excesses.items()}
    for test, num_open, corrected in holm(p_values):
        excess = excesses[test]
        level = (1 - CONFIDENCE) / num_open
        is_beyond = excess.mean - excess.half_width(level) > _ROUNDING
        may_fail = may_fail and is_beyond and excess.metric.worsening.mean() >= NEGLIGIBLE
        outcomes[test] = _confident(excess, level=level, p_value=corrected, is_failed=may_fail)
    return outcomes


def _confident(excess: Excess, *, level: float, p_value: float, is_failed: bool) -> GateOutcome:
    gate, metric = excess.gate, excess.metric
    allowed, worse_by = _allowed(gate, metric), float(metric.worsening.mean())
    lower = worse_by - excess.half_width(level)
    upper = worse_by + excess.half_width(1 - CONFIDENCE)
    detectable = excess.detectable(level)
    cases_needed = None
    state: GateState
    if is_failed:
        state, verdict = "failed", "surely more than the margin"
    elif excess.mean + excess.half_width(1 - CONFIDENCE) <= _ROUNDING or upper < NEGLIGIBLE:
        state, verdict = "passed", "surely not more than the margin"
    else:
        state, cases_needed = "inconclusive", excess.cases_needed(level)
        needed = "no number of cases in reach decides a change of this size"
        if cases_needed is not None:
            needed = f"about {counted(cases_needed, 'case')} like these would decide it"
        verdict = f"neither surely more than the margin nor surely not; {needed}"
    interval = (
        "" if metric.interval is None else "; 95 % interval {:+.4f} .. {:+.4f}".format(*metric.interval)
    )
    sentence = f"{_mean_change(gate, metric, worse_by)}{interval}, {verdict}; margin {allowed:.4g}"
    if detectable is not None:
        detectable += allowed
        sentence += f"; smallest change detectable with 80 % power: {amount(detectable)}"
    return replace(
        _outcome(gate, metric, state, sentence, worse_by),
        surely_worse_by=lower,
        surely_at_most=upper,
        detectable=detectable,
        cases_needed=cases_needed,
        level=level,
        p_value=p_value,
    )


def _mean_change(gate: Gate, metric: MetricComparison, worse_by: float) -> str:
    means = f"{metric.old_mean:.4f} -> {metric.new_mean:.4f}, {counted(len(metric.cases), 'case')}"
    return f"{gate}: {_moved(worse_by)} ({means})"


def _moved(worse_by: float) -> str:
    if abs(worse_by) < NEGLIGIBLE:
        return "unchanged" if abs(worse_by) <= _ROUNDING else f"unchanged to {NEGLIGIBLE:g}"
    return f"{'worse' if worse_by > 0 else 'better'} by {amount(abs(worse_by))}"
