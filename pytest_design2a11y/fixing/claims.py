"""What of a page corresponds to what of its design: the one place where edits read that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.visual import match_elements
from pytest_design2a11y.visual.differences import Compared
from pytest_design2a11y.visual.differences.units import Unit


@dataclass(frozen=True)
class Claims:
    """Two pages, thing by thing; None on the side that lacks it."""

    reference: Capture
    candidate: Capture
    elements: Sequence[tuple[Element | None, Element | None]]
    texts: Sequence[tuple[Unit | None, Unit | None]]


def claims_of(reference: Capture, candidate: Capture, score: VisualScore, time_limit: TimeLimit) -> Claims:
    """Return what corresponds to what on two captured pages that were scored."""
    matching = match_elements(reference, candidate, time_limit=time_limit)
    compared = Compared(reference, candidate, score, matching, None)
    texts = compared.texts
    return Claims(
        reference,
        candidate,
        [(thing.reference, thing.candidate) for thing in compared.things],
        [
            *texts.pairs,
            *((unit, None) for unit in texts.missing),
            *((None, unit) for unit in texts.extra),
        ],
    )
