"""A scorer for Inspect AI: the target of a sample is the path of its design."""

from __future__ import annotations

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from pytest_design2a11y import Answer, AsyncScorer, reward


@scorer(metrics=[mean(), stderr()])
def design_similarity(**settings: Any) -> Scorer:
    """Score the page in an answer against its design, all samples in one browser.

    Args:
        **settings: As for `pytest_design2a11y.Scorer`.
    """
    shared = AsyncScorer(**settings)

    async def score(state: TaskState, target: Target) -> Score:
        evaluation = await shared.score(target.text, Answer(state.output.completion))
        rates = evaluation.accessibility
        return Score(
            value=reward(evaluation),
            explanation=evaluation.error.message if evaluation.error else None,
            metadata={"ir": rates and rates.ir, "iwir": rates and rates.iwir},
        )

    return score
