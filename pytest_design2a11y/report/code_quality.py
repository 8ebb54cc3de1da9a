"""Accessibility violations as GitLab's Code Quality report, shown in merge requests."""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import unquote

from pytest_design2a11y.models.audit import Accepted
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.report.sarif import sarif

_SEVERITIES = {
    "critical": "critical",
    "serious": "major",
    "moderate": "minor",
    "minor": "info",
    None: "minor",
}
#: A page that could not be measured is worse than any finding, since its findings are unknown.
_UNMEASURED = "blocker"
#: Where HTML text was handed over.
_NO_FILE = "HTML text"


def code_quality(run: Run, accepted: Accepted) -> list[dict[str, Any]]:
    """Return what `sarif` gives in the form that GitLab reads, without what is accepted.

    References:
        GitLab, "Code Quality report format".
    """
    (log,) = sarif(run, accepted)["runs"]
    issues = [
        {
            "description": result["message"]["text"],
            "check_name": result["ruleId"],
            "fingerprint": next(iter(result["partialFingerprints"].values())),
            "severity": _SEVERITIES[result["properties"]["impact"]],
            "location": _location(result),
        }
        for result in log["results"]
        if "suppressions" not in result
    ]
    for notification in log["invocations"][0].get("toolExecutionNotifications", []):
        text, location = notification["message"]["text"], _location(notification)
        issues.append(
            {
                "description": text,
                "check_name": "not-measured",
                "fingerprint": hashlib.sha256(f"{location['path']}\0{text}".encode()).hexdigest()[:32],
                "severity": _UNMEASURED,
                "location": location,
            }
        )
    return issues


def _location(result: dict[str, Any]) -> dict[str, Any]:
    """Name the page, as a path where it is one, and the line, which GitLab wants."""
    physical = result["locations"][0].get("physicalLocation")
    if physical is None:
        return {"path": _NO_FILE, "lines": {"begin": 1}}
    path = unquote(physical["artifactLocation"]["uri"]).removeprefix("file://")
    return {"path": path, "lines": {"begin": physical["region"]["startLine"]}}
