"""What an audit of one page found, for a person at a terminal: every finding, the worst impact first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.limits.thresholds import sentence
from pytest_design2a11y.models.metrics import IMPACT_WEIGHTS, LIMITS_OF_CHECKS
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.report.engines import engine_lines
from pytest_design2a11y.report.probes import explain_probes, probe_lines
from pytest_design2a11y.report.rules import explain_rules, incomplete_lines
from pytest_design2a11y.report.source_lines import line_of
from pytest_design2a11y.wording import counted


def audit_lines(evaluation: Evaluation, *, num_accepted: int = 0) -> Iterator[str]:
    """Tell the audit of one page, line by line.

    Args:
        evaluation: What was measured; the failures of its audit are those that are told.
        num_accepted: Failures that are accepted, and told of by their number only.
    """
    yield sanitize(evaluation.candidate, limit=200)
    yield from (f"  {line}" for line in _verdict_lines(evaluation))
    for audit in deduplicate(evaluation.audits).values():
        for rule in explain_rules(audit, line_of=partial(line_of, evaluation.candidate)):
            yield ""
            yield from (f"  {line}" for line in rule.lines())
        yield ""
        yield from (f"  {line}" for line in incomplete_lines(audit))
    yield from (f"  {line}" for line in explain_probes(evaluation, limit=None))
    if num_accepted:
        yield f"  {counted(num_accepted, 'accepted failure is', 'accepted failures are')} left out"


def _verdict_lines(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.error is not None:
        yield f"{evaluation.error.type}: {evaluation.error.message}"
    yield from (sentence(verdict) for verdict in evaluation.verdicts)
    rates = evaluation.accessibility
    if rates is not None:
        counts = rates.by_impact
        impacts = ", ".join(f"{counts[one]} {one}" for one in reversed(IMPACT_WEIGHTS) if one in counts)
        told = f" ({impacts})" if impacts else ""
        yield f"{rates.failed} of {counted(rates.checked, 'check')} failed{told}. {LIMITS_OF_CHECKS}"
        yield f"IR {rates.ir:.4f}  IWIR {rates.iwir:.4f}  IR×IWIR {rates.weighted_ir:.4f}  {rates.status}"
    yield from engine_lines(evaluation)
    yield from probe_lines(evaluation)
    for warning in evaluation.warnings:
        yield f"warning: {warning.code}: {sanitize(warning.message, limit=300)}"
