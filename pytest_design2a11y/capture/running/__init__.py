"""Run probes on a page, and make a record of what they find."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser.channel import Deadline
from pytest_design2a11y.capture.browser.pages import PagePool
from pytest_design2a11y.capture.browser.processes import Watchdog
from pytest_design2a11y.capture.page import arrive, visiting
from pytest_design2a11y.capture.page.visit import VisitSettings
from pytest_design2a11y.capture.running.page import RunningPage
from pytest_design2a11y.exceptions import (
    CaptureError,
    Design2a11yError,
    MeasurementError,
    ProbeError,
    RenderTimeout,
    SourceError,
    Unstable,
)
from pytest_design2a11y.extending import Probe
from pytest_design2a11y.models.audit import (
    Audit,
    Check,
    CheckedNode,
    CheckOutcome,
    Place,
    ProbeFinding,
    ProbeResult,
    RuleOutcome,
)
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.wording import flag

#: Maximum number of listed findings per check; all are counted.
MAX_DETAILS = 100

_REPEATING = 4

_UNDERSTANDING = "https://www.w3.org/WAI/WCAG22/Understanding/"
#: The page about each success criterion.
_PAGES = {
    "1.1.1": "non-text-content",
    "1.4.3": "contrast-minimum",
    "1.4.4": "resize-text",
    "1.4.10": "reflow",
    "1.4.12": "text-spacing",
    "2.1.1": "keyboard",
    "2.1.2": "no-keyboard-trap",
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


def listed(findings: Iterable[ProbeFinding]) -> list[ProbeFinding]:
    """Return the findings to list: the first ones of every check."""
    counts: Counter[tuple[str, CheckOutcome]] = Counter()
    kept = []
    for finding in findings:
        key = (finding.check.name, finding.outcome)
        counts[key] += 1
        if finding.outcome != "passed" and counts[key] <= MAX_DETAILS:
            kept.append(finding)
    return kept


def probe_result(
    probe: str,
    checks: Sequence[Check],
    findings: Sequence[ProbeFinding],
    descriptions: Descriptions,
    *,
    version: str,
) -> ProbeResult:
    """Return the record of what a probe found."""
    pictures: dict[str, bytes] = {}
    rules = tuple(_outcome(check, findings, descriptions, pictures) for check in checks)
    failed = {finding.place for finding in findings if finding.outcome == "failed"}
    checked = {finding.place for finding in findings if finding.place is not None}
    audit = Audit(
        version=version,
        rules=tuple(rule for rule in rules if rule.num_passes or rule.num_violations or rule.num_incomplete),
        elements_checked=len(checked),
        elements_failed=len(failed),
        engine=probe,
    )
    observed = tuple(finding for finding in findings if finding.outcome == "passed" and finding.data)
    return ProbeResult(audit, pictures, observed)


def _outcome(
    check: Check, findings: Sequence[ProbeFinding], descriptions: Descriptions, pictures: dict[str, bytes]
) -> RuleOutcome:
    of_check = [finding for finding in findings if finding.check == check]
    counts = Counter(finding.outcome for finding in of_check)
    nodes = {
        outcome: tuple(
            _node(found, descriptions, pictures) for found in listed(of_check) if found.outcome == outcome
        )
        for outcome in ("failed", "unsure")
    }
    return RuleOutcome(
        rule=check.name,
        help=check.help,
        help_url=f"{_UNDERSTANDING}{_PAGES.get(check.criterion, '')}" if check.criterion else "",
        tags=(f"wcag{check.criterion.replace('.', '')}",) if check.criterion else (),
        impact=check.impact if counts["failed"] or counts["unsure"] else None,
        num_passes=counts["passed"],
        num_violations=counts["failed"],
        num_incomplete=counts["unsure"],
        violations_by_impact={check.impact: counts["failed"]} if counts["failed"] else {},
        violations=nodes["failed"],
        incomplete=nodes["unsure"],
    )


def _node(finding: ProbeFinding, descriptions: Descriptions, pictures: dict[str, bytes]) -> CheckedNode:
    place = finding.place
    described = {"target": "html", "html": "", "box": None} if place is None else descriptions[place]
    data = {**finding.data, "criterion": finding.check.criterion}
    if finding.picture is not None:
        name = hashlib.sha256(finding.picture).hexdigest()[:40] + ".webp"
        pictures[name] = finding.picture
        data["picture"] = name
    impact = finding.check.impact if finding.outcome == "failed" else None
    return CheckedNode(**described, impact=impact, summary=finding.evidence, data=data)


def with_probes(
    capture: Capture, probes: Sequence[Probe], run: Callable[[Sequence[Probe]], Mapping[str, ProbeResult]]
) -> Capture:
    """Add the probes' findings; one that does not finish leaves the others and the capture unaffected."""
    results: dict[str, ProbeResult] = {}
    errors: dict[str, Exception] = {}
    looking = [probe for probe in probes if probe.only_looks]
    # Those that only look share an opened page.
    sessions = [*([looking] if looking else []), *([probe] for probe in probes if not probe.only_looks)]
    while sessions:
        session = sessions.pop(0)
        try:
            results |= run(session)
        except (MeasurementError, CaptureError, SourceError) as error:
            if len(session) > 1:
                sessions = [[probe] for probe in session] + sessions
            else:
                errors[session[0].name] = error
    names = [probe.name for probe in probes]
    conditions = {**capture.conditions, "probes": names}
    in_order = {name: results[name] for name in names if name in results}
    return replace(capture, probes=in_order, probe_errors=errors, conditions=conditions)


def seconds_for(probes: Sequence[Probe], settings: VisitSettings) -> float:
    """Return the time limit of a session; a probe that opens the page again and again has more of it."""
    return settings.limits.timeout * (_REPEATING if any(probe.compares for probe in probes) else 1)


def run_probes(
    probes: Sequence[Probe],
    pages: PagePool,
    document: Document,
    settings: VisitSettings,
    watchdog: Watchdog,
    capture: Capture,
    design: Capture | None,
) -> dict[str, ProbeResult]:
    """Open a captured document in a context of its own and run one probe, or several that only look."""
    stage = f"probe {', '.join(probe.name for probe in probes)}"
    deadlines: list[Deadline] = []
    limit = seconds_for(probes, settings)
    whole = replace(
        settings,
        limits=replace(settings.limits, timeout=limit),
        load_share=settings.load_share * settings.limits.timeout / limit,
    )

    @contextmanager
    def opening() -> Iterator[RunningPage]:
        if deadlines and document.html is None:
            raise ProbeError(
                "Its controls are not clicked: the page is on a server, where a click may change something.",
                stage=stage,
                advice="Give its built folder, a file or HTML.",
            )
        # A page opened anew has its own time, within that of the first.
        for deadline in deadlines[:1]:
            deadline.check()
        chosen = settings if deadlines else whole
        with visiting(pages, document, chosen, watchdog) as (visit, blank):
            deadlines.append(visit.deadline)
            loaded, _router = arrive(visit, blank, document, chosen)
            visit.channel.send("Input.setIgnoreInputEvents", {"ignore": False})
            with visit.deadline.during(stage):
                yield RunningPage(visit, loaded, settings.viewport, capture, design, opening)

    try:
        with opening() as page:
            return {probe.name: _run(probe, page) for probe in probes}
    except RenderTimeout as error:
        raise ProbeError(
            f"The {stage} did not end within {limit:g} seconds.",
            stage=stage,
            advice=f"Allow more time with {flag('timeout')}, or leave this probe out.",
        ) from error


def _run(probe: Probe, page: RunningPage) -> ProbeResult:
    try:
        findings = probe.run(page)
        page.restore()
        described = page.describe(finding.place for finding in listed(findings) if finding.place is not None)
        ours = version("pytest-design2a11y")
        return probe_result(probe.name, probe.checks, findings, described, version=ours)
    except Unstable:
        # If the page leaves between two commands, the second one fails.
        page.require_same_page()
        raise
    except (Design2a11yError, PlaywrightError):
        raise
    except Exception as error:
        stage = f"probe {probe.name}"
        raise ProbeError(f"It failed: {type(error).__name__}: {error}", stage=stage) from error
