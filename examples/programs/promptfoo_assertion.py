"""A promptfoo assertion: how alike a design the page in a model's answer looks.

In promptfooconfig.yaml, with `design` among the variables of the test:

    assert:
      - type: python
        value: file://promptfoo_assertion.py
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pytest_design2a11y import Answer, Scorer

LEAST_SIMILARITY = 0.8


@cache
def scorer() -> Scorer:
    """One browser for all assertions of a process; it ends with the process."""
    return Scorer(timeout=20)


def get_assert(output: str, context: dict[str, Any]) -> dict[str, Any]:
    """Judge one answer, as promptfoo calls it."""
    evaluation = scorer().score(context["vars"]["design"], Answer(output))
    if evaluation.visual is None:
        reason = evaluation.error.message if evaluation.error else "Nothing was measured."
        return {"pass": False, "score": 0.0, "reason": reason}
    score = evaluation.visual.score
    parts = ("block_match", "text", "position", "color", "appearance")
    return {
        "pass": score >= LEAST_SIMILARITY,
        "score": score,
        "reason": f"visual similarity {score:.4f}, at least {LEAST_SIMILARITY} is wanted",
        "namedScores": {name: getattr(evaluation.visual, name) for name in parts},
    }
