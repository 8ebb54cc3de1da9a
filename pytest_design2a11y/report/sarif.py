"""Accessibility violations as SARIF 2.1.0, for code scanning and editors."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from pytest_design2a11y.escaping import link, shown
from pytest_design2a11y.models.audit import Accepted, RuleOutcome
from pytest_design2a11y.models.option import Impact
from pytest_design2a11y.models.page_identity import file_of, page_name
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.report.violations import Violation, place_of, violations

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
    """Return the violations of a run, each once, as a SARIF log with one run.

    Pages that could not be measured become notifications of the invocation, so that a log without results is
    never mistaken for a clean run. The violations of a rule are suppressed if all of them on that page are
    accepted.

    References:
        OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
    """
    unique = {violation.fingerprint: violation for violation in violations(run, accepted)}
    rules = {violation.rule.rule: violation.rule for violation in unique.values()}
    indices = {rule: index for index, rule in enumerate(sorted(rules))}
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
        "rules": [_descriptor(rules[name]) for name in indices],
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
                "results": [
                    _result(violation, fingerprint, indices[violation.rule.rule])
                    for fingerprint, violation in unique.items()
                ],
            }
        ],
    }


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


def _result(violation: Violation, fingerprint: str, index: int) -> dict[str, Any]:
    node = violation.node
    target = None if node is None else shown(node.target, limit=_LONGEST)
    html = {} if node is None else {"html": shown(node.html, limit=_LONGEST)}
    return {
        "ruleId": violation.rule.rule,
        "ruleIndex": index,
        "level": _LEVELS[violation.impact],
        "message": {"text": shown(violation.sentence, limit=_LONGEST)},
        "locations": [_location(violation.evaluation, target, violation.line)],
        "partialFingerprints": {"design2a11y/v1": fingerprint},
        "properties": {"impact": violation.impact, **html},
        **({"occurrenceCount": violation.count} if node is None else {}),
        **({"suppressions": [_ACCEPTED]} if violation.is_accepted else {}),
    }


def _location(evaluation: Evaluation, target: str | None = None, line: int | None = None) -> dict[str, Any]:
    """Return the location of a page or its test, and of an element in it by its selector and line."""
    location: dict[str, Any] = {}
    if (place := place_of(evaluation)) is not None:
        # Consumers that require a line, such as GitHub, get the file's first if it is unknown.
        region = {"startLine": line or 1}
        uri = quote(place, safe=":/?#[]@!$&'()*+,;=%~" if "://" in place else "/~", errors="replace")
        uri = f"file://{uri}" if uri.startswith("/") else uri
        location["physicalLocation"] = {"artifactLocation": {"uri": uri}, "region": region}
    elements = [] if target is None else [{"fullyQualifiedName": target, "kind": "element"}]
    page = evaluation.candidate
    name = shown(page_name(page, evaluation.id), limit=_LONGEST)
    pages = [] if file_of(evaluation) == page else [{"fullyQualifiedName": name, "kind": "resource"}]
    if elements or pages:
        location["logicalLocations"] = elements + pages
    return location
