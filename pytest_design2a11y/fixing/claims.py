"""What of a page corresponds to what of its design: the one place where edits read that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.visual.match import Thing, match_pages
from pytest_design2a11y.visual.match.texts import UnitMatching
from pytest_design2a11y.visual.scene.units import Unit

#: Share of a text's letters that something shows which is the same text.
_LEAST_SHOWN = 0.7


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
    extra = match.texts.extra
    pairs = [*match.texts.pairs, *_shown_in_part(match.texts)]
    paired = {run for unit, _ in pairs for run in unit.runs}
    missing = (unit for unit in match.texts.missing if not paired.intersection(unit.runs))
    texts = [*pairs, *((unit, None) for unit in missing), *((None, unit) for unit in extra)]
    return Claims(reference, candidate, match.things, texts)


def _shown_in_part(texts: UnitMatching) -> Iterator[tuple[Unit, Unit]]:
    """Yield texts that the page lacks with what it shows of them, which alone is neither less nor more."""
    known = {run for unit in (*(made for _, made in texts.pairs), *texts.extra) for run in unit.runs}
    left = [unit for unit in texts.units[1] if not known.intersection(unit.runs)]
    for unit in texts.missing:
        shown = next((other for other in left if other.reads_as(unit, _LEAST_SHOWN)), None)
        if shown is not None:
            left.remove(shown)
            yield unit, shown
