"""Saved runs in chronological order: their means, and what clearly changed from one to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pytest_design2a11y.comparing.aggregate import summarize_table
from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.pairing import AxisValues
from pytest_design2a11y.comparing.table import FailedPages, RunTable, make_table, rule_text
from pytest_design2a11y.exceptions import NotComparable
from pytest_design2a11y.models.metrics import SCHEMA_VERSION, shown_in
from pytest_design2a11y.models.run import Run, origin_text
from pytest_design2a11y.wording import flag

#: A run without its evaluations, with the table of them.
Tabled = tuple[Run, RunTable]

_MARKS = {"better": "+", "worse": "!", "refused": "?"}


@dataclass(frozen=True, slots=True)
class MetricMean:
    """A metric's mean over a run's cases."""

    mean: float  # Every case counts the same
    # 95 % confidence interval of the mean over resampled cases; None with one case. It reflects how much
    # cases differ, so overlapping intervals of two runs do not mean that nothing changed
    interval: tuple[float, float] | None
    num_cases: int  # Cases that have the metric
    # Compared with the last run before with the same axes, paired by case: "better", "worse", "unclear",
    # "refused", or "" if there is nothing to compare
    change: str = ""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One run in the history."""

    name: str
    created: str
    is_complete: bool
    num_cases: int
    num_samples: int
    num_errors: int  # Cases in which a measurement failed
    metrics: Mapping[str, MetricMean]  # Means of the measured metrics, by metric id
    against: str = ""  # Name of the run that it is compared with: the last earlier one with the same axes
    num_zeros: int = 0  # Pages that count as visual 0 because they failed by their own fault
    labels: Mapping[str, str] = field(default_factory=dict)
    commit: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)


def make_history(runs: Iterable[Run], *, failed_pages: FailedPages = "exclude") -> tuple[HistoryEntry, ...]:
    """Describe runs in chronological order, each compared with the last earlier one of the same axes."""
    entries: list[HistoryEntry] = []
    last: dict[frozenset[AxisValues], Tabled] = {}
    for run in runs:
        tabled = replace(run, evaluations=()), make_table(run, failed_pages=failed_pages)
        mix = frozenset(axes for _case, axes in tabled[1].keys)
        entries.append(_entry(tabled, last.get(mix), failed_pages))
        last[mix] = tabled
    return tuple(entries)


def history_lines(entries: Sequence[HistoryEntry], *, failed_pages: FailedPages = "exclude") -> list[str]:
    """List runs with their means."""
    if not entries:
        return [f"no saved runs yet: save one with --save NAME, in pytest {flag('save')} NAME"]
    name_width = max(4, *(len(entry.name) for entry in entries))
    ranked = shown_in("ranking")
    metrics = [name for name in ranked if any(name in entry.metrics for entry in entries)] or ranked
    head = f"{'run':<{name_width}}  {'created':<25}{'cases':>6}{'samples':>9}{'errors':>8}"
    lines = [head + "".join(f"{metric:>14}" for metric in metrics)]
    for entry in entries:
        line = f"{entry.name:<{name_width}}  {entry.created:<25}{entry.num_cases:>6}{entry.num_samples:>9}"
        line += f"{entry.num_errors:>8}"
        for metric in metrics:
            mean = entry.metrics.get(metric)
            line += f"{'-':>12}  " if mean is None else f"{mean.mean:>12.4f} {_MARKS.get(mean.change, ' ')}"
        origin = origin_text(entry.commit, entry.labels, entry.prompts)
        notes = ["" if entry.is_complete else "incomplete", origin]
        lines.append(line + "".join(f"  {note}" for note in notes if note))
    used = {metric.change for entry in entries for metric in entry.metrics.values()}
    texts = {
        "better": "surely better than the last run with the same axes",
        "worse": "surely worse than it",
        "refused": "measured differently from it",
    }
    if parts := [f"{_MARKS[change]} {text}" for change, text in texts.items() if change in used]:
        lines.append(f"({'; '.join(parts)}; by paired differences, corrected for all metrics together)")
    return [*lines, f"({rule_text(failed_pages, sum(entry.num_zeros for entry in entries))})"]


def history_to_dict(entries: Sequence[HistoryEntry]) -> dict[str, Any]:
    """Return a history as JSON values."""
    return {"schema": SCHEMA_VERSION, "runs": [asdict(entry) for entry in entries]}


def _entry(tabled: Tabled, previous: Tabled | None, failed_pages: FailedPages) -> HistoryEntry:
    run, table = tabled
    changes: dict[str, str] = {}
    if previous is not None:
        with suppress(NotComparable):
            comparison = compare_runs(
                previous[0], run, failed_pages=failed_pages, tables=(previous[1], table)
            )
            for name, metric in comparison.metrics.items():
                if metric.state != "not measured":
                    changes[name] = metric.trend if metric.state == "compared" else metric.state
    return HistoryEntry(
        name=run.name,
        created=run.created,
        is_complete=run.is_complete,
        num_cases=len(table.cases),
        num_samples=sum(table.num_samples),
        num_errors=len(table.errors),
        against="" if previous is None else previous[0].name,
        num_zeros=table.num_zeros,
        labels=run.labels,
        commit=run.commit,
        prompts=run.prompts,
        metrics={
            name: MetricMean(summary.mean, summary.interval, len(summary.values), changes.get(name, ""))
            for name, summary in summarize_table(table).items()
        },
    )
