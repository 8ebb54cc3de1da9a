"""A promptfoo assertion: how close the page in a model's answer comes to its design.

In promptfooconfig.yaml, with `design` among the variables of the test:

    assert:
      - type: python
        value: file://promptfoo_assertion.py
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pytest_design2a11y import Answer, Scorer

LEAST_FIDELITY = 0.5


@cache
def scorer() -> Scorer:
    """One browser for all assertions of a process; it ends with the process."""
    return Scorer(timeout=20)


def get_assert(output: str, context: dict[str, Any]) -> dict[str, Any]:
    """Judge one answer, as promptfoo calls it."""
    evaluation = scorer().score(context["vars"]["design"], Answer(output))
    if evaluation.visual is None or evaluation.visual.fidelity is None:
        reason = evaluation.error.message if evaluation.error else "Nothing was measured."
        return {"pass": False, "score": 0.0, "reason": reason}
    visual = evaluation.visual
    score = visual.fidelity
    return {
        "pass": score >= LEAST_FIDELITY,
        "score": score,
        "reason": f"fidelity {score:.4f}, at least {LEAST_FIDELITY} is wanted",
        "namedScores": {"visual": visual.score, "elements": visual.elements, "typography": visual.typography},
    }
