"""Results for other programs: a long table, violations by the file's suffix, pytest's reports."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pytest_design2a11y.escaping import csv_cell, json_line, shown, whole_characters
from pytest_design2a11y.files import write_text, write_whole
from pytest_design2a11y.models.audit import Accepted
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.run import Run, shown_page, without_server
from pytest_design2a11y.report.rules import criteria, reason_and_fix
from pytest_design2a11y.report.sarif import digest, place_of, sarif, violations
from pytest_design2a11y.wording import counted, ended

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
        if not metric.is_of_engines or any(page.value(name) is not None for page in run.evaluations)
    ]
    axes = dict.fromkeys(name for name in columns_of(run) if name.startswith("axis_"))
    for evaluation in run.evaluations:
        is_alone = evaluation.reference is None and evaluation.visual is None and evaluation.error is None
        axes_of_page = {f"axis_{name}": value for name, value in evaluation.axes.items()}
        for metric in metrics:
            value = evaluation.value(metric)
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


#: Columns of the table of findings.
COLUMNS = ("page", "rule", "impact", "element", "line", "message", "wcag")
#: Instead of a rule for a page that could not be measured: without a row it would look clean.
NOT_MEASURED = "not-measured"

#: GitLab's severities. A page that was not measured ranks above any finding, since its own are unknown.
_SEVERITIES = {
    "critical": "critical",
    "serious": "major",
    "moderate": "minor",
    "minor": "info",
    None: "minor",
}
_UNMEASURED = "blocker"
#: GitLab's path for a page that was passed as HTML text.
_NO_FILE = "HTML text"
_LONGEST = 1000


def write_findings(path: Path, run: Run, accepted: Accepted) -> None:
    """Write a run's violations as SARIF, as GitLab's Code Quality report (.json), or else as CSV."""
    if make := {".sarif": sarif, ".json": code_quality}.get(path.suffix.lower()):
        write_whole(path, (json.dumps(make(run, accepted), indent=1) + "\n").encode())
    else:
        write_text(path, (f"{line}\n" for line in findings_csv(run, accepted)))


def code_quality(run: Run, accepted: Accepted) -> list[dict[str, Any]]:
    """Return violations that are not accepted, each once, in GitLab's "Code Quality report format"."""
    unique = {
        violation.fingerprint: violation
        for violation in violations(run, accepted)
        if not violation.is_accepted
    }
    issues = [
        _issue(
            violation.evaluation, violation.sentence, violation.rule.rule, fingerprint,
            _SEVERITIES[violation.impact], violation.line,
        )
        for fingerprint, violation in unique.items()
    ]  # fmt: skip
    for page in run.evaluations:
        if page.error is not None:
            fingerprint = digest(_path(page), text := shown(str(page.error), limit=_LONGEST))
            issues.append(_issue(page, text, NOT_MEASURED, fingerprint, _UNMEASURED, None))
    return issues


def _issue(
    page: Evaluation, text: str, check: str, fingerprint: str, severity: str, line: int | None
) -> dict[str, Any]:
    return {
        "description": shown(text, limit=_LONGEST),
        "check_name": check,
        "fingerprint": fingerprint,
        "severity": severity,
        # GitLab requires a line.
        "location": {"path": _path(page), "lines": {"begin": line or 1}},
    }


def _path(page: Evaluation) -> str:
    """Return where a page is as GitLab wants it: relative, and never with the port of a test's server."""
    place = place_of(page)
    if place is None:
        return _NO_FILE
    address = without_server(place)
    path = address.partition("://")[2] or address.lstrip("/") or address
    return whole_characters(path if "://" in place else place)


def findings_csv(run: Run, accepted: Accepted) -> Iterator[str]:
    """Return a head, and a CSV row per failing element not accepted; those only counted share one."""
    rows = dict.fromkeys(_rows(run, accepted))
    return csv_lines(COLUMNS, (dict(zip(COLUMNS, row, strict=True)) for row in rows))


def _rows(run: Run, accepted: Accepted) -> Iterator[tuple[int | str, ...]]:
    for page in run.evaluations:
        if page.error is not None:
            yield shown_page(page), NOT_MEASURED, "", "", "", str(page.error), ""
    for violation in violations(run, accepted):
        if not violation.is_accepted:
            rule, node = violation.rule, violation.node
            more = counted(violation.count, "further element") + "."
            message = (
                f"{ended(rule.help or rule.rule)} {more if node is None else reason_and_fix(rule, node)}"
            )
            yield (
                shown_page(violation.evaluation),
                rule.rule,
                violation.impact or "",
                "" if node is None else node.target,
                violation.line or "",
                message.strip(),
                "; ".join(criteria(rule.tags)),
            )
