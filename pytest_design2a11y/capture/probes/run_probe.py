"""Probes on one page: a context of their own, their own time, and a named end whatever the page does."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser.pages import Pages
from pytest_design2a11y.capture.browser.watchdog import Watchdog
from pytest_design2a11y.capture.page.open_document import arrive, visiting
from pytest_design2a11y.capture.page.visit import VisitSettings
from pytest_design2a11y.capture.probes.finding import probe_result, told
from pytest_design2a11y.capture.probes.running_page import RunningPage
from pytest_design2a11y.exceptions import Design2a11yError, ProbeError, ProbeTimeout, RenderTimeout, Unstable
from pytest_design2a11y.extending import Probe
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.probes import ProbeResult


def sessions_of(probes: Sequence[Probe]) -> list[list[Probe]]:
    """Return which are run on one opened page: those that only look together, each other by itself."""
    together = [one for one in probes if one.only_looks]
    return [*([together] if together else []), *([one] for one in probes if not one.only_looks)]


def run_probes(
    probes: Sequence[Probe], pages: Pages, document: Document, settings: VisitSettings, watchdog: Watchdog
) -> dict[str, ProbeResult]:
    """Open a document in a context of its own and run one probe on it, or several that only look."""
    stage = f"probe {', '.join(one.name for one in probes)}"
    try:
        with visiting(pages, document, settings, watchdog) as (visit, blank):
            loaded, _router = arrive(visit, blank, document, settings)
            visit.channel.send("Input.setIgnoreInputEvents", {"ignore": False})
            with visit.deadline.during(stage):
                page = RunningPage(visit, loaded, settings.viewport)
                return {one.name: _run(one, page) for one in probes}
    except RenderTimeout as error:
        raise ProbeTimeout(
            f"The {stage} did not end within {settings.timeout:g} seconds.",
            stage=stage,
            advice="Allow more time with --design2a11y-timeout, or leave this probe out.",
        ) from error


def _run(probe: Probe, page: RunningPage) -> ProbeResult:
    try:
        findings = probe.run(page)
        page.restore()
        described = page.describe(one.place for one in told(findings) if one.place is not None)
        ours = version("pytest-design2a11y")
        return probe_result(probe.name, probe.checks, findings, described, version=ours)
    except Unstable:
        # A page that leaves between two commands makes the second one fail.
        page.require_same_page()
        raise
    except (Design2a11yError, PlaywrightError):
        raise
    except Exception as error:
        stage = f"probe {probe.name}"
        raise ProbeError(f"It failed: {type(error).__name__}: {error}", stage=stage) from error
