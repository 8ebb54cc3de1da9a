"""The overview of a run as data: what became of its pages, one row each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_design2a11y.models.metrics import shown_in
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.models.serialization import metric_value

#: Columns of the table of cases.
COLUMNS = shown_in("report")

#: What became of a page, the worst first.
STATES = {"error": "not measured", "fail": "limit broken", "pass": "within limits", "none": "no limits"}


@dataclass(frozen=True, slots=True)
class Row:
    """One measured page in the table of cases.

    Attributes:
        number: Position in the run, from 0: names the case's part of the report.
        evaluation: What was measured.
        state: Key of `STATES`.
        values: By column, None where not measured.
    """

    number: int
    evaluation: Evaluation
    state: str
    values: dict[str, float | None]


def worst_first(run: Run) -> list[Row]:
    """Return a row a page: not measured, limits broken, the least similar, then the least accessible."""
    rows = [
        Row(
            number,
            evaluation,
            state_of(evaluation),
            {column: metric_value(evaluation, column) for column in COLUMNS},
        )
        for number, evaluation in enumerate(run.evaluations)
    ]
    return sorted(rows, key=_badness)


def state_of(evaluation: Evaluation) -> str:
    """Tell what became of a page: a key of `STATES`."""
    if evaluation.error is not None:
        return "error"
    if not evaluation.verdicts:
        return "none"
    return "pass" if all(verdict.is_passed for verdict in evaluation.verdicts) else "fail"


def count_states(rows: Iterable[Row]) -> dict[str, int]:
    """Count the pages per state, in the order of `STATES`, only states that occur."""
    counts = Counter(row.state for row in rows)
    return {state: counts[state] for state in STATES if counts[state]}


def _badness(row: Row) -> tuple[int, float, float, int]:
    rank = min(list(STATES).index(row.state), 2)
    visual, weighted = row.values["visual"], metric_value(row.evaluation, "weighted_ir")
    return rank, 2.0 if visual is None else visual, -(weighted or 0.0), row.number
