"""A run as numbers: one row per case along its axes, one column per metric, each the mean over the samples.

Also decides what counts in a mean: pages that could not be measured, and identical samples.
"""

import operator
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TypeVar

import numpy
from numpy.typing import NDArray

from pytest_design2a11y.comparing.conditions import Recorded, read_conditions
from pytest_design2a11y.models.evaluation import Evaluation, metric_values
from pytest_design2a11y.models.metrics import COMPARED
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import CaseKey, case_name
from pytest_design2a11y.runs.encoding import natural_key, without_collecting
from pytest_design2a11y.wording import counted, listed

#: What counts in a mean, as a sentence.
LEFT_OUT = "pages that could not be measured are left out"

_SHOWN = 3


K = TypeVar("K", bound=Hashable)


def count_samples(pages: Iterable[tuple[K, Evaluation]]) -> dict[K, tuple[int, int]]:
    """Count the samples of every case along its axes, in total and distinct by their bytes, if known."""
    digests: dict[tuple[K, str], set[str | None]] = {}
    for case, page in pages:
        digests.setdefault((case, page.sample), set()).add(page.candidate_digest)
    samples_of: dict[K, list[str | frozenset[str | None]]] = {}
    for (case, sample), known in digests.items():
        samples_of.setdefault(case, []).append(sample if None in known else frozenset(known))
    return {case: (len(samples), len(set(samples))) for case, samples in samples_of.items()}


def repetition_text(samples: Sequence[int], distinct: Sequence[int]) -> str:
    """Return a sentence on samples that repeat others of their case; "" if there are none."""
    num_samples, num_left = sum(samples), sum(distinct)
    if num_samples == num_left:
        return ""
    num_cases = sum(map(operator.gt, samples, distinct))
    return (
        f"{num_samples - num_left} of {counted(num_samples, 'sample')} repeat another of their case byte for "
        f"byte (in {counted(num_cases, 'case')}): the effective number of samples is {num_left}, "
        f"{num_left / len(samples):.2g} a case"
    )


def repetitions(evaluations: Iterable[Evaluation]) -> str:
    """Return the `repetition_text` of a run's evaluations."""
    counts = count_samples((page.case_key, page) for page in evaluations).values()
    return repetition_text([num for num, _distinct in counts], [distinct for _num, distinct in counts])


def mistaken_samples(evaluations: Iterable[Evaluation]) -> str:
    """Return a sentence on different candidates recorded as the same sample of a case; "" without any."""
    by_key: dict[tuple[CaseKey, str], dict[str, str | None]] = {}
    for page in evaluations:
        if page.error is None:
            by_key.setdefault((page.case_key, page.sample), {})[page.candidate] = page.candidate_digest
    twice = [
        (*key, list(digests))
        for key, digests in by_key.items()
        if len(digests) > 1 and (None in digests.values() or len(set(digests.values())) > 1)
    ]
    if not twice:
        return ""
    case, sample, pages = twice[0]
    more = f", and {len(twice) - 1} more such" if len(twice) > 1 else ""
    return (
        f"{len(pages)} different candidates count as sample {sample} of the case {case_name(case)!r}{more}: "
        f"{', '.join(pages[:_SHOWN])}{', ...' if len(pages) > _SHOWN else ''}. They are averaged as if they "
        "were one. Say what tells them apart: render(..., prompt=, model= or sample=), parameters of a test "
        "with these names, the marker, or these keys in the lines of --pairs."
    )


def missing_samples(evaluations: Iterable[Evaluation]) -> str:
    """Return the samples that cases lack and half of them have, or that are gaps in the numbering; or ""."""
    samples_of: dict[CaseKey, set[str]] = {}
    for page in evaluations:
        samples_of.setdefault(page.case_key, set()).add(page.sample)
    counts = Counter(chain.from_iterable(samples_of.values()))
    samples = {sample for sample, number in counts.items() if 2 * number >= len(samples_of)}
    numbers = [int(sample) for sample in samples if sample.isdecimal()]
    if numbers and max(numbers) - min(numbers) < 2 * len(numbers):
        samples.update(map(str, range(min(numbers), max(numbers) + 1)))
    lacking = [
        f"{case_name(case)} has no sample {', '.join(sorted(samples - present, key=natural_key))}"
        for case, present in samples_of.items()
        if samples - present
    ]
    return f"Samples are missing: {listed(lacking, most=_SHOWN)}." if lacking else ""


Values = NDArray[numpy.float64]

#: Pages, each with the number of its case.
CasePages = Sequence[tuple[int, Evaluation]]


@dataclass(frozen=True, eq=False)
class RunTable:
    """The numbers of a run, for every case."""

    keys: tuple[CaseKey, ...]  # Each case with its axes, in natural order
    means: Values  # Mean over the samples, (keys, metrics of `COMPARED`); NaN where no sample has the metric
    extremes: Values  # Least and largest value of any sample, (2, metrics of `COMPARED`); NaN without values
    measured: Values  # Share of samples that have the metric, 0..1; shape as `means`
    num_samples: tuple[int, ...]  # Number of samples per key
    num_distinct: tuple[int, ...]  # Number of samples per key that are not identical byte for byte
    conditions: tuple[frozenset[Recorded], ...]  # Measuring conditions of the samples, one set per key
    errors: Mapping[CaseKey, tuple[str, ...]]  # What went wrong, by key

    @cached_property
    def cases(self) -> tuple[str, ...]:
        """The cases, without their axes."""
        return tuple(dict.fromkeys(case for case, _axes in self.keys))

    @property
    def num_measured(self) -> int:
        """Number of cases that have a metric, and so count in some mean."""
        num_values = (~numpy.isnan(self.means[:, :-1])).sum(axis=1)
        return len({self.keys[row][0] for row in numpy.flatnonzero(num_values)})


@without_collecting()
def make_table(run: Run) -> RunTable:
    """Return a run's means by case, axes and sample; a sample measured by several tests counts once."""
    keys_of_pages = [page.case_key for page in run.evaluations]
    keys = sorted(
        set(keys_of_pages),
        key=lambda key: (natural_key(key[0]), tuple((name, natural_key(value)) for name, value in key[1])),
    )
    rows = {key: row for row, key in enumerate(keys)}
    # Sorted, because the last digits of a sum depend on the order.
    pages = sorted(
        zip(map(rows.__getitem__, keys_of_pages), run.evaluations, strict=True),
        key=lambda page: (page[0], page[1].sample, page[1].id),
    )
    samples, row_of_sample = _sample_means(pages)
    means = mean_by_group(samples, row_of_sample)
    extremes = [end.reduce(samples, axis=0, initial=numpy.nan) for end in (numpy.fmin, numpy.fmax)]
    counts = count_samples(pages)
    errors: dict[CaseKey, list[str]] = {}
    for row, page in pages:
        if page.error is not None:
            name = " ".join([*page.axes.values(), page.sample])
            errors.setdefault(keys[row], []).append(f"sample {name}: {page.error}")
    return RunTable(
        keys=tuple(keys),
        means=means,
        extremes=numpy.stack(extremes),
        measured=mean_by_group(~numpy.isnan(samples) * 1.0, row_of_sample),
        num_samples=tuple(num for num, _distinct in counts.values()),
        num_distinct=tuple(distinct for _num, distinct in counts.values()),
        conditions=tuple(read_conditions(pages)),
        errors={key: tuple(texts) for key, texts in errors.items()},
    )


def mean_by_group(values: Values, groups: Sequence[int]) -> Values:
    """Average the rows of each group, numbered from 0 without gaps, ignoring NaN; NaN if nothing is left."""
    num_columns = values.shape[1]
    measured = ~numpy.isnan(values)
    starts = numpy.array(groups, dtype=numpy.intp)[:, None] * num_columns
    cells = (starts + numpy.arange(num_columns)).ravel()
    sums, counts = (
        numpy.bincount(cells, weights=weights.ravel()).reshape(-1, num_columns)
        for weights in (numpy.where(measured, values, 0.0), measured)
    )
    means: Values = numpy.full(sums.shape, numpy.nan)  # Of nothing, the sums themselves are whole numbers.
    return numpy.divide(sums, counts, out=means, where=counts > 0)


def _sample_means(pages: CasePages) -> tuple[Values, list[int]]:
    """Average each sample; return (samples, metrics of `COMPARED`), and each one's case."""
    samples: dict[tuple[int, str], int] = {}
    sample_of_page = [samples.setdefault((row, page.sample), len(samples)) for row, page in pages]
    values = [(*metric_values(page), page.error is not None) for _row, page in pages]
    table = numpy.array(values, dtype=numpy.float64).reshape(-1, len(COMPARED))
    return mean_by_group(table, sample_of_page), [row for row, _sample in samples]
