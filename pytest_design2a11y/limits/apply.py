"""Applies limits to the measurements of one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pytest_design2a11y.limits.thresholds import Limit, most_specific
from pytest_design2a11y.models.evaluation import Verdict
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.run import Evaluation, metric_value


def remaining_limits(limits: Iterable[Limit], compared: Iterable[Verdict]) -> tuple[Limit, ...]:
    """Return the limits that still apply if a test has compared some metrics itself."""
    done = {(verdict.metric, verdict.operator[0]) for verdict in compared}
    return tuple(limit for limit in most_specific(limits) if (limit.metric, limit.operator[0]) not in done)


def apply_limits(evaluation: Evaluation, limits: Iterable[Limit]) -> Iterator[Verdict]:
    """Judge every metric that was measured."""
    for limit in limits:
        value = metric_value(evaluation, limit.metric)
        if value is not None:
            yield limit.verdict(value)


def judged(evaluation: Evaluation, limits: Iterable[Limit]) -> Evaluation:
    """Return an evaluation with the verdicts on every measured metric."""
    return replace(evaluation, verdicts=tuple(apply_limits(evaluation, limits)))


def unmeasured_limits(
    evaluation: Evaluation, limits: Iterable[Limit], *, is_paired: bool | None = None
) -> tuple[Limit, ...]:
    """Return the limits that could not be judged; missing data is never a pass.

    `is_paired`: whether there was a reference to compare with; None: look at the evaluation.
    """
    is_paired = evaluation.reference is not None if is_paired is None else is_paired
    return tuple(
        limit
        for limit in limits
        if metric_value(evaluation, limit.metric) is None
        and (is_paired or not METRICS[limit.metric].needs_design)
    )


def idle_limits(evaluations: Iterable[Evaluation], limits: Iterable[Limit]) -> tuple[Limit, ...]:
    """Return limits that judged nothing in a whole run, if all of its pages were measured without errors.

    For limits that could not judge a page, see `unmeasured_limits`, which gives a reason.
    """
    evaluations, limits = tuple(evaluations), tuple(limits)
    reported = {verdict.metric for page in evaluations for verdict in page.verdicts}
    reported |= {limit.metric for page in evaluations for limit in unmeasured_limits(page, limits)}
    has_errors = any(page.error is not None for page in evaluations)
    return () if has_errors else tuple(limit for limit in limits if limit.metric not in reported)
