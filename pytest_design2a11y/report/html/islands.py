"""A case as data for the report's scripts: plain values, page texts escaped and short."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from types import MappingProxyType
from typing import Any

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.audit import CheckedNode, RuleOutcome
from pytest_design2a11y.models.geometry import hex_color
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.page import Environment
from pytest_design2a11y.models.run import CaseJudgement, Evaluation
from pytest_design2a11y.models.serialization import metric_value
from pytest_design2a11y.models.viewport import STANDARD_VIEWPORT
from pytest_design2a11y.models.visual import Block
from pytest_design2a11y.report.engines import engine_versions
from pytest_design2a11y.report.findings import BlockFinding, find_block_findings
from pytest_design2a11y.report.html.overview import state_of
from pytest_design2a11y.report.probes import criterion_of, failed_checks, probe_lines, unsure_checks

LONGEST_TEXT = 300
LONGEST_SNIPPET = 400
LONGEST_MESSAGE = 1000

#: Elements listed per rule; all are counted.
MAX_NODES = 50

_COLOR = re.compile(r"#[0-9a-fA-F]{3,8}|rgba?\([0-9., %]{1,40}\)")


def script_json(value: Any) -> str:
    r"""Write JSON that no HTML parser and no script misreads: `<`, `>`, `&`, non-ASCII are escaped."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def shown(text: str, *, limit: int = LONGEST_TEXT) -> str:
    """Escape text from anywhere and shorten it; only the start of a very long text is read."""
    return sanitize(text[: 8 * limit], limit=limit)


def link(url: str) -> str | None:
    """Return an address that a link may have, else None."""
    return url if re.match(r"https?://[^\s/]", url) and url.isprintable() else None


#: What viewports are asked for where nobody says anything, of which nothing is told.
_USUAL = {name: getattr(STANDARD_VIEWPORT, name) for name in ("scheme", "media", "locale", "timezone")}


def case_island(
    evaluation: Evaluation,
    pictures: Mapping[str, str],
    *,
    judgements: Iterable[CaseJudgement] = (),
    accepted: Mapping[str, int] = MappingProxyType({}),
    evidence: Mapping[str, str] = MappingProxyType({}),
    renderings: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Return all that the report tells of one case.

    Args:
        evaluation: What was measured.
        pictures: Ids of the elements that hold its pictures, by role.
        judgements: Of the case, where it has several samples.
        accepted: How many failing elements are accepted, by rule.
        evidence: Ids of the elements that hold pictures of what probes found, by their names.
        renderings: The page in its several viewports, schemes and states, as `renderings_of` gives them.
    """
    return {
        "id": shown(evaluation.id),
        "state": state_of(evaluation),
        "facts": [[label, shown(text)] for label, text in _facts(evaluation)],
        "error": _error(evaluation),
        "metrics": [_metric(evaluation, metric) for metric in METRICS],
        "verdicts": [
            asdict(verdict) | {"operator": shown(verdict.operator), "origin": shown(verdict.origin)}
            for verdict in evaluation.verdicts
        ],
        "judgements": [_judgement(judgement) for judgement in judgements],
        "checks": _checks(evaluation),
        "renderings": list(renderings),
        "sizes": {role: list(size) for role, size in evaluation.page_sizes.items()},
        "pictures": dict(pictures),
        "blocks": _blocks(evaluation),
        "rules": [
            *(_rule(rule, accepted.get(rule.rule, 0), evidence) for rule in _failed_rules(evaluation)),
            *(_rule(_of_probe(*one), 0, evidence) for one in failed_checks(evaluation)),
        ],
        "review": [
            _rule_head(rule, rule.num_incomplete) for rule in _rules(evaluation) if rule.num_incomplete
        ],
        "unsure": [_rule(rule, 0, evidence) for rule in unsure_checks(evaluation)],
        "probes": [shown(line) for line in probe_lines(evaluation)],
        "warnings": [
            [shown(warning.code), shown(warning.message, limit=LONGEST_MESSAGE), warning.count]
            for warning in evaluation.told_warnings
        ],
        "environment": [[label, shown(text)] for label, text in _environment(evaluation)],
    }


def _facts(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    if evaluation.reference is not None:
        yield "Reference", evaluation.reference
    yield "Candidate", evaluation.candidate
    yield "Case", evaluation.case
    yield "Sample", evaluation.sample
    for name, value in evaluation.axes.items():
        yield name.capitalize(), value
    if evaluation.tries > 1:
        yield "Try", f"{evaluation.tries}: the test was run again, and its last try counts"


def _error(evaluation: Evaluation) -> dict[str, str] | None:
    if evaluation.error is None:
        return None
    return {
        "type": shown(evaluation.error.type),
        "message": shown(evaluation.error.message, limit=LONGEST_MESSAGE),
    }


def _metric(evaluation: Evaluation, metric: str) -> dict[str, Any]:
    known = METRICS[metric]
    return {
        "id": metric,
        "label": known.label,
        "value": _rounded(metric_value(evaluation, metric)),
        "upper": known.upper,
        "part": known.part,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, 6)


def _judgement(judgement: CaseJudgement) -> dict[str, Any]:
    limit = f"{METRICS[judgement.metric].label} {judgement.operator} {judgement.limit:g}"
    return {"limit": limit, "is_passed": judgement.is_passed, "sentence": shown(judgement.sentence)}


def _checks(evaluation: Evaluation) -> list[int] | None:
    rates = evaluation.accessibility
    return None if rates is None else [rates.checked, rates.failed, rates.incomplete]


def _blocks(evaluation: Evaluation) -> list[dict[str, Any]]:
    if evaluation.visual is None:
        return []
    findings = sorted(find_block_findings(evaluation.visual), key=lambda finding: -finding.cost)
    return [_finding(finding, evaluation.page_sizes) for finding in findings]


def _finding(finding: BlockFinding, sizes: Mapping[str, tuple[int, int]]) -> dict[str, Any]:
    match = finding.match
    return {
        "kinds": finding.kinds,
        "cost": _rounded(finding.cost),
        "share": _rounded(finding.share),
        "reference": _block(finding.reference, sizes.get("reference")),
        "candidate": _block(finding.candidate, sizes.get("candidate")),
        "likeness": match and [_rounded(match.text), _rounded(match.position), _rounded(match.color)],
    }


def _block(block: Block | None, size: tuple[int, int] | None) -> dict[str, Any] | None:
    if block is None:
        return None
    width, height = size or (1, 1)
    x, y, w, h = block.box
    return {
        "text": shown(block.text),
        "box": [round(x * width, 1), round(y * height, 1), round(w * width, 1), round(h * height, 1)],
        "color": hex_color(block.color),
        "confidence": _rounded(block.confidence),
    }


def _rules(evaluation: Evaluation) -> list[RuleOutcome]:
    return [rule for audit in deduplicate(evaluation.audits).values() for rule in audit.rules]


def _failed_rules(evaluation: Evaluation) -> list[RuleOutcome]:
    failed = [rule for rule in _rules(evaluation) if rule.num_violations]
    return sorted(failed, key=lambda rule: (-rule.severity, rule.rule))


def _rule_head(rule: RuleOutcome, count: int) -> dict[str, Any]:
    return {
        "rule": shown(rule.rule),
        "help": shown(rule.help),
        "url": link(rule.help_url),
        "impact": rule.impact and shown(rule.impact),
        "count": count,
    }


def _of_probe(name: str, rule: RuleOutcome) -> RuleOutcome:
    return replace(rule, help=f"Probe {name}, WCAG {criterion_of(rule)}: {rule.help}")


def _rule(rule: RuleOutcome, accepted: int, evidence: Mapping[str, str]) -> dict[str, Any]:
    nodes = [_node(node, evidence) for node in rule.violations[:MAX_NODES]]
    head = _rule_head(rule, rule.num_violations)
    return head | {"severity": rule.severity, "accepted": accepted, "nodes": nodes}


def _node(node: CheckedNode, evidence: Mapping[str, str]) -> dict[str, Any]:
    told = [*node.summary.splitlines()[:12], str(node.data.get("also", ""))]
    lines = (shown(line) for line in told)
    return {
        "target": shown(node.target, limit=LONGEST_SNIPPET),
        "html": shown(node.html, limit=LONGEST_SNIPPET),
        "impact": node.impact and shown(node.impact),
        "summary": [line for line in lines if line],
        "box": node.box and [round(side, 1) for side in node.box],
        "contrast": _contrast(node.data),
        "picture": evidence.get(str(node.data.get("picture"))),
    }


def _contrast(data: Mapping[str, Any]) -> dict[str, str] | None:
    """Return what a contrast check found; None where it is none, or its colours are no colours."""
    foreground, background = str(data.get("fgColor", "")), str(data.get("bgColor", ""))
    if not (_COLOR.fullmatch(foreground) and _COLOR.fullmatch(background)):
        return None
    return {
        "foreground": foreground,
        "background": background,
        "ratio": shown(str(data.get("contrastRatio", ""))),
        "required": shown(str(data.get("expectedContrastRatio", ""))),
    }


def _environment(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    yield from producer_facts(evaluation)
    if evaluation.reference_kind == "picture":
        own = {**evaluation.settings, **(evaluation.settings.get("reference") or {})}
        yield "Reference is", f"a picture at scale {own.get('picture_scale', 1):g}"
        yield "Its texts are from", str(own.get("reader"))
    yield from engine_versions(evaluation)
    if evaluation.visual is not None:
        yield "Text ratio", evaluation.visual.text_ratio
        if evaluation.visual.published is not None:
            yield "Scored as published by", evaluation.visual.published
        yield "Appearance", evaluation.visual.appearance_backend or "not measured"
    for role, (width, height) in evaluation.page_sizes.items():
        yield f"{role.capitalize()} page", f"{width} × {height} px"


def producer_facts(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Tell what produced a candidate's results, as label and value; nothing where nothing was rendered."""
    if evaluation.environment is not None:
        yield from _software(evaluation.environment)
    conditions = evaluation.settings
    if "viewport" in conditions:
        yield "Viewport", _viewport_text(conditions)
    if conditions.get("steps"):
        yield "Steps", f"{conditions['steps']} before it was read"
    if conditions.get("wait_for"):
        yield "Waited for", str(conditions["wait_for"])
    if conditions.get("mask"):
        yield (
            "Masked",
            f"{', '.join(conditions['mask'])} (hatched in the pictures; neither text nor pixels count)",
        )
    if "javascript" in conditions:
        yield "Page scripts", "ran" if conditions["javascript"] else "did not run"
    if "allowed_hosts" in conditions:
        yield "Hosts allowed", ", ".join(conditions["allowed_hosts"]) or "none"


def _viewport_text(conditions: Mapping[str, Any]) -> str:
    """Tell a viewport, and in what it is not the standard one."""
    scale = conditions.get("scale", 1)
    told = [
        f"{conditions['viewport']} px",
        f"scale {scale:g}" if scale != 1 else "",
        str(conditions.get("device") or ""),
        *(name for name in ("touch", "mobile") if conditions.get(name)),
        *(str(conditions[name]) for name, usual in _USUAL.items() if conditions.get(name, usual) != usual),
    ]
    return ", ".join(filter(None, told))


def _software(environment: Environment) -> Iterator[tuple[str, str]]:
    yield "Chromium", environment.chromium or "not needed"
    yield "axe-core", environment.axe or "did not run"
    yield "pytest-design2a11y", environment.package
    if environment.playwright:
        yield "Playwright", environment.playwright
    if environment.platform:
        yield "Platform", environment.platform
    yield "Sandbox", "on" if environment.sandbox else "off"
