"""Accessibility violations as SARIF 2.1.0, for code scanning and editors."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.models.audit import Accepted, CheckedNode, RuleOutcome
from pytest_design2a11y.models.option import Impact
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.report.html.islands import link, shown
from pytest_design2a11y.report.rules import reason_and_fix
from pytest_design2a11y.report.source_lines import line_of
from pytest_design2a11y.wording import counted

SCHEMA_URL = "https://json.schemastore.org/sarif-2.1.0.json"

_LEVELS: dict[Impact | None, str] = {
    "critical": "error",
    "serious": "error",
    "moderate": "warning",
    "minor": "note",
    None: "warning",
}
_LONGEST = 1000

_ACCEPTED = {"kind": "external", "justification": "In the file of known violations."}


def sarif(run: Run, accepted: Accepted) -> dict[str, Any]:
    """Return the violations of a run as a SARIF log with one run.

    A page that several tests measured lists each violation once. Pages that could not be measured
    are notifications of the invocation, so that a log without results is never mistaken for a clean run. The
    violations of a rule are suppressed where all of them on that page are accepted.

    References:
        OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
    """
    rules = _rules(run.evaluations)
    places = {rule: place for place, rule in enumerate(rules)}
    found = _results(run.evaluations, places, accepted)
    results = {result["partialFingerprints"]["design2a11y/v1"]: result for result in found}
    errors = [(one.candidate, one.error) for one in run.evaluations if one.error is not None]
    invocation: dict[str, Any] = {"executionSuccessful": run.is_complete and not errors}
    if errors:
        invocation["toolExecutionNotifications"] = [
            {
                "level": "error",
                "message": {"text": shown(f"{error.type}: {error.message}", limit=_LONGEST)},
                "locations": [_location(candidate)],
            }
            for candidate, error in errors
        ]
    environments = [one.environment for one in run.evaluations if one.environment is not None]
    versions = sorted({environment.package for environment in environments})
    driver: dict[str, Any] = {
        "name": "pytest-design2a11y",
        "rules": [_descriptor(rule) for rule in rules.values()],
        "properties": {"axe-core": sorted({one.axe for one in environments if one.axe})},
    }
    if versions:
        driver["version"] = ", ".join(versions)
    return {
        "$schema": SCHEMA_URL,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "automationDetails": {"id": f"design2a11y/{shown(run.name, limit=200)}"},
                "invocations": [invocation],
                "results": list(results.values()),
            }
        ],
    }


def _rules(evaluations: Iterable[Evaluation]) -> dict[str, RuleOutcome]:
    found = {
        rule.rule: rule
        for evaluation in evaluations
        for audit in (
            *deduplicate(evaluation.audits, evaluation.engines).values(),
            *evaluation.probe_findings.values(),
        )
        for rule in audit.rules
        if rule.num_violations
    }
    return dict(sorted(found.items()))


def _descriptor(rule: RuleOutcome) -> dict[str, Any]:
    text = shown(rule.help or rule.rule, limit=_LONGEST)
    url = link(rule.help_url)
    descriptor: dict[str, Any] = {
        "id": rule.rule,
        "shortDescription": {"text": text},
        "help": {"text": f"{text}. {url}" if url else text},
        "defaultConfiguration": {"level": _LEVELS[rule.impact]},
        "properties": {"tags": sorted({"accessibility", *rule.tags})},
    }
    return descriptor | ({"helpUri": url} if url else {})


def _results(
    evaluations: Iterable[Evaluation], places: dict[str, int], accepted: Accepted
) -> Iterator[dict[str, Any]]:
    for evaluation in evaluations:
        counts = accepted.get(evaluation.id, {})
        for rule in _rules([evaluation]).values():
            is_accepted = counts.get(rule.rule, 0) >= rule.num_violations
            suppressions = {"suppressions": [_ACCEPTED]} if is_accepted else {}
            for node in rule.violations:
                yield _result(evaluation, rule, places[rule.rule], node) | suppressions
            if rule.num_violations > len(rule.violations):
                yield _undescribed(evaluation, rule, places[rule.rule]) | suppressions


def _result(evaluation: Evaluation, rule: RuleOutcome, place: int, node: CheckedNode) -> dict[str, Any]:
    target = shown(node.target, limit=_LONGEST)
    text = f"{rule.help or rule.rule}: {target}. {reason_and_fix(rule, node)}".strip()
    return {
        "ruleId": rule.rule,
        "ruleIndex": place,
        "level": _LEVELS[node.impact or rule.impact],
        "message": {"text": shown(text, limit=_LONGEST)},
        "locations": [_location(evaluation.candidate, target, line_of(evaluation.candidate, node))],
        "partialFingerprints": {"design2a11y/v1": _digest(evaluation.candidate, rule.rule, node.target)},
        "properties": {
            "impact": node.impact or rule.impact,
            "html": shown(node.html, limit=_LONGEST),
        },
    }


def _undescribed(evaluation: Evaluation, rule: RuleOutcome, place: int) -> dict[str, Any]:
    """Tell of violations that were counted only."""
    count = rule.num_violations - len(rule.violations)
    noun = "more element" if rule.violations else "element"
    text = f"{rule.help or rule.rule}: {counted(count, noun)}"
    return {
        "ruleId": rule.rule,
        "ruleIndex": place,
        "level": _LEVELS[rule.impact],
        "message": {"text": shown(text, limit=_LONGEST)},
        "locations": [_location(evaluation.candidate)],
        "occurrenceCount": count,
        "partialFingerprints": {"design2a11y/v1": _digest(evaluation.candidate, rule.rule, "")},
        "properties": {"impact": rule.impact},
    }


def _location(page: str, target: str | None = None, line: int | None = None) -> dict[str, Any]:
    """Name the page, and in it the element by its selector, and by its line where that is known."""
    location: dict[str, Any] = {}
    uri = _uri(page)
    if uri is not None:
        # Consumers that want a line, such as GitHub, get the page's first where none is known.
        region = {"startLine": line or 1}
        location["physicalLocation"] = {"artifactLocation": {"uri": uri}, "region": region}
    if target is not None:
        location["logicalLocations"] = [{"fullyQualifiedName": target, "kind": "element"}]
    elif uri is None:
        location["logicalLocations"] = [{"fullyQualifiedName": shown(page, limit=_LONGEST)}]
    return location


def _uri(page: str) -> str | None:
    if not page or page.startswith("<"):
        return None
    if "://" in page:
        return quote(page, safe=":/?#[]@!$&'()*+,;=%~", errors="replace")
    if page.startswith(".."):  # Relative to nothing that a reader of the log knows.
        page = str(Path(page).resolve())
    path = quote(page.replace("\\", "/"), safe="/~", errors="replace")
    return f"file://{path}" if path.startswith("/") else path


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]
