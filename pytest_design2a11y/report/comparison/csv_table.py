"""A comparison as rows of a table: one for each metric."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_design2a11y.comparing.comparison import Comparison
from pytest_design2a11y.comparing.outcome import GateOutcome
from pytest_design2a11y.report.comparison.export import comparison_to_dict

#: Cells are empty where a metric has nothing to compare; `reason` then says why.
COLUMNS = (
    "old", "new", "failed_pages", "metric", "state", "reason", "num_cases", "old_mean", "new_mean",
    "difference", "lower", "upper", "trend", "mean_p", "p_value", "wins", "ties", "losses", "missing",
)  # fmt: skip


def comparison_rows(
    comparison: Comparison, outcomes: Sequence[GateOutcome], *, axes: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Return the rows of a comparison, by column.

    Args:
        comparison: The comparison.
        outcomes: Of its gates; a failed one marks its metric.
        axes: Values of the axes that it is restricted to; columns `axis_NAME`.
    """
    for name, metric in comparison_to_dict(comparison, outcomes)["metrics"].items():
        lower, upper = metric.get("interval") or (None, None)
        row = metric | {
            "old": comparison.old.name,
            "new": comparison.new.name,
            "failed_pages": comparison.failed_pages,
            "metric": name,
            "lower": lower,
            "upper": upper,
        }
        yield {f"axis_{axis}": value for axis, value in axes.items()} | {
            column: row.get(column) for column in COLUMNS
        }
