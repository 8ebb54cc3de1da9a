"""Samples that are the same byte for byte: three of a model that answers the same each time are one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pytest_design2a11y.models.run import CaseKey, Evaluation, case_name
from pytest_design2a11y.wording import counted

_SHOWN = 3


def num_distinct(samples: Iterable[Sequence[Evaluation]]) -> int:
    """Count the distinct samples of a case along its axes; one whose bytes are not known counts as such."""
    known: set[frozenset[str]] = set()
    num_unknown = 0
    for evaluations in samples:
        digests = frozenset(one.candidate_digest for one in evaluations if one.candidate_digest is not None)
        if any(one.candidate_digest is None for one in evaluations):
            num_unknown += 1
        else:
            known.add(digests)
    return len(known) + num_unknown


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
    by_key: dict[CaseKey, dict[str, list[Evaluation]]] = {}
    for one in evaluations:
        by_key.setdefault(one.case_key, {}).setdefault(one.sample, []).append(one)
    cells: Sequence[Mapping[str, list[Evaluation]]] = list(by_key.values())
    return repetition_text([len(cell) for cell in cells], [num_distinct(cell.values()) for cell in cells])


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
