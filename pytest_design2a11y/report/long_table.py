"""A run as a table for data frames: one row per evaluation and metric."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from pytest_design2a11y.escaping import csv_cell, json_line
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.run import Run, metric_value

TextFormat = Literal["csv", "jsonl"]


def columns_of(run: Run) -> list[str]:
    """Return the columns of a run's long table, in order, with one `axis_NAME` per axis of the run."""
    axes = sorted({axis for evaluation in run.evaluations for axis in evaluation.axes})
    return ["run", "case", *(f"axis_{axis}" for axis in axes), "sample", "id", "metric", "value", "error"]


def rows_of(run: Run) -> Iterator[dict[str, Any]]:
    """Return the rows, by column.

    `value` is None if the metric was not measured; `error` is then the type of the error, if any. All other
    values are text; "" stands for no error, and for an axis that the page does not have. A page that was only
    audited has no rows for metrics that need a design, and a run none for engines that it did not use.
    """
    metrics = [
        name
        for name, metric in METRICS.items()
        if not metric.is_of_engines or any(metric_value(page, name) is not None for page in run.evaluations)
    ]
    axes = dict.fromkeys(name for name in columns_of(run) if name.startswith("axis_"))
    for evaluation in run.evaluations:
        is_alone = evaluation.reference is None and evaluation.visual is None and evaluation.error is None
        axes_of_page = {f"axis_{name}": value for name, value in evaluation.axes.items()}
        for metric in metrics:
            value = metric_value(evaluation, metric)
            if is_alone and METRICS[metric].needs_design:
                continue
            yield {
                "run": run.name,
                "case": evaluation.case,
                **{axis: axes_of_page.get(axis, "") for axis in axes},
                "sample": evaluation.sample,
                "id": evaluation.id,
                "metric": metric,
                "value": None if value is None else float(value),
                "error": evaluation.error.type if value is None and evaluation.error is not None else "",
            }


def table_lines(run: Run, form: TextFormat) -> Iterable[str]:
    """Return the long table as lines without line ends: CSV, or one JSON object per row."""
    if form == "csv":
        return csv_lines(columns_of(run), rows_of(run))
    return (json_line(row) for row in rows_of(run))


def csv_lines(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Return the lines of a table, starting with its head, without line ends."""
    yield _line(columns)
    for row in rows:
        yield _line([row[column] for column in columns])


def _line(values: Iterable[Any]) -> str:
    text = io.StringIO()
    cells = [csv_cell(value) if isinstance(value, str) else value for value in values]
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue()
