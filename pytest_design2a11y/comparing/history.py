"""Saved runs in the order of time: their means, and what clearly changed from one to the next."""

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

#: From so many days on, a model behind an address is taken to have changed in the meantime.
OLD_AFTER_DAYS = 14


def days_between(earlier: str, later: str) -> float | None:
    """Return days between two ISO 8601 times, negative if reversed; None if either is invalid."""
    try:
        first, second = (datetime.fromisoformat(text) for text in (earlier, later))
    except ValueError:
        return None
    first, second = (one if one.tzinfo else one.replace(tzinfo=UTC) for one in (first, second))
    return (second - first).total_seconds() / 86_400


#: A run without its evaluations, and the table of them.
Tabled = tuple[Run, RunTable]

#: What was asked of which model: runs that share it should differ by chance alone.
Identity = tuple[frozenset[AxisValues], tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Drift:
    """A metric that surely moved, though prompt and model are the same.

    Attributes:
        since: Name of the first run of that prompt and model.
        difference: Mean over the cases that both have, this run minus the first.
        interval: 95 % confidence interval of the difference.
        differing: Measuring conditions that differ between the two, which may have moved it as well.
        same: What both runs record of prompt and model, for the user.
    """

    metric: str
    since: str
    days: float
    trend: str
    difference: float
    interval: Interval | None
    differing: tuple[str, ...]
    same: str

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
    """Return a key that is equal for runs with equal prompts; None if a run does not record its prompt."""
    run, table = tabled
    mix = frozenset(axes for _case, axes in table.keys)
    names = {name for axes in mix for name, _value in axes} | set(run.labels)
    if not run.prompts and "prompt" not in names:
        return None
    return mix, tuple(sorted(run.prompts.items())), tuple(sorted(run.labels.items()))


def find_drifts(
    spans: Mapping[Identity, tuple[Tabled, Tabled]], *, failed_pages: FailedPages
) -> dict[str, tuple[Drift, ...]]:
    """Tell what surely moved from the first to the last run of each prompt and model.

    Runs less than `OLD_AFTER_DAYS` apart are not looked at. What is sure is corrected for both metrics of
    all prompts and models together.

    Args:
        spans: First and last run.
        failed_pages: The rule that the tables were made by.

    Returns:
        By the last run's name; those where nothing moved are left out.
    """
    compared: dict[str, tuple[Comparison, float, str]] = {}
    for first, last in spans.values():
        days = days_between(first[0].created, last[0].created)
        if days is not None and days >= OLD_AFTER_DAYS:
            try:
                comparison = compare_runs(
                    first[0], last[0], failed_pages=failed_pages, tables=(first[1], last[1])
                )
            except NotComparable:
                continue
            compared[last[0].name] = comparison, days, _same(last[1], last[0])
    p_values = {
        (name, metric): comparison.metrics[metric].mean_p
        for name, (comparison, _days, _told) in compared.items()
        for metric in shown_in("watched")  # Few: little has to be corrected for
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
                differing=tuple(one.label for one in comparison.differences if metric in one.metrics),
                same=same,
            )
            found[name] = (*found.get(name, ()), drift)
    return found


def _same(table: RunTable, run: Run) -> str:
    """Tell what two runs have in common, by name."""
    parts = [f"{name} {' and '.join(filter(None, found))}" for name, found in axis_values(table.keys).items()]
    origin = origin_text("", run.labels, run.prompts)
    return ", ".join([*parts, *([origin] if origin else [])])


_MARKS = {"better": "+", "worse": "!", "refused": "?"}


@dataclass(frozen=True, slots=True)
class MetricMean:
    """A metric's mean over a run's cases.

    Attributes:
        mean: Every case counts the same.
        interval: 95 % confidence interval of the mean, cases drawn anew; None with one case. It holds how
            much cases differ from each other, so overlapping intervals of two runs do not say that nothing
            changed.
        num_cases: Cases that have the metric.
        change: Against the last run before with the same axes, paired by case: "better", "worse", "unclear",
            "refused", or "" where there is nothing to compare.
    """

    mean: float
    interval: tuple[float, float] | None
    num_cases: int
    change: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One run in the history.

    Attributes:
        num_errors: Cases in which something could not be measured.
        metrics: Means by metric id, those that were measured.
        against: Name of the run that it is compared with: the last one before it with the same axes.
        num_zeros: Pages that count as visual 0 because they failed by their own fault.
        drifts: What surely moved since the first run with the same axes, prompt and labels, in the last one.
    """

    name: str
    created: str
    is_complete: bool
    num_cases: int
    num_samples: int
    num_errors: int
    metrics: Mapping[str, MetricMean]
    against: str = ""
    num_zeros: int = 0
    labels: Mapping[str, str] = field(default_factory=dict)
    commit: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)
    drifts: tuple[Drift, ...] = ()


def make_history(runs: Iterable[Run], *, failed_pages: FailedPages = "exclude") -> tuple[Entry, ...]:
    """Describe runs in the order of time, each compared with the last one before it that has the same axes.

    The last run of each prompt and model is compared with the first of them too: what moved in between,
    though nothing is recorded to have changed, is drift.

    Runs are taken one by one; the tables of two runs of every prompt and model are held.
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


def history_lines(
    entries: Sequence[Entry], *, metrics: Sequence[str] = (), failed_pages: FailedPages = "exclude"
) -> list[str]:
    """List runs with their means."""
    if not entries:
        return ["no saved runs yet: save one with --save NAME, in pytest --design2a11y-save NAME"]
    name_width = max(4, *(len(entry.name) for entry in entries))
    metrics = metrics or shown_in("ranking")
    metrics = [name for name in metrics if any(name in entry.metrics for entry in entries)] or metrics
    head = f"{'run':<{name_width}}  {'created':<25}{'cases':>6}{'samples':>9}{'errors':>8}"
    lines = [head + "".join(f"{metric:>14}" for metric in metrics)]
    for entry in entries:
        line = f"{entry.name:<{name_width}}  {entry.created:<25}{entry.num_cases:>6}{entry.num_samples:>9}"
        line += f"{entry.num_errors:>8}"
        for metric in metrics:
            one = entry.metrics.get(metric)
            line += f"{'-':>12}  " if one is None else f"{one.mean:>12.4f} {_MARKS.get(one.change, ' ')}"
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
    return [*lines, *drifts, f"({rule_text(failed_pages, sum(one.num_zeros for one in entries))})"]


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
