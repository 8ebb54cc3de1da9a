"""The table at the end of a pytest run, as lines; the plugin prints them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.metrics import LIMITS_OF_CHECKS, METRICS, shown_in
from pytest_design2a11y.models.run import RENDERING_AXES, Evaluation, Run
from pytest_design2a11y.models.serialization import metric_value
from pytest_design2a11y.report.html.overview import worst_first
from pytest_design2a11y.report.probes import engine_versions, summary_of_engines, summary_of_probes
from pytest_design2a11y.wording import counted

if TYPE_CHECKING:
    from pytest_design2a11y.comparing.counting import FailedPages

#: Columns of the table, left to right; a narrow terminal does without the last of those that may go.
_NEEDED = frozenset(shown_in("summary"))
COLUMNS = shown_in("summary", "wide")
_CELL = 11
_VERDICT = 8
_SHORTEST_NAME, _LEAST_NAME = 20, 8
_INTERVAL_LABELS = ("95 % interval from", "to")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text and how pytest's writer should mark it."""

    text: str
    markup: dict[str, bool] = field(default_factory=dict)


def summary_lines(
    evaluations: Sequence[Evaluation],
    *,
    width: int,
    is_brief: bool,
    failed_pages: FailedPages = "exclude",
    most: int | None = None,
) -> Iterator[Line]:
    """Return the summary: a line a page, the means with their intervals, what produced them, warnings.

    Args:
        evaluations: What was measured; at least one.
        width: Characters that fit on a line.
        is_brief: Leave the single pages out (`-q`).
        failed_pages: What a candidate that failed by its own fault counts as in the means.
        most: How many pages have a line, the worst first; None: all, in their order.
    """
    from pytest_design2a11y.comparing.aggregate import summarize_table
    from pytest_design2a11y.comparing.counting import rule_text
    from pytest_design2a11y.comparing.table import make_table

    columns = columns_that_fit(width, _columns_with_values(evaluations, COLUMNS))
    # Of all pages first, then of each way in which pages were rendered.
    tables = {
        label: make_table(Run("", "", True, tuple(part)), failed_pages=failed_pages)
        for label, part in {"": evaluations, **_by_rendering(evaluations)}.items()
    }
    all_of_them = tables[""]
    num_cases = len(all_of_them.cases)
    share = "" if all_of_them.num_measured == num_cases else f"{all_of_them.num_measured} of "
    means = {
        label or f"mean of {share}{counted(num_cases, 'case')}": summarize_table(table)
        for label, table in tables.items()
    }
    longest = max(map(len, [*means, *_INTERVAL_LABELS, *(evaluation.id for evaluation in evaluations)]))
    name_width = min(longest, max(_LEAST_NAME, width - _width_of(columns) - _VERDICT))
    yield Line(_row("", dict(zip(columns, columns, strict=True)), "verdict", name_width))
    told = [] if is_brief else list(evaluations)
    if most is not None and len(told) > most:
        told = [row.evaluation for row in worst_first(Run("", "", True, tuple(evaluations)))[:most]]
    yield from (_evaluation_line(evaluation, columns, name_width) for evaluation in told)
    if told and len(told) < len(evaluations):
        yield Line(f"and {counted(len(evaluations) - len(told), 'page')} that did better")
    for number, (label, found) in enumerate(means.items()):
        cells = {column: _number(found[column].mean if column in found else None) for column in columns}
        yield Line(_row(label, cells, "", name_width), {} if number else {"bold": True})
    if failed_pages != "exclude":
        yield Line(f"in the means, {rule_text(failed_pages, all_of_them.num_zeros)}")
    # Between which values the means lie, were other cases like these measured.
    summaries = next(iter(means.values()))
    intervals = {column: summaries[column].interval if column in summaries else None for column in columns}
    for place, label in enumerate(_INTERVAL_LABELS if any(intervals.values()) else ()):
        cells = {column: _number(interval and interval[place]) for column, interval in intervals.items()}
        yield Line(_row(label, cells, "", name_width))
    again = [f"{sanitize(one.id, limit=200)} (try {one.tries})" for one in evaluations if one.tries > 1]
    if again:
        more = f" and {len(again) - 3} more" if len(again) > 3 else ""
        text = f"run again: {', '.join(again[:3])}{more}; the last try of a test counts"
        yield Line(text, {"yellow": True})
    yield from _reference_lines(evaluations)
    yield from (Line(text, {"yellow": True}) for text in severity_lines(evaluations))
    yield from map(Line, summary_of_engines(evaluations))
    yield from map(Line, summary_of_probes(evaluations))
    for evaluation in evaluations:
        if evaluation.error is not None:
            is_reference = evaluation.error.role == "reference" and evaluation.reference is not None
            page = evaluation.reference if is_reference else evaluation.candidate or evaluation.id
            text = f"error: {page}: {evaluation.error.type}: {evaluation.error.message}"
            yield Line(sanitize(text, limit=500), {"red": True})
    yield from _warning_lines(evaluations)
    yield from (Line(text, {"light": True}) for text in _producer_texts(evaluations))


def columns_that_fit(width: int, columns: Sequence[str] = COLUMNS) -> list[str]:
    """Choose the columns for a terminal's width."""
    chosen = list(columns)
    while _SHORTEST_NAME + _width_of(chosen) + _VERDICT > width and not _NEEDED.issuperset(chosen):
        chosen.pop()
    return chosen


def _width_of(columns: Iterable[str]) -> int:
    return sum(max(_CELL, len(column) + 1) for column in columns)


def _columns_with_values(evaluations: Sequence[Evaluation], columns: Sequence[str]) -> list[str]:
    """Leave out what no page has, such as visual scores where pages were only audited; unless that is all."""
    measured = [
        column for column in columns if any(metric_value(one, column) is not None for one in evaluations)
    ]
    return measured or list(columns)


def page_line(evaluation: Evaluation) -> str:
    """Tell of one page in a line: its verdict, its name, its values, or why it has none."""
    verdict, _markup = _verdict_of(evaluation)
    columns = _columns_with_values([evaluation], COLUMNS)
    values = (
        f"{column} {_number(metric_value(evaluation, column))}"
        for column in columns
        if evaluation.error is None
    )
    error = f"{evaluation.error.type}: {evaluation.error.message}" if evaluation.error else ""
    return "  ".join([f"{verdict:<5}", sanitize(evaluation.id, limit=200), *values, error]).rstrip()


def _row(name: str, cells: Mapping[str, str], verdict: str, name_width: int) -> str:
    numbers = "".join(f"{cell:>{_width_of([column])}}" for column, cell in cells.items())
    text = sanitize(name, limit=1000)
    if len(text) > name_width:
        # Cut at its start: tests differ at their ends.
        text = f"…{text[1 - name_width :]}"
    return f"{text:<{name_width}}{numbers}{verdict:>{_VERDICT}}"


def _evaluation_line(evaluation: Evaluation, columns: Sequence[str], name_width: int) -> Line:
    verdict, markup = _verdict_of(evaluation)
    cells = {column: _number(metric_value(evaluation, column)) for column in columns}
    return Line(_row(evaluation.id, cells, verdict, name_width), markup)


def _verdict_of(evaluation: Evaluation) -> tuple[str, dict[str, bool]]:
    if evaluation.error is not None:
        return "error", {"red": True}
    if not evaluation.verdicts:
        return "-", {}
    if all(verdict.is_passed for verdict in evaluation.verdicts):
        return "pass", {"green": True}
    return "fail", {"red": True}


def _by_rendering(evaluations: Sequence[Evaluation]) -> dict[str, list[Evaluation]]:
    """Group pages by the viewport, scheme and state that they were rendered in; {} where that is one."""
    axes = [
        name for name in RENDERING_AXES if len({evaluation.axes.get(name) for evaluation in evaluations}) > 1
    ]
    groups: dict[str, list[Evaluation]] = {}
    for evaluation in evaluations if axes else ():
        said = ", ".join(f"{name} {evaluation.axes[name]}" for name in axes if name in evaluation.axes)
        groups.setdefault(f"mean, {said or 'as usual'}", []).append(evaluation)
    return groups


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _reference_lines(evaluations: Iterable[Evaluation]) -> Iterator[Line]:
    """Tell whether the pages are more accessible than their designs, where both were audited."""
    differences = [
        (one.accessibility.weighted_ir - one.reference_accessibility.weighted_ir, one.id)
        for one in evaluations
        if one.accessibility is not None and one.reference_accessibility is not None
    ]
    if not differences:
        return
    better = sum(difference < 0 for difference, _ in differences)
    worse = sum(difference > 0 for difference, _ in differences)
    same = len(differences) - better - worse
    text = f"accessibility beside the designs (weighted_ir): {better} better, {worse} worse, {same} the same"
    if worse:
        largest, name = max(differences)
        text += f"; most in {sanitize(name, limit=200)}, by {largest:.4f}"
    yield Line(text)


def severity_lines(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Tell of iwir what it does not say itself: once a run, whatever the pages."""
    notes = [(one, one.severity_note) for one in evaluations if one.severity_note]
    if notes:
        first, note = notes[0]
        more = f" (and {counted(len(notes) - 1, 'more page')})" if len(notes) > 1 else ""
        yield f"beside its design, {sanitize(first.id, limit=200)}: {note}{more}"
    limited = {verdict.metric for one in evaluations for verdict in one.verdicts}
    rates = {name for name, metric in METRICS.items() if metric.is_blind_to_missing} - {"iwir"}
    if "iwir" in limited and not limited & (rates | {"delivered"}):
        yield (
            "hint: a limit on iwir alone judges how severe failures are, not how many; fixing minor "
            "ones raises it. Add a limit on ir, or use weighted_ir"
        )


def _warning_lines(evaluations: Iterable[Evaluation]) -> Iterator[Line]:
    pages: dict[str, list[str]] = {}
    for evaluation in evaluations:
        for warning in evaluation.told_warnings:
            pages.setdefault(warning.code, []).append(f"{evaluation.candidate}: {warning.message}")
    for code, messages in sorted(pages.items()):
        more = f" (and {len(messages) - 1} more)" if len(messages) > 1 else ""
        yield Line(sanitize(f"warning: {code}: {messages[0]}", limit=300) + more, {"yellow": True})


def _producer_texts(evaluations: Iterable[Evaluation]) -> list[str]:
    """Name what produced the numbers; more than one line where several things did."""
    texts = set()
    for evaluation in evaluations:
        environment = evaluation.environment
        if environment is None:
            continue
        backend = evaluation.visual.appearance_backend if evaluation.visual else None
        hosts = evaluation.settings.get("allowed_hosts")
        parts = [
            f"chromium {environment.chromium}" if environment.chromium else "no browser",
            f"axe-core {environment.axe}" if environment.axe else "",
            *(" ".join(engine) for engine in engine_versions(evaluation)),
            f"appearance {backend}" if backend else "",
            "" if environment.sandbox else "sandbox off",
            f"hosts {', '.join(hosts)}" if hosts else "",
        ]
        texts.add(", ".join(part for part in parts if part))
    if not texts:
        return []
    return [*sorted(texts), LIMITS_OF_CHECKS]
