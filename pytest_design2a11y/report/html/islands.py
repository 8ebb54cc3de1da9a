"""A page as data for the report's scripts: plain values, page texts escaped and short."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, get_args

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.accessibility.delivered import delivered_line
from pytest_design2a11y.escaping import link, shown
from pytest_design2a11y.models.audit import LIMITS_OF_CHECKS, RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.page import Role
from pytest_design2a11y.models.run import UNSAVED, shown_page
from pytest_design2a11y.models.verdicts import CaseJudgement, sentence
from pytest_design2a11y.models.visual import SEVERITIES
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report.causes import (
    Cause,
    differences_of,
    failed_rules,
    lacks_differences,
    like_differences,
    page_causes,
    rank,
)
from pytest_design2a11y.report.html.overview import Card
from pytest_design2a11y.report.notes import probe_lines, produced_by, unsure_checks
from pytest_design2a11y.wording import counted, shell_quoted

LONGEST_SNIPPET = 400
LONGEST_MESSAGE = 1000

#: Elements listed per rule, and differences per kind; all of them are counted.
MAX_LISTED = 40

#: Maximum characters of what is known of one side of a difference.
_LONGEST_KNOWN = 120

_COLOR = re.compile(r"#[0-9a-fA-F]{3,8}|rgba?\([0-9., %]{1,40}\)")


def script_json(value: Any) -> str:
    r"""Return JSON that neither HTML parsers nor scripts misread: `<`, `>`, `&` and non-ASCII are escaped."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def page_record(
    card: Card,
    pictures: Mapping[str, str],
    *,
    judgements: Iterable[CaseJudgement] = (),
    accepted: Mapping[str, int] = MappingProxyType({}),
    evidence: Mapping[str, str] = MappingProxyType({}),
    max_listed: int = MAX_LISTED,
    run_name: str = UNSAVED,
) -> dict[str, Any]:
    """Return all data of one page in the report, with `max_listed` findings per kind of difference and rule.

    Pictures (by role) and evidence (by name) are either "#id", an element of the report, or addresses beside
    it. Differences of a saved run have the command that accepts them.
    """
    evaluation = card.row.evaluation
    caused = list(_difference_groups(evaluation, max_listed, run_name))
    for cause, rule in failed_rules(evaluation):
        group = {
            "title": cause.text,
            "cost": _rounded(cause.cost),
            "isCounted": cause.is_counted,
            "category": "accessibility",
            "accepted": accepted.get(rule.rule, 0),
        }
        caused.append((cause, _rule_group(rule, max_listed, evidence) | group))
    caused.sort(key=lambda cause: cause[0].order)
    facts = [("Reference", evaluation.reference), ("Candidate", shown_page(evaluation))]
    facts += [("Case", evaluation.case), ("Sample", evaluation.sample)]
    facts += [(axis.capitalize(), value) for axis, value in evaluation.axes.items()]
    if evaluation.tries > 1:
        facts.append(("Try", f"{evaluation.tries}: the test was run again, and its last try counts"))
    # What could not be measured, loaded or run: whether it belongs to the generated page, and the message.
    alerts = [(True, str(evaluation.error))] if evaluation.error else []
    alerts += [(True, cause.text) for cause in page_causes(evaluation) if cause.key != "not measured"]
    alerts += [(False, f"in the design: {cause.text}") for cause in page_causes(evaluation, "reference")]
    return {
        "id": shown(evaluation.id),
        "name": shown(card.name),
        "design": shown(card.design),
        "state": card.row.state,
        "numbers": numbers_of(card),
        "facts": [[label, shown(text)] for label, text in facts if text is not None],
        "alerts": [[is_own, shown(text, limit=LONGEST_MESSAGE)] for is_own, text in alerts],
        "metrics": [
            {
                "id": metric,
                "value": _rounded(value),
                "isCount": METRICS[metric].upper is None,
                "limits": [
                    [verdict.operator, verdict.limit, verdict.is_passed, shown(verdict.origin)]
                    for verdict in evaluation.verdicts
                    if verdict.metric == metric
                ],
            }
            for metric, value in card.row.values.items()
            if value is not None
        ],
        "limits": [[verdict.is_passed, shown(sentence(verdict))] for verdict in evaluation.verdicts],
        "judgements": [
            {
                "limit": shown(f"{judgement.metric} {judgement.operator} {judgement.limit:g}"),
                "is_passed": judgement.is_passed,
                "sentence": shown(judgement.sentence),
            }
            for judgement in judgements
        ],
        "told": [shown(text) for text in _accessibility_lines(evaluation)],
        "sizes": {role: list(size) for role, size in evaluation.page_sizes.items()},
        "pictures": dict(pictures),
        "groups": [*(group for _cause, group in caused), *_own_groups(evaluation, max_listed)],
        "lacksDetails": lacks_differences(evaluation),
        "review": [
            _rule_head(rule, rule.num_incomplete)
            for audit in deduplicate(evaluation.audits, evaluation.engines).values()
            for rule in audit.rules
            if rule.num_incomplete
        ],
        "accepted": [
            shown(f"{in_words(one)} ({one.accepted})" if one.accepted else in_words(one))
            for one in (evaluation.visual.differences if evaluation.visual else ())
            if one.accepted is not None
        ],
        "unsure": [_rule_group(rule, MAX_LISTED, evidence) for rule in unsure_checks(evaluation)],
        "warnings": [
            [shown(warning.role), shown(warning.message, limit=LONGEST_MESSAGE), warning.count]
            for warning in evaluation.told_warnings
        ],
        "environment": [[label, shown(text)] for label, text in produced_by(evaluation)],
    }


def numbers_of(card: Card) -> list[list[str]]:
    """Return the two numbers that sum up a page, each with its name."""
    metric, value = card.likeness
    failed = card.row.values["failed"]
    return [
        ["–" if value is None else f"{value:.2f}", metric],
        ["–" if failed is None else f"{failed:.0f}", "failed check" if failed == 1 else "failed checks"],
    ]


def _rounded(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None


def _accessibility_lines(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.delivered is not None and evaluation.delivered_parts is not None:
        yield delivered_line(evaluation.delivered, evaluation.delivered_parts)
    rates = evaluation.accessibility
    if rates is not None:
        failed = f"{rates.failed} of {counted(rates.checked, 'automated check')} failed"
        yield f"{failed}, {rates.incomplete} need a person. {LIMITS_OF_CHECKS}"
    yield from (f"{metric}: {reason}" for metric, reason in evaluation.metric_reasons.items())
    yield from probe_lines(evaluation)


def _difference_groups(
    evaluation: Evaluation, most: int, run_name: str
) -> Iterator[tuple[Cause, dict[str, Any]]]:
    all_found = evaluation.visual.differences if evaluation.visual else ()
    page = shown(shell_quoted(evaluation.id), limit=LONGEST_MESSAGE)
    accept = f"design2a11y accept {run_name} --case {page} --difference"
    for cause, group in like_differences(differences_of(evaluation)):
        findings = []
        for difference in group.members[:most]:
            sides = difference.reference, difference.candidate
            number = next(number for number, one in enumerate(all_found, 1) if one is difference)
            findings.append(
                {
                    "message": shown(in_words(difference)),
                    "severity": difference.severity,
                    "cost": _rounded(difference.cost),
                    "boxes": [side and _box(side.get("box")) for side in sides],
                    "sides": [side and _side(side) for side in sides],
                    "accept": None if run_name == UNSAVED else f"{accept} {number}",
                }
            )
        title = cause.text if len(group.members) > 1 else cause.key
        # The kind of its marks in the report
        category = "typography" if group.kind == "font" else "text" if group.what == "text" else "elements"
        yield cause, _group(title, cause.cost, category, len(group.members)) | {"findings": findings}


def _own_groups(evaluation: Evaluation, most: int) -> Iterator[dict[str, Any]]:
    for metric, findings in evaluation.metric_findings.items():
        yield {
            **_group(shown(metric), 0.0, "elements", len(findings)),
            "findings": [
                {
                    "message": shown(finding.message),
                    "severity": finding.severity,
                    "cost": 0.0,
                    "boxes": [_box(finding.box) if finding.role == role else None for role in get_args(Role)],
                    "sides": [None, None],
                }
                for finding in sorted(findings, key=lambda finding: rank(finding.severity))[:most]
            ],
        }


def _group(title: str, cost: float, category: str, count: int) -> dict[str, Any]:
    return {"title": title, "cost": _rounded(cost), "category": category, "count": count}


def _box(box: Any) -> list[float] | None:
    return None if box is None else [round(side, 1) for side in box]


def _side(side: Mapping[str, Any]) -> list[list[str | None]]:
    """Return what is known of one side of a difference: label, text, and the color if it is one."""
    known: list[list[str | None]] = []
    for name, value in side.items():
        if name in ("box", "digest", "texts") or value is None or value is False:
            continue
        words = "yes" if value is True else f"{value:g}" if isinstance(value, float) else str(value)
        text = shown(words, limit=_LONGEST_KNOWN)
        known.append([shown(name.replace("_", " ")), text, text if _COLOR.fullmatch(text) else None])
    return known


def _rule_head(rule: RuleOutcome, count: int) -> dict[str, Any]:
    return {
        "rule": shown(rule.rule),
        "help": shown(rule.help),
        "url": link(rule.help_url),
        "impact": rule.impact and shown(rule.impact),
        "count": count,
    }


def _rule_group(rule: RuleOutcome, most: int, evidence: Mapping[str, str]) -> dict[str, Any]:
    findings = []
    for node in rule.violations[:most]:
        lines = (shown(line) for line in (*node.summary.splitlines()[:12], str(node.data.get("also", ""))))
        findings.append(
            {
                "message": shown(node.target, limit=LONGEST_SNIPPET),
                "html": shown(node.html, limit=LONGEST_SNIPPET),
                "severity": node.impact if node.impact in SEVERITIES else "minor",
                "summary": [line for line in lines if line],
                "boxes": [None, _box(node.box)],
                "contrast": _contrast(node.data),
                "picture": evidence.get(str(node.data.get("picture"))),
            }
        )
    return _rule_head(rule, rule.num_violations) | {"findings": findings}


def _contrast(data: Mapping[str, Any]) -> dict[str, str] | None:
    foreground, background = str(data.get("fgColor", "")), str(data.get("bgColor", ""))
    if not (_COLOR.fullmatch(foreground) and _COLOR.fullmatch(background)):
        return None
    return {
        "foreground": foreground,
        "background": background,
        "ratio": shown(str(data.get("contrastRatio", ""))),
        "required": shown(str(data.get("expectedContrastRatio", ""))),
    }
