"""Two runs, case by case, or many in order of time: what became better or worse, and how sure that is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy

from pytest_design2a11y.comparing import (
    NEGLIGIBLE,
    NOWHERE,
    TIE,
    CaseErrors,
    Comparison,
    MetricComparison,
    RunFacts,
    Trend,
    pairing,
    refusals,
)
from pytest_design2a11y.comparing.aggregate import (
    CONFIDENCE,
    MetricSummary,
    interval_of,
    mean_over_axes,
    mean_over_cases,
    resample_columns,
    summarize_table,
)
from pytest_design2a11y.comparing.conditions import DifferingCondition, find_differences
from pytest_design2a11y.comparing.resampling import MIN_CASES, MeanDistribution, holm, sign_test_p
from pytest_design2a11y.comparing.table import (
    LEFT_OUT,
    RunTable,
    Values,
    make_table,
    repetition_text,
)
from pytest_design2a11y.models.metrics import COMPARED, ERRORS, SCHEMA_VERSION, shown_in
from pytest_design2a11y.models.run import Run, origin_text
from pytest_design2a11y.models.verdicts import case_name
from pytest_design2a11y.wording import flag

#: Why a metric lacks values in both runs, by whether the old and the new run have any.
_WHY_LACKING = {
    (True, True): "no paired case has it in both runs",
    (True, False): "the new run has no value of it",
    (False, True): "the old run has no value of it",
    (False, False): NOWHERE,
}


def compare_runs(old: Run, new: Run) -> Comparison:
    """Compare two runs by case along equal axes; AxesDiffer if these differ, NotComparable without a case.

    A case's value is the mean over its samples, then over its axes, so runs with different numbers of samples
    can be compared. Every case has the same weight.
    """
    tables = make_table(old), make_table(new)
    aligned = pairing.align_cases(tables, names=(old.name, new.name), heads=("old", "new"))
    only = [tuple(case_name(aligned.all_keys[run][row]) for row in aligned.rows_alone(run)) for run in (0, 1)]
    differences = find_differences(
        (tables[0].conditions[old_row], tables[1].conditions[new_row])
        for old_row, new_row in zip(*aligned.rows, strict=True)
    )
    changes = {**aligned.changes, **pairing.prompt_changes((old, new))}
    errors = (
        CaseErrors(
            case_name(key),
            *(table.errors.get(table.keys[row], ()) for table, row in zip(tables, rows, strict=True)),
        )
        for key, *rows in zip(aligned.keys, *aligned.rows, strict=True)
    )
    return Comparison(
        old=facts_of(old, tables[0]),
        new=facts_of(new, tables[1]),
        num_cases=len({case for case, _axes in aligned.keys}),
        num_pairs=len(aligned.keys),
        metrics=_compare_metrics(aligned, tables, differences),
        only_old=only[0],
        only_new=only[1],
        errors=tuple(error for error in errors if error.old or error.new),
        differences=differences,
        changes=tuple(pairing.AxisChange(axis, *values) for axis, values in changes.items()),
        axes=aligned.axes,
        blockers=pairing.blocker_changes((old, new), tables, aligned),
    )


def facts_of(run: Run, table: RunTable) -> RunFacts:
    """Describe one of the runs."""
    return RunFacts(
        name=run.name,
        created=run.created,
        is_complete=run.is_complete,
        num_cases=len(table.cases),
        num_samples=sum(table.num_samples),
        labels=run.labels,
        commit=run.commit,
        prompts=run.prompts,
        repetitions=repetition_text(table.num_samples, table.num_distinct),
    )


def _compare_metrics(
    aligned: pairing.Alignment, tables: tuple[RunTable, RunTable], differences: Sequence[DifferingCondition]
) -> dict[str, MetricComparison]:
    old, new = tables[0].means[aligned.rows[0]], tables[1].means[aligned.rows[1]]
    both = ~(numpy.isnan(old) | numpy.isnan(new))
    cases, old_values = mean_over_axes(aligned.keys, numpy.where(both, old, numpy.nan))
    new_values = mean_over_axes(aligned.keys, numpy.where(both, new, numpy.nan))[1]
    new_values = numpy.where(numpy.abs(new_values - old_values) <= TIE, old_values, new_values)
    num_measured = (~numpy.isnan(old_values)).sum(axis=0)
    refused = refusals(differences)
    resampled = [
        column for column, metric in enumerate(COMPARED) if metric not in refused and num_measured[column] > 1
    ]
    distributions = resample_columns(new_values - old_values, resampled)
    missing = _missing(aligned, *tables)
    compared: dict[str, MetricComparison] = {}
    for column, metric in enumerate(COMPARED):
        if not num_measured[column]:
            has = [bool(table.measured[:, column].any()) for table in tables]
            result = MetricComparison(metric, "not measured", _WHY_LACKING[has[0], has[1]])
        elif metric in refused:
            result = MetricComparison(metric, "refused", refused[metric])
        else:
            result = _compare_metric(
                metric, cases, old_values[:, column], new_values[:, column], distributions.get(column)
            )
            lost, gained = (
                tuple(
                    case_name(aligned.keys[row])
                    for row in numpy.flatnonzero(~numpy.isnan(values) & ~both[:, column])
                )
                for values in (old[:, column], new[:, column])
            )
            result = replace(result, lost=lost, gained=gained)
        compared[metric] = replace(result, missing=float(missing[column]))
    return _with_trends(compared)


def _missing(aligned: pairing.Alignment, old: RunTable, new: RunTable) -> Values:
    """Return, for each metric, the share of pages that have a value in only one of the runs."""
    before, after = old.measured[aligned.rows[0]], new.measured[aligned.rows[1]]
    gone = old.measured[aligned.rows_alone(0)].sum(axis=0)
    lacking = numpy.abs(before - after).sum(axis=0) + gone
    whole = numpy.maximum(before, after).sum(axis=0) + gone
    share: Values = numpy.divide(lacking, whole, out=numpy.zeros_like(lacking), where=whole > 0)
    return share


def _compare_metric(
    metric: str,
    cases: tuple[str, ...],
    old: Values,
    new: Values,
    distribution: tuple[MeanDistribution, int] | None,
) -> MetricComparison:
    both = ~numpy.isnan(old)
    change = new[both] - old[both]
    num_up, num_down = int((change >= NEGLIGIBLE).sum()), int((change <= -NEGLIGIBLE).sum())
    is_up_good = COMPARED[metric].is_higher_better
    interval, p_value = None, 1.0
    if distribution is not None:
        sampled, column = distribution
        interval = interval_of(mean_over_cases(change), sampled, column, COMPARED[metric], is_difference=True)
        p_value = sampled.p_two_sided(column)
    return MetricComparison(
        metric,
        "compared",
        cases=tuple(cases[row] for row in numpy.flatnonzero(both)),
        old_values=old[both],
        new_values=new[both],
        interval=interval,
        p_value=sign_test_p(num_up, num_down) if metric == ERRORS.name else p_value,
        num_wins=num_up if is_up_good else num_down,
        num_ties=len(change) - num_up - num_down,
        num_losses=num_down if is_up_good else num_up,
    )


def _with_trends(metrics: Mapping[str, MetricComparison]) -> dict[str, MetricComparison]:
    """Mark what has surely moved.

    Ranked metrics are corrected together, as in a ranking of the two runs, so that both agree; so are the
    others. Errors have a test of their own: a case either lacks a measurement or not, so signs decide.
    """
    judged = {
        name: metric.p_value
        for name, metric in metrics.items()
        if metric.state == "compared" and len(metric.cases) >= MIN_CASES and name != ERRORS.name
    }
    ranked = set(shown_in("ranking"))
    corrected = {ERRORS.name: metrics[ERRORS.name].p_value}
    for is_ranked in (True, False):
        family = {name: p_value for name, p_value in judged.items() if (name in ranked) == is_ranked}
        corrected |= {name: p_value for name, _num_open, p_value in holm(family)}
    marked = {}
    for name, metric in metrics.items():
        trend: Trend = "unclear"
        p_value = corrected.get(name, 1.0)
        if metric.state == "compared" and len(metric.cases) < MIN_CASES and not metric.is_unchanged:
            trend = "too few cases"
        elif p_value < 1 - CONFIDENCE and abs(metric.difference) >= NEGLIGIBLE:
            trend = "worse" if mean_over_cases(metric.worsening) > 0 else "better"
        marked[name] = replace(metric, trend=trend, corrected_p=p_value)
    return marked


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One run in the history."""

    run: RunFacts
    num_errors: int  # Cases in which a measurement failed
    metrics: Mapping[str, MetricSummary]  # The measured metrics, by metric id


def make_history(runs: Iterable[Run]) -> tuple[HistoryEntry, ...]:
    """Describe runs in chronological order."""
    tables = ((run, make_table(run)) for run in runs)
    return tuple(
        HistoryEntry(facts_of(run, table), len(table.errors), summarize_table(table)) for run, table in tables
    )


def history_lines(entries: Sequence[HistoryEntry]) -> list[str]:
    """List runs with their means."""
    if not entries:
        return [f"no saved runs yet: save one with {flag('save')} NAME"]
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
    return [*lines, f"({LEFT_OUT})"]


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
