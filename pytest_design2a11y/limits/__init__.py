"""Limits such as "position>=0.8": their precedence, and what they say of a page."""

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import FAILED, METRICS, WARNING_CODES, WARNINGS, metric_named
from pytest_design2a11y.models.verdicts import NAMED_LIMITS, Verdict
from pytest_design2a11y.wording import did_you_mean, flag, quotes_advice

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}

#: Where a limit can be set, the most specific first.
ORIGINS = ("call", "marker", "case", "command line", "ini file", "configuration file")

_EXPRESSION = re.compile(r"\s*([A-Za-z_0-9.]+)\s*(>=|<=|>|<)\s*(\S+)\s*")


@dataclass(frozen=True, slots=True)
class Limit:
    """A bound that a metric's value has to keep."""

    metric: str  # Metric id
    operator: str  # ">", ">=", "<" or "<="
    value: float  # The bound
    origin: str  # One of `ORIGINS`

    def __str__(self) -> str:
        return f"{self.metric}{self.operator}{self.value:g}"

    @property
    def bound(self) -> tuple[str, str]:
        """Its metric and direction: of two limits on these, the more specific one counts."""
        return self.metric, self.operator[0]

    def verdict(self, measured: float) -> Verdict:
        """Judge a measured value."""
        is_passed = self.is_kept_by(measured)
        return Verdict(self.metric, self.operator, self.value, measured, is_passed, self.origin)

    def is_kept_by(self, measured: float) -> bool:
        """Return whether a measured value keeps the limit."""
        return OPERATORS[self.operator](measured, self.value)


def make_limit(metric: str, comparison: str, value: float, *, origin: str) -> Limit:
    """Make a limit; ConfigurationError for an unknown metric, or if no value or every value would pass."""
    if (known := metric_named(metric)) is None:
        what, names = "metric", list(METRICS)
        if metric.startswith(WARNINGS):
            what, names = "warning", [f"{WARNINGS}{code}" for code in WARNING_CODES]
        raise ConfigurationError(
            f"There is no {what} {metric!r} ({origin}).",
            advice=f"{did_you_mean(metric, names)}Known: {', '.join(names)}.",
        )
    upper = math.inf if known.upper is None else known.upper
    # Some possible value must keep it; "at least 0" and "at most 1", which all values keep, are allowed.
    can_be_kept = any(OPERATORS[comparison](end, value) for end in (0.0, min(upper, 1e300)))
    if not (math.isfinite(value) and 0 <= value <= upper and can_be_kept):
        bounds = f"from 0 to {upper:g}" if known.upper is not None else "from 0 up"
        raise ConfigurationError(
            f"The limit {metric}{comparison}{value:g} ({origin}) is impossible: {metric} goes {bounds}.",
            # Values below 2 are unlikely to be percentages.
            advice=f"Write {value / 100:g} for {value:g} %."
            if upper == 1 and 2 <= value <= 100
            else "Give a bound that some values keep and others break.",
        )
    return Limit(metric, comparison, value, origin)


def parse_limit(expression: str, *, origin: str) -> Limit:
    """Parse a limit such as "position>=0.8"; ConfigurationError for anything else."""
    match = _EXPRESSION.fullmatch(expression)
    try:
        if match is None:
            raise ValueError
        return make_limit(match[1], match[2], float(match[3]), origin=origin)
    except ValueError:
        raise ConfigurationError(
            f"{expression!r} ({origin}) is not a limit.",
            advice=quotes_advice(expression)
            + 'Write a metric, one of >= <= > <, and a number, such as "position>=0.8".',
        ) from None


def named_limits(values: Mapping[str, Any], *, origin: str) -> tuple[Limit, ...]:
    """Make limits from the options that are limits (see `NAMED_LIMITS`), `require` and `fail_on_warnings`."""
    limits = [
        make_limit(metric, comparison, float(values[name]), origin=origin)
        for name, (metric, comparison) in NAMED_LIMITS.items()
        if values.get(name) is not None
    ]
    expressions = values.get("require") or ()
    if isinstance(expressions, str):
        expressions = (expressions,)
    codes = values.get("fail_on_warnings") or ()
    limits += [
        make_limit(f"{WARNINGS}{code}", "<=", 0, origin=origin)
        for code in ([codes] if isinstance(codes, str) else codes)
    ]
    return (*limits, *(parse_limit(expression, origin=origin) for expression in expressions))


def most_specific(limits: Iterable[Limit]) -> tuple[Limit, ...]:
    """Keep, for every metric and direction, the limits of the most specific origin only."""
    chosen: dict[tuple[str, str], list[Limit]] = {}
    for limit in sorted(limits, key=lambda limit: ORIGINS.index(limit.origin)):
        rivals = chosen.setdefault(limit.bound, [])
        if not rivals or rivals[0].origin == limit.origin:
            rivals.append(limit)
    return tuple(limit for rivals in chosen.values() for limit in rivals)


def refuse_unmeasured(limits: Iterable[Limit], *, is_audited: bool, engines: str) -> None:
    """Refuse limits that could never be judged because pages are not audited, or not by that engine."""
    for limit in limits:
        metric = METRICS[limit.metric]
        engine = limit.metric.removeprefix(FAILED)
        if "audit" in metric.basis and not is_audited:
            what, advice = f"the audit that {flag('no_audit')} leaves out", "Drop one of them."
        elif metric.part == "engines" and engine not in engines.split(","):
            what, advice = f"the engine {engine}", f"Add {flag('engines')} {engines},{engine}."
        else:
            continue
        raise ConfigurationError(f"The limit {limit} ({limit.origin}) needs {what}.", advice=advice)


class Judgement(NamedTuple):
    """What limits say of one page."""

    evaluation: Evaluation  # With the verdicts on every measured metric
    broken: tuple[Verdict, ...]  # Limits that it breaks, without comparisons of its test
    unmeasured: tuple[Limit, ...]  # Limits that could not be judged; missing data is never a pass


def judge(
    evaluation: Evaluation,
    limits: Iterable[Limit],
    *,
    compared: Iterable[Verdict] = (),
    is_paired: bool | None = None,
) -> Judgement:
    """Apply limits to a page, the most specific ones, except to what its test compared itself (`compared`).

    `is_paired`: whether there was a reference to compare with; None: look at the evaluation.
    """
    compared = tuple(compared)
    done = {(verdict.metric, verdict.operator[0]) for verdict in compared}
    remaining = [limit for limit in most_specific(limits) if limit.bound not in done]
    values = [(limit, evaluation.value(limit.metric)) for limit in remaining]
    verdicts = tuple(limit.verdict(value) for limit, value in values if value is not None)
    is_paired = evaluation.reference is not None if is_paired is None else is_paired
    return Judgement(
        replace(evaluation, verdicts=(*compared, *verdicts)),
        tuple(verdict for verdict in verdicts if not verdict.is_passed),
        tuple(
            limit
            for limit, value in values
            if value is None and (is_paired or not METRICS[limit.metric].needs_design)
        ),
    )


def idle_limits(evaluations: Iterable[Evaluation], limits: Iterable[Limit]) -> tuple[Limit, ...]:
    """Return limits that judged nothing in a whole run, if all of its pages were measured without errors."""
    evaluations, limits = tuple(evaluations), tuple(limits)
    reported = {verdict.metric for page in evaluations for verdict in page.verdicts}
    reported |= {limit.metric for page in evaluations for limit in judge(page, limits).unmeasured}
    has_errors = any(page.error is not None for page in evaluations)
    return () if has_errors else tuple(limit for limit in limits if limit.metric not in reported)
