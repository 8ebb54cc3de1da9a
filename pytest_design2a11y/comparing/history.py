"""Saved runs in the order of time: their means, and what clearly changed from one to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pytest_design2a11y.comparing.aggregate import summarize_table
from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.table import make_table
from pytest_design2a11y.exceptions import NotComparable
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.models.run import Run

#: What a line of the listing shows.
SHOWN = ("visual", "ir", "iwir", "weighted_ir")

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
        change: Against the run before, paired by case: "better", "worse", "unclear", "refused", or "" where
            there is nothing to compare.
    """

    mean: float
    interval: tuple[float, float] | None
    num_cases: int
    change: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One run in the history.

    Attributes:
        name: As saved.
        created: ISO 8601 time, UTC.
        is_complete: False where the run lacks cases or samples.
        num_cases: Its cases.
        num_samples: Its samples.
        num_errors: Cases in which something could not be measured.
        metrics: Means by metric id, those that were measured.
    """

    name: str
    created: str
    is_complete: bool
    num_cases: int
    num_samples: int
    num_errors: int
    metrics: Mapping[str, MetricMean]


def make_history(runs: Iterable[Run]) -> tuple[Entry, ...]:
    """Describe runs in the order of time, each compared with the one before.

    Runs are taken one by one, so that a generator needs the memory of two.

    Args:
        runs: In the order of time.
    """
    entries: list[Entry] = []
    previous: Run | None = None
    for run in runs:
        entries.append(_entry(run, previous))
        previous = run
    return tuple(entries)


def history_lines(entries: Sequence[Entry], *, metrics: Sequence[str] = SHOWN) -> list[str]:
    """List runs with their means.

    Args:
        entries: From `make_history`.
        metrics: Ids of the metrics to show.
    """
    if not entries:
        return ["no saved runs"]
    name_width = max(4, *(len(entry.name) for entry in entries))
    head = f"{'run':<{name_width}}  {'created':<25}{'cases':>6}{'samples':>9}{'errors':>8}"
    lines = [head + "".join(f"{metric:>14}" for metric in metrics)]
    for entry in entries:
        line = f"{entry.name:<{name_width}}  {entry.created:<25}{entry.num_cases:>6}{entry.num_samples:>9}"
        line += f"{entry.num_errors:>8}" + "".join(_cell(entry.metrics.get(metric)) for metric in metrics)
        lines.append(line + ("" if entry.is_complete else "  incomplete"))
    used = {metric.change for entry in entries for metric in entry.metrics.values()}
    return [*lines, *_legend(used)]


def history_to_dict(entries: Sequence[Entry]) -> dict[str, Any]:
    """Give a history as JSON values."""
    return {"schema": SCHEMA_VERSION, "runs": [asdict(entry) for entry in entries]}


def _cell(metric: MetricMean | None) -> str:
    if metric is None:
        return f"{'-':>12}  "
    return f"{metric.mean:>12.4f} {_MARKS.get(metric.change, ' ')}"


def _legend(used: set[str]) -> Iterator[str]:
    texts = {
        "better": "clearly better than the run before",
        "worse": "clearly worse than the run before",
        "refused": "measured differently from the run before",
    }
    said = [f"{_MARKS[change]} {text}" for change, text in texts.items() if change in used]
    if said:
        yield f"({'; '.join(said)}; by the 95 % interval of the paired difference)"


def _entry(run: Run, previous: Run | None) -> Entry:
    table = make_table(run)
    changes = {} if previous is None else _changes(previous, run)
    return Entry(
        name=run.name,
        created=run.created,
        is_complete=run.is_complete,
        num_cases=len(table.cases),
        num_samples=sum(table.num_samples),
        num_errors=len(table.errors),
        metrics={
            metric: MetricMean(summary.mean, summary.interval, len(summary.values), changes.get(metric, ""))
            for metric, summary in summarize_table(table).items()
        },
    )


def _changes(previous: Run, run: Run) -> dict[str, str]:
    try:
        comparison = compare_runs(previous, run)
    except NotComparable:
        return {}
    return {
        name: metric.trend if metric.state == "compared" else metric.state
        for name, metric in comparison.metrics.items()
        if metric.state != "not measured"
    }
