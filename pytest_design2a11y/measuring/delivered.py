"""The share of the design's text that reaches everyone, of two captures, or why it is not known."""

from __future__ import annotations

from pytest_design2a11y.accessibility.delivered import Delivered, delivered
from pytest_design2a11y.measuring.pictures import is_picture
from pytest_design2a11y.models.page import Capture, CaptureWarning
from pytest_design2a11y.models.visual import VisualScore

UNMEASURED = "delivered_unmeasured"


def measure_delivered(
    candidate: Capture, reference: Capture | None, visual: VisualScore | None
) -> tuple[Delivered | None, tuple[CaptureWarning, ...]]:
    """Join the matches of two pages with the failures on the candidate."""
    why = _why_not(candidate, reference, visual)
    audit = candidate.audit
    if why or visual is None or audit is None or audit.failures is None:
        return None, (CaptureWarning(UNMEASURED, f"delivered was not measured: {why}."),)
    found = delivered(visual.matches, visual.missing, text_runs=candidate.text_runs, failures=audit.failures)
    return found, ()


def _why_not(candidate: Capture, reference: Capture | None, visual: VisualScore | None) -> str:
    if reference is None:
        return "there is no design whose text it could be"
    if is_picture(candidate):
        return "a picture has no accessibility"
    if not candidate.audit or not candidate.audit.checked:
        return "the accessibility check failed" if candidate.is_audited else "the page was not audited"
    if visual is None:
        return "the design shows no text" if not reference.text_runs else "the pages could not be compared"
    if visual.published is not None:
        return "published figures do not have it"
    return "which text its failures are about is not known" if candidate.audit.failures is None else ""
