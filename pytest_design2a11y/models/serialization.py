"""Evaluations as JSON: the one form that the command line prints and runs are saved in; and their metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import chain, islice
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.models.metrics import METRICS, SCHEMA_VERSION
from pytest_design2a11y.models.visual import Difference

if TYPE_CHECKING:
    from pytest_design2a11y.models.run import Evaluation


#: Names of the built-in metrics, by the part of an evaluation that holds them.
_NAMES = {
    part: [metric.name for metric in METRICS.values() if metric.part == part]
    for part in ("visual", "accessibility", "delivered", "probes")
}
_READ_VISUAL = attrgetter(*("score" if name == "visual" else name for name in _NAMES["visual"]))
_READ_RATES = attrgetter(*_NAMES["accessibility"])
_IN_PARTS = list(chain.from_iterable(_NAMES.values()))
_IN_ORDER = itemgetter(*map(_IN_PARTS.index, (name for name in METRICS if name in _IN_PARTS)))

#: Keys of details.
_DETAILS = frozenset({"audit", "further_audits", "probe_findings", "metric_findings"})
_VISUAL_DETAILS = frozenset({"matches", "missing", "extra", "differences"})
#: Keys that are left out if empty.
_RARE = (
    "error", "visual", "accessibility", "reference_accessibility", "delivered_parts", "severity_note",
    "merged", "probes", "audit", "audits", "probe_findings", "metrics", "metric_reasons", "metric_findings",
)  # fmt: skip


def metric_value(evaluation: Evaluation, metric: str) -> float | None:
    """Return the value of a metric by its id, None where it was not measured."""
    part = METRICS[metric].part
    if part == "metrics":
        return evaluation.metrics.get(metric)
    holder = getattr(evaluation, part) if part in ("visual", "accessibility") else evaluation
    value: float | None = (
        None if holder is None else getattr(holder, "score" if metric == "visual" else metric)
    )
    return value


def metric_values(evaluation: Evaluation) -> list[float | None]:
    """Return the values of all metrics, in the order of `METRICS`."""
    visual, rates = evaluation.visual, evaluation.accessibility
    values = (
        *([None] * len(_NAMES["visual"]) if visual is None else _READ_VISUAL(visual)),
        *([None] * len(_NAMES["accessibility"]) if rates is None else _READ_RATES(rates)),
        evaluation.delivered,
        evaluation.probe_failures,
    )
    further = (evaluation.metrics.get(name) for name in islice(METRICS, len(_IN_PARTS), None))
    return [*_IN_ORDER(values), *further]


def to_dict(evaluation: Evaluation, *, has_details: bool = True) -> dict[str, Any]:
    """Return an evaluation as JSON values, in a stable order of keys.

    Without details, blocks, rules and elements are not listed.
    """
    visual = evaluation.visual
    without = frozenset() if has_details else _DETAILS
    record = {"schema": SCHEMA_VERSION, **to_json(evaluation, without={*without, "visual"})}
    record["reference_kind"] = evaluation.reference_kind
    record["severity_note"] = evaluation.severity_note
    record["audits"] = record.pop("further_audits", None)
    if visual is not None:
        record["visual"] = {
            **to_json(visual, without=frozenset() if has_details else _VISUAL_DETAILS),
            "visual_preference": visual.visual_preference,
            "appearance": {"value": visual.appearance, "backend": visual.appearance_backend},
        }
        del record["visual"]["appearance_backend"]
        if has_details:
            record["visual"]["differences"] = [_in_words(found) for found in visual.differences]
    return {name: value for name, value in record.items() if value or name not in _RARE}


def _in_words(difference: Difference) -> dict[str, Any]:
    from pytest_design2a11y.models.words import in_words

    record: dict[str, Any] = to_json(difference, without={"members"})
    record["message"] = in_words(difference)
    return {**record, "members": list(map(_in_words, difference.members))}


def to_json(value: Any, *, without: frozenset[str] | set[str] = frozenset()) -> Any:
    """Return dataclasses and containers of them as JSON values, `without` some fields."""
    if is_dataclass(value):
        return {
            name: to_json(getattr(value, name))
            for name, is_always in _saved_fields(type(value))  # type: ignore[arg-type]
            if name not in without and (is_always or getattr(value, name) is not None)
        }
    if isinstance(value, Mapping):
        return {name: to_json(content) for name, content in value.items()}
    return list(map(to_json, value)) if isinstance(value, list | tuple) else value


@cache
def _saved_fields(kind: Any) -> tuple[tuple[str, bool], ...]:
    saved = [(field.name, field.metadata.get("saved")) for field in fields(kind)]
    return tuple((name, when is None) for name, when in saved if when != "never")
