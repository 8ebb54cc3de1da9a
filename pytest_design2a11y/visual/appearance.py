"""Component `appearance`, backend `embedded`: how alike two pages look apart from their text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Screenshot
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.visual.looks import differences, look_at

Term = tuple[str, float, float]
"""(name of a difference, where it stops counting, what it takes off there)."""


def embedded_appearance(
    *,
    reference: Screenshot,
    candidate: Screenshot,
    reference_boxes: Sequence[Box],
    candidate_boxes: Sequence[Box],
    time_limit: TimeLimit | None = None,
) -> float:
    """Compare two pages without their text by edges, rhythm, colours and background.

    A sum of capped differences, none of which can raise the result, fitted to published similarities of a
    neural image model (`studies/fit_appearance.py`, `docs/appearance.md`). The order of the pages does
    not matter, and a page against itself gives exactly 1. It is not that model's figure and must not be
    compared with one. Boxes are of text, as page fractions.

    Returns:
        0..1; unrelated pages come to about 0.7, generated pages mostly to 0.85 to 0.95.

    Raises:
        MeasurementTimeout: The time is over.
    """
    # Most of it runs outside the interpreter's lock: both pages take hardly longer than one.
    with ThreadPoolExecutor(2) as pool:
        looks = pool.map(
            look_at,
            (reference.pixels, candidate.pixels),
            (reference_boxes, candidate_boxes),
            (time_limit, time_limit),
        )
        return similarity(differences(*looks), fitted_terms())


def similarity(found: Mapping[str, float], terms: Sequence[Term]) -> float:
    """Return 1 less what the differences take off, not below 0."""
    return max(0.0, 1.0 - sum(weight * min(found[name] / cap, 1.0) for name, cap, weight in terms))


@cache
def fitted_terms() -> tuple[Term, ...]:
    """Return the fitted terms that come with the package."""
    fitted = json.loads(files("pytest_design2a11y.visual").joinpath("appearance.json").read_text("utf-8"))
    return tuple((str(name), float(cap), float(weight)) for name, cap, weight in fitted["terms"])
