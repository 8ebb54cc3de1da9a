"""What a probe says of an element, and the record that its findings become."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_design2a11y.models.audit import Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.probes import Check, Place, ProbeFinding, ProbeResult, Status

#: Findings of a check that are told one by one; all are counted.
MAX_DETAILS = 100

_UNDERSTANDING = "https://www.w3.org/WAI/WCAG22/Understanding/"
#: The page on each success criterion there.
_PAGES = {
    "1.1.1": "non-text-content",
    "1.4.3": "contrast-minimum",
    "1.4.4": "resize-text",
    "1.4.10": "reflow",
    "1.4.12": "text-spacing",
    "1.4.13": "content-on-hover-or-focus",
    "2.1.1": "keyboard",
    "2.1.2": "no-keyboard-trap",
    "2.2.2": "pause-stop-hide",
    "2.3.3": "animation-from-interactions",
    "2.4.3": "focus-order",
    "2.4.4": "link-purpose-in-context",
    "2.4.7": "focus-visible",
    "2.4.11": "focus-not-obscured-minimum",
    "2.5.3": "label-in-name",
    "2.5.8": "target-size-minimum",
    "3.2.1": "on-focus",
}


Descriptions = Mapping[Place, Mapping[str, Any]]
"""Selector, start of its HTML and box in the page, px, of elements."""


def told(findings: Iterable[ProbeFinding]) -> list[ProbeFinding]:
    """Return the findings that are told one by one, of every check the first ones."""
    counts: dict[tuple[str, Status], int] = {}
    kept = []
    for one in findings:
        key = (one.check.name, one.outcome)
        counts[key] = counts.get(key, 0) + 1
        if one.outcome != "passed" and counts[key] <= MAX_DETAILS:
            kept.append(one)
    return kept


def probe_result(
    probe: str,
    checks: Sequence[Check],
    findings: Sequence[ProbeFinding],
    descriptions: Descriptions,
    *,
    version: str,
) -> ProbeResult:
    """Make the record of what a probe found."""
    pictures: dict[str, bytes] = {}
    rules = tuple(_outcome(check, findings, descriptions, pictures) for check in checks)
    failed = {one.place for one in findings if one.outcome == "failed"}
    checked = {one.place for one in findings if one.place is not None}
    audit = Audit(
        version=version,
        rules=tuple(rule for rule in rules if rule.num_passes or rule.num_violations or rule.num_incomplete),
        elements_checked=len(checked),
        elements_failed=len(failed),
        engine=probe,
    )
    return ProbeResult(audit, pictures)


def _outcome(
    check: Check, findings: Sequence[ProbeFinding], descriptions: Descriptions, pictures: dict[str, bytes]
) -> RuleOutcome:
    own = [one for one in findings if one.check == check]
    nodes = {
        outcome: tuple(_node(one, descriptions, pictures) for one in told(own) if one.outcome == outcome)
        for outcome in ("failed", "unsure")
    }
    counts = {
        outcome: sum(one.outcome == outcome for one in own) for outcome in ("passed", "failed", "unsure")
    }
    return RuleOutcome(
        rule=check.name,
        help=check.help,
        help_url=f"{_UNDERSTANDING}{_PAGES.get(check.criterion, '')}",
        tags=(f"wcag{check.criterion.replace('.', '')}",),
        impact=check.impact if counts["failed"] or counts["unsure"] else None,
        num_passes=counts["passed"],
        num_violations=counts["failed"],
        num_incomplete=counts["unsure"],
        violations_by_impact={check.impact: counts["failed"]} if counts["failed"] else {},
        violations=nodes["failed"],
        incomplete=nodes["unsure"],
    )


def _node(finding: ProbeFinding, descriptions: Descriptions, pictures: dict[str, bytes]) -> CheckedNode:
    node = finding.node
    if node is None:
        place = finding.place
        described = {"target": "html", "html": "", "box": None} if place is None else descriptions[place]
        node = CheckedNode(**described, impact=None, summary="")
    data = {**finding.data, "criterion": finding.check.criterion}
    if finding.picture is not None:
        name = hashlib.sha256(finding.picture).hexdigest()[:40] + ".webp"
        pictures[name] = finding.picture
        data["picture"] = name
    impact = finding.check.impact if finding.outcome == "failed" else None
    return replace(node, impact=impact, summary=finding.evidence, data=data)
