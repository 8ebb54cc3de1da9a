"""The targets probe: check whether click targets are large enough, or have enough space around them."""

from __future__ import annotations

from pytest_design2a11y.capture.probes.running_page import RunningPage, listeners
from pytest_design2a11y.models.probes import Check, Place, ProbeFinding

SIZE = Check(
    "targets-size", "2.5.8", "serious", "What is clicked measures 24 by 24 px, or has as much room for itself"
)
CHECKS = (SIZE,)


def probe_targets(page: RunningPage) -> list[ProbeFinding]:
    """Measure links, buttons, fields and everything else that takes clicks.

    References:
        W3C, "Understanding SC 2.5.8: Target Size (Minimum)": its exceptions for spacing, links in sentences,
        controls of the browser's own size and another control for the same; that a size is essential, as on
        a map, cannot be decided, so SVG content is unsure.
    """
    findings: list[ProbeFinding] = []
    for index, world in enumerate(page.worlds):
        controls = page.call("keyboard.controls", list(listeners(page, world)), world=index)
        clicked = [number for number, _name, kind in controls if kind == "control"]
        findings += (
            ProbeFinding(SIZE, outcome, Place(index, number), why)
            for number, outcome, why in page.call("targets.found", clicked, world=index)
        )
    return findings
