"""The table of metrics, with their direction and bounds."""

import json
from collections import ChainMap
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.resources import files
from typing import Any

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.metric import Basis, Computed, Metric, SavedMetric, ShownIn
from pytest_design2a11y.models.option import AXE, is_name

_DECLARED = json.loads(files(__package__).joinpath("metrics.json").read_bytes())
#: Those of metrics, such as `elements_unmeasured`, are not among them.
WARNING_CODES: tuple[str, ...] = tuple(_DECLARED["warning_codes"])

SCHEMA_VERSION = 1


#: Weight of each metric in the mean that fidelity starts from.
FIDELITY_WEIGHTS = {"visual": 2, "elements": 2, "typography": 1}
_TERMS = " + ".join(f"{weight} {name}" if weight > 1 else name for name, weight in FIDELITY_WEIGHTS.items())
_MEAN = f"({_TERMS}) / {sum(FIDELITY_WEIGHTS.values())}"

#: Begins the names of metrics that count the warnings of one code: "warnings.page_clipped".
WARNINGS = "warnings."

#: Begins the names of metrics that count the failures of one engine besides axe-core: "failed_htmlcs".
FAILED = "failed_"


def _built_in(step: str, words: str, number: str = "", *, basis: list[Basis], **how: Any) -> Metric:
    how["shown"] = tuple(how["shown"])
    return Metric(
        words=words.replace("{mean}", _MEAN), measure=Computed(step, number), basis=tuple(basis), **how
    )


class _WarningCount(Metric):
    """The number of a page's warnings of one code; limits name it, and nothing else shows it."""

    def __post_init__(self) -> None:
        code = self.name.removeprefix(WARNINGS)
        if code not in WARNING_CODES:
            raise KeyError(self.name)


class _Metrics(dict[str, Metric]):
    """Metrics by name; those of warnings are found by name, and not listed."""

    def __missing__(self, name: str) -> Metric:
        if not name.startswith(WARNINGS):
            raise KeyError(name)
        return _WarningCount(name, "number of such warnings", False, part="warnings", shown=())


#: Built-in metrics, declared in `metrics.json`, those without a field of their own in a record last; then
#: registered metrics and those of saved runs (`register`).
METRICS: dict[str, Metric] = _Metrics((one["name"], _built_in(**one)) for one in _DECLARED["metrics"])


#: Built-in metrics.
OURS = tuple(METRICS.values())

#: Share of a case's samples that lack a measurement: the metric to gate on for pages without any other.
ERRORS = Metric("errors", "share of pages that were not measured", False, 1.0, part="visual", shown=())

#: Everything that runs are compared in: the metrics registered by now, in order, then the errors.
COMPARED: Mapping[str, Metric] = ChainMap({ERRORS.name: ERRORS}, METRICS)

#: Difference in `block_match` above which metrics that ignore missing content get a note.
MISSING_CONTENT = 0.1


def metric_named(name: str) -> Metric | None:
    """Return a metric, also one that counts warnings; None if there is none of that name."""
    with suppress(KeyError):
        return METRICS[name]
    return None


def number_of(metric: str, value: float) -> str:
    """Format a value of a metric: a count as a whole number, a share with four decimals."""
    return f"{value:g}" if METRICS[metric].upper is None else f"{value:.4f}"


def register(metric: Metric) -> None:
    """Register an extension metric; it replaces an earlier one of its name, as a notebook run again does.

    Raises:
        ConfigurationError: It has the name of a built-in metric.
    """
    known = METRICS.get(metric.name)
    if metric.name == ERRORS.name or (known is not None and not known.is_own):
        raise ConfigurationError(
            f"There is a metric {metric.name!r} already: it is one of pytest-design2a11y's own.",
            advice="Give yours another name.",
        )
    METRICS[metric.name] = metric


def register_engines(names: Iterable[str]) -> None:
    """Register the failures that engines besides axe-core count, each as a metric (`FAILED`)."""
    for name in names:
        if name != AXE and is_name(name):
            words = f"number of failures that {name} found"
            metric = Metric(
                f"{FAILED}{name}", words, False, part="engines", basis=("audit", "engines"), shown=()
            )
            METRICS.setdefault(metric.name, metric)


def register_saved(metrics: Any) -> None:
    """Register the metrics of a saved run, `Metric.saved` by name, that are not installed."""
    known = SavedMetric.__annotations__
    for name, values in metrics.items() if isinstance(metrics, Mapping) else ():
        if name not in METRICS and isinstance(values, Mapping):
            with suppress(ConfigurationError, TypeError):
                register(Metric(name, **{key: values[key] for key in known if key in values}))


def components_of(metric: str) -> tuple[str, ...]:
    """Return the components of a metric, in order."""
    return tuple(component.name for component in METRICS.values() if component.of == metric)


def shown_in(*places: ShownIn) -> tuple[str, ...]:
    """Return the metrics that are shown by default, those of the first place first."""
    return tuple(metric.name for place in places for metric in METRICS.values() if place in metric.shown)


VISUAL_COMPONENTS = components_of("visual")
