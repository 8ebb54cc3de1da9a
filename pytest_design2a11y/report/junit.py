"""Properties of a test in JUnit XML: flat names, values as text that any XML can hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.run import USUAL_AXES, Evaluation
from pytest_design2a11y.models.serialization import metric_value

PREFIX = "design2a11y"
_LONGEST = 1000


def junit_properties(evaluation: Evaluation, *, number: int = 1) -> list[tuple[str, str]]:
    """Return what was measured as (name, value), for pytest's `record_property`.

    Control characters and what XML 1.0 forbids are escaped.
    """
    prefix = PREFIX if number == 1 else f"{PREFIX}.{number}"
    return [(f"{prefix}.{name}", sanitize(value, limit=_LONGEST)) for name, value in _facts(evaluation)]


def properties_of_others(properties: Iterable[tuple[str, object]]) -> list[tuple[str, object]]:
    """Return a test's properties without ours."""
    return [(name, value) for name, value in properties if not name.startswith(f"{PREFIX}.")]


def _facts(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    for name in ("case", "sample", "reference", "candidate"):
        value = getattr(evaluation, name)
        if value is not None:
            yield name, value
    for name, value in evaluation.axes.items():
        yield name if name in USUAL_AXES else f"axis.{name}", value
    for metric in METRICS:
        value = metric_value(evaluation, metric)
        if value is not None:
            yield metric, f"{value:.6g}"
    if evaluation.accessibility is not None:
        yield "checked", str(evaluation.accessibility.checked)
        yield "incomplete", str(evaluation.accessibility.incomplete)
        yield "status", evaluation.accessibility.status
    if evaluation.severity_note:
        yield "severity_note", evaluation.severity_note
    for name, counts in evaluation.engines.items():
        if name != AXE:
            yield f"{name}.failed", str(counts.failed)
    for verdict in evaluation.verdicts:
        state = "pass" if verdict.is_passed else "fail"
        yield f"limit.{verdict.metric}", f"{verdict.operator} {verdict.limit:g} {state} ({verdict.origin})"
    if evaluation.error is not None:
        yield "error", str(evaluation.error)
    if evaluation.told_warnings:
        yield "warnings", ", ".join(dict.fromkeys(warning.code for warning in evaluation.told_warnings))
    if evaluation.environment is not None:
        if evaluation.environment.chromium is not None:
            yield "chromium", evaluation.environment.chromium
        if evaluation.environment.axe is not None:
            yield "axe", evaluation.environment.axe
