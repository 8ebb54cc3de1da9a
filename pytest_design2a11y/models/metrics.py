"""Tables: metrics with direction and bounds, impact weights, status limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Impact = Literal["minor", "moderate", "serious", "critical"]
Status = Literal["green", "yellow", "red"]
TextRatio = Literal["indel", "difflib"]
#: Whose published visual figures are rebuilt, faults included.
Published = Literal["design2code", "ui2code-study"]

SCHEMA_VERSION = 1

#: Severity of a failed check (IWIR's weights, after the empirical study that defined it).
IMPACT_WEIGHTS: dict[Impact, int] = {"minor": 1, "moderate": 3, "serious": 6, "critical": 10}
MAX_IMPACT_WEIGHT = 10


def severity_of(by_impact: Mapping[Impact, int]) -> int:
    """Sum the severities of failed checks, counted by impact."""
    return sum(IMPACT_WEIGHTS[impact] * count for impact, count in by_impact.items())


#: Status as in the study: red needs both rates above, green both at or below.
RED_IR, RED_IWIR = 0.25, 0.6
GREEN_IR, GREEN_IWIR = 0.10, 0.3


#: Said wherever a rate is told: no number of an automated check means that a page is accessible.
LIMITS_OF_CHECKS = "Automated checks find a part of the barriers only."


class Metric(NamedTuple):
    """A number that users gate on.

    Attributes:
        id: The name used in limits, results and reports.
        label: The heading in tables.
        is_higher_better: The direction.
        upper: The largest possible value (the smallest is 0), or None where unbounded.
        part: "visual", "accessibility" or "probes": which part of a result holds it.
    """

    id: str
    label: str
    is_higher_better: bool
    upper: float | None
    part: Literal["visual", "accessibility", "probes"]


METRICS: dict[str, Metric] = {
    metric.id: metric
    for metric in (
        Metric("visual", "visual", True, 1.0, "visual"),
        Metric("block_match", "block", True, 1.0, "visual"),
        Metric("text", "text", True, 1.0, "visual"),
        Metric("position", "position", True, 1.0, "visual"),
        Metric("color", "color", True, 1.0, "visual"),
        Metric("appearance", "appearance", True, 1.0, "visual"),
        Metric("visual_preference", "preference", True, 1.0, "visual"),
        Metric("ir", "IR", False, 1.0, "accessibility"),
        Metric("iwir", "IWIR", False, 1.0, "accessibility"),
        Metric("weighted_ir", "IR×IWIR", False, 1.0, "accessibility"),
        Metric("ir_elements", "IR elements", False, 1.0, "accessibility"),
        Metric("failed", "failed checks", False, None, "accessibility"),
        Metric("unaudited", "unaudited text", False, 1.0, "accessibility"),
        Metric("probe_failures", "probe failures", False, None, "probes"),
    )
}

VISUAL_COMPONENTS = ("block_match", "text", "position", "color", "appearance")
