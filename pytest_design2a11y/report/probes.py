"""What probes, and engines besides axe-core, found, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.extending import Probe
from pytest_design2a11y.models.audit import RuleOutcome
from pytest_design2a11y.models.metrics import IMPACT_WEIGHTS
from pytest_design2a11y.models.option import AXE, Impact
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.registry import available, label_of_engine
from pytest_design2a11y.wording import counted

_WORST_FIRST: tuple[Impact, ...] = tuple(reversed(IMPACT_WEIGHTS))
#: Number of findings listed for a broken limit.
_WORST = 3


def probe_lines(evaluation: Evaluation) -> Iterator[str]:
    """Tell what every probe came to on one page that was audited or tried out, and which did not run."""
    for name, counts in evaluation.probes.items():
        if counts.error is None:
            yield (
                f"probe {name}: {counts.failed} failed{_by_impact(counts.by_impact)}, "
                f"{counts.unsure} for a person to judge, {counts.passed} passed"
            )
        elif evaluation.error is None or (counts.reason or "") not in evaluation.error.message:
            yield f"probe {name} did not finish: {counts.error}: {sanitize(counts.reason or '', limit=300)}"
    if not evaluation.probes and evaluation.accessibility is not None:
        yield "probes not run (--probes)"
    elif evaluation.probes and (
        missing := [name for name in available(Probe) if name not in evaluation.probes]
    ):
        yield f"probes not run: {', '.join(missing)} (--probes)"


def summary_of_probes(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Tell what every probe came to on all pages; nothing where none ran."""
    for name in dict.fromkeys(name for one in evaluations for name in one.probes):
        counts = [one.probes[name] for one in evaluations if name in one.probes]
        errors = Counter(one.error for one in counts if one.error is not None)
        whole = [one for one in counts if one.error is None]
        impacts = sum((Counter(one.by_impact) for one in whole), Counter[Impact]())
        hit = sum(bool(one.failed) for one in whole)
        text = (
            f"probe {name}: {sum(one.failed or 0 for one in whole)} failed{_by_impact(impacts)} on {hit} of "
            f"{counted(len(whole), 'page')}, {sum(one.unsure or 0 for one in whole)} for a person to judge"
        )
        without = ", ".join(f"{error} {count}" for error, count in sorted(errors.items()))
        yield f"{text}; not finished: {without}" if without else text


def failed_checks(evaluation: Evaluation) -> list[tuple[str, RuleOutcome]]:
    """Return the checks that failed with their probes' names, the worst first."""
    failed = [
        (name, rule)
        for name, findings in evaluation.probe_findings.items()
        for rule in findings.rules
        if rule.num_violations
    ]
    return sorted(failed, key=lambda pair: -pair[1].severity)


def unsure_checks(evaluation: Evaluation) -> list[RuleOutcome]:
    """Return the checks that a person has to judge, as if what is to be judged had failed."""
    return [
        replace(
            rule,
            help=f"Probe {name}, WCAG {criterion_of(rule)}: {rule.help}",
            num_violations=rule.num_incomplete,
            violations=rule.incomplete,
        )
        for name, findings in evaluation.probe_findings.items()
        for rule in findings.rules
        if rule.num_incomplete
    ]


def explain_probes(evaluation: Evaluation, *, limit: int | None = _WORST) -> Iterator[str]:
    """Name failed checks with an element each, the worst first."""
    for _name, rule in failed_checks(evaluation)[:limit]:
        yield f"{rule.rule} (WCAG {criterion_of(rule)}, {rule.impact}): {rule.num_violations} failed"
        for node in rule.violations[:_WORST] if limit is not None else rule.violations:
            yield f"  {sanitize(node.target, limit=200)}: {sanitize(node.summary, limit=300)}"


def criterion_of(rule: RuleOutcome) -> str:
    """Return the success criterion that a check is about, such as "2.4.7"."""
    digits = rule.tags[0].removeprefix("wcag") if rule.tags else ""
    return sanitize(".".join([digits[:1], digits[1:2], digits[2:]]))


def _by_impact(counts: Mapping[Impact, int], order: Iterable[Impact] = _WORST_FIRST) -> str:
    impacts = [f"{counts[impact]} {impact}" for impact in order if counts.get(impact)]
    return f" ({', '.join(impacts)})" if impacts else ""


def engine_lines(evaluation: Evaluation) -> Iterator[str]:
    """Tell what further engines found on one page; nothing where axe-core alone ran."""
    for name, counts in evaluation.engines.items():
        if name != AXE:
            failed = f"{counts.failed} failed{_by_impact(counts.by_impact, IMPACT_WEIGHTS)}"
            label = label_of_engine(name, evaluation.engines)
            yield f"{label} {counts.version}: {failed}, in no rate of axe-core's"
    merged = evaluation.merged
    if merged is not None:
        yield (
            f"merged as the {merged.rule} did: failed_merged {merged.failed_merged}"
            f"{_by_impact(merged.by_impact_merged, IMPACT_WEIGHTS)}  ir_merged {merged.ir_merged:.4f}  "
            f"iwir_merged {merged.iwir_merged:.4f}  {merged.status_merged}"
        )


def summary_of_engines(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Tell what further engines found on all pages; nothing where axe-core alone ran."""
    names = dict.fromkeys(name for one in evaluations for name in one.engines if name != AXE)
    for name in names:
        having = [one for one in evaluations if name in one.engines]
        counts = [one.engines[name] for one in having]
        impacts = sum((Counter(one.by_impact) for one in counts), Counter[Impact]())
        failed = f"{sum(one.failed for one in counts)} failed{_by_impact(impacts, IMPACT_WEIGHTS)}"
        pages = f"{sum(one.failed > 0 for one in counts)} of {counted(len(counts), 'page')}"
        yield f"{label_of_engine(name, having[0].engines)}: {failed} on {pages}, in no rate of axe-core's"
    merged = [one.merged for one in evaluations if one.merged is not None]
    if merged:
        yield (
            f"merged as the {merged[0].rule} did, mean of {counted(len(merged), 'page')}: "
            f"failed_merged {fmean(one.failed_merged for one in merged):.4f}  "
            f"ir_merged {fmean(one.ir_merged for one in merged):.4f}  "
            f"iwir_merged {fmean(one.iwir_merged for one in merged):.4f}"
        )


def engine_versions(evaluation: Evaluation) -> list[tuple[str, str]]:
    """Return name and version of every further engine."""
    engines = evaluation.engines
    return [(label_of_engine(name, engines), one.version) for name, one in engines.items() if name != AXE]
