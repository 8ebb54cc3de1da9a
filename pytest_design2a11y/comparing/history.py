"""Saved runs in chronological order: their means, and what clearly changed from one to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from pytest_design2a11y.comparing.aggregate import CONFIDENCE, Interval, summarize_table
from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.comparison import Comparison
from pytest_design2a11y.comparing.pairing import AxisValues, axis_values
from pytest_design2a11y.comparing.resampling import MIN_CASES
from pytest_design2a11y.comparing.significance import holm
from pytest_design2a11y.comparing.table import FailedPages, RunTable, make_table, rule_text
from pytest_design2a11y.exceptions import NotComparable
from pytest_design2a11y.models.metrics import SCHEMA_VERSION, shown_in
from pytest_design2a11y.models.run import Run, origin_text

#: After this many days, a model behind an address is assumed to have changed.
OLD_AFTER_DAYS = 14


def days_between(earlier: str, later: str) -> float | None:
    """Return the days between two ISO 8601 times, negative if reversed; None if either is invalid."""
    try:
        first, second = (datetime.fromisoformat(text) for text in (earlier, later))
    except ValueError:
        return None
    first, second = (time if time.tzinfo else time.replace(tzinfo=UTC) for time in (first, second))
    return (second - first).total_seconds() / 86_400


#: A run without its evaluations, with the table of them.
Tabled = tuple[Run, RunTable]

#: Which prompt went to which model: runs that share this should differ only by chance.
Identity = tuple[frozenset[AxisValues], tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Drift:
    """A metric that surely moved although prompt and model are the same."""

    metric: str
    since: str  # Name of the first run of that prompt and model
    days: float
    trend: str
    difference: float  # Mean over the cases in both runs, this run minus the first
    interval: Interval | None  # 95 % confidence interval of the difference
    # Measuring conditions that differ between the two runs, and may also have moved it
    differing: tuple[str, ...]
    same: str  # What both runs record of prompt and model, for the user

    def __str__(self) -> str:
        interval = "" if self.interval is None else f" ({self.interval[0]:+.4f} .. {self.interval[1]:+.4f})"
        cause = (
            f"{', '.join(self.differing)} differ too"
            if self.differing
            else "if nothing else was changed, the model behind it was"
        )
        return (
            f"{self.metric} surely {self.trend} than in {self.since}, {self.days:.0f} days before, with the "
            f"same {self.same}: {self.difference:+.4f}{interval}; {cause}"
        )


def identity_of(tabled: Tabled) -> Identity | None:
    """Return a key that is equal for runs with equal prompts; None if a run does not record its prompts."""
    run, table = tabled
    mix = frozenset(axes for _case, axes in table.keys)
    names = {name for axes in mix for name, _value in axes} | set(run.labels)
    if not run.prompts and "prompt" not in names:
        return None
    return mix, tuple(sorted(run.prompts.items())), tuple(sorted(run.labels.items()))


def find_drifts(
    spans: Mapping[Identity, tuple[Tabled, Tabled]], *, failed_pages: FailedPages
) -> dict[str, tuple[Drift, ...]]:
    """Find metrics that surely moved from the first to the last run of each prompt and model.

    Runs less than `OLD_AFTER_DAYS` apart are skipped. Significance is corrected for both metrics of all
    prompts and models together.

    Args:
        spans: First and last run of each.
        failed_pages: The rule with which the tables were made.

    Returns:
        The drifts by the last run's name, without those in which nothing moved.
    """
    compared: dict[str, tuple[Comparison, float, str]] = {}
    for (first, first_table), (last, table) in spans.values():
        days = days_between(first.created, last.created)
        if days is None or days < OLD_AFTER_DAYS:
            continue
        with suppress(NotComparable):
            comparison = compare_runs(first, last, failed_pages=failed_pages, tables=(first_table, table))
            axes = axis_values(table.keys).items()
            parts = [f"{name} {' and '.join(filter(None, values))}" for name, values in axes]
            parts.append(origin_text("", last.labels, last.prompts))
            compared[last.name] = comparison, days, ", ".join(filter(None, parts))
    p_values = {
        (name, metric): comparison.metrics[metric].mean_p
        for name, (comparison, _days, _same) in compared.items()
        for metric in shown_in("watched")  # Few metrics, so that little has to be corrected for
        if comparison.metrics[metric].state == "compared"
        and len(comparison.metrics[metric].cases) >= MIN_CASES
    }
    found: dict[str, tuple[Drift, ...]] = {}
    for (name, metric), _num_open, p_value in holm(p_values):
        if p_value < 1 - CONFIDENCE:
            comparison, days, same = compared[name]
            moved = comparison.metrics[metric]
            drift = Drift(
                metric=metric,
                since=comparison.old.name,
                days=days,
                trend="worse" if float(moved.worsening.mean()) > 0 else "better",
                difference=moved.difference,
                interval=moved.interval,
                differing=tuple(
                    difference.label for difference in comparison.differences if metric in difference.metrics
                ),
                same=same,
            )
            found[name] = (*found.get(name, ()), drift)
    return found


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
class Entry:
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
    # What has surely moved since the first run with the same axes, prompt and labels; only in the last one
    drifts: tuple[Drift, ...] = ()


def make_history(runs: Iterable[Run], *, failed_pages: FailedPages = "exclude") -> tuple[Entry, ...]:
    """Describe runs in chronological order, each compared with the last earlier one that has the same axes.

    The last run of each prompt and model is also compared with the first: whatever moved in between, although
    nothing is recorded to have changed, is drift.

    Runs are consumed one at a time; only the tables of two runs per prompt and model are kept.
    """
    entries: list[Entry] = []
    last: dict[frozenset[AxisValues], Tabled] = {}
    spans: dict[Identity, tuple[Tabled, Tabled]] = {}
    for run in runs:
        tabled = replace(run, evaluations=()), make_table(run, failed_pages=failed_pages)
        mix = frozenset(axes for _case, axes in tabled[1].keys)
        entries.append(_entry(tabled, last.get(mix), failed_pages))
        last[mix] = tabled
        if (identity := identity_of(tabled)) is not None:
            spans[identity] = spans.get(identity, (tabled, tabled))[0], tabled
    drifts = find_drifts(spans, failed_pages=failed_pages)
    return tuple(replace(entry, drifts=drifts.get(entry.name, ())) for entry in entries)


def history_lines(entries: Sequence[Entry], *, failed_pages: FailedPages = "exclude") -> list[str]:
    """List runs with their means."""
    if not entries:
        return ["no saved runs yet: save one with --save NAME, in pytest --design2a11y-save NAME"]
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
    drifts = [f"drift: {entry.name}: {drift}" for entry in entries for drift in entry.drifts]
    texts = {
        "better": "surely better than the last run with the same axes",
        "worse": "surely worse than it",
        "refused": "measured differently from it",
    }
    if parts := [f"{_MARKS[change]} {text}" for change, text in texts.items() if change in used]:
        lines.append(f"({'; '.join(parts)}; by paired differences, corrected for all metrics together)")
    return [*lines, *drifts, f"({rule_text(failed_pages, sum(entry.num_zeros for entry in entries))})"]


def history_to_dict(entries: Sequence[Entry]) -> dict[str, Any]:
    """Return a history as JSON values."""
    return {"schema": SCHEMA_VERSION, "runs": [asdict(entry) for entry in entries]}


def _entry(tabled: Tabled, previous: Tabled | None, failed_pages: FailedPages) -> Entry:
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
    return Entry(
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
