"""Metric `fidelity`: how near a page is to its design, text and all else."""

from __future__ import annotations

#: How much each metric counts.
WEIGHTS = {"visual": 2, "elements": 2, "typography": 1}


def fidelity(*, visual: float, elements: float | None, typography: float | None) -> float | None:
    """Return (2 visual + 2 elements + typography) / 5; None where one of them was not measured."""
    if elements is None or typography is None:
        return None
    values = {"visual": visual, "elements": elements, "typography": typography}
    return sum(weight * values[name] for name, weight in WEIGHTS.items()) / sum(WEIGHTS.values())
