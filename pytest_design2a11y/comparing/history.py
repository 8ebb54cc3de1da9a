"""Saved runs in chronological order, with their means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pytest_design2a11y.comparing.aggregate import MetricSummary, summarize_table
from pytest_design2a11y.comparing.compare import facts_of
from pytest_design2a11y.comparing.comparison import RunFacts
from pytest_design2a11y.comparing.table import FailedPages, make_table, rule_text
from pytest_design2a11y.models.metrics import SCHEMA_VERSION, shown_in
from pytest_design2a11y.models.run import Run, origin_text
from pytest_design2a11y.wording import flag


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One run in the history."""

    run: RunFacts
    num_errors: int  # Cases in which a measurement failed
    metrics: Mapping[str, MetricSummary]  # The measured metrics, by metric id


def make_history(runs: Iterable[Run], *, failed_pages: FailedPages = "exclude") -> tuple[HistoryEntry, ...]:
    """Describe runs in chronological order."""
    tables = ((run, make_table(run, failed_pages=failed_pages)) for run in runs)
    return tuple(
        HistoryEntry(facts_of(run, table), len(table.errors), summarize_table(table)) for run, table in tables
    )


def history_lines(entries: Sequence[HistoryEntry], *, failed_pages: FailedPages = "exclude") -> list[str]:
    """List runs with their means."""
    if not entries:
        return [f"no saved runs yet: save one with --save NAME, in pytest {flag('save')} NAME"]
    name_width = max(4, *(len(entry.run.name) for entry in entries))
    ranked = shown_in("ranking")
    metrics = [name for name in ranked if any(name in entry.metrics for entry in entries)] or ranked
    head = f"{'run':<{name_width}}  {'created':<25}{'cases':>6}{'samples':>9}{'errors':>8}"
    lines = [head + "".join(f"{metric:>14}" for metric in metrics)]
    for entry in entries:
        run, means = entry.run, (entry.metrics.get(metric) for metric in metrics)
        line = f"{run.name:<{name_width}}  {run.created:<25}{run.num_cases:>6}{run.num_samples:>9}"
        line += f"{entry.num_errors:>8}"
        line += "".join(f"{'-' if mean is None else f'{mean.mean:.4f}':>12}  " for mean in means)
        notes = ["" if run.is_complete else "incomplete", origin_text(run.commit, run.labels, run.prompts)]
        lines.append("  ".join([line.rstrip(), *filter(None, notes)]))
    return [*lines, f"({rule_text(failed_pages, sum(entry.run.num_zeros for entry in entries))})"]


def history_to_dict(entries: Sequence[HistoryEntry]) -> dict[str, Any]:
    """Return a history as JSON values."""
    runs = [
        {
            **asdict(entry.run),
            "num_errors": entry.num_errors,
            "metrics": {
                name: {"mean": metric.mean, "interval": metric.interval, "num_cases": len(metric.values)}
                for name, metric in entry.metrics.items()
            },
        }
        for entry in entries
    ]
    return {"schema": SCHEMA_VERSION, "runs": runs}
