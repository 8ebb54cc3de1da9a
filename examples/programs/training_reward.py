"""A reward for training with groups of completions (GRPO and its kin): one number each, or None."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_design2a11y import Scorer, reward
from pytest_design2a11y.exceptions import MeasurementError

WEIGHTS = {"fidelity": 0.7, "weighted_ir": 0.3}


def rewards(
    completions: Sequence[str], designs: Sequence[str], *, scorer: Scorer, jobs: int = 1
) -> list[float | None]:
    """Return the reward of every completion beside its design.

    Returns:
        From 0 (worst) to 1; None where nobody saw the page, not by its own fault: leave it out of the group.
    """
    pairs = [
        {"id": str(number), "reference": design, "candidate_html": completion}
        for number, (completion, design) in enumerate(zip(completions, designs, strict=True))
    ]
    found: list[float | None] = []
    for evaluation in scorer.score_many(pairs, jobs=jobs):
        try:
            found.append(reward(evaluation, weights=WEIGHTS))
        except MeasurementError:
            found.append(None)
    return found
