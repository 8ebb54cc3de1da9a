"""Who scores many pairs: this process, or several; results in input order, as soon as each is ready."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from pytest_design2a11y.measuring.executors.processes import score_in_processes
from pytest_design2a11y.measuring.executors.serial import score_serially
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.settings.values import Settings


class Executor(Protocol):
    """Scores pairs; another engine is another function of this shape, with a name in `EXECUTORS`."""

    def __call__(self, pairs: Sequence[Pair], *, settings: Settings, jobs: int) -> Iterator[Evaluation]:
        """Score pairs, in input order; what goes wrong with one is in its evaluation.

        Args:
            pairs: What to score, at least one.
            settings: How.
            jobs: How many pages may be rendered at a time, at least 1.
        """


EXECUTORS: Mapping[str, Executor] = {"serial": score_serially, "processes": score_in_processes}


def score_pairs(pairs: Sequence[Pair], *, settings: Settings, jobs: int = 1) -> Iterator[Evaluation]:
    """Score pairs, in input order; a page that cannot be measured is an evaluation with an error.

    Args:
        pairs: What to score.
        settings: How.
        jobs: How many processes render at a time, each with a browser of its own.
    """
    jobs = min(jobs, len(pairs))
    return EXECUTORS["processes" if jobs > 1 else "serial"](pairs, settings=settings, jobs=jobs)
