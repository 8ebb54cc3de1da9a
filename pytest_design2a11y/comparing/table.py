"""A run as numbers: one row a case along its axes, one column a metric, each the mean over the samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy
from numpy.typing import NDArray

from pytest_design2a11y.comparing.conditions import ConditionReader, Conditions
from pytest_design2a11y.comparing.distinct import num_distinct
from pytest_design2a11y.comparing.failed_pages import FailedPages, is_page_fault
from pytest_design2a11y.comparing.gates import COMPARED
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.run import CaseKey, Evaluation, Run
from pytest_design2a11y.models.serialization import metric_value, metric_values
from pytest_design2a11y.runs.encoding import natural_key

Values = NDArray[numpy.float64]

#: The evaluations of a case along its axes, by sample.
Samples = Mapping[str, Sequence[Evaluation]]

#: Columns of what compares a page with its design.
_OF_DESIGN = [place for place, metric in enumerate(METRICS.values()) if metric.needs_design]


@dataclass(frozen=True, eq=False)
class RunTable:
    """What is known of every case of a run.

    Attributes:
        keys: A case and its axes each, in natural order.
        means: Mean over the samples, (keys, metrics of `COMPARED`); NaN where no sample has the metric.
        measured: Share of the samples that have the metric, same shape, 0..1.
        num_samples: Samples, one number a key.
        num_distinct: Those of them that are not the same byte for byte, one number a key.
        conditions: Measuring conditions of the samples, one set a key.
        errors: What went wrong, by key.
        faults: Share of the samples that failed by their own fault, one number a key, 0..1.
        num_zeros: Pages that count as visual 0 because they failed by their own fault.
    """

    keys: tuple[CaseKey, ...]
    means: Values
    measured: Values
    num_samples: tuple[int, ...]
    num_distinct: tuple[int, ...]
    conditions: tuple[frozenset[Conditions], ...]
    errors: Mapping[CaseKey, tuple[str, ...]]
    faults: Values
    num_zeros: int = 0

    @cached_property
    def cases(self) -> tuple[str, ...]:
        """The cases, whatever their axes."""
        return tuple(dict.fromkeys(case for case, _axes in self.keys))

    @property
    def num_measured(self) -> int:
        """Cases that have a metric, and so count in some mean."""
        num_values = (~numpy.isnan(self.means[:, : len(METRICS)])).sum(axis=1)
        return len({self.keys[row][0] for row in numpy.flatnonzero(num_values)})


def make_table(run: Run, *, failed_pages: FailedPages = "exclude") -> RunTable:
    """Group a run's evaluations by case, axes and sample, and take the means.

    A sample that several tests measured counts once, with the mean of its measurements.

    Args:
        run: What was measured.
        failed_pages: "zero": a candidate that failed by its own fault counts as visual 0; "exclude": it has
            no value.
    """
    by_key: dict[CaseKey, dict[str, list[Evaluation]]] = {}
    for evaluation in run.evaluations:
        by_key.setdefault(evaluation.case_key, {}).setdefault(evaluation.sample, []).append(evaluation)
    keys = sorted(
        by_key,
        key=lambda key: (natural_key(key[0]), tuple((name, natural_key(value)) for name, value in key[1])),
    )
    # What is averaged is sorted: sums of the same numbers in another order differ in their last digits.
    cells = [
        {sample: sorted(by_key[key][sample], key=lambda one: one.id) for sample in sorted(by_key[key])}
        for key in keys
    ]
    zeros = () if failed_pages == "exclude" else _measured_columns(run.evaluations)
    samples, groups = _sample_means(cells, zeros)
    reader = ConditionReader()
    return RunTable(
        keys=tuple(keys),
        means=mean_by_group(samples, groups),
        measured=mean_by_group(~numpy.isnan(samples) * 1.0, groups),
        num_samples=tuple(map(len, cells)),
        num_distinct=tuple(num_distinct(samples.values()) for samples in cells),
        conditions=tuple(
            frozenset(
                filter(None, (reader.read(one) for evaluations in cell.values() for one in evaluations))
            )
            for cell in cells
        ),
        errors={key: errors for key, cell in zip(keys, cells, strict=True) if (errors := _errors(cell))},
        faults=numpy.array([_fault_share(cell) for cell in cells]),
        num_zeros=sum(map(is_page_fault, run.evaluations)) if zeros else 0,
    )


def sample_values(
    evaluations: Iterable[Evaluation], metric: str, *, failed_pages: FailedPages = "exclude"
) -> list[float | None]:
    """Return the metric of every sample, the mean where several tests measured it; None where none did."""
    by_sample: dict[str, list[Evaluation]] = {}
    for evaluation in evaluations:
        by_sample.setdefault(evaluation.sample, []).append(evaluation)
    column = list(COMPARED).index(metric)
    samples, _cells = _sample_means([by_sample], () if failed_pages == "exclude" else _OF_DESIGN)
    return [None if numpy.isnan(value) else float(value) for value in samples[:, column]]


def mean_by_group(values: Values, groups: Sequence[int] | NDArray[numpy.intp]) -> Values:
    """Average the rows of each group, leaving NaN out; NaN where nothing is left.

    Args:
        values: (rows, columns).
        groups: The group of each row, numbered from 0 in ascending order.
    """
    num_groups = int(groups[-1]) + 1 if len(groups) else 0
    measured = ~numpy.isnan(values)
    sums = numpy.zeros((num_groups, values.shape[1]))
    counts = numpy.zeros_like(sums)
    numpy.add.at(sums, groups, numpy.where(measured, values, 0.0))
    numpy.add.at(counts, groups, measured)
    return numpy.divide(sums, counts, out=numpy.full_like(sums, numpy.nan), where=counts > 0)


def _measured_columns(evaluations: Iterable[Evaluation]) -> list[int]:
    """Return the columns of what compares with a design and was measured on some page."""
    metrics = list(METRICS)
    return [
        column
        for column in _OF_DESIGN
        if any(metric_value(one, metrics[column]) is not None for one in evaluations)
    ]


def _sample_means(cells: Sequence[Samples], zeros: Sequence[int]) -> tuple[Values, list[int]]:
    """Average each sample; in the columns of `zeros`, pages that failed by their own fault are 0."""
    rows: list[list[float | None]] = []
    sample_of_row: list[int] = []
    cell_of_sample: list[int] = []
    for number, samples in enumerate(cells):
        for evaluations in samples.values():
            rows.extend(_row(evaluation, zeros) for evaluation in evaluations)
            sample_of_row.extend([len(cell_of_sample)] * len(evaluations))
            cell_of_sample.append(number)
    values = numpy.array(rows, dtype=numpy.float64).reshape(-1, len(COMPARED))
    return mean_by_group(values, sample_of_row), cell_of_sample


def _row(evaluation: Evaluation, zeros: Sequence[int]) -> list[float | None]:
    values = metric_values(evaluation)
    if zeros and is_page_fault(evaluation):
        for column in zeros:
            values[column] = 0.0
    return [*values, float(evaluation.error is not None)]


def _fault_share(samples: Samples) -> float:
    shares = [sum(map(is_page_fault, evaluations)) / len(evaluations) for evaluations in samples.values()]
    return sum(shares) / len(shares)


def _errors(samples: Samples) -> tuple[str, ...]:
    return tuple(
        f"sample {' '.join([*evaluation.axes.values(), evaluation.sample])}: {evaluation.error.type}: "
        f"{evaluation.error.message}"
        for evaluations in samples.values()
        for evaluation in evaluations
        if evaluation.error is not None
    )
