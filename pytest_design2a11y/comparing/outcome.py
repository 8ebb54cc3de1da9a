"""What a gate came to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pytest_design2a11y.comparing.comparison import MetricComparison, Trend
from pytest_design2a11y.comparing.gates import Gate

GateState = Literal["passed", "failed", "inconclusive", "error"]
Inconclusive = Literal["pass", "fail"]


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """What a gate found.

    Attributes:
        gate: The gate.
        state: "passed": surely not worse than the margin; "failed": surely worse; "inconclusive": neither;
            "error": it could not be judged, which is not a pass.
        sentence: The outcome for the user.
        num_cases: Cases that it was judged on.
        missing: Share of the pages that only one of the runs has a value for, 0..1.
        worse_by: Mean worsening, in the metric's unit, or that of the worst case; below 0 where it became
            better. None on error.
        margin: What was allowed, in the metric's unit. None on error.
        surely_worse_by: What the true worsening exceeds, with the gate's confidence. None where the point
            decides, or on error.
        surely_at_most: What the true worsening does not exceed, with 95 % confidence. None likewise.
        detectable: The smallest true worsening that would fail in four comparisons of five with cases that
            vary like these. None likewise, and where the cases do not vary.
        cases_needed: How many cases like these would decide, if the change stays as it is; None unless
            inconclusive.
        level: One-sided error level of `surely_worse_by`: 0.05, less with several gates (Holm).
        p_value: One-sided, corrected for the number of gates; None where the point decides, or on error.
    """

    gate: Gate
    state: GateState
    sentence: str
    num_cases: int
    missing: float = 0.0
    worse_by: float | None = None
    margin: float | None = None
    surely_worse_by: float | None = None
    surely_at_most: float | None = None
    detectable: float | None = None
    cases_needed: int | None = None
    level: float | None = None
    p_value: float | None = None


def is_failure(outcome: GateOutcome, inconclusive: Inconclusive) -> bool:
    """Tell whether a gate's outcome fails the run."""
    return outcome.state == "failed" or (outcome.state == "inconclusive" and inconclusive == "fail")


def exit_code(outcomes: Iterable[GateOutcome], *, inconclusive: Inconclusive = "pass") -> int:
    """Return 1 where a gate failed, else 3 where one could not be judged, else 0."""
    outcomes = tuple(outcomes)
    return exit_code_of(
        is_failed=any(is_failure(outcome, inconclusive) for outcome in outcomes),
        is_unmeasured=any(outcome.state == "error" for outcome in outcomes),
    )


def exit_code_of(*, is_failed: bool, is_unmeasured: bool) -> int:
    """Return the exit code of every command that measures, judges or compares.

    Args:
        is_failed: Whether a limit is broken, or a gate fails.
        is_unmeasured: Whether a limit or gate could not be judged.

    Returns:
        1 where something fails; else 3 where something could not be judged; else 0.
    """
    if is_failed:
        return 1
    return 3 if is_unmeasured else 0


def mark_of(metric: MetricComparison, outcomes: Iterable[GateOutcome]) -> Trend:
    """Return a row's mark: "worse" too where a gate looked at this metric alone and found it surely worse."""
    failed = any(one.gate.metric == metric.metric and one.state == "failed" for one in outcomes)
    return "worse" if failed else metric.trend


def amount(value: float) -> str:
    """Write a number above 0 with four decimals, or more where they would be nothing but zeros."""
    return f"{value:.4f}" if value == 0 or abs(value) >= 0.00005 else f"{value:.1e}"
