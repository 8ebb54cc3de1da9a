"""A flaw: one thing that is wrong, with its grade; and the total cost of a page's flaws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal

from pytest_design2a11y.models.geometry import Box

FlawPart = Literal["text", "contrast", "color", "figure", "element", "state", "trouble"]

#: Approximate loss of fidelity from a single flaw of grade 1.
FLAW_WEIGHT = 0.06
#: The order of the mean over flaws: large ones count, and many small ones do not add up to one of them.
ORDER = 3


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that is wrong with a page."""

    part: FlawPart  # What it is about
    # 1 for a text, figure, control or picture of usual size that is missing or replaced; less if it is half
    # wrong or hardly visible, up to 3 for a picture as large as the page
    grade: float
    # Its boxes in the design and in the generated page, px; None if it is not there
    boxes: tuple[Box | None, Box | None]
    # Its number in the design and in the generated page: in `Capture.elements` for an element or state, among
    # the paragraphs for a text or contrast, in `Capture.overlaps` for a trouble; None if it is not there, and
    # for a figure or color
    at: tuple[int | None, int | None] = (None, None)


def flaw_costs(flaws: Sequence[Flaw]) -> tuple[float, ...]:
    """Return the share of fidelity that each flaw costs, 0..1; together less than 1.

    With n = (the sum of grade ** 3) ** (1/3), all flaws together cost 1 - 1 / (1 + .06 n):
    .057 for one of grade 1, .11 for ten, .22 for a hundred; this is divided in proportion to grade ** 3.
    """
    powers = [flaw.grade**ORDER for flaw in flaws]
    total = fsum(powers)
    if total == 0.0:
        return (0.0,) * len(powers)
    size = FLAW_WEIGHT * total ** (1 / ORDER)
    return tuple(power / total * size / (1.0 + size) for power in powers)
