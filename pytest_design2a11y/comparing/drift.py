"""Drift: what moved from the first to the last run of one prompt and model, though nothing was changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from pytest_design2a11y.comparing.aggregate import CONFIDENCE, Interval
from pytest_design2a11y.comparing.compare import compare_tables
from pytest_design2a11y.comparing.comparison import Comparison
from pytest_design2a11y.comparing.failed_pages import FailedPages
from pytest_design2a11y.comparing.pairing import AxisValues
from pytest_design2a11y.comparing.resampling import MIN_CASES
from pytest_design2a11y.comparing.significance import holm
from pytest_design2a11y.comparing.table import RunTable
from pytest_design2a11y.exceptions import NotComparable
from pytest_design2a11y.models.metrics import shown_in
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


#: Metrics that are looked at: one for each half of a result, so that little has to be corrected for.
WATCHED = shown_in("watched")

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
    """Return what tells whether two runs asked the same; None where a run does not record its prompt."""
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
    for identity, (first, last) in spans.items():
        days = days_between(first[0].created, last[0].created)
        if days is not None and days >= OLD_AFTER_DAYS:
            try:
                comparison = compare_tables(first[0], last[0], (first[1], last[1]), failed_pages=failed_pages)
            except NotComparable:
                continue
            compared[last[0].name] = comparison, days, _same(identity, last[0])
    p_values = {
        (name, metric): comparison.metrics[metric].mean_p
        for name, (comparison, _days, _told) in compared.items()
        for metric in WATCHED
        if comparison.metrics[metric].state == "compared"
        and len(comparison.metrics[metric].cases) >= MIN_CASES
    }
    found: dict[str, tuple[Drift, ...]] = {}
    for (name, metric), _num_open, p_value in holm(p_values):
        if p_value < 1 - CONFIDENCE:
            found[name] = (*found.get(name, ()), _drift(metric, *compared[name]))
    return found


def _same(identity: Identity, run: Run) -> str:
    """Tell what two runs have in common, by name."""
    mix, _prompts, _labels = identity
    values: dict[str, set[str]] = {}
    for name, value in (one for axes in mix for one in axes):
        values.setdefault(name, set()).add(value)
    said = [f"{name} {' and '.join(sorted(found))}" for name, found in sorted(values.items())]
    origin = origin_text("", run.labels, run.prompts)
    return ", ".join([*said, *([origin] if origin else [])])


def _drift(metric: str, comparison: Comparison, days: float, same: str) -> Drift:
    moved = comparison.metrics[metric]
    return Drift(
        metric=metric,
        since=comparison.old.name,
        days=days,
        trend="worse" if float(moved.worsening.mean()) > 0 else "better",
        difference=moved.difference,
        interval=moved.interval,
        differing=tuple(one.label for one in comparison.differences if metric in one.metrics),
        same=same,
    )
