"""How severe failed checks are: weights of their impacts, limits of the status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pytest_design2a11y.models.option import Impact

Status = Literal["green", "yellow", "red"]

#: Severity of a failed check (IWIR's weights, as in the empirical study that defined it).
IMPACT_WEIGHTS: dict[Impact, int] = {"minor": 1, "moderate": 3, "serious": 6, "critical": 10}
MAX_IMPACT_WEIGHT = 10


def severity_of(by_impact: Mapping[Impact, int]) -> int:
    """Sum the severities of failed checks, counted by impact."""
    return sum(IMPACT_WEIGHTS[impact] * count for impact, count in by_impact.items())


#: Status as in the study: red requires both rates above these, green both at or below.
RED_IR, RED_IWIR = 0.25, 0.6
GREEN_IR, GREEN_IWIR = 0.10, 0.3


#: Printed with every rate: automated checks cannot prove that a page is accessible.
LIMITS_OF_CHECKS = "Automated checks find only some accessibility barriers."


def severity_note(old: tuple[float, float], new: tuple[float, float], *, least: float = 0.0) -> str:
    """Explain an iwir that rises while weighted_ir falls, from the old pair to the new; otherwise return "".

    Changes smaller than `least` are ignored.
    """
    rise, fall = new[0] - old[0], old[1] - new[1]
    if min(rise, fall) <= 0 or min(rise, fall) < least:
        return ""
    return (
        f"iwir rises ({old[0]:.4f} -> {new[0]:.4f}) while weighted_ir falls ({old[1]:.4f} -> {new[1]:.4f}): "
        "fewer checks fail, but the remaining failures are more severe on average; judge by weighted_ir"
    )
