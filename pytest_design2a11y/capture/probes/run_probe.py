"""Probes on one page: a context of their own, their own time, and a named end whatever the page does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version

from pytest_design2a11y.capture.browser.pages import Pages
from pytest_design2a11y.capture.browser.watchdog import Watchdog
from pytest_design2a11y.capture.page.open_document import arrive, visiting
from pytest_design2a11y.capture.page.visit import VisitSettings
from pytest_design2a11y.capture.probes import hover, keyboard, motion, names, scheme, targets, text_loss
from pytest_design2a11y.capture.probes.finding import Check, Descriptions, Finding, probe_result, told
from pytest_design2a11y.capture.probes.running_page import RunningPage
from pytest_design2a11y.exceptions import ProbeTimeout, RenderTimeout, Unstable
from pytest_design2a11y.models.choices import LOOKING_PROBES
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.probes import ProbeResult

Probe = tuple[Sequence[Check], Callable[[RunningPage], list[Finding]]]
"""All that is asked of a page, and what acts on it and tells what it found."""

_PROBES: Mapping[str, Probe] = {
    "keyboard": (keyboard.CHECKS, keyboard.probe_keyboard),
    "hover": (hover.CHECKS, hover.probe_hover),
    "names": (names.CHECKS, names.probe_names),
    "motion": (motion.CHECKS, motion.probe_motion),
    "scheme": (scheme.CHECKS, scheme.probe_scheme),
    "reflow": (text_loss.REFLOW_CHECKS, text_loss.probe_reflow),
    "zoom": (text_loss.ZOOM_CHECKS, text_loss.probe_zoom),
    "targets": (targets.CHECKS, targets.probe_targets),
    "spacing": (text_loss.SPACING_CHECKS, text_loss.probe_spacing),
}


def sessions_of(names: Sequence[str]) -> list[list[str]]:
    """Return which probes are run on one opened page: those that only look together, each other by itself."""
    together = [name for name in names if name in LOOKING_PROBES]
    return [*([together] if together else []), *([name] for name in names if name not in together)]


def run_probes(
    names: Sequence[str], pages: Pages, document: Document, settings: VisitSettings, watchdog: Watchdog
) -> dict[str, ProbeResult]:
    """Open a document in a context of its own and run one probe on it, or several that only look."""
    stage = f"probe {', '.join(names)}"
    try:
        with visiting(pages, document, settings, watchdog) as (visit, blank):
            loaded, _router = arrive(visit, blank, document, settings)
            visit.channel.send("Input.setIgnoreInputEvents", {"ignore": False})
            with visit.deadline.during(stage):
                page = RunningPage(visit, loaded, settings.viewport)
                found = {name: _run(_PROBES[name][1], page) for name in names}
    except RenderTimeout as error:
        raise ProbeTimeout(
            f"The {stage} did not end within {settings.timeout:g} seconds.",
            stage=stage,
            advice="Allow more time with --design2a11y-timeout, or leave this probe out.",
        ) from error
    return {
        name: probe_result(name, _PROBES[name][0], *told, version=version("pytest-design2a11y"))
        for name, told in found.items()
    }


def _run(
    probe: Callable[[RunningPage], list[Finding]], page: RunningPage
) -> tuple[list[Finding], Descriptions]:
    try:
        findings = probe(page)
        page.restore()
        return findings, page.describe(one.place for one in told(findings) if one.place is not None)
    except Unstable:
        # A page that leaves between two commands makes the second one fail.
        page.require_same_page()
        raise
