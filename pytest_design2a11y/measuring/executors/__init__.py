"""Executors that score many pairs: this process, several, or a cluster. Pairs are taken as needed."""

from collections.abc import Callable, Generator, Iterable, Mapping

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.executors.processes import score_in_processes
from pytest_design2a11y.measuring.executors.ray import score_on_ray
from pytest_design2a11y.measuring.executors.serial import score_serially
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.wording import did_you_mean

_EXECUTORS: Mapping[str, Callable[..., Generator[Evaluation, None, None]]] = {
    "serial": score_serially,
    "processes": score_in_processes,
    "ray": score_on_ray,
}


def score_pairs(
    pairs: Iterable[Pair],
    *,
    settings: Settings,
    jobs: int = 1,
    is_ordered: bool = True,
    executor: str | None = None,
) -> Generator[Evaluation, None, None]:
    """Score pairs; a page that cannot be measured becomes an evaluation with an error.

    `executor` is `serial`, `processes` or `ray`; None is `serial` for one job, `processes` for more, each
    with its own browser. ConfigurationError if there is no such executor.
    """
    name = executor or ("processes" if jobs > 1 else "serial")
    if name not in _EXECUTORS:
        advice = f"{did_you_mean(name, _EXECUTORS)}Known: {', '.join(_EXECUTORS)}."
        raise ConfigurationError(f"There is no executor {name!r}.", advice=advice)
    return _EXECUTORS[name](pairs, settings=settings, jobs=jobs, is_ordered=is_ordered)
