"""A metric for DeepEval: the expected output of a test case is the path of its design.

with Scorer() as scorer:
    evaluate(test_cases, [DesignSimilarity(scorer)])
"""

from __future__ import annotations

import asyncio
from typing import Any

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

from pytest_design2a11y import Answer, Scorer, reward


class DesignSimilarity(BaseMetric):
    """How close the page in an answer comes to its design, 0 to 1; copies of it share the browser."""

    def __init__(self, scorer: Scorer, threshold: float = 0.5) -> None:
        """Prepare.

        Args:
            scorer: Scores all test cases, and is closed by whoever made it.
            threshold: What a page must reach.
        """
        self.scorer = scorer
        self.threshold = threshold

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Score the page; what nobody could measure, not by its own fault, is an error and not a score."""
        evaluation = self.scorer.score(test_case.expected_output, Answer(test_case.actual_output))
        self.score = reward(evaluation)
        self.reason = evaluation.error.message if evaluation.error else f"fidelity {self.score:.4f}"
        if evaluation.visual is not None:
            visual = evaluation.visual
            self.score_breakdown = {
                "visual": visual.score, "elements": visual.elements, "typography": visual.typography,
            }  # fmt: skip
        self.is_successful()
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Score the page beside other work."""
        return await asyncio.to_thread(self.measure, test_case)

    def is_successful(self) -> bool:
        """Tell whether the last page was measured, and reached the threshold."""
        self.success = self.error is None and self.score is not None and self.score >= self.threshold
        return self.success

    @property
    def __name__(self) -> str:  # type: ignore[override]
        return "Design similarity"
