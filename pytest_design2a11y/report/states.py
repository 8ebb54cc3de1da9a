"""The pages of a run with their states, the worst first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_design2a11y.models.evaluation import Evaluation, metric_value
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.run import Run

#: States of a page, in words, the worst first.
STATES = {"error": "not measured", "fail": "breaks a limit", "pass": "within limits", "none": "no limits"}


@dataclass(frozen=True, slots=True)
class PageRow:
    """One measured page."""

    number: int  # Position in the run, from 0; names the page's part of the report
    evaluation: Evaluation
    state: str  # Key of `STATES`
    values: dict[str, float | None]  # By metric, None where not measured


def likeness_of(evaluation: Evaluation) -> tuple[str, float | None]:
    """Return the most informative metric of likeness, and its value."""
    for metric in ("fidelity", "visual"):
        value = metric_value(evaluation, metric)
        if value is not None:
            return metric, value
    return "fidelity", None


def worst_first(run: Run) -> list[PageRow]:
    """Return one row per page: first not measured, then by limits broken, likeness and accessibility."""
    rows = []
    for number, page in enumerate(run.evaluations):
        values = {metric: metric_value(page, metric) for metric in METRICS}
        rows.append(PageRow(number, page, state_of(page), values))

    def badness(row: PageRow) -> tuple[int, float, float, int]:
        rank = min(list(STATES).index(row.state), 2)
        _metric, likeness = likeness_of(row.evaluation)
        return rank, 2.0 if likeness is None else likeness, -(row.values["weighted_ir"] or 0.0), row.number

    return sorted(rows, key=badness)


def state_of(evaluation: Evaluation) -> str:
    """Return the state of a page: a key of `STATES`."""
    if evaluation.error is not None:
        return "error"
    if not evaluation.verdicts:
        return "none"
    return "pass" if all(verdict.is_passed for verdict in evaluation.verdicts) else "fail"


def count_states(rows: Iterable[PageRow]) -> dict[str, int]:
    """Return the number of pages per state, in the order of `STATES`, leaving out states with none."""
    counts = Counter(row.state for row in rows)
    return {state: counts[state] for state in STATES if counts[state]}


def counted_states(rows: Sequence[PageRow]) -> str:
    """Return how many pages are in each state, in words: "3 break a limit, 1 within limits"."""
    return ", ".join(
        f"{count} {'break a limit' if state == 'fail' and count > 1 else STATES[state]}"
        for state, count in count_states(rows).items()
    )
