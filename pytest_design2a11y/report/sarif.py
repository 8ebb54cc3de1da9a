"""What fails on a page, element by element, as every format of findings is made of it; SARIF."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.escaping import link, shown
from pytest_design2a11y.models.audit import Accepted, CheckedNode, RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.option import Impact
from pytest_design2a11y.models.run import Run, file_of, page_name
from pytest_design2a11y.report.rules import failing_rules, line_of, reason_and_fix
from pytest_design2a11y.wording import counted


@dataclass(frozen=True, slots=True)
class Violation:
    """An element that fails a rule; without a node, all elements of the rule that were only counted."""

    evaluation: Evaluation
    rule: RuleOutcome
    node: CheckedNode | None
    count: int
    is_accepted: bool  # Whether all elements of the rule on that page are accepted

    @property
    def impact(self) -> Impact | None:
        """How bad it is."""
        return (self.node and self.node.impact) or self.rule.impact

    @property
    def line(self) -> int | None:
        """The line of the page's file where the element begins; None if that is not known."""
        return line_of(self.evaluation.candidate, self.node) if self.node else None

    @property
    def sentence(self) -> str:
        """What fails, where, why, and what to do."""
        page = page_name(self.evaluation.candidate, self.evaluation.id)
        where = "" if file_of(self.evaluation) == self.evaluation.candidate else f" on {page}"
        title = self.rule.help or self.rule.rule
        if self.node is None:
            noun = "more element" if self.rule.violations else "element"
            return f"{title}: {counted(self.count, noun)}{where}"
        return f"{title}: {self.node.target}{where}. {reason_and_fix(self.rule, self.node)}".strip()

    @property
    def fingerprint(self) -> str:
        """The same in every run for the same element of the same page."""
        page = page_name(self.evaluation.candidate, self.evaluation.id)
        return digest(page, self.rule.rule, self.node.target if self.node else "")


def violations(run: Run, accepted: Accepted) -> Iterator[Violation]:
    """Yield what fails on the pages of a run, page by page, the worst rules of an engine first."""
    for evaluation in run.evaluations:
        counts = accepted.get(evaluation.id, {})
        audits = deduplicate(evaluation.audits, evaluation.engines).values()
        for audit in (*audits, *evaluation.probe_findings.values()):
            for rule in failing_rules(audit):
                is_accepted = counts.get(rule.rule, 0) >= rule.num_violations
                for node in rule.violations:
                    yield Violation(evaluation, rule, node, 1, is_accepted)
                if (rest := rule.num_violations - len(rule.violations)) > 0:
                    yield Violation(evaluation, rule, None, rest, is_accepted)


def digest(*parts: str) -> str:
    """Return a short name for texts, the same on every machine."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def place_of(evaluation: Evaluation) -> str | None:
    """Return the file or address where a page is, or that of its test; None if it has neither."""
    page = file_of(evaluation) or evaluation.candidate
    if not page or page.startswith("<"):
        return None
    if page.startswith(".."):  # Relative to a folder that a reader of the findings does not know.
        return str(Path(page).resolve())
    return page if "://" in page else page.replace("\\", "/")


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
