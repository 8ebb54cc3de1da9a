"""A comparison as JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from pytest_design2a11y.comparing.comparison import Comparison, MetricComparison
from pytest_design2a11y.comparing.outcome import GateOutcome, mark_of
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.models.preferences import AGREEMENT_SLOPES, agreement
from pytest_design2a11y.report.comparison.people import people_lines
from pytest_design2a11y.report.comparison.terminal import (
    pairing_lines,
    unpaired,
    verdict_sentences,
    with_failures_lines,
)


def comparison_to_dict(
    comparison: Comparison, outcomes: Sequence[GateOutcome] = (), *, num_moved: int | None = 5
) -> dict[str, Any]:
    """Return a comparison as JSON values, in a stable order of keys.

    Args:
        comparison: The comparison.
        outcomes: Of its gates.
        num_moved: How many cases that moved most are listed, a metric; None: all of them.
    """
    return {
        "schema": SCHEMA_VERSION,
        "old": asdict(comparison.old),
        "new": asdict(comparison.new),
        "num_cases": comparison.num_cases,
        "changes": [asdict(change) for change in comparison.changes],
        "axes": {axis: list(values) for axis, values in comparison.axes.items()},
        "failed_pages": comparison.failed_pages,
        "pairing": pairing_lines(comparison),
        "unpaired": list(unpaired(comparison)),
        "failures": list(with_failures_lines(comparison)),
        "verdicts": list(verdict_sentences(comparison)),
        "notes": [comparison.severity_note] if comparison.severity_note else [],
        "people": list(people_lines(comparison)),
        "with_failures": {
            name: {"old_mean": old, "new_mean": new} for name, (old, new) in comparison.with_failures.items()
        },
        "confidence": comparison.confidence,
        "num_resamples": comparison.num_resamples,
        "seed": comparison.seed,
        "metrics": {
            name: {**_metric(metric, outcomes, num_moved), "note": comparison.content_note(name)}
            for name, metric in comparison.metrics.items()
        },
        "only_old": list(comparison.only_old),
        "only_new": list(comparison.only_new),
        "errors": [
            {"case": one.case, "old": list(one.old), "new": list(one.new)} for one in comparison.errors
        ],
        "differences": [
            asdict(difference) | {"metrics": list(difference.metrics)}
            for difference in comparison.differences
        ],
        "gates": [gate_to_dict(outcome) for outcome in outcomes],
    }


def _metric(
    metric: MetricComparison, outcomes: Sequence[GateOutcome], num_moved: int | None
) -> dict[str, Any]:
    if metric.state != "compared":
        return {"state": metric.state, "reason": metric.reason}
    return {
        "state": metric.state,
        "num_cases": len(metric.cases),
        "old_mean": metric.old_mean,
        "new_mean": metric.new_mean,
        "difference": metric.difference,
        "agreement": _agreement(metric),
        "interval": None if metric.interval is None else list(metric.interval),
        "trend": mark_of(metric, outcomes),
        "mean_p": metric.mean_p,
        "wins": metric.num_wins,
        "ties": metric.num_ties,
        "losses": metric.num_losses,
        "p_value": metric.p_value,
        "lost": list(metric.lost),
        "gained": list(metric.gained),
        "missing": metric.missing,
        "moved_most": [
            asdict(change) | {"difference": change.difference} for change in metric.moved_most(num_moved)
        ],
    }


def _agreement(metric: MetricComparison) -> float | None:
    """Return how often people agree with a difference of this size between two single pages."""
    name = metric.metric
    return agreement(name, metric.difference) if name in AGREEMENT_SLOPES else None


def gate_to_dict(outcome: GateOutcome) -> dict[str, Any]:
    """Return what a gate found as JSON values."""
    return {**asdict(outcome), "gate": str(outcome.gate), "metric": outcome.gate.metric}
