"""Tests whether a difference is more than chance: signed ranks, signs, and Holm's correction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

import numpy
import scipy
from numpy.typing import NDArray

#: Up to this many differences the distribution is exact, even with ties.
MAX_EXACT = 50


def signed_rank_p(differences: NDArray[numpy.float64]) -> float:
    """Return the two-sided p-value of "the differences are symmetric around 0".

    Differences of 0 are left out, as by Wilcoxon. Up to 50 differences the p-value is exact, even with ties;
    beyond that it is the normal approximation, with the variance corrected for ties.

    References:
        Wilcoxon, "Individual Comparisons by Ranking Methods", Biometrics Bulletin 1(6), 1945.
    """
    kept = differences[differences != 0]
    if len(kept) == 0:
        return 1.0
    values = numpy.abs(kept)
    _distinct, inverse, counts = numpy.unique(values, return_inverse=True, return_counts=True)
    last = numpy.cumsum(counts)
    doubled: NDArray[numpy.int64] = (2 * last - counts + 1)[inverse]
    positive = int(doubled[kept > 0].sum())
    if len(kept) <= MAX_EXACT:
        total = int(doubled.sum())
        patterns = numpy.zeros(total + 1)
        patterns[0] = 1.0
        for rank in doubled:
            patterns[rank:] += patterns[: total + 1 - rank].copy()
        extreme = min(positive, total - positive)
        return min(1.0, float(2 * patterns[: extreme + 1].sum() / 2.0 ** len(doubled)))
    expected = doubled.sum() / 2
    deviation = numpy.sqrt(numpy.square(doubled, dtype=numpy.float64).sum() / 4)
    return min(1.0, 2 * float(scipy.special.ndtr(-abs(positive - expected) / deviation)))


def sign_test_p(num_up: int, num_down: int) -> float:
    """Return the two-sided p-value of "as many go up as down", exact; 1 if none does either."""
    num = num_up + num_down
    return min(1.0, 2 * float(scipy.special.bdtr(min(num_up, num_down), num, 0.5))) if num else 1.0


T = TypeVar("T")


def holm(p_values: Mapping[T, float]) -> Iterator[tuple[T, int, float]]:
    """Yield the tests from the smallest p-value up, with the number left to correct for.

    Yields:
        Test, number of tests still open (it included), and its corrected p-value.
    """
    corrected = 0.0
    num_open = len(p_values)
    for test, p_value in sorted(p_values.items(), key=lambda item: item[1]):
        corrected = max(corrected, min(1.0, num_open * p_value))
        yield test, num_open, corrected
        num_open -= 1
