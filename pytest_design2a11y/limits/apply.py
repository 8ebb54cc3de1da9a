"""Applies limits to the measurements of one page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from pytest_design2a11y.limits.thresholds import Limit, most_specific
from pytest_design2a11y.models.evaluation import Verdict
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.run import Evaluation, metric_value


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
    values = [(limit, metric_value(evaluation, limit.metric)) for limit in remaining]
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
