"""Gates: how much worse a metric may become, as users write it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from pytest_design2a11y.comparing.quantities import COMPARED
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.metrics import Metric

_METRIC = re.compile(r"\s*(\w+)\s*(?::(.*))?")
_LIMIT = re.compile(r"\s*(case\s*:)?\s*([0-9.]+(?:[eE]-?[0-9]+)?)\s*(%?)\s*")
_HOW = 'Write "visual", "visual:0.02", "iwir:10%", or "visual:0.02,case:0.2" for a limit on each case.'

Scope = Literal["mean", "case"]


@dataclass(frozen=True, slots=True)
class Gate:
    """How much worse a metric may become.

    Attributes:
        metric: Id in `COMPARED`.
        margin: In the metric's own unit, or a share of the old value where relative; 0: not at all.
        is_relative: Whether the margin is a share of the old value.
        scope: "mean": the mean over the cases may not become worse; "case": none of them may.
    """

    metric: str
    margin: float = 0.0
    is_relative: bool = False
    scope: Scope = "mean"

    def __str__(self) -> str:
        name = self.metric if self.scope == "mean" else f"{self.metric}:case"
        if self.margin == 0 and self.scope == "mean":
            return name
        return f"{name}:{self.margin * 100:g}%" if self.is_relative else f"{name}:{self.margin:g}"


def parse_gates(expressions: Iterable[str]) -> tuple[Gate, ...]:
    """Read the gates of several expressions, each as `parse_gate` does."""
    return tuple(gate for expression in expressions for gate in parse_gate(expression))


def parse_gate(expression: str) -> tuple[Gate, ...]:
    """Read METRIC[:LIMIT[,LIMIT]], where a LIMIT is [case:]MARGIN[%].

    "visual:0.02" lets the mean become 0.02 worse, "iwir:10%" a tenth of the old mean, "position" not at all;
    "visual:0.02,case:0.2" says besides that no single case may become worse by more than 0.2.

    Raises:
        ConfigurationError: The text is not a gate, its metric is unknown, or its margin impossible.
    """
    match = _METRIC.fullmatch(expression)
    if match is None:
        raise ConfigurationError(f"{expression!r} is not a gate.", advice=_HOW)
    metric = _metric(match[1])
    if match[2] is None:
        return (Gate(metric.id),)
    gates = tuple(_limit(text, metric, expression) for text in match[2].split(","))
    if len({gate.scope for gate in gates}) < len(gates):
        raise ConfigurationError(f"{expression!r} has two margins for the same thing.", advice=_HOW)
    return gates


def _metric(name: str) -> Metric:
    metric = COMPARED.get(name)
    if metric is None:
        near = get_close_matches(name, COMPARED, n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise ConfigurationError(
            f"There is no metric {name!r} to gate on.", advice=f"{hint}Known: {', '.join(COMPARED)}."
        )
    return metric


def _limit(text: str, metric: Metric, expression: str) -> Gate:
    match = _LIMIT.fullmatch(text)
    margin = math.nan if match is None else _number(match[2])
    if match is None or not math.isfinite(margin):
        raise ConfigurationError(f"{expression!r} has no margin that can be read.", advice=_HOW)
    is_relative = match[3] == "%"
    gate = Gate(
        metric.id, margin / 100 if is_relative else margin, is_relative, "case" if match[1] else "mean"
    )
    _require_possible(gate, metric, expression)
    return gate


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _require_possible(gate: Gate, metric: Metric, expression: str) -> None:
    """Refuse a gate that no run could fail."""
    if gate.is_relative:
        largest = 1.0 if metric.is_higher_better else math.inf
        why = f"{metric.id} cannot lose more than all of it"
    else:
        largest = math.inf if metric.upper is None else metric.upper
        why = f"{metric.id} goes from 0 to {largest:g}"
    if gate.margin >= largest:
        raise ConfigurationError(
            f"The gate {expression!r} can never fail: {why}.",
            advice=f"Write a smaller margin, such as {metric.id}:10%.",
        )
