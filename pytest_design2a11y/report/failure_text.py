"""The text of a failing limit: the value against its limit, and which blocks or rules are to blame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.limits.thresholds import Limit, sentence
from pytest_design2a11y.models.metrics import LIMITS_OF_CHECKS, METRICS
from pytest_design2a11y.models.run import Evaluation, Verdict
from pytest_design2a11y.report.engines import engine_lines
from pytest_design2a11y.report.probes import explain_probes, probe_lines
from pytest_design2a11y.report.rules import explain_audit
from pytest_design2a11y.report.worst_blocks import explain_visual

#: What limits on each part of a result judge.
_JUDGED = {
    "visual": "compared with a reference",
    "accessibility": "audited",
    "delivered": "compared with a reference and audited",
    "probes": "tried by probes (--design2a11y-probes)",
}


_UNAUDITED = "it has no accessibility, as a picture or without an audit"
_UNTRIED = "no probe tried it out (--design2a11y-probes)"


def explain_failures(evaluation: Evaluation, verdicts: Sequence[Verdict]) -> list[str]:
    """Return failing verdicts with the three worst blocks or rules, each told once, as lines."""
    lines = []
    for part in _JUDGED:
        broken = [verdict for verdict in verdicts if METRICS[verdict.metric].part == part]
        if broken:
            lines += [sentence(verdict) for verdict in broken]
            lines += [f"  {line}" for line in _blame(evaluation, part)]
    return lines


def _blame(evaluation: Evaluation, part: str) -> list[str]:
    page = sanitize(evaluation.candidate, limit=200)
    if part == "accessibility":
        return [page, *(explain_audit(evaluation.audit) if evaluation.audit is not None else [])]
    if part == "probes":
        return [page, *explain_probes(evaluation)]
    pages = f"{page} against {sanitize(evaluation.reference or '', limit=200)}"
    if evaluation.visual is None:
        return [pages]
    return [pages, *explain_visual(evaluation.visual, evaluation.page_sizes["reference"])]


def explain_unmeasured(evaluation: Evaluation, limits: list[str]) -> list[str]:
    """Say why limits could not be judged, as lines."""
    candidate = sanitize(evaluation.candidate, limit=200)
    line = f"{', '.join(limits)} could not be judged: {candidate} was not measured"
    if evaluation.error is None:
        is_of_probes = all(limit.startswith("probe_failures") for limit in limits)
        return [f"{line}: {_UNTRIED if is_of_probes else _UNAUDITED}"]
    return [line, f"  {evaluation.error.type}: {evaluation.error.message}"]


def explain_idle(limits: Iterable[Limit], *, who: str = "no page was") -> list[str]:
    """Say that limits judged nothing, as lines.

    Args:
        limits: Those.
        who: What did not give them anything to judge, and a verb.
    """
    return [
        f"{limit} ({limit.origin}) judged nothing: {who} {_JUDGED[METRICS[limit.metric].part]}. "
        "Render what it is meant for, or leave the limit out."
        for limit in limits
    ]


def describe(evaluation: Evaluation, *, has_details: bool) -> list[str]:
    """Tell an evaluation to a person, as lines.

    Args:
        evaluation: What was measured.
        has_details: Whether to tell the worst blocks and every failing rule.
    """
    against = f" against {sanitize(evaluation.reference, limit=200)}" if evaluation.reference else ""
    lines = [sanitize(evaluation.candidate, limit=200) + against]
    if evaluation.error is not None:
        lines.append(f"  {evaluation.error.type}: {evaluation.error.message}")
    if evaluation.visual is not None:
        preference = evaluation.visual.visual_preference
        beside = "" if preference is None else f"  visual_preference {preference:.4f}"
        how = evaluation.visual.published or evaluation.visual.text_ratio
        similarity = f"{evaluation.visual.score:.4f} ({how})"
        lines.append(f"  visual similarity {similarity}{beside}")
        visual_lines = explain_visual(evaluation.visual, evaluation.page_sizes["reference"])
        lines += [f"    {line}" for line in (visual_lines if has_details else visual_lines[:1])]
    rates = evaluation.accessibility
    if rates is not None:
        lines.append(
            f"  IR {rates.ir:.4f}  IWIR {rates.iwir:.4f}  IR×IWIR {rates.weighted_ir:.4f}  {rates.status}"
        )
        lines.append(
            f"    {rates.failed} of {rates.checked} checks failed, {rates.incomplete} need a person. "
            f"{LIMITS_OF_CHECKS}"
        )
    lines += [f"  {line}" for line in engine_lines(evaluation)]
    lines += [f"  {line}" for line in probe_lines(evaluation)]
    if has_details:
        for audit in deduplicate(evaluation.audits).values():
            lines += [f"    {line}" for line in explain_audit(audit)]
        lines += [f"    {line}" for line in explain_probes(evaluation, limit=None)]
    lines += [
        f"  warning: {warning.code}: {sanitize(warning.message, limit=300)}"
        for warning in evaluation.warnings
    ]
    lines += [f"  {sentence(verdict)}" for verdict in evaluation.verdicts]
    return lines
