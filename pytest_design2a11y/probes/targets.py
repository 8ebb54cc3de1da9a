"""The targets probe: check whether click targets are large enough, or have enough space around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_design2a11y.models.audit import Check, Place, ProbeFinding
from pytest_design2a11y.probes.keyboard import controls_of

if TYPE_CHECKING:
    from pytest_design2a11y.capture.running.page import RunningPage

SIZE = Check(
    "targets-size", "2.5.8", "serious", "What is clicked measures 24 by 24 px, or has as much room for itself"
)
CHECKS = (SIZE,)

_SCRIPT = "probes/targets.js"


def probe_targets(page: RunningPage) -> list[ProbeFinding]:
    """Measure links, buttons, fields and everything else that takes clicks.

    References:
        W3C, "Understanding SC 2.5.8: Target Size (Minimum)": its exceptions for spacing, links in sentences,
        controls of the browser's own size and another control for the same; that a size is essential, as on
        a map, cannot be decided, so SVG content is unsure.
    """
    findings: list[ProbeFinding] = []
    for index in range(len(page.worlds)):
        clicked = [place.number for place, _name, kind in controls_of(page, index) if kind == "control"]
        findings += (
            ProbeFinding(SIZE, outcome, Place(index, number), why)
            for number, outcome, why in page.call(_SCRIPT, "found", clicked, world=index)
        )
    return findings
