"""A run as a table: one row per evaluation and metric, for data frames, or one per failing element."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.escaping import csv_cell, json_line
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import replacing
from pytest_design2a11y.models.audit import Accepted
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.run import Run, metric_value
from pytest_design2a11y.report.rules import criteria, failing_rules, line_of, reason_and_fix
from pytest_design2a11y.wording import counted, ended

TextFormat = Literal["csv", "jsonl"]

Row = dict[str, Any]

#: Columns of the table of findings.
COLUMNS = ("page", "rule", "impact", "element", "line", "message", "wcag")
#: Instead of a rule for a page that could not be measured: without a row it would look clean.
NOT_MEASURED = "not-measured"


def columns_of(run: Run) -> list[str]:
    """Return the columns of a run's long table, in order, with one `axis_NAME` per axis of the run."""
    axes = sorted({axis for evaluation in run.evaluations for axis in evaluation.axes})
    return ["run", "case", *(f"axis_{axis}" for axis in axes), "sample", "id", "metric", "value", "error"]


def rows_of(run: Run) -> Iterator[Row]:
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
        own = {f"axis_{name}": value for name, value in evaluation.axes.items()}
        for metric in metrics:
            value = metric_value(evaluation, metric)
            if is_alone and METRICS[metric].needs_design:
                continue
            yield {
                "run": run.name,
                "case": evaluation.case,
                **{axis: own.get(axis, "") for axis in axes},
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


def write_parquet(run: Run, path: Path) -> None:
    """Write the long table as Parquet.

    Raises:
        ConfigurationError: pyarrow is not installed.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ConfigurationError(
            "The format parquet needs pyarrow, which is not installed.",
            advice='Run `pip install "pytest-design2a11y[parquet]"`, or take csv or jsonl.',
        ) from None
    kinds = [(name, pyarrow.float64() if name == "value" else pyarrow.string()) for name in columns_of(run)]
    table = pyarrow.Table.from_pylist(list(rows_of(run)), schema=pyarrow.schema(kinds))
    with replacing(path) as temporary:
        parquet.write_table(table, temporary)


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


def findings_csv(run: Run, accepted: Accepted) -> Iterator[str]:
    """Return one CSV row per failing element that is not accepted, with its line and WCAG criteria.

    The first line is the head; lines have no line ends.

    A page measured by several tests lists each element once. Elements that were only counted share a row.
    """
    rows = dict.fromkeys(_findings(run, accepted))
    return csv_lines(COLUMNS, (dict(zip(COLUMNS, row, strict=True)) for row in rows))


def _findings(run: Run, accepted: Accepted) -> Iterator[tuple[int | str, ...]]:
    for evaluation in run.evaluations:
        page = evaluation.candidate
        if evaluation.error is not None:
            yield page, NOT_MEASURED, "", "", "", str(evaluation.error), ""
        counts = accepted.get(evaluation.id, {})
        for audit in (
            *deduplicate(evaluation.audits, evaluation.engines).values(),
            *evaluation.probe_findings.values(),
        ):
            for rule in failing_rules(audit):
                if counts.get(rule.rule, 0) >= rule.num_violations:
                    continue
                named, what = "; ".join(criteria(rule.tags)), ended(rule.help or rule.rule)
                for node in rule.violations:
                    line = line_of(page, node) or ""
                    message = f"{what} {reason_and_fix(rule, node)}".strip()
                    impact = node.impact or rule.impact or ""
                    yield page, rule.rule, impact, node.target, line, message, named
                if rest := rule.num_violations - len(rule.violations):
                    message = f"{what} {counted(rest, 'further element')}."
                    yield page, rule.rule, rule.impact or "", "", "", message, named
