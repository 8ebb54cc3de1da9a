"""Properties of a test in JUnit XML: flat names, and values as text that is valid in any XML."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.evaluation import USUAL_AXES
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.run import Evaluation, metric_value

PREFIX = "design2a11y"
_LONGEST = 1000


def junit_properties(evaluation: Evaluation, *, number: int = 1) -> list[tuple[str, str]]:
    """Return the measurements as (name, value) pairs, valid in XML, for pytest's `record_property`."""
    values: list[tuple[str, object]] = []
    values += [(name, getattr(evaluation, name)) for name in ("case", "sample", "reference", "candidate")]
    for axis, value in evaluation.axes.items():
        values.append((axis if axis in USUAL_AXES else f"axis.{axis}", value))
    for metric in METRICS:
        measured = metric_value(evaluation, metric)
        values.append((metric, None if measured is None else f"{measured:.6g}"))
    if (rates := evaluation.accessibility) is not None:
        values += [(name, getattr(rates, name)) for name in ("checked", "incomplete", "status")]
    values.append(("severity_note", evaluation.severity_note or None))
    values += [(f"{name}.failed", each.failed) for name, each in evaluation.engines.items() if name != AXE]
    for verdict in evaluation.verdicts:
        state = "pass" if verdict.is_passed else "fail"
        bound = f"{verdict.operator} {verdict.limit:g} {state} ({verdict.origin})"
        values.append((f"limit.{verdict.metric}", bound))
    values.append(("error", evaluation.error))
    codes = dict.fromkeys(warning.code for warning in evaluation.told_warnings)
    values.append(("warnings", ", ".join(codes) if codes else None))
    if (made := evaluation.environment) is not None:
        values += [("chromium", made.chromium), ("axe", made.axe)]
    prefix = PREFIX if number == 1 else f"{PREFIX}.{number}"
    known = ((name, str(value)) for name, value in values if value is not None)
    return [(f"{prefix}.{name}", sanitize(text, limit=_LONGEST)) for name, text in known]


def properties_of_others(properties: Iterable[tuple[str, object]]) -> list[tuple[str, object]]:
    """Return a test's properties without those of this plugin."""
    return [(name, value) for name, value in properties if not name.startswith(f"{PREFIX}.")]
