"""What is scored besides matched text: elements, typography, fidelity, and what of the text is delivered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pytest_design2a11y.accessibility.delivered import Delivered, delivered
from pytest_design2a11y.measuring.caches import text_of
from pytest_design2a11y.models.page import Capture, CaptureWarning
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.visual import fidelity, match_elements, match_paragraphs, paragraphs_of
from pytest_design2a11y.visual.differences import Compared, find_differences

#: Below this share of the text's area, what matched says little of the page.
LITTLE_MATCHED = 0.3
UNMEASURED = "delivered_unmeasured"


def with_whole_page(
    score: VisualScore, reference: Capture, candidate: Capture, time_limit: TimeLimit
) -> VisualScore:
    """Add elements, typography, fidelity and differences to a score; what is not known stays None.

    Published figures know nothing of the first three: they get their differences alone.
    """
    if score.published is not None:
        found = find_differences(Compared(reference, candidate, score, None, None))
        return replace(score, differences=found)
    elements = match_elements(reference, candidate, time_limit=time_limit)
    written = [
        paragraphs_of(text_of(side, time_limit)[1], side.screenshot) for side in (reference, candidate)
    ]
    typography = None
    if written[0] is not None and written[1] is not None:
        sizes = reference.page_size, candidate.page_size
        typography = match_paragraphs(written[0], written[1], sizes, time_limit=time_limit)
    added = replace(
        score,
        elements=None if elements is None else elements.value,
        typography=None if typography is None else typography.value,
    )
    joined = fidelity(visual=added.score, elements=added.elements, typography=added.typography)
    added = replace(added, fidelity=joined)
    compared = Compared(reference, candidate, added, elements, typography)
    return replace(added, differences=find_differences(compared))


def whole_page_warnings(
    reference: Capture | None, candidate: Capture, score: VisualScore | None
) -> Iterator[CaptureWarning]:
    """Say why a metric of the whole page was not measured, and where the others describe little of it."""
    if reference is None or score is None:
        return
    unmeasured = [metric for metric in ("elements", "typography") if getattr(score, metric) is None]
    told = {warning.code for side in (reference, candidate) for warning in side.warnings}
    for metric in unmeasured:
        if f"{metric}_unmeasured" not in told:
            reason = _why_not(metric, reference, candidate, score)
            yield CaptureWarning(f"{metric}_unmeasured", f"{metric} was not measured: {reason}.")
    if score.fidelity is None:
        names = " and ".join(unmeasured)
        yield CaptureWarning("fidelity_unmeasured", f"fidelity was not measured: it needs {names}.")
    if score.block_match < LITTLE_MATCHED:
        message = f"text, position and color describe only what matched: {score.block_match:.0%} of the text."
        yield CaptureWarning("little_matched", message)


#: What a metric is measured of.
_WHAT = {"elements": "what it shows besides text", "typography": "the fonts of its text"}


def _why_not(metric: str, reference: Capture, candidate: Capture, score: VisualScore) -> str:
    if score.published is not None:
        return "published figures do not have it"
    for side, name in ((reference, "the design"), (candidate, "the generated page")):
        if why := side.lacks.get(metric):
            return f"{name} {why}"
    return f"{_WHAT[metric]} was not captured"


def measure_delivered(
    candidate: Capture, reference: Capture | None, visual: VisualScore | None
) -> tuple[Delivered | None, tuple[CaptureWarning, ...]]:
    """Join the matches of two pages with the failures on the candidate."""
    why = _why_undelivered(candidate, reference, visual)
    audit = candidate.audit
    if why or visual is None or audit is None or audit.failures is None:
        return None, (CaptureWarning(UNMEASURED, f"delivered was not measured: {why}."),)
    found = delivered(visual.matches, visual.missing, text_runs=candidate.text_runs, failures=audit.failures)
    return found, ()


def _why_undelivered(candidate: Capture, reference: Capture | None, visual: VisualScore | None) -> str:
    if reference is None:
        return "there is no design whose text it could be"
    if why := candidate.lacks.get("accessibility"):
        return f"the generated page {why}"
    if not candidate.audit or not candidate.audit.checked:
        return "the accessibility check failed" if candidate.is_audited else "the page was not audited"
    if visual is None:
        return "the design shows no text" if not reference.text_runs else "the pages could not be compared"
    if visual.published is not None:
        return "published figures do not have it"
    return "which text its failures are about is not known" if candidate.audit.failures is None else ""
