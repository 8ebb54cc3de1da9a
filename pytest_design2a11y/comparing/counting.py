"""What counts in a mean: pages that could not be measured, and samples that are the same byte for byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Literal, TypeVar

from pytest_design2a11y.exceptions import EmptyDocument, InputTooLarge, NavigatedAway, NotHtml, PageTooLarge
from pytest_design2a11y.models.evaluation import CaseKey
from pytest_design2a11y.models.run import Evaluation, case_name
from pytest_design2a11y.runs.encoding import natural_key
from pytest_design2a11y.wording import counted, listed

FailedPages = Literal["exclude", "zero"]

#: Errors that a candidate brings on itself. A lost browser, a timeout or a missing file is not the page's.
PAGE_FAULTS = frozenset(
    error.__name__ for error in (EmptyDocument, NotHtml, InputTooLarge, PageTooLarge, NavigatedAway)
)


def is_page_fault(evaluation: Evaluation) -> bool:
    """Tell whether a candidate that was to be compared with a reference failed by its own fault.

    Runs that older versions saved do not tell which side failed; there the candidate is taken to be.
    """
    error = evaluation.error
    if error is None or evaluation.visual is not None or error.type not in PAGE_FAULTS:
        return False
    return not error.role or (error.role == "candidate" and evaluation.reference is not None)


def rule_text(failed_pages: FailedPages, num_zeros: int) -> str:
    """Say which rule held."""
    if failed_pages == "exclude":
        return "pages that could not be measured are left out"
    pages = counted(num_zeros, "page")
    return f"{pages} that failed by their own fault count as visual 0; others are left out"


_SHOWN = 3


K = TypeVar("K", bound=Hashable)


def count_samples(pages: Iterable[tuple[K, Evaluation]]) -> dict[K, tuple[int, int]]:
    """Count the samples of every case along its axes, and those of them that are distinct.

    A sample whose bytes are not known counts as distinct.
    """
    digests: dict[tuple[K, str], set[str | None]] = {}
    for case, page in pages:
        digests.setdefault((case, page.sample), set()).add(page.candidate_digest)
    found: dict[K, list[str | frozenset[str | None]]] = {}
    for (case, sample), known in digests.items():
        found.setdefault(case, []).append(sample if None in known else frozenset(known))
    return {case: (len(samples), len(set(samples))) for case, samples in found.items()}


def repetition_text(samples: Sequence[int], distinct: Sequence[int]) -> str:
    """Say that samples repeat others of their case; "" where none does."""
    num_samples, num_left = sum(samples), sum(distinct)
    if num_samples == num_left:
        return ""
    num_cases = sum(one > other for one, other in zip(samples, distinct, strict=True))
    return (
        f"{num_samples - num_left} of {counted(num_samples, 'sample')} repeat another of their case byte for "
        f"byte (in {counted(num_cases, 'case')}): the effective number of samples is {num_left}, "
        f"{num_left / len(samples):.2g} a case"
    )


def repetitions(evaluations: Iterable[Evaluation]) -> str:
    """Say of a run's evaluations what `repetition_text` does."""
    counts = count_samples((one.case_key, one) for one in evaluations).values()
    return repetition_text([num for num, _distinct in counts], [distinct for _num, distinct in counts])


def mistaken_samples(evaluations: Iterable[Evaluation]) -> str:
    """Say of a run that different candidates count as the same sample of a case; "" where none do."""
    by_key: dict[tuple[CaseKey, str], dict[str, str | None]] = {}
    for one in evaluations:
        if one.error is None:
            by_key.setdefault((one.case_key, one.sample), {})[one.candidate] = one.candidate_digest
    twice = {
        key: list(found)
        for key, found in by_key.items()
        if len(found) > 1 and (None in found.values() or len(set(found.values())) > 1)
    }
    if not twice:
        return ""
    (case, sample), found = next(iter(twice.items()))
    more = f", and {len(twice) - 1} more such" if len(twice) > 1 else ""
    return (
        f"{len(found)} different candidates count as sample {sample} of the case {case_name(case)!r}{more}: "
        f"{', '.join(found[:_SHOWN])}{', ...' if len(found) > _SHOWN else ''}. They are averaged as if they "
        "were one. Say what tells them apart: render(..., prompt=, model= or sample=), parameters of a test "
        "with these names, the marker, or these keys in the lines of --pairs."
    )


def missing_samples(evaluations: Iterable[Evaluation]) -> str:
    """Say which samples cases lack that most others of the run have, or numbers leave out; "" where none."""
    found: dict[CaseKey, set[str]] = {}
    for one in evaluations:
        found.setdefault(one.case_key, set()).add(one.sample)
    counts = Counter(sample for own in found.values() for sample in own)
    samples = {sample for sample, number in counts.items() if 2 * number >= len(found)}
    numbers = [int(sample) for sample in samples if sample.isdecimal()]
    if numbers and max(numbers) - min(numbers) < 2 * len(numbers):
        samples.update(map(str, range(min(numbers), max(numbers) + 1)))
    lacking = [
        f"{case_name(case)} has no sample {', '.join(sorted(samples - own, key=natural_key))}"
        for case, own in found.items()
        if samples - own
    ]
    return f"Samples are missing: {listed(lacking, most=_SHOWN)}." if lacking else ""
