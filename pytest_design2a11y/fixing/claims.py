"""What of a page corresponds to what of its design: the one place where edits read that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.visual.match import Thing, match_pages
from pytest_design2a11y.visual.scene.units import Unit


@dataclass(frozen=True)
class Claims:
    """Two pages, thing by thing; None on the side that lacks it."""

    reference: Capture
    candidate: Capture
    elements: Sequence[Thing]
    texts: Sequence[tuple[Unit | None, Unit | None]]


def claims_of(reference: Capture, candidate: Capture, time_limit: TimeLimit) -> Claims:
    """Return what corresponds to what on two captured pages."""
    match = match_pages(reference, candidate, time_limit=time_limit)
    missing, extra = match.texts.missing, match.texts.extra
    texts = [*match.texts.pairs, *((unit, None) for unit in missing), *((None, unit) for unit in extra)]
    return Claims(reference, candidate, match.things, texts)
