"""The scheme probe: check contrast again in the dark and forced colors that the page claims to support."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_design2a11y.models.audit import AuditChoice, Check, ProbeFinding
from pytest_design2a11y.models.geometry import grown

if TYPE_CHECKING:
    from pytest_design2a11y.capture.running.page import RunningPage

DARK = Check("scheme-dark", "1.4.3", "serious", "In dark colors text has enough contrast")
FORCED = Check("scheme-forced", "1.4.3", "serious", "In forced colors text has enough contrast")
CHECKS = (DARK, FORCED)

_SCRIPT = "probes/scheme.js"

#: The media feature with which each claim of a page's style sheets is tried.
_TRIED = {
    "dark": (DARK, {"name": "prefers-color-scheme", "value": "dark"}),
    "forced-colors": (FORCED, {"name": "forced-colors", "value": "active"}),
}

#: The only rule that runs, by its tag.
_CONTRAST = AuditChoice(tags=("wcag143",))


def probe_scheme(page: RunningPage) -> list[ProbeFinding]:
    """Check contrast in every scheme that the page claims to support, beyond what fails anyway."""
    claims = {claim for found in page.call_all(_SCRIPT, "schemes") for claim in found}
    if not claims:
        return []
    before = {node.target for rule in page.audit(_CONTRAST).rules for node in rule.violations}
    findings: list[ProbeFinding] = []
    for claim, (check, feature) in _TRIED.items():
        if claim not in claims:
            continue
        page.send("Emulation.setEmulatedMedia", {"features": [feature]})
        page.draw()
        for rule in page.audit(_CONTRAST).rules:
            findings += [ProbeFinding(check, "passed", None)] * rule.num_passes
            for node in (node for node in rule.violations if node.target not in before):
                why = (
                    f"{node.data.get('fgColor')} on {node.data.get('bgColor')} has "
                    f"{node.data.get('contrastRatio')}:1, needs {node.data.get('expectedContrastRatio')}."
                )
                picture = None
                if node.box is not None:
                    x, y, width, height = grown(node.box, 8)
                    area = (max(x, 0.0), max(y, 0.0), min(width, 800.0), min(height, 300.0))
                    picture = page.screenshot(area, is_beyond_window=True)
                findings.append(ProbeFinding(check, "failed", None, why, node.data, picture, node))
    page.send("Emulation.setEmulatedMedia", {"features": []})
    return findings
