"""Accessibility violations as SARIF 2.1.0, for code scanning and editors, and as GitLab's Code Quality."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.models.audit import Accepted, RuleOutcome
from pytest_design2a11y.models.option import Impact
from pytest_design2a11y.models.page_identity import file_of, page_name, without_server
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.report.html.islands import link, shown
from pytest_design2a11y.report.rules import line_of, reason_and_fix
from pytest_design2a11y.wording import counted

SCHEMA_URL = "https://json.schemastore.org/sarif-2.1.0.json"

_LEVELS: dict[Impact | None, str] = {
    "critical": "error",
    "serious": "error",
    "moderate": "warning",
    "minor": "note",
    None: "warning",
}
#: GitLab's severities. A page that could not be measured ranks above any finding, since its own are unknown.
_SEVERITIES = {
    "critical": "critical",
    "serious": "major",
    "moderate": "minor",
    "minor": "info",
    None: "minor",
}
_UNMEASURED = "blocker"
#: GitLab's path for a page that was passed as HTML text.
_NO_FILE = "HTML text"
_LONGEST = 1000
_FINGERPRINT = "design2a11y/v1"
_ACCEPTED = {"kind": "external", "justification": "In the file of known violations."}


def sarif(run: Run, accepted: Accepted) -> dict[str, Any]:
    """Return the violations of a run as a SARIF log with one run.

    A page measured by several tests lists each violation once. Pages that could not be measured become
    notifications of the invocation, so that a log without results is never mistaken for a clean run. The
    violations of a rule are suppressed if all of them on that page are accepted.

    References:
        OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
    """
    rules = _rules(run.evaluations)
    places = {rule: place for place, rule in enumerate(rules)}
    found = _results(run.evaluations, places, accepted)
    results = {result["partialFingerprints"][_FINGERPRINT]: result for result in found}
    errors = [(page, page.error) for page in run.evaluations if page.error is not None]
    invocation: dict[str, Any] = {"executionSuccessful": run.is_complete and not errors}
    if errors:
        invocation["toolExecutionNotifications"] = [
            {
                "level": "error",
                "message": {"text": shown(str(error), limit=_LONGEST)},
                "locations": [_location(page)],
            }
            for page, error in errors
        ]
    produced = [page.environment for page in run.evaluations if page.environment is not None]
    versions = sorted({environment.package for environment in produced})
    driver: dict[str, Any] = {
        "name": "pytest-design2a11y",
        "rules": [_descriptor(rule) for rule in rules.values()],
        "properties": {"axe-core": sorted({environment.axe for environment in produced if environment.axe})},
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
    return {
        "id": rule.rule,
        "shortDescription": {"text": text},
        "help": {"text": f"{text}. {url}" if url else text},
        "defaultConfiguration": {"level": _LEVELS[rule.impact]},
        "properties": {"tags": sorted({"accessibility", *rule.tags})},
        **({"helpUri": url} if url else {}),
    }


def _results(
    evaluations: Iterable[Evaluation], places: dict[str, int], accepted: Accepted
) -> Iterator[dict[str, Any]]:
    """Yield a result for each failing element, and one per rule for failures that were only counted."""
    for evaluation in evaluations:
        page, counts = page_name(evaluation.candidate, evaluation.id), accepted.get(evaluation.id, {})
        for rule in _rules([evaluation]).values():
            is_accepted = counts.get(rule.rule, 0) >= rule.num_violations
            suppressions = {"suppressions": [_ACCEPTED]} if is_accepted else {}
            title = rule.help or rule.rule
            where = "" if file_of(evaluation) == evaluation.candidate else f" on {page}"
            for node in rule.violations:
                target, impact = shown(node.target, limit=_LONGEST), node.impact or rule.impact
                text = f"{title}: {target}{where}. {reason_and_fix(rule, node)}".strip()
                yield {
                    **_result(rule, places[rule.rule], impact, text),
                    "locations": [_location(evaluation, target, line_of(evaluation.candidate, node))],
                    "partialFingerprints": {_FINGERPRINT: _digest(page, rule.rule, node.target)},
                    "properties": {"impact": impact, "html": shown(node.html, limit=_LONGEST)},
                    **suppressions,
                }
            if (count := rule.num_violations - len(rule.violations)) > 0:
                noun = "more element" if rule.violations else "element"
                text = f"{title}: {counted(count, noun)}{where}"
                yield {
                    **_result(rule, places[rule.rule], rule.impact, text),
                    "locations": [_location(evaluation)],
                    "occurrenceCount": count,
                    "partialFingerprints": {_FINGERPRINT: _digest(page, rule.rule, "")},
                    "properties": {"impact": rule.impact},
                    **suppressions,
                }


def _result(rule: RuleOutcome, place: int, impact: Impact | None, text: str) -> dict[str, Any]:
    return {
        "ruleId": rule.rule,
        "ruleIndex": place,
        "level": _LEVELS[impact],
        "message": {"text": shown(text, limit=_LONGEST)},
    }


def _location(evaluation: Evaluation, target: str | None = None, line: int | None = None) -> dict[str, Any]:
    """Return the location of a page, and of an element in it by its selector, and by its line if known.

    A page without a file of its own is located in its test's file.
    """
    location: dict[str, Any] = {}
    page, file = evaluation.candidate, file_of(evaluation)
    uri = _uri(file or page)
    if uri is not None:
        # Consumers that require a line, such as GitHub, get the file's first if it is unknown.
        region = {"startLine": line or 1}
        location["physicalLocation"] = {"artifactLocation": {"uri": uri}, "region": region}
    elements = [] if target is None else [{"fullyQualifiedName": target, "kind": "element"}]
    name = shown(page_name(page, evaluation.id), limit=_LONGEST)
    pages = [] if file == page else [{"fullyQualifiedName": name, "kind": "resource"}]
    if elements or pages:
        location["logicalLocations"] = elements + pages
    return location


def _uri(page: str) -> str | None:
    if not page or page.startswith("<"):
        return None
    if "://" in page:
        return quote(page, safe=":/?#[]@!$&'()*+,;=%~", errors="replace")
    if page.startswith(".."):  # Relative to a folder that a reader of the log does not know.
        page = str(Path(page).resolve())
    path = quote(page.replace("\\", "/"), safe="/~", errors="replace")
    return f"file://{path}" if path.startswith("/") else path


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def code_quality(run: Run, accepted: Accepted) -> list[dict[str, Any]]:
    """Return the results of `sarif` in the format that GitLab reads, without accepted ones.

    References:
        GitLab, "Code Quality report format".
    """
    (log,) = sarif(run, accepted)["runs"]
    unmeasured = log["invocations"][0].get("toolExecutionNotifications", [])
    issues = []
    for result in (*(result for result in log["results"] if "suppressions" not in result), *unmeasured):
        path, line, text = _NO_FILE, 1, result["message"]["text"]
        if physical := result["locations"][0].get("physicalLocation"):
            path = without_server(unquote(physical["artifactLocation"]["uri"]).removeprefix("file://"))
            line = physical["region"]["startLine"]
        check, fingerprint, severity = "not-measured", _digest(path, text), _UNMEASURED
        if "ruleId" in result:
            check, fingerprint = result["ruleId"], result["partialFingerprints"][_FINGERPRINT]
            severity = _SEVERITIES[result["properties"]["impact"]]
        issues.append(
            {
                "description": text,
                "check_name": check,
                "fingerprint": fingerprint,
                "severity": severity,
                # GitLab requires a line.
                "location": {"path": path, "lines": {"begin": line}},
            }
        )
    return issues
