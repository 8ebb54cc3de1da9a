"""The findings of probes, and of engines besides axe-core, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.extending import Probe
from pytest_design2a11y.models.audit import RuleOutcome
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.option import AXE, Impact
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.severity import IMPACT_WEIGHTS
from pytest_design2a11y.registry import available, label_of_engine
from pytest_design2a11y.wording import counted

_WORST_FIRST: tuple[Impact, ...] = tuple(reversed(IMPACT_WEIGHTS))
#: Number of findings listed per broken limit.
_WORST = 3


def probe_lines(evaluation: Evaluation) -> Iterator[str]:
    """Yield the result of every probe on a page that was audited or tried out, and the probes not run."""
    for name, counts in evaluation.probes.items():
        if counts.error is None:
            yield (
                f"probe {name}: {counts.failed} failed{by_impact(counts.by_impact)}, "
                f"{counts.unsure} for a person to judge, {counts.passed} passed"
            )
        elif evaluation.error is None or (counts.reason or "") not in evaluation.error.message:
            yield f"probe {name} did not finish: {counts.error}: {sanitize(counts.reason or '', limit=300)}"
    if evaluation.probes:
        if missing := [name for name in available(Probe) if name not in evaluation.probes]:
            yield f"probes not run: {', '.join(missing)} (--probes)"
    elif evaluation.accessibility is not None:
        yield "probes not run (--probes)"


def summary_of_probes(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Yield the result of every probe over all pages; nothing if no probe ran."""
    for name in dict.fromkeys(name for page in evaluations for name in page.probes):
        counts = [page.probes[name] for page in evaluations if name in page.probes]
        errors = Counter(count.error for count in counts if count.error is not None)
        whole = [count for count in counts if count.error is None]
        impacts = by_impact(sum((Counter(count.by_impact) for count in whole), Counter[Impact]()))
        failed, unsure = (sum(getattr(count, key) or 0 for count in whole) for key in ("failed", "unsure"))
        hit = f"{sum(bool(count.failed) for count in whole)} of {counted(len(whole), 'page')}"
        without = ", ".join(f"{error} {number}" for error, number in sorted(errors.items()))
        text = f"probe {name}: {failed} failed{impacts} on {hit}, {unsure} for a person to judge"
        yield f"{text}; not finished: {without}" if without else text


def failed_checks(evaluation: Evaluation) -> list[tuple[str, RuleOutcome]]:
    """Return the checks that failed, each with its probe's name, the worst first."""
    failed = [
        (name, rule)
        for name, findings in evaluation.probe_findings.items()
        for rule in findings.rules
        if rule.num_violations
    ]
    return sorted(failed, key=lambda pair: -pair[1].severity)


def unsure_checks(evaluation: Evaluation) -> list[RuleOutcome]:
    """Return the checks that a person has to judge, as if those elements had failed."""
    return [
        replace(
            rule, help=probe_help(name, rule), num_violations=rule.num_incomplete, violations=rule.incomplete
        )
        for name, findings in evaluation.probe_findings.items()
        for rule in findings.rules
        if rule.num_incomplete
    ]


def explain_probes(evaluation: Evaluation, *, limit: int | None = _WORST) -> Iterator[str]:
    """Yield failed checks with their elements, the worst first."""
    for _name, rule in failed_checks(evaluation)[:limit]:
        yield f"{rule.rule} ({criterion_of(rule, after=', ')}{rule.impact}): {rule.num_violations} failed"
        for node in rule.violations[:_WORST] if limit is not None else rule.violations:
            yield f"  {sanitize(node.target, limit=200)}: {sanitize(node.summary, limit=300)}"


def criterion_of(rule: RuleOutcome, *, after: str = "") -> str:
    """Return the success criterion of a check, such as "WCAG 2.4.7", and what comes after it; or ""."""
    digits = rule.tags[0].removeprefix("wcag") if rule.tags else ""
    return f"WCAG {sanitize('.'.join([digits[:1], digits[1:2], digits[2:]]))}{after}" if digits else ""


def probe_help(name: str, rule: RuleOutcome) -> str:
    """Return what a probe's check requires, with the probe's name and the success criterion, if any."""
    return f"Probe {name}{criterion_of(rule) and f', {criterion_of(rule)}'}: {rule.help}"


def by_impact(counts: Mapping[Impact, int], order: Iterable[Impact] = _WORST_FIRST) -> str:
    """Return the number of failures per impact, in brackets, or ""."""
    impacts = [f"{counts[impact]} {impact}" for impact in order if counts.get(impact)]
    return f" ({', '.join(impacts)})" if impacts else ""


def engine_lines(evaluation: Evaluation) -> Iterator[str]:
    """Yield the findings of further engines on one page; nothing if only axe-core ran."""
    for name, counts in evaluation.engines.items():
        if name != AXE:
            failed = f"{counts.failed} failed{by_impact(counts.by_impact, IMPACT_WEIGHTS)}"
            label = label_of_engine(name, evaluation.engines)
            yield f"{label} {counts.version}: {failed}, in no rate of axe-core's"
    merged = evaluation.merged
    if merged is not None:
        yield (
            f"merged as the {merged.rule} did: failed_merged {merged.failed_merged}"
            f"{by_impact(merged.by_impact_merged, IMPACT_WEIGHTS)}  ir_merged {merged.ir_merged:.4f}  "
            f"iwir_merged {merged.iwir_merged:.4f}  {merged.status_merged}"
        )


def summary_of_engines(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Yield the findings of further engines over all pages; nothing if only axe-core ran."""
    for name in dict.fromkeys(name for page in evaluations for name in page.engines if name != AXE):
        engines = [page.engines for page in evaluations if name in page.engines]
        counts = [every[name] for every in engines]
        impacts = sum((Counter(count.by_impact) for count in counts), Counter[Impact]())
        failed = f"{sum(count.failed for count in counts)} failed{by_impact(impacts, IMPACT_WEIGHTS)}"
        pages = f"{sum(count.failed > 0 for count in counts)} of {counted(len(counts), 'page')}"
        yield f"{label_of_engine(name, engines[0])}: {failed} on {pages}, in no rate of axe-core's"
    merged = [page.merged for page in evaluations if page.merged is not None]
    if merged:
        names = [name for name, metric in METRICS.items() if metric.part == "merged"]
        means = "  ".join(f"{name} {fmean(getattr(page, name) for page in merged):.4f}" for name in names)
        yield f"merged as the {merged[0].rule} did, mean of {counted(len(merged), 'page')}: {means}"


def engine_versions(evaluation: Evaluation) -> list[tuple[str, str]]:
    """Return name and version of every further engine."""
    engines = evaluation.engines
    return [(label_of_engine(name, engines), engines[name].version) for name in engines if name != AXE]
