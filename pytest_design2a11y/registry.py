"""Metrics of your own: finds, loads and checks them.

In pytest, hooks of conftest.py and of plugins give them (see `extending`); elsewhere packages do, through
the entry point group `pytest_design2a11y`, or the command and programs, as files (`--metrics`) or objects.
"""

import copyreg
import importlib
import importlib.util
import pickle
import sys
from collections.abc import Iterable
from dataclasses import fields, replace
from functools import cache, lru_cache, partial
from importlib.metadata import entry_points
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

from pytest_design2a11y import extending
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.metric import Metric
from pytest_design2a11y.models.metrics import METRICS, register

#: Of entry points, and the name of the hook's function.
GROUP = "pytest_design2a11y"
HOOK = "pytest_design2a11y_metrics"

#: Metrics from the hooks of a pytest run.
_of_run: list[Metric] = []


def take(given: Any) -> None:
    """Register the result of a hook of a pytest run."""
    _of_run.extend(_require(given))
    use_metrics()


def forget_taken() -> None:
    """Forget the metrics from the hooks of a pytest run, at its end."""
    for metric in _of_run:
        if METRICS.get(metric.name) is metric:
            del METRICS[metric.name]
    _of_run.clear()


def use_metrics(given: Iterable[Any] = (), files: Iterable[str] = ()) -> tuple[Metric, ...]:
    """Register and return a run's own metrics; ConfigurationError if two have the same name."""
    used: dict[str, Metric] = {}
    in_files = chain.from_iterable(map(_given_by, files))
    for metric in (*_installed(), *_of_run, *in_files, *_require(given, "metrics= has")):
        if used.setdefault(metric.name, metric) is not metric:
            raise ConfigurationError(
                f"There are two metrics {metric.name!r}.", advice="Give each its own name."
            )
    for metric in used.values():
        register(metric)
    return tuple(used.values())


@cache
def _installed() -> tuple[Metric, ...]:
    """Return the metrics of installed packages, loaded once per process."""
    try:
        given = [getattr(point.load(), HOOK)() for point in entry_points(group=GROUP)]
    except Exception as error:
        raise ConfigurationError(
            f"A package of the entry point group {GROUP} cannot be loaded: {_message(error)}.",
            advice="Update it, or uninstall it.",
        ) from error
    return tuple(chain.from_iterable(map(_require, given)))


def _require(given: Any, who: str = f"{HOOK}() gave") -> list[Metric]:
    """Return what a hook, or `who`, provided as a list; refuse anything that is not a metric."""
    is_one = isinstance(given, Metric | str) or not isinstance(given, Iterable)
    listed = [given] if is_one else list(given)
    for metric in listed:
        if not isinstance(metric, Metric):
            raise ConfigurationError(
                f"{who} {metric!r:.80}, which is not a Metric.", advice="Give a list of Metric(...)."
            )
        if metric.measure is None:
            raise ConfigurationError(
                f"The metric {metric.name!r} has nothing that measures it.", advice="Give measure=FUNCTION."
            )
    return listed


def _given_by(source: str) -> tuple[Metric, ...]:
    """Return all metrics in a file, such as "metrics.py", or in an importable module."""
    if not source.endswith(".py"):
        return _loaded(source, 0)
    path = Path(source).resolve()
    return _loaded(str(path), path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=64)
def _loaded(source: str, _changed: int) -> tuple[Metric, ...]:
    """Return the metrics at the top level of a module, and those returned by its hook."""
    try:
        module = _module_of(source)
        found = _require([value for value in vars(module).values() if isinstance(value, Metric)])
        hook = vars(module).get(HOOK)
        if hook not in (None, getattr(extending, HOOK)):
            found += _require(hook())
    except ConfigurationError:
        raise
    except (Exception, SystemExit) as error:
        raise ConfigurationError(
            f"Metrics cannot be loaded from {source}: {_message(error)}.",
            advice="Name a Python file (metrics.py) or a module that can be imported (package.metrics).",
        ) from error
    if not found:
        raise ConfigurationError(
            f"{source} has no Metric at its top level.",
            advice='Write PALETTE = Metric("palette", ...) there.',
        )
    distinct = {id(metric): metric for metric in found}
    return tuple(replace(metric, source=source) for metric in distinct.values())


def _module_of(source: str) -> ModuleType:
    path, is_file = Path(source), source.endswith(".py")
    if is_file and not path.is_file():
        raise FileNotFoundError("there is no such file")
    # Let it import modules beside it, as a script can.
    if (folder := str(path.parent if is_file else Path.cwd())) not in sys.path:
        sys.path.insert(0, folder)
    if not is_file:
        return importlib.import_module(source)
    spec = importlib.util.spec_from_file_location(f"design2a11y_metrics_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


def _message(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(".: ")


def require_portable(metrics: Iterable[Metric]) -> None:
    """Refuse metrics that other processes could not load."""
    for metric in metrics:
        module = sys.modules.get(getattr(metric.measure, "__module__", ""))
        try:
            pickle.dumps(metric)
            is_portable = metric.source or module is None or hasattr(module, "__file__")
        except Exception:
            is_portable = False
        if not is_portable:
            raise ConfigurationError(
                f"The metric {metric.name!r} cannot be given to other processes.",
                advice="Define its function at the top level of a file, not in a notebook or in a function.",
            )


def _metric_of(source: str, name: str) -> Metric:
    """Return a metric in another process, by loading the file that defines it."""
    return next(part for part in _given_by(source) if part.name == name)


def _reduced(metric: Metric) -> tuple[Any, tuple[str, ...]]:
    if metric.source:
        return _metric_of, (metric.source, metric.name)
    return partial(Metric, **{field.name: getattr(metric, field.name) for field in fields(metric)}), ()


copyreg.pickle(Metric, _reduced)
