"""Gates: how much worse a metric may become, as users write it, and the outcome of a gate."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.metric import Metric
from pytest_design2a11y.models.metrics import COMPARED
from pytest_design2a11y.wording import did_you_mean

_METRIC = re.compile(r"\s*(\w+)\s*(?::(.*))?")
_LIMIT = re.compile(r"\s*(case\s*:)?\s*((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]-?[0-9]+)?)\s*(%?)\s*")
_HOW = 'Write "fidelity", "fidelity:0.02", "iwir:10%", or "fidelity:0.02,case:0.2" for a limit on each case.'

Scope = Literal["mean", "case"]


@dataclass(frozen=True, slots=True)
class Gate:
    """How much worse a metric may become."""

    metric: str  # Id in `COMPARED`
    margin: float = 0.0  # In the metric's own unit, or a share of the old value if relative; 0: not at all
    is_relative: bool = False  # Whether the margin is a share of the old value
    scope: Scope = "mean"  # "mean": the mean over the cases may not become worse; "case": no case may

    def __str__(self) -> str:
        name = self.metric if self.scope == "mean" else f"{self.metric}:case"
        if self.margin == 0 and self.scope == "mean":
            return name
        return f"{name}:{self.margin * 100:g}%" if self.is_relative else f"{name}:{self.margin:g}"


def parse_gates(expressions: Iterable[str]) -> tuple[Gate, ...]:
    """Parse several gate expressions; see `parse_gate`."""
    return tuple(gate for expression in expressions for gate in parse_gate(expression))


def parse_gate(expression: str) -> tuple[Gate, ...]:
    """Parse METRIC[:LIMIT[,LIMIT]], where LIMIT is [case:]MARGIN[%]; ConfigurationError for anything else.

    "fidelity:0.02" lets the mean become 0.02 worse, "iwir:10%" a tenth of the old mean, "position" not at
    all; "fidelity:0.02,case:0.2" also limits how much worse any single case may become.
    """
    match = _METRIC.fullmatch(expression)
    if match is None:
        raise ConfigurationError(f"{expression!r} is not a gate.", advice=_HOW)
    metric = known_metric(match[1], "gate on")
    if match[2] is None:
        return (Gate(metric.name),)
    gates = tuple(_limit(text, metric, expression) for text in match[2].split(","))
    if len({gate.scope for gate in gates}) < len(gates):
        raise ConfigurationError(f"{expression!r} has two margins for the same thing.", advice=_HOW)
    return gates


def known_metric(name: str, purpose: str) -> Metric:
    """Return the metric of a name; ConfigurationError if there is none to "gate on" or "rank by"."""
    if name not in COMPARED:
        raise ConfigurationError(
            f"There is no metric {name!r} to {purpose}.",
            advice=f"{did_you_mean(name, COMPARED)}Known: {', '.join(COMPARED)}.",
        )
    return COMPARED[name]


def _limit(text: str, metric: Metric, expression: str) -> Gate:
    match = _LIMIT.fullmatch(text)
    if match is None or math.isinf(margin := float(match[2])):
        raise ConfigurationError(f"{expression!r} has no margin that can be read.", advice=_HOW)
    is_relative = match[3] == "%"
    scope: Scope = "case" if match[1] else "mean"
    gate = Gate(metric.name, margin / 100 if is_relative else margin, is_relative, scope)
    if is_relative:
        largest = 1.0 if metric.is_higher_better else math.inf
        why = f"{metric.name} cannot lose more than all of it"
    else:
        largest = math.inf if metric.upper is None else metric.upper
        why = f"{metric.name} goes from 0 to {largest:g}"
    if gate.margin >= largest:
        raise ConfigurationError(
            f"The gate {expression!r} can never fail: {why}.",
            advice=f"Write a smaller margin, such as {metric.name}:10%.",
        )
    return gate


GateState = Literal["passed", "failed", "inconclusive", "error"]
Inconclusive = Literal["pass", "fail"]


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """The result of applying a gate."""

    gate: Gate
    # "passed": surely not worse than the margin; "failed": surely worse; "inconclusive": neither; "error": it
    # could not be judged, which is not a pass
    state: GateState
    sentence: str
    num_cases: int
    missing: float = 0.0  # Share of pages that only one of the runs has a value for, 0..1
    # Mean worsening in the metric's unit, or that of the worst case; below 0 if it became better. None on
    # error
    worse_by: float | None = None
    margin: float | None = None  # What was allowed, in the metric's unit. None on error
    surely_worse_by: float | None = None  # What the true worsening exceeds; None if the point counts
    surely_at_most: float | None = None  # Upper bound of the true worsening, 95 %; None likewise
    # Smallest true worsening that would fail in 80 % of comparisons with cases that vary like these; None in
    # the same cases, and if the cases do not vary
    detectable: float | None = None
    cases_needed: int | None = None  # How many such cases would decide; None unless inconclusive
    level: float | None = None  # One-sided error level: 0.05, less with several gates (Holm)
    p_value: float | None = None  # One-sided, corrected for several gates; None if the point counts


def is_failure(outcome: GateOutcome, inconclusive: Inconclusive) -> bool:
    """Check whether a gate's outcome fails the run."""
    return outcome.state == "failed" or (outcome.state == "inconclusive" and inconclusive == "fail")


def exit_code(outcomes: Iterable[GateOutcome], *, inconclusive: Inconclusive = "pass") -> int:
    """Return 1 if a gate failed, else 3 if one could not be judged, else 0."""
    outcomes = tuple(outcomes)
    return exit_code_of(
        is_failed=any(is_failure(outcome, inconclusive) for outcome in outcomes),
        is_unmeasured=any(outcome.state == "error" for outcome in outcomes),
    )


def exit_code_of(*, is_failed: bool, is_unmeasured: bool) -> int:
    """Return a command's exit code: 1 if something fails, else 3 if something could not be judged, else 0."""
    if is_failed:
        return 1
    return 3 if is_unmeasured else 0


def amount(value: float) -> str:
    """Format a positive number with four decimals, or more if those would all be zeros."""
    return f"{value:.4f}" if value == 0 or abs(value) >= 0.00005 else f"{value:.1e}"
