"""Scores besides matched text: elements, typography, figures, fidelity and differences."""

from __future__ import annotations

from dataclasses import replace

from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.measuring.caches import text_of
from pytest_design2a11y.measuring.unseen import lacking_unseen
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import Difference, VisualScore
from pytest_design2a11y.visual import (
    fidelity,
    figures_of,
    match_figures,
    match_pages,
    score_elements,
    score_typography,
)
from pytest_design2a11y.visual.differences import Compared, find_differences
from pytest_design2a11y.visual.regions import with_digests
from pytest_design2a11y.visual.veils import equally_veiled

#: Metrics of the whole page, by name.
WHOLE_PAGE = ("elements", "typography", "figures", "fidelity", "blocking")


def with_whole_page(
    score: VisualScore, reference: Capture, candidate: Capture, time_limit: TimeLimit
) -> VisualScore:
    """Add the metrics of whole pages and the differences to a score; to published figures, only these."""
    reference, candidate = equally_veiled(reference, candidate)
    runs = _seen_runs(reference, time_limit), _seen_runs(candidate, time_limit)
    match = match_pages(reference, candidate, runs, time_limit=time_limit)
    if score.published is not None:
        differences = _differences(Compared(match, score))
        why = dict.fromkeys(("elements", "typography"), "published figures do not have it")
        return replace(score, differences=differences, unmeasured=_with_fidelity(why, reference))
    elements, typography = score_elements(match), score_typography(match)
    numbers = figures_of(runs[0], time_limit), figures_of(runs[1], time_limit)
    figures = match_figures(*numbers, (reference.page_size, candidate.page_size), time_limit=time_limit)
    added = replace(
        score, elements=elements, typography=typography, figures=None if figures is None else figures.value
    )
    differences = _differences(Compared(match, added))
    joined = fidelity(
        visual=added.score, elements=added.elements, typography=added.typography, differences=differences
    )
    added = replace(added, fidelity=joined, differences=differences)
    if joined is not None and (unseen := lacking_unseen(reference, candidate)):
        return replace(added, fidelity=None, unmeasured={"fidelity": unseen})
    if joined is not None:
        return replace(added, blocking=len(added.blockers))
    why = {}
    if elements is None:
        why["elements"] = _why_unknown(reference, candidate, "what it shows besides text")
    if typography is None:
        why["typography"] = _why_unknown(reference, candidate, "the font of its text")
    return replace(added, unmeasured=_with_fidelity(why, reference))


def _differences(compared: Compared) -> tuple[Difference, ...]:
    return with_digests(find_differences(compared), compared.reference, compared.candidate)


def _seen_runs(page: Capture, time_limit: TimeLimit) -> list[TextRun]:
    """Return the runs of text that have ink, in document order."""
    seen = frozenset(text_of(page, time_limit)[1])
    return [run for run in page.text_runs if run in seen]


def _why_unknown(reference: Capture, candidate: Capture, what: str) -> str:
    for page, name in ((reference, "the design"), (candidate, "the generated page")):
        if page.is_picture:
            return f"{name} is a picture, of which {what} is not known"
    return f"{what} was not captured"


def _with_fidelity(why: dict[str, str], reference: Capture) -> dict[str, str]:
    needs = f"it needs {' and '.join(why)}, and so does blocking"
    if reference.is_picture:
        needs += ". The design is a picture: gate on visual (--min-visual-similarity)"
    return {**why, "fidelity": needs}
