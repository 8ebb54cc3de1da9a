"""A page in words: broken limits, what went wrong with it as a whole, its differences and failed rules."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.accessibility.delivered import delivered_line
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.limits import Limit
from pytest_design2a11y.models.audit import LIMITS_OF_CHECKS
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS, components_of, number_of, shown_in
from pytest_design2a11y.models.run import shown_page
from pytest_design2a11y.models.verdicts import RENDERING_AXES, Verdict, sentence
from pytest_design2a11y.models.visual import SEVERITIES, Difference, Severity
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report.causes import (
    DifferenceGroup,
    differences_of,
    group_differences,
    page_warnings,
    rank,
)
from pytest_design2a11y.report.notes import by_impact, engine_lines, explain_probes, probe_lines
from pytest_design2a11y.report.rules import explain_audit, failing_rules, incomplete_lines, rule_lines
from pytest_design2a11y.wording import counted, flag

#: Number of lines of grouped differences.
MOST_DIFFERENCES = 8
_LONGEST_DIFFERENCE = 200
_LONGEST_WARNING = 400

#: Number of elements named per rule that a person has to judge.
_MOST_UNSURE = 10
#: With so few checks, rates jump: a single failure makes up a twentieth or more.
_FEW_CHECKS = 20

#: What a page must have undergone for limits on each part of a result.
_JUDGED = {
    "visual": "compared with a reference",
    "accessibility": "audited",
    "delivered": "compared with a reference and audited",
    "probes": "tried by probes",
    "engines": "audited",
    "metrics": "measured by it",
    "warnings": "rendered",
}


def explain_failures(
    evaluation: Evaluation, verdicts: Sequence[Verdict], *, report: Path | None = None
) -> list[str]:
    """Return the broken limits, the reasons, and how to see everything, as lines; none if nothing fails."""
    if not verdicts:
        return []
    order = {name: position for position, name in enumerate(METRICS)}
    verdicts = sorted(verdicts, key=lambda verdict: order.get(verdict.metric, len(order)))
    parts = {METRICS[verdict.metric].part for verdict in verdicts}
    blame = [sanitize(shown_page(evaluation), limit=200) + _against(evaluation)]
    blame += [sanitize(warning, limit=_LONGEST_WARNING) for warning in page_warnings(evaluation)]
    if evaluation.visual is not None and parts & {"visual", "delivered"}:
        blame += [values_line(evaluation), *difference_lines(evaluation)]
    if "engines" in parts:
        for audit in deduplicate(evaluation.audits, evaluation.engines).values():
            blame += explain_audit(audit, page=evaluation.candidate)
    elif evaluation.audit is not None and parts & {"accessibility", "delivered"}:
        blame += explain_audit(evaluation.audit, page=evaluation.candidate)
    if "delivered" in parts and evaluation.delivered is not None and evaluation.delivered_parts is not None:
        blame.append(delivered_line(evaluation.delivered, evaluation.delivered_parts))
    blame += _own_lines(evaluation, {verdict.metric for verdict in verdicts})
    if "probes" in parts:
        blame += explain_probes(evaluation)
    page = sanitize(evaluation.id, limit=200)
    where = f"{report}, page {page}" if report else f"{flag('html')}=report.html"
    return [*map(sentence, verdicts), *(f"  {line}" for line in blame), f"  See all of it: {where}"]


def _own_lines(evaluation: Evaluation, metrics: Collection[str]) -> Iterator[str]:
    """Yield the reasons for the values of extension metrics, and their findings, the worst first."""
    for metric in (metric for metric in evaluation.metrics if metric in metrics):
        if reason := evaluation.metric_reasons.get(metric):
            yield f"{metric}: {sanitize(reason, limit=_LONGEST_DIFFERENCE)}"
        findings = evaluation.metric_findings.get(metric, ())
        for finding in sorted(findings, key=lambda finding: rank(finding.severity))[:MOST_DIFFERENCES]:
            yield f"{metric}: {finding.severity}: {sanitize(finding.message, limit=_LONGEST_DIFFERENCE)}"


def explain_differences(
    evaluation: Evaluation, differences: Sequence[Difference], severity: Severity
) -> list[str]:
    """Return, as lines, a page's differences of a severity or worse, although none is allowed."""
    pages = sanitize(shown_page(evaluation), limit=200) + _against(evaluation)
    number = counted(len(differences), "difference")
    worse = "" if severity == SEVERITIES[0] else " or worse"
    return [
        f"{pages}: {number} of severity {severity}{worse}, and none is allowed (call)",
        *(f"  {warning}" for warning in page_warnings(evaluation)),
        *(
            f"  {each.severity}: {sanitize(in_words(each), limit=_LONGEST_DIFFERENCE)}"
            for each in differences
        ),
        f"  See all of it: {flag('html')}=report.html",
    ]


def values_line(evaluation: Evaluation) -> str:
    """Return the visual metrics that were measured, in one line."""
    values = ((name, evaluation.value(name)) for name in METRICS if METRICS[name].part == "visual")
    return "  ".join(f"{name} {number_of(name, value)}" for name, value in values if value is not None)


def difference_lines(evaluation: Evaluation, *, most: int | None = MOST_DIFFERENCES) -> list[str]:
    """Return the differences from the design, grouped, the most costly first, each with its cost."""
    if evaluation.visual is None:
        return []
    differences = differences_of(evaluation)
    num_accepted = len(evaluation.visual.differences) - len(differences)
    accepted = [f"{counted(num_accepted, 'accepted difference is', 'accepted differences are')} left out"]
    if not differences:
        return accepted if num_accepted else []
    items: Sequence[Difference | DifferenceGroup]
    items = differences if most is None else group_differences(differences)
    lines = []
    for item in items[:most]:
        words = in_words(item) if isinstance(item, Difference) else item.message
        lines.append(f"  {item.cost:.4f}  {sanitize(words, limit=_LONGEST_DIFFERENCE)}")
    if most is not None and len(items) > most:
        lines[-1] = f"  and {len(items) - most + 1} more kinds of difference"
    # Fidelity may be withdrawn for what no screenshot reaches; costs are shares of it all the same.
    is_whole = None not in (evaluation.visual.elements, evaluation.visual.typography)
    costs = "fidelity" if is_whole else "visual"
    return [f"Differences, and the {costs} each one costs:", *lines, *(accepted if num_accepted else [])]


def explain_unmeasured(evaluation: Evaluation, limits: Iterable[Limit]) -> list[str]:
    """Return the reasons why limits could not be judged, as lines."""
    outcome = f"could not be judged: {sanitize(shown_page(evaluation), limit=200)} was not measured"
    if evaluation.error is not None:
        return [f"{', '.join(map(str, limits))} {outcome}", f"  {evaluation.error}"]
    by_reason: dict[str, list[str]] = {}
    for limit in limits:
        by_reason.setdefault(why_unmeasured(evaluation, limit.metric), []).append(str(limit))
    return [f"{', '.join(alike)} {outcome}: {reason}" for reason, alike in by_reason.items()]


def why_unmeasured(evaluation: Evaluation, metric: str) -> str:
    """Return why a metric has no value if no error explains it."""
    reasons = {warning.code: warning.message for warning in evaluation.warnings}
    for name in ("fidelity" if metric == "blocking" else metric, *components_of(metric)):
        if reason := reasons.get(f"{name}_unmeasured"):
            return sanitize(reason, limit=300)
    basis = METRICS[metric].basis
    if "probes" in basis:
        return f"no probe tried it out ({flag('probes')})"
    if "audit" in basis and evaluation.accessibility is None:
        return "it has no accessibility, as a picture or without an audit"
    return f"it has no {metric}"


def explain_idle(limits: Iterable[Limit], *, who: str = "no page was") -> list[str]:
    """Return a line for each limit that judged nothing."""
    return [
        f"{limit} ({limit.origin}) judged nothing: {who} {_JUDGED[METRICS[limit.metric].part]}. "
        "Render what it is meant for, or leave the limit out."
        for limit in limits
    ]


def pair_lines(evaluation: Evaluation, *, has_details: bool) -> list[str]:
    """Return a pair of pages in words, as lines."""
    lines = [f"  {line}" for line in _described(evaluation, has_details)]
    return [_page(evaluation) + _against(evaluation), *lines]


def _against(evaluation: Evaluation) -> str:
    return f" against {sanitize(evaluation.reference, limit=200)}" if evaluation.reference else ""


def _page(evaluation: Evaluation) -> str:
    """Return a page's name, and how it was rendered if that was requested."""
    how = [evaluation.axes[name] for name in RENDERING_AXES if name in evaluation.axes]
    page = shown_page(evaluation)
    return sanitize(f"{page} [{', '.join(how)}]" if how else page, limit=200)


def _described(evaluation: Evaluation, has_details: bool) -> Iterator[str]:
    if evaluation.error is not None:
        yield str(evaluation.error)
    yield from map(sentence, evaluation.verdicts)
    yield from (sanitize(warning, limit=_LONGEST_WARNING) for warning in page_warnings(evaluation))
    if evaluation.visual is not None:
        how = evaluation.visual.published or evaluation.visual.text_ratio
        yield f"{values_line(evaluation)}  ({how})"
        yield from difference_lines(evaluation, most=None if has_details else MOST_DIFFERENCES)
    yield from rate_lines(evaluation)
    if has_details:
        yield from finding_lines(evaluation)
    elif evaluation.audit is not None:
        yield from explain_audit(evaluation.audit, page=evaluation.candidate, max_nodes=1)
    shown = page_warnings(evaluation)
    for warning in evaluation.told_warnings:
        if warning.message not in shown:
            yield f"warning: {warning.code}: {sanitize(warning.message, limit=_LONGEST_WARNING)}"


_RATES = [name for name in shown_in("ranking") if METRICS[name].basis == ("audit",)]


def audit_lines(evaluation: Evaluation, *, num_accepted: int = 0) -> Iterator[str]:
    """Yield the audit of one page, line by line."""
    yield _page(evaluation)
    if evaluation.error is not None:
        yield f"  {evaluation.error}"
    yield from (f"  {sentence(verdict)}" for verdict in evaluation.verdicts)
    yield from (f"  {line}" for line in rate_lines(evaluation))
    for warning in evaluation.told_warnings:
        yield f"  warning: {warning.code}: {sanitize(warning.message, limit=300)}"
    yield from (f"  {line}" if line else "" for line in finding_lines(evaluation))
    if num_accepted:
        yield f"  {counted(num_accepted, 'accepted failure is', 'accepted failures are')} left out"
    yield ""


def rate_lines(evaluation: Evaluation) -> Iterator[str]:
    """Yield the rates of a page, and the results of extension metrics, further engines and probes."""
    for name, value in evaluation.metrics.items():
        yield f"{name} {'not measured' if value is None else number_of(name, value)}"
    yield from _own_lines(evaluation, evaluation.metrics)
    rates = evaluation.accessibility
    if rates is not None:
        checks, impacts = counted(rates.checked, "check"), by_impact(rates.by_impact)
        yield f"{rates.failed} of {checks} failed{impacts}. {LIMITS_OF_CHECKS}"
        values = ((name, evaluation.value(name)) for name in _RATES)
        yield "  ".join(f"{name} {value:.4f}" for name, value in values if value is not None)
        if rates.checked <= _FEW_CHECKS:
            few = counted(rates.checked, "check is", "checks are")
            yield f"{few} few for a rate: one more failure adds {1 / rates.checked:.2f} to ir"
    if evaluation.delivered is not None and evaluation.delivered_parts is not None:
        yield delivered_line(evaluation.delivered, evaluation.delivered_parts)
    yield from engine_lines(evaluation)
    yield from probe_lines(evaluation)


def finding_lines(evaluation: Evaluation) -> Iterator[str]:
    """Yield every failing element of a page, and what needs a person."""
    for audit in deduplicate(evaluation.audits, evaluation.engines).values():
        for rule in failing_rules(audit):
            yield ""
            yield from rule_lines(rule, evaluation.candidate)
        if unsure := incomplete_lines(audit, most=_MOST_UNSURE):
            yield from ("", *unsure)
    yield from explain_probes(evaluation, limit=None)
