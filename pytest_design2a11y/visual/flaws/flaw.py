"""A flaw: one thing that is wrong, with its grade; and what all flaws of a page cost together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal

from pytest_design2a11y.models.geometry import Box

FlawPart = Literal["text", "contrast", "color", "figure", "element", "state", "trouble"]

#: How much a single flaw of grade 1 takes of fidelity, nearly.
FLAW_WEIGHT = 0.06
#: The order of the mean over flaws: large ones count, and many small ones do not add up to one of them.
ORDER = 3


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that is wrong with a page."""

    part: FlawPart  # What it is about
    # 1 for a text, figure, control or picture of usual size that is missing or another; less for what is
    # half wrong or hardly seen, up to 3 for a picture as large as the page
    grade: float
    # Where it is in the design and in the generated page, px; None where it is not there
    boxes: tuple[Box | None, Box | None]
    # Its number in the design and in the generated page: among `Capture.elements` of an element or state,
    # among the paragraphs of a text or contrast, among `Capture.overlaps` of a trouble; None where it is not
    # there, and of a figure or color
    at: tuple[int | None, int | None] = (None, None)


def flaw_costs(flaws: Sequence[Flaw]) -> tuple[float, ...]:
    """Return which share of fidelity each flaw takes, 0..1; together less than 1.

    With n the generalised mean sum (the sum of grade ** 3) ** (1/3), all of them take 1 - 1 / (1 + .06 n):
    .057 for one of grade 1, .11 for ten, .22 for a hundred; each as much of that as its grade ** 3 is.
    """
    powers = [flaw.grade**ORDER for flaw in flaws]
    total = fsum(powers)
    if total == 0.0:
        return (0.0,) * len(powers)
    size = FLAW_WEIGHT * total ** (1 / ORDER)
    return tuple(power / total * size / (1.0 + size) for power in powers)
