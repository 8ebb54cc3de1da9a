"""What GitHub Actions shows: a job summary in Markdown, and annotations on the run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_design2a11y.comparing.aggregate import MetricSummary, summarize_table
from pytest_design2a11y.comparing.distinct import repetitions
from pytest_design2a11y.comparing.failed_pages import FailedPages, rule_text
from pytest_design2a11y.comparing.table import make_table
from pytest_design2a11y.escaping import markdown, workflow_data, workflow_property
from pytest_design2a11y.models.metrics import METRICS, shown_in
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.models.serialization import metric_value
from pytest_design2a11y.report.html.overview import (
    STATES,
    Row,
    count_states,
    state_of,
    worst_first,
)
from pytest_design2a11y.wording import counted

#: GitHub shows ten errors a step; the tenth tells of the others.
MAX_ANNOTATIONS = 10

_COLUMNS = (*shown_in("summary"), "failed")
_MARKS = {"error": "⚠️ not measured", "fail": "❌ fail", "pass": "✅ pass", "none": "–"}


def step_summary(
    run: Run, *, max_pages: int = 20, comparison: str = "", failed_pages: FailedPages = "exclude"
) -> str:
    """Return a run as GitHub's Markdown, for the file that $GITHUB_STEP_SUMMARY names.

    Args:
        run: What was measured.
        max_pages: How many pages are listed, the worst first.
        comparison: Markdown of the run against an older one, put above the means.
        failed_pages: What a candidate that failed by its own fault counts as in the means.
    """
    rows = worst_first(run)
    table = make_table(run, failed_pages=failed_pages)
    counts = ", ".join(f"{count} {STATES[state]}" for state, count in count_states(rows).items())
    lines = [
        f"### design2a11y: {markdown(run.name)}",
        "",
        f"{counted(len(rows), 'page')}: {counts}."
        + ("" if run.is_complete else " **The run is incomplete.**"),
        "",
        *([f"{markdown(repeated, limit=500)}.", ""] if (repeated := repetitions(run.evaluations)) else []),
        *([comparison, "#### This run", ""] if comparison else []),
        *_means(list(summarize_table(table).values()), rule_text(failed_pages, table.num_zeros)),
        *_pages(rows, max_pages),
        "Automated checks find a part of the barriers only.",
    ]
    return "\n".join(lines) + "\n"


def annotation_lines(run: Run) -> Iterator[str]:
    """Return a workflow command `::error` for every page that broke a limit or could not be measured.

    Print them on lines of their own, and only where GITHUB_ACTIONS is "true".
    """
    bad = [row.evaluation for row in worst_first(run) if row.state in ("error", "fail")]
    shown = bad if len(bad) <= MAX_ANNOTATIONS else bad[: MAX_ANNOTATIONS - 1]
    for evaluation in shown:
        yield _command(evaluation)
    if len(bad) > len(shown):
        more = f"{len(bad) - len(shown)} more pages broke a limit or could not be measured."
        yield f"::error title=design2a11y::{workflow_data(more)}"


def _means(summaries: Sequence[MetricSummary], rule: str) -> Iterator[str]:
    if not summaries:
        return
    yield "| metric | mean | 95 % interval | worst | cases |"
    yield "|---|--:|:-:|--:|--:|"
    for summary in summaries:
        low_high = "" if summary.interval is None else "{:.4f} – {:.4f}".format(*summary.interval)
        arrow = "↑" if summary.metric.is_higher_better else "↓"
        yield (
            f"| {markdown(summary.metric.id)} {arrow} | {summary.mean:.4f} | {low_high} "
            f"| {summary.worst:.4f} | {len(summary.values)} |"
        )
    yield ""
    yield f"({rule})"
    yield ""


def _pages(rows: Sequence[Row], max_pages: int) -> Iterator[str]:
    yield f"| page | limits | {' | '.join(_COLUMNS)} |"
    yield f"|---|---|{'--:|' * len(_COLUMNS)}"
    for row in rows[:max_pages]:
        cells = " | ".join(_number(metric_value(row.evaluation, column), column) for column in _COLUMNS)
        yield f"| {markdown(row.evaluation.id)}{_reason(row)} | {_MARKS[row.state]} | {cells} |"
    yield ""
    if len(rows) > max_pages:
        yield f"… and {len(rows) - max_pages} more pages."
        yield ""


def _number(value: float | None, column: str) -> str:
    if value is None:
        return "–"
    return f"{value:g}" if METRICS[column].upper is None else f"{value:.4f}"


def _reason(row: Row) -> str:
    texts = _reasons(row.evaluation)
    return "".join(f"<br>{markdown(text)}" for text in texts)


def _reasons(evaluation: Evaluation) -> list[str]:
    if evaluation.error is not None:
        return [f"{evaluation.error.type}: {evaluation.error.message}"]
    return [
        f"{verdict.metric} {verdict.value:.4f}, limit {verdict.operator} {verdict.limit:g}"
        for verdict in evaluation.verdicts
        if not verdict.is_passed
    ]


def _command(evaluation: Evaluation) -> str:
    title = "not measured" if state_of(evaluation) == "error" else "limit broken"
    message = f"{evaluation.id}: {'; '.join(_reasons(evaluation))}"
    file = evaluation.candidate
    is_path = bool(file) and "://" not in file and not file.startswith(("<", "/"))
    place = f"file={workflow_property(file)}," if is_path else ""
    return f"::error {place}title={workflow_property(f'design2a11y: {title}')}::{workflow_data(message)}"
