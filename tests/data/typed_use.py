"""The public names as a user's program has them: checked by `mypy --strict` against the installed package."""

from __future__ import annotations

import pytest

from pytest_design2a11y import (
    AccessibilityRates,
    Answer,
    AsyncScorer,
    Block,
    Capture,
    Evaluation,
    Render,
    Scorer,
    VisualScore,
    assert_accessible,
    assert_iwir,
    assert_visual_similarity,
    page_pairs,
    rates_from_axe,
    reward,
    score_blocks,
)


def test_login(render: Render) -> None:
    reference: Capture = render("designs/login.html", role="reference")
    candidate = render("generated/login.html")
    assert assert_visual_similarity(reference, candidate) > 0.8
    assert assert_iwir(candidate) < 0.6
    assert_accessible(candidate, max_ir=0.1, max_iwir=0.3)


@pytest.mark.parametrize(("reference", "candidate"), page_pairs("designs", "generated"), indirect=True)
def test_pair(reference: Capture, candidate: Capture) -> None:
    assert candidate.text_runs


def pure() -> tuple[float, float]:
    blocks = [Block("hello", (0.1, 0.1, 0.2, 0.05), (0, 0, 0))]
    score: VisualScore = score_blocks(blocks, blocks)
    rates: AccessibilityRates = rates_from_axe({"violations": [], "passes": [], "incomplete": []})
    return score.score, rates.iwir


def train(answer: str) -> float:
    with Scorer(timeout=10) as scorer:
        evaluation: Evaluation = scorer.score("designs/login.html", Answer(answer))
    return reward(evaluation)


async def serve(answer: str) -> float | None:
    async with AsyncScorer() as scorer:
        evaluation = await scorer.score("designs/login.html", Answer(answer))
    return None if evaluation.visual is None else evaluation.visual.score
