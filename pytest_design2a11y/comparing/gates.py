"""Gates: how much worse a metric may become, as users write it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from difflib import get_close_matches

from pytest_design2a11y.comparing.quantities import COMPARED
from pytest_design2a11y.exceptions import ConfigurationError

_EXPRESSION = re.compile(r"\s*(\w+)\s*(?::\s*([0-9.]+(?:[eE]-?[0-9]+)?)\s*(%?)\s*)?")


@dataclass(frozen=True, slots=True)
class Gate:
    """How much worse a metric may become.

    Attributes:
        metric: Id in `COMPARED`.
        margin: In the metric's own unit, or a share of the old mean where relative; 0: not at all.
        is_relative: Whether the margin is a share of the old mean.
    """

    metric: str
    margin: float = 0.0
    is_relative: bool = False

    def __str__(self) -> str:
        if self.margin == 0:
            return self.metric
        return (
            f"{self.metric}:{self.margin * 100:g}%" if self.is_relative else f"{self.metric}:{self.margin:g}"
        )


def parse_gate(expression: str) -> Gate:
    """Read "visual:0.02" (at most 0.02 worse), "iwir:10%" (of the old mean) or "position" (not worse at all).

    Raises:
        ConfigurationError: The text is no gate, its metric is unknown, or its margin impossible.
    """
    match = _EXPRESSION.fullmatch(expression)
    if match is None:
        raise ConfigurationError(
            f"{expression!r} is no gate.", advice='Write "visual", "visual:0.02" or "iwir:10%".'
        )
    metric = COMPARED.get(match[1])
    if metric is None:
        near = get_close_matches(match[1], COMPARED, n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise ConfigurationError(
            f"There is no metric {match[1]!r} to gate on.", advice=f"{hint}Known: {', '.join(COMPARED)}."
        )
    margin, is_relative = _margin(expression, match[2]), match[3] == "%"
    margin = margin / 100 if is_relative else margin
    if not is_relative and metric.upper is not None and margin >= metric.upper:
        raise ConfigurationError(
            f"The gate {expression!r} can never fail: {metric.id} goes from 0 to {metric.upper:g}.",
            advice=f"Write a smaller margin, or a share of the old mean such as {metric.id}:10%.",
        )
    return Gate(metric.id, margin, is_relative)


def _margin(expression: str, text: str | None) -> float:
    try:
        margin = float(text or 0)
    except ValueError:
        margin = math.nan
    if not math.isfinite(margin):
        raise ConfigurationError(
            f"{expression!r} has no margin that can be read.",
            advice='Write it as in "visual:0.02" or "iwir:10%".',
        )
    return margin
