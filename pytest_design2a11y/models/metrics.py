"""The table of metrics, with their direction and bounds."""

from collections import ChainMap
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.metric import SHOWN, Basis, Computed, Metric, SavedMetric, ShownIn
from pytest_design2a11y.models.option import AXE, is_name

#: Those of metrics, such as `elements_unmeasured`, are not among them.
WARNING_CODES = (
    "answer_files", "asset_limits", "asset_versions", "axe_in_english", "axe_rules_failed",
    "blocked_requests", "blocks_not_seen", "chat_text_stripped", "closed_shadow", "counted_as_white",
    "dialogs", "downloads", "elements_limit", "encoding", "exclude_missing", "hidden_overflow", "hidden_text",
    "htmlcs_iframes_skipped", "iframes_skipped", "js_errors", "little_matched", "load_limits",
    "load_unfinished", "markdown_fence_stripped", "mask_missing", "merged_documents", "missing_files",
    "missing_glyphs", "mostly_picture", "navigations", "not_closed", "nothing_shown", "page_clipped",
    "part_ambiguous", "picture_16bit", "picture_animated", "picture_cmyk", "picture_cropped", "picture_lossy",
    "picture_low_confidence", "picture_not_audited", "picture_profile", "picture_rescaled", "picture_rotated",
    "picture_transparent", "picture_width_unknown", "picture_window", "pictures_not_kept",
    "placeholders_drawn", "popups", "quirks_mode", "redirected", "refused_files", "repeated_content",
    "requests_pending", "retried", "scripts_stopped", "several_code_blocks", "several_pages",
    "shadowing_names", "stray_text", "swallowed_content", "timers_pending", "truncated_html",
    "unaudited_text", "unbuilt_scripts", "unclosed_element", "unreachable_hosts", "unrecorded_assets",
    "unwatched_browser", "wrapper_stripped",
)  # fmt: skip


SCHEMA_VERSION = 1


_COMPONENT: tuple[ShownIn, ...] = ("wide", "report")
_TEXT: tuple[Basis, ...] = ("design", "matching")
_ENGINES: tuple[Basis, ...] = ("audit", "engines")


def _visual(
    name: str, words: str, basis: tuple[Basis, ...], of: str = "", shown: tuple[ShownIn, ...] = ()
) -> Metric:
    measure = Computed("measuring.measures:visual_score", "score" if name == "visual" else name)
    return Metric(name, words, True, 1.0, measure=measure, part="visual", basis=basis, of=of, shown=shown)


def _rate(name: str, words: str, shown: tuple[ShownIn, ...] = (), upper: float | None = 1.0) -> Metric:
    measure = Computed("measuring.checks:page_rates", name)
    return Metric(
        name, words, False, upper, measure=measure, part="accessibility", basis=("audit",), shown=shown
    )


def _merged(name: str, words: str, upper: float | None = None) -> Metric:
    measure = Computed("measuring.checks:merged_counts", name)
    return Metric(name, words, False, upper, measure=measure, part="merged", basis=_ENGINES, shown=())


#: Weight of each metric in the mean that fidelity starts from.
FIDELITY_WEIGHTS = {"visual": 2, "elements": 2, "typography": 1}
_TERMS = " + ".join(f"{weight} {name}" if weight > 1 else name for name, weight in FIDELITY_WEIGHTS.items())
_MEAN = f"({_TERMS}) / {sum(FIDELITY_WEIGHTS.values())}"

#: Begins the names of metrics that count the warnings of one code: "warnings.page_clipped".
WARNINGS = "warnings."

#: Begins the names of metrics that count the failures of one engine besides axe-core: "failed_htmlcs".
FAILED = "failed_"


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


#: Built-in metrics, those without a field of their own in a record last; then registered metrics and those of
#: saved runs (`register`).
METRICS: dict[str, Metric] = _Metrics(
    (metric.name, metric)
    for metric in (
        _visual(
            "fidelity", f"{_MEAN}, less what differences take",
            (*_TEXT, "appearance"), shown=(*SHOWN, "watched"),
        ),
        _visual(
            "visual", "mean of the five components of Design2Code",
            (*_TEXT, "appearance"), "fidelity", (*SHOWN, "watched"),
        ),
        Metric(
            "blocking", "number of critical and serious differences from the design", False, None,
            measure=Computed("measuring.measures:visual_score", "blocking"),
            part="visual", basis=_TEXT, shown=("wide", "report", "ranking"),
        ),
        _visual(
            "block_match", "share of the text's area that has a counterpart", _TEXT, "visual", _COMPONENT
        ),
        _visual("text", "how alike matched texts read", _TEXT, "visual", _COMPONENT),
        _visual("position", "how near matched texts are", _TEXT, "visual", _COMPONENT),
        _visual("color", "how alike matched texts are colored", _TEXT, "visual", _COMPONENT),
        _visual(
            "appearance", "how alike the screenshots are, text boxes filled",
            ("design", "appearance"), "visual", _COMPONENT,
        ),
        _visual(
            "elements", "how alike everything is that is not text", ("design",), "fidelity", _COMPONENT
        ),
        _visual(
            "typography", "how alike sizes, families, weights and alignment of the text are",
            _TEXT, "fidelity", _COMPONENT,
        ),
        _visual("figures", "share of the stated numbers that are the design's", _TEXT, shown=_COMPONENT),
        _rate("ir", "share of checks that failed", SHOWN),
        _rate("iwir", "mean severity of what failed", SHOWN),
        _rate("weighted_ir", "how much failed, by severity: ir x iwir", ("ranking", "watched")),
        Metric(
            "delivered", "share of the design's text that reaches everyone", True, 1.0,
            measure=Computed("measuring.checks:delivered_text", "value"),
            part="delivered", basis=(*_TEXT, "audit"), shown=("wide", "report", "ranking"),
        ),
        _rate("ir_elements", "share of checked elements that have a failure"),
        _rate("failed", "number of failed checks", ("report",), upper=None),
        _rate("unaudited", "share of visible text that no rule checks"),
        Metric(
            "probe_failures", "number of checks of probes that failed", False, None,
            measure=Computed("measuring.checks:count_probe_failures"),
            part="probes", basis=("probes",), shown=(),
        ),
        _merged("failed_merged", "number of failures that engines found, merged"),
        _merged("ir_merged", "merged failures per check of axe-core"),
        _merged("iwir_merged", "mean severity of merged failures", upper=1.0),
        _merged("weighted_ir_merged", "how much failed, merged, by severity"),
    )
)  # fmt: skip


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
            metric = Metric(f"{FAILED}{name}", words, False, part="engines", basis=_ENGINES, shown=())
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
