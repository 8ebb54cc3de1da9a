"""Extensions: finds, loads and checks them.

In pytest, hooks of conftest.py and of plugins provide them (see `extending`); elsewhere packages do, through
the entry point group `pytest_design2a11y`, or the command and programs, as files (`--metrics`) or objects.
"""

import copyreg
import importlib
import importlib.util
import pickle
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import cache, lru_cache, partial
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

import pluggy

from pytest_design2a11y import extending
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.extending import Engine, Executor, Probe, Reader, require_valid
from pytest_design2a11y.models.audit import EngineCounts
from pytest_design2a11y.models.metric import Metric
from pytest_design2a11y.models.metrics import METRICS, register, register_engines
from pytest_design2a11y.wording import did_you_mean, with_article

T = TypeVar("T", Metric, Engine, Probe, Reader, Executor)

GROUP = "pytest_design2a11y"

#: Kinds of extensions: their names, and the module whose hook provides the built-in ones, imported on first
#: use of the kind. Built-in metrics are in `METRICS`.
KINDS: dict[Any, tuple[str, str]] = {
    Metric: ("metric", ""),
    Engine: ("engine", "capture.audit"),
    Probe: ("probe", "probes"),
    Reader: ("reader", "source"),
    Executor: ("executor", "measuring.executors"),
}


def hook_of(kind: Any) -> str:
    """Return the name of the hook that provides extensions of a kind."""
    return f"pytest_design2a11y_{KINDS[kind][0]}s"


class _Manager(pluggy.PluginManager):
    """Recognizes hooks by their names, as pytest does, without a marker."""

    def parse_hookimpl_opts(self, plugin: Any, name: str) -> Any:
        marked = super().parse_hookimpl_opts(plugin, name)
        return {} if marked is None and name.startswith("pytest_design2a11y_") else marked


@cache
def _installed() -> _Manager:
    """Load the extensions of installed packages, once per process."""
    manager = _Manager("pytest")
    manager.add_hookspecs(extending)
    try:
        manager.load_setuptools_entrypoints(GROUP)
        manager.check_pending()
    except Exception as error:
        raise ConfigurationError(
            f"A package of the entry point group {GROUP} cannot be loaded: {_message(error)}.",
            advice="Update it, or uninstall it.",
        ) from error
    return manager


#: Extensions from the hooks of a pytest run.
_of_run: list[Any] = []


def take(kind: type[T], given: Any) -> None:
    """Register the result of a hook of a pytest run."""
    _of_run.extend(_require(kind, given))
    if kind is Metric:
        use_metrics()
    else:
        available(kind)


def take_files(files: Iterable[str]) -> None:
    """Register the extensions in files and modules for the whole process."""
    _of_run.extend(chain.from_iterable(map(_given_by, files)))


def forget_taken() -> None:
    """Forget the extensions from the hooks of a pytest run, at its end."""
    for part in _of_run:
        if isinstance(part, Metric) and METRICS.get(part.name) is part:
            del METRICS[part.name]
    _of_run.clear()


def available(kind: type[T], files: Iterable[str] = ()) -> dict[str, T]:
    """Return everything of a kind, also in files, by name, built-in ones first; without built-in metrics.

    Raises:
        ConfigurationError: Two have the same name, or one cannot be loaded.
    """
    found: dict[str, Any] = {}
    for part in (*_lasting(cast("Any", kind)), *_of_run, *chain.from_iterable(map(_given_by, files))):
        if isinstance(part, kind):
            _add(found, part)
    if kind is Engine:
        register_engines(found)
    return found


def _add(found: dict[str, Any], part: Any) -> None:
    other = found.setdefault(part.name, part)
    is_same = other is part or (other == part and not isinstance(part, Metric))
    if not is_same:
        raise ConfigurationError(
            f"There are two {KINDS[type(part)][0]}s {part.name!r}.", advice="Give each its own name."
        )


def require(kind: type[T], names: Iterable[str], files: Iterable[str] = ()) -> None:
    """Refuse names that no extension of a kind has."""
    known = available(kind, files)
    for name in names:
        if name not in known:
            raise ConfigurationError(
                f"There is no {KINDS[kind][0]} {name!r}.",
                advice=f"{did_you_mean(name, known)}Known: {', '.join(known)}.",
            )


def label_of_engine(name: str, engines: Mapping[str, EngineCounts]) -> str:
    """Return an engine's label: from a page's counts, from the engine if installed, or its name."""
    if (counts := engines.get(name)) and counts.label:
        return counts.label
    engine = available(Engine).get(name)
    return name if engine is None else engine.label


@cache
def _lasting(kind: Any) -> tuple[Any, ...]:
    """Return built-in extensions and those of installed packages, collected once per process."""
    given: list[Any] = []
    if home := KINDS[kind][1]:
        given += getattr(importlib.import_module(f"pytest_design2a11y.{home}"), hook_of(kind))()
    try:
        getattr(_installed().hook, hook_of(kind)).call_historic(
            kwargs={}, result_callback=lambda more: given.extend(_require(kind, more))
        )
    except ConfigurationError:
        raise
    except Exception as error:
        raise ConfigurationError(
            f"{hook_of(kind)}() of an installed package failed: {_message(error)}.",
            advice="Update it, or uninstall it.",
        ) from error
    return tuple(given)


def _require(kind: type[T], given: Any, who: str = "") -> list[T]:
    """Return what a hook, or `who`, provided as a list; refuse anything that is not of the kind."""
    is_one = isinstance(given, kind | str) or not isinstance(given, Iterable)
    listed = [given] if is_one else list(given)
    for part in listed:
        if not isinstance(part, kind):
            gave = who or f"{hook_of(kind)}() gave"
            raise ConfigurationError(
                f"{gave} {part!r:.80}, which is not {with_article(kind.__name__)}.",
                advice=f"Return a list of {kind.__name__}(...) from pytest_design2a11y.extending.",
            )
        if isinstance(part, Metric):
            if part.measure is None:
                raise ConfigurationError(
                    f"The metric {part.name!r} has nothing that measures it.", advice="Give measure=FUNCTION."
                )
            continue
        require_valid(part)
    return listed


def use_metrics(given: Iterable[Any] = (), files: Iterable[str] = ()) -> tuple[Metric, ...]:
    """Register and return a run's own metrics; ConfigurationError if two have the same name."""
    used = available(Metric, files)
    for metric in _require(Metric, given, "metrics= has"):
        _add(used, metric)
    for metric in used.values():
        register(metric)
    return tuple(used.values())


def _given_by(source: str) -> tuple[Any, ...]:
    """Return all extensions in a file, such as "metrics.py", or in an importable module."""
    if not source.endswith(".py"):
        return _loaded(source, 0)
    path = Path(source).resolve()
    return _loaded(str(path), path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=64)
def _loaded(source: str, _changed: int) -> tuple[Any, ...]:
    """Return the extensions at the top level of a module, and those returned by its hooks."""
    try:
        module = _module_of(source)
        found: list[Any] = []
        for kind in KINDS:
            found += _require(kind, [value for value in vars(module).values() if isinstance(value, kind)])
            hook = vars(module).get(hook_of(kind))
            if hook not in (None, getattr(extending, hook_of(kind))):
                found += _require(kind, hook())
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
    distinct = [part for at, part in enumerate(found) if not any(part is other for other in found[:at])]
    return tuple(replace(part, source=source) if isinstance(part, Metric) else part for part in distinct)


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
    return next(part for part in _given_by(source) if isinstance(part, Metric) and part.name == name)


def _reduced(metric: Metric) -> tuple[Any, tuple[str, ...]]:
    if metric.source:
        return _metric_of, (metric.source, metric.name)
    return partial(Metric, **{field.name: getattr(metric, field.name) for field in fields(metric)}), ()


copyreg.pickle(Metric, _reduced)
