"""Executors that score many pairs: this process, several, or a cluster. Pairs are taken as needed."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from typing import Any

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.extending import Executor
from pytest_design2a11y.measuring.executors.processes import score_in_processes
from pytest_design2a11y.measuring.executors.ray import score_on_ray
from pytest_design2a11y.measuring.executors.serial import score_serially
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.registry import available, require
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.wording import listed


def pytest_design2a11y_executors() -> list[Executor]:
    """Return the built-in executors, by the same hook that others use."""
    return [
        Executor("serial", score_serially),
        Executor("processes", score_in_processes),
        Executor("ray", score_on_ray),
    ]


def score_pairs(
    pairs: Iterable[Pair],
    *,
    settings: Settings,
    jobs: int = 1,
    is_ordered: bool = True,
    executor: str | None = None,
) -> Generator[Evaluation, None, None]:
    """Score pairs; a page that cannot be measured becomes an evaluation with an error.

    `executor` names an `Executor`; None is `serial` for one job, `processes` for more, each with its own
    browser. ConfigurationError if it does not exist, or leaves out any pair that it took.
    """
    name = executor or ("processes" if jobs > 1 else "serial")
    require(Executor, [name], settings.metrics)
    chosen = available(Executor, settings.metrics)[name]
    return _scored_whole(chosen, pairs, settings=settings, jobs=jobs, is_ordered=is_ordered)


def _scored_whole(executor: Executor, pairs: Iterable[Pair], **how: Any) -> Generator[Evaluation, None, None]:
    waiting: dict[str, None] = {}

    def taken() -> Iterator[Pair]:
        for pair in pairs:
            waiting[pair.subject.id] = None
            yield pair

    with closing(executor.score(taken(), **how)) as scored:
        for evaluation in scored:
            waiting.pop(evaluation.id, None)
            yield evaluation
    if waiting:
        raise ConfigurationError(
            f"The executor {executor.name!r} gave no evaluation of {listed([*waiting], most=3)}.",
            advice="It is to yield one for each pair.",
        )
