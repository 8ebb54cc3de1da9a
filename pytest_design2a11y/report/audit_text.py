"""What an audit of one page found, for a person at a terminal: every finding, the worst impact first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pytest_design2a11y.accessibility import deduplicate, delivered_line
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.limits.thresholds import sentence
from pytest_design2a11y.models.metrics import IMPACT_WEIGHTS, LIMITS_OF_CHECKS, METRICS, shown_in
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.serialization import metric_value
from pytest_design2a11y.report.probes import engine_lines, explain_probes, probe_lines
from pytest_design2a11y.report.rules import explain_rules, incomplete_lines
from pytest_design2a11y.report.source_lines import line_of
from pytest_design2a11y.wording import counted

_RATES = [name for name in shown_in("ranking") if METRICS[name].basis == ("audit",)]


def audit_lines(evaluation: Evaluation, *, num_accepted: int = 0) -> Iterator[str]:
    """Tell the audit of one page, line by line."""
    yield sanitize(evaluation.candidate, limit=200)
    if evaluation.error is not None:
        yield f"  {evaluation.error.type}: {evaluation.error.message}"
    yield from (f"  {sentence(verdict)}" for verdict in evaluation.verdicts)
    yield from (f"  {line}" for line in rate_lines(evaluation))
    for warning in evaluation.told_warnings:
        yield f"  warning: {warning.code}: {sanitize(warning.message, limit=300)}"
    yield from (f"  {line}" if line else "" for line in finding_lines(evaluation))
    if num_accepted:
        yield f"  {counted(num_accepted, 'accepted failure is', 'accepted failures are')} left out"
    yield ""


def rate_lines(evaluation: Evaluation) -> Iterator[str]:
    """Tell the rates of a page, and what further engines and probes came to."""
    rates = evaluation.accessibility
    if rates is not None:
        counts = rates.by_impact
        impacts = ", ".join(f"{counts[one]} {one}" for one in reversed(IMPACT_WEIGHTS) if one in counts)
        told = f" ({impacts})" if impacts else ""
        yield f"{rates.failed} of {counted(rates.checked, 'check')} failed{told}. {LIMITS_OF_CHECKS}"
        values = ((name, metric_value(evaluation, name)) for name in _RATES)
        yield "  ".join(f"{name} {value:.4f}" for name, value in values if value is not None)
    if evaluation.severity_note:
        yield f"beside its design: {evaluation.severity_note}"
    if evaluation.delivered is not None:
        yield delivered_line(evaluation.delivered, evaluation.delivered_parts)
    yield from engine_lines(evaluation)
    yield from probe_lines(evaluation)


def finding_lines(evaluation: Evaluation) -> Iterator[str]:
    """Tell every failing element of a page, and what a person has to judge."""
    for audit in deduplicate(evaluation.audits).values():
        for rule in explain_rules(audit, line_of=partial(line_of, evaluation.candidate)):
            yield ""
            yield from rule.lines()
        if told := incomplete_lines(audit):
            yield from ("", *told)
    yield from explain_probes(evaluation, limit=None)
