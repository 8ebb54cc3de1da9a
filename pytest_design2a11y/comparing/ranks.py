"""Wilcoxon's signed-rank test: are the paired differences as often and as far up as down?"""

from __future__ import annotations

import numpy
from numpy.typing import NDArray
from scipy.special import bdtr, ndtr

#: Up to this many differences the distribution is counted out, ties included.
MAX_EXACT = 50


def signed_rank_p(differences: NDArray[numpy.float64]) -> float:
    """Return the two-sided p-value of "the differences are symmetric around 0".

    Differences of 0 are left out, as Wilcoxon did. Up to 50 differences the p-value is exact, also with ties;
    beyond, it is the normal approximation with the variance corrected for ties.

    Args:
        differences: One a case, no NaN.

    Returns:
        The p-value; 1 where no difference is left.

    References:
        Wilcoxon, "Individual Comparisons by Ranking Methods", Biometrics Bulletin 1(6), 1945.
    """
    kept = differences[differences != 0]
    if len(kept) == 0:
        return 1.0
    values = numpy.abs(kept)
    _distinct, places, counts = numpy.unique(values, return_inverse=True, return_counts=True)
    last = numpy.cumsum(counts)
    doubled: NDArray[numpy.int64] = (2 * last - counts + 1)[places]
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
    return min(1.0, 2 * float(ndtr(-abs(positive - expected) / deviation)))


def sign_test_p(num_up: int, num_down: int) -> float:
    """Return the two-sided p-value of "as many go up as down", exact; 1 where none goes either way."""
    num = num_up + num_down
    return min(1.0, 2 * float(bdtr(min(num_up, num_down), num, 0.5))) if num else 1.0
