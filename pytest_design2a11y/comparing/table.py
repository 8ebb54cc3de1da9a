"""A run as numbers: one row a case, one column a metric, each the mean over the case's samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from pytest_design2a11y.comparing.conditions import ConditionReader, Conditions
from pytest_design2a11y.comparing.quantities import COMPARED
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.run import CaseKey, Evaluation, Run
from pytest_design2a11y.models.serialization import metric_value
from pytest_design2a11y.runs.encoding import natural_key

#: A case's evaluations by axes and sample.
Samples = dict[tuple[CaseKey, str], list[Evaluation]]


@dataclass(frozen=True, eq=False)
class CaseTable:
    """What is known of every case of a run.

    Attributes:
        cases: Names, in natural order.
        means: Mean over the samples, (cases, metrics of `COMPARED`); NaN where no sample has the metric.
        num_samples: Samples a case.
        conditions: Measuring conditions of a case's samples.
        errors: What went wrong, per case with errors.
    """

    cases: tuple[str, ...]
    means: NDArray[numpy.float64]
    num_samples: tuple[int, ...]
    conditions: tuple[frozenset[Conditions], ...]
    errors: Mapping[str, tuple[str, ...]]


def make_table(run: Run) -> CaseTable:
    """Group a run's evaluations by case and sample, and take the means.

    What several models or prompts gave for a case are samples of it. A sample that several tests measured
    counts once, with the mean of its measurements.
    """
    by_case: dict[str, Samples] = {}
    for evaluation in run.evaluations:
        sample = (evaluation.case_key, evaluation.sample)
        by_case.setdefault(evaluation.case, {}).setdefault(sample, []).append(evaluation)
    cases = sorted(by_case, key=natural_key)
    reader = ConditionReader()
    return CaseTable(
        cases=tuple(cases),
        means=_means([by_case[case] for case in cases]),
        num_samples=tuple(len(by_case[case]) for case in cases),
        conditions=tuple(_conditions(by_case[case], reader) for case in cases),
        errors={case: errors for case in cases if (errors := _errors(by_case[case]))},
    )


def _means(cases: Sequence[Samples]) -> NDArray[numpy.float64]:
    rows: list[list[float | None]] = []
    sample_of_row: list[int] = []
    case_of_sample: list[int] = []
    for number, samples in enumerate(cases):
        for evaluations in samples.values():
            rows.extend(_row(evaluation) for evaluation in evaluations)
            sample_of_row.extend([len(case_of_sample)] * len(evaluations))
            case_of_sample.append(number)
    values = numpy.array(rows, dtype=numpy.float64).reshape(-1, len(COMPARED))
    return _group_means(_group_means(values, sample_of_row), case_of_sample)


def _row(evaluation: Evaluation) -> list[float | None]:
    return [*[metric_value(evaluation, metric) for metric in METRICS], float(evaluation.error is not None)]


def _group_means(values: NDArray[numpy.float64], groups: Sequence[int]) -> NDArray[numpy.float64]:
    """Average the rows of each group, leaving NaN out; NaN where nothing is left."""
    num_groups = groups[-1] + 1 if groups else 0
    measured = ~numpy.isnan(values)
    sums = numpy.zeros((num_groups, values.shape[1]))
    counts = numpy.zeros_like(sums)
    numpy.add.at(sums, groups, numpy.where(measured, values, 0.0))
    numpy.add.at(counts, groups, measured)
    return numpy.divide(sums, counts, out=numpy.full_like(sums, numpy.nan), where=counts > 0)


def _conditions(samples: Samples, reader: ConditionReader) -> frozenset[Conditions]:
    found = (reader.read(evaluation) for evaluations in samples.values() for evaluation in evaluations)
    return frozenset(conditions for conditions in found if conditions is not None)


def _errors(samples: Samples) -> tuple[str, ...]:
    return tuple(
        f"sample {' '.join([*evaluation.axes.values(), evaluation.sample])}: {evaluation.error.type}: "
        f"{evaluation.error.message}"
        for evaluations in samples.values()
        for evaluation in evaluations
        if evaluation.error is not None
    )
