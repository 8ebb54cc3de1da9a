"""Who scores many pairs: this process, or several; results in input order, as soon as each is ready."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_design2a11y.measuring.executors.processes import score_in_processes
from pytest_design2a11y.measuring.executors.serial import score_serially
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.settings.values import Settings


def score_pairs(pairs: Sequence[Pair], *, settings: Settings, jobs: int = 1) -> Iterator[Evaluation]:
    """Score pairs, in input order; a page that cannot be measured is an evaluation with an error.

    Args:
        pairs: What to score.
        settings: How.
        jobs: How many processes render at a time, each with a browser of its own.
    """
    if jobs == 1 or len(pairs) == 1:
        return score_serially(pairs, settings=settings)
    return score_in_processes(pairs, settings=settings, jobs=min(jobs, len(pairs)))
