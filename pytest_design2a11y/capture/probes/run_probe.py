"""One probe on one page: a context of its own, its own time, and a named end whatever the page does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from pytest_design2a11y.capture.browser.pages import Pages
from pytest_design2a11y.capture.browser.watchdog import Watchdog
from pytest_design2a11y.capture.page.open_document import open_running
from pytest_design2a11y.capture.page.visit import VisitSettings
from pytest_design2a11y.capture.probes import hover, keyboard, motion, names, scheme, targets, text_loss
from pytest_design2a11y.capture.probes.finding import Check, Descriptions, Finding, probe_result, told
from pytest_design2a11y.capture.probes.running_page import RunningPage
from pytest_design2a11y.exceptions import ProbeTimeout, RenderTimeout, Unstable
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.probes import ProbeResult


@dataclass(frozen=True)
class Probe:
    """What is asked of a page, and how.

    Attributes:
        checks: All that it asks.
        run: Acts on an open page and tells what it found.
    """

    checks: Sequence[Check]
    run: Callable[[RunningPage], list[Finding]]


_PROBES: Mapping[str, Probe] = {
    "keyboard": Probe(keyboard.CHECKS, keyboard.probe_keyboard),
    "hover": Probe(hover.CHECKS, hover.probe_hover),
    "names": Probe(names.CHECKS, names.probe_names),
    "motion": Probe(motion.CHECKS, motion.probe_motion),
    "scheme": Probe(scheme.CHECKS, scheme.probe_scheme),
    "reflow": Probe(text_loss.REFLOW_CHECKS, text_loss.probe_reflow),
    "zoom": Probe(text_loss.ZOOM_CHECKS, text_loss.probe_zoom),
    "targets": Probe(targets.CHECKS, targets.probe_targets),
    "spacing": Probe(text_loss.SPACING_CHECKS, text_loss.probe_spacing),
}


def run_probe(
    name: str, pages: Pages, document: Document, settings: VisitSettings, watchdog: Watchdog
) -> ProbeResult:
    """Open a document in a context of its own and run a probe on it.

    Args:
        name: One of `PROBES`.
        pages: Opens it.
        document: To be opened, isolated from the network as for a capture.
        settings: As for a capture; the probe has all of a page's time for itself.
        watchdog: Watches the browser.

    Raises:
        ProbeTimeout: It did not end within its time.
        MeasurementError, CaptureError: The page does not let itself be tried.
    """
    probe = _PROBES[name]
    try:
        with (
            open_running(pages, document, settings, watchdog) as (visit, settling),
            visit.deadline.during(f"probe {name}"),
        ):
            page = RunningPage(visit, settling, settings.viewport)
            findings, descriptions = _run(probe, page)
    except RenderTimeout as error:
        raise ProbeTimeout(
            f"The probe {name} did not end within {settings.timeout:g} seconds.",
            stage=f"probe {name}",
            advice="Allow more time with --design2a11y-timeout, or leave this probe out.",
        ) from error
    return probe_result(name, probe.checks, findings, descriptions, version=version("pytest-design2a11y"))


def _run(probe: Probe, page: RunningPage) -> tuple[list[Finding], Descriptions]:
    try:
        findings = probe.run(page)
        page.restore()
        return findings, page.describe(one.place for one in told(findings) if one.place is not None)
    except Unstable:
        # A page that leaves between two commands makes the second one fail.
        page.require_same_page()
        raise
