"""Accessibility violations as GitLab's Code Quality report, shown in merge requests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
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
#: A page that could not be measured is worse than any finding: nobody knows what it has.
_UNMEASURED = "blocker"
#: Where HTML text was handed over.
_NO_FILE = "HTML text"


def code_quality(run: Run, accepted: Accepted) -> list[dict[str, Any]]:
    """Return what `sarif` gives in the form that GitLab reads, without what is accepted.

    References:
        GitLab, "Code Quality report format".
    """
    (log,) = sarif(run, accepted)["runs"]
    return [*_issues(log["results"]), *_unmeasured(log["invocations"][0])]


def _issues(results: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for result in results:
        if "suppressions" not in result:
            (fingerprint,) = result["partialFingerprints"].values()
            yield {
                "description": result["message"]["text"],
                "check_name": result["ruleId"],
                "fingerprint": fingerprint,
                "severity": _SEVERITIES[result["properties"]["impact"]],
                "location": _location(result),
            }


def _unmeasured(invocation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for notification in invocation.get("toolExecutionNotifications", []):
        text, location = notification["message"]["text"], _location(notification)
        yield {
            "description": text,
            "check_name": "not-measured",
            "fingerprint": hashlib.sha256(f"{location['path']}\0{text}".encode()).hexdigest()[:32],
            "severity": _UNMEASURED,
            "location": location,
        }


def _location(result: dict[str, Any]) -> dict[str, Any]:
    """Name the page, as a path where it is one, and the line, which GitLab wants."""
    physical = result["locations"][0].get("physicalLocation")
    if physical is None:
        return {"path": _NO_FILE, "lines": {"begin": 1}}
    path = unquote(physical["artifactLocation"]["uri"]).removeprefix("file://")
    return {"path": path, "lines": {"begin": physical["region"]["startLine"]}}
