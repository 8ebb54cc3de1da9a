"""Beside the figures of pages: what probes found, what figures do not show, what produced them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.extending import Probe
from pytest_design2a11y.models.audit import IMPACT_WEIGHTS, LIMITS_OF_CHECKS, RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.option import AXE, Impact
from pytest_design2a11y.models.viewport import STANDARD_VIEWPORT
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


def summary_of_engines(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Yield the findings of further engines over all pages; nothing if only axe-core ran."""
    for name in dict.fromkeys(name for page in evaluations for name in page.engines if name != AXE):
        engines = [page.engines for page in evaluations if name in page.engines]
        counts = [every[name] for every in engines]
        impacts = sum((Counter(count.by_impact) for count in counts), Counter[Impact]())
        failed = f"{sum(count.failed for count in counts)} failed{by_impact(impacts, IMPACT_WEIGHTS)}"
        pages = f"{sum(count.failed > 0 for count in counts)} of {counted(len(counts), 'page')}"
        yield f"{label_of_engine(name, engines[0])}: {failed} on {pages}, in no rate of axe-core's"


def engine_versions(evaluation: Evaluation) -> list[tuple[str, str]]:
    """Return name and version of every further engine."""
    engines = evaluation.engines
    return [(label_of_engine(name, engines), engines[name].version) for name in engines if name != AXE]


def limited_metrics(pages: Iterable[Evaluation]) -> set[str]:
    """Return the metrics that limits judged on any page."""
    return {verdict.metric for page in pages for verdict in page.verdicts}


def severity_lines(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Yield what iwir itself does not show; once per run, independent of the pages."""
    limited = limited_metrics(evaluations)
    rates = {name for name, metric in METRICS.items() if metric.is_blind_to_missing} - {"iwir"}
    if "iwir" in limited and not limited & (rates | {"delivered"}):
        yield (
            "hint: a limit on iwir alone judges how severe failures are, not how many; fixing minor "
            "ones raises it. Add a limit on ir, or use weighted_ir"
        )


def producer_texts(evaluations: Iterable[Evaluation]) -> list[str]:
    """Return what produced the numbers; several lines if that differs between pages."""
    texts = set()
    for evaluation in evaluations:
        if (environment := evaluation.environment) is None:
            continue
        backend = evaluation.visual.appearance_backend if evaluation.visual else None
        hosts = evaluation.settings.get("allowed_hosts")
        parts = [
            f"chromium {environment.chromium}" if environment.chromium else "no browser",
            f"axe-core {environment.axe}" if environment.axe else "",
            *(" ".join(engine) for engine in engine_versions(evaluation)),
            f"appearance {backend}" if backend else "",
            "" if environment.sandbox else "sandbox off",
            f"hosts {', '.join(hosts)}" if hosts else "",
        ]
        texts.add(", ".join(part for part in parts if part))
    return [*sorted(texts), LIMITS_OF_CHECKS] if texts else []


#: Viewport defaults, omitted from the report.
_USUAL = {name: getattr(STANDARD_VIEWPORT, name) for name in ("scheme", "media", "locale", "timezone")}


def produced_by(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Yield what produced the results of a pair, as label and value."""
    yield from producer_facts(evaluation)
    if evaluation.reference_kind == "picture":
        settings = {**evaluation.settings, **(evaluation.settings.get("reference") or {})}
        yield "Reference is", f"a picture at scale {settings.get('picture_scale', 1):g}"
        yield "Its texts are from", str(settings.get("reader"))
    yield from engine_versions(evaluation)
    if evaluation.visual is not None:
        yield "Text ratio", evaluation.visual.text_ratio
        if evaluation.visual.published is not None:
            yield "Scored as published by", evaluation.visual.published
        yield "Appearance", evaluation.visual.appearance_backend or "not measured"
    for role, (width, height) in evaluation.page_sizes.items():
        yield f"{role.capitalize()} page", f"{width} × {height} px"


def producer_facts(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Yield what produced a candidate's results, as label and value; nothing if nothing was rendered."""
    made = evaluation.environment
    if made is not None:
        yield "Chromium", made.chromium or "not needed"
        yield "axe-core", made.axe or "did not run"
        yield "pytest-design2a11y", made.package
        more = ("Playwright", made.playwright), ("Platform", made.platform)
        yield from ((label, text) for label, text in more if text)
        yield "Sandbox", "on" if made.sandbox else "off"
    conditions = evaluation.settings
    if "viewport" in conditions:
        yield "Viewport", _viewport_text(conditions)
    if conditions.get("steps"):
        yield "Steps", f"{conditions['steps']} before it was read"
    if conditions.get("wait_for"):
        yield "Waited for", str(conditions["wait_for"])
    if conditions.get("mask"):
        masked = ", ".join(conditions["mask"])
        yield "Masked", f"{masked} (hatched in the pictures; neither text nor pixels count)"
    if "javascript" in conditions:
        yield "Page scripts", "ran" if conditions["javascript"] else "did not run"
    if "allowed_hosts" in conditions:
        yield "Hosts allowed", ", ".join(conditions["allowed_hosts"]) or "none"


def _viewport_text(conditions: Mapping[str, Any]) -> str:
    scale = conditions.get("scale", 1)
    parts = [
        f"{conditions['viewport']} px",
        f"scale {scale:g}" if scale != 1 else "",
        str(conditions.get("device") or ""),
        *(name for name in ("touch", "mobile") if conditions.get(name)),
        *(str(conditions[name]) for name, usual in _USUAL.items() if conditions.get(name, usual) != usual),
    ]
    return ", ".join(filter(None, parts))
