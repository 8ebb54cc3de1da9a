"""Confidence for the mean of paired differences, by resampling the cases.

A case is drawn with all its samples, so the spread between samples is already part of its difference. Also
drawing samples within the drawn cases would count that spread twice and make every interval too wide.

The interval is symmetric around the mean: its half-width is a quantile of the distances between resampled
means and the mean. Intervals that follow the skewness of a few heavy-tailed differences (percentile, BCa,
studentized) miss up to twice as often as they claim with 10 cases; `studies/trials/simulate_gate.py` measures
this one. With few cases a quantile further out is used, as Student's t is wider than the normal distribution
(Hesterberg's expansion). SciPy has Student's t too, but its import takes longer than a comparison.

References:
    Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13.
    Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician 69(4), 2015,
    section 4.
    Press et al., "Numerical Recipes", third edition, 2007, section 6.4: the incomplete beta function by its
    continued fraction (Lentz's method).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, count
from math import ceil, erfc, exp, floor, inf, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist
from typing import TypeVar

import numpy
from numpy.typing import NDArray

#: Steps of the fraction, and of the search for a quantile, that are smaller change nothing that is shown.
_LEAST_STEP, _LEAST_MOVE = 1e-15, 1e-12
#: Halves of degrees of freedom that are large, and the most steps of a search.
_LARGE, _MOST_MOVES = 200, 100


def normal_tail(distance: float) -> float:
    """Return the probability, 0..1, that a standard normal value is above a distance."""
    return erfc(distance / sqrt(2)) / 2


def normal_quantile(tail: float) -> float:
    """Return the distance above which a standard normal value lies with this probability, 0..1."""
    return -NormalDist().inv_cdf(tail)


def student_tail(distance: float, freedom: float) -> float:
    """Return the probability, 0..1, that Student's t with so many degrees of freedom is above a distance."""
    if distance < 0:
        return 1.0 - student_tail(-distance, freedom)
    total, half = freedom + distance * distance, freedom / 2
    near, far = freedom / total, distance * distance / total
    if not (near and far):
        return 0.5 * bool(near)
    factor = exp(_log_ratio(half) + log(far) / 2 - half * log1p(distance * distance / freedom))
    if far > 1.5 / (half + 2.5):
        return factor * _beta_fraction(half, 0.5, near) / freedom
    return 0.5 - factor * _beta_fraction(0.5, half, far)


@lru_cache(maxsize=1024)
def student_quantile(tail: float, freedom: float) -> float:
    """Return the distance above which Student's t lies with this probability, above 0, at most 0.5."""
    # From the left, where the normal distribution's is, each step ends on the left, since the tail is convex.
    distance = normal_quantile(tail)
    for _ in range(_MOST_MOVES):
        log_density = -(freedom + 1) / 2 * log1p(distance * distance / freedom)
        density = exp(_log_ratio(freedom / 2) + log_density) / sqrt(freedom)
        step = (student_tail(distance, freedom) - tail) / density
        distance += step
        if abs(step) <= _LEAST_MOVE * (1 + distance):
            break
    return distance


def _log_ratio(half: float) -> float:
    """Return the logarithm of 1 / B(half, 1/2), where B is the beta function."""
    # Of large numbers, the difference of two logarithms would have few digits; this series has all.
    if half > _LARGE:
        return log(half / pi) / 2 - 1 / (8 * half) + 1 / (192 * half**3)
    return lgamma(half + 0.5) - lgamma(half) - log(pi) / 2


def _beta_fraction(first: float, second: float, share: float) -> float:
    """Return the continued fraction of the incomplete beta function."""
    both = first + second
    above, below = 1.0, 1 / (1 - both * share / (first + 1))
    value, step = below, inf
    for number in count(1):
        twice = first + 2 * number
        even = number * (second - number) * share / ((twice - 1) * twice)
        odd = -(first + number) * (both + number) * share / (twice * (twice + 1))
        for term in (even, odd):
            above, below = 1 + term / above, 1 / (1 + term * below)
            step = above * below
            value *= step
        if abs(step - 1) < _LEAST_STEP:
            break
    return value


SEED = 20240603
NUM_RESAMPLES = 10_000

#: Fewer cases have too few distinct resamples; Student's t is used instead.
MIN_CASES = 5

#: With more cases the mean is normally distributed: Student's t gives the same result, much faster.
MAX_CASES = 5_000

Draws = NDArray[numpy.uint16]

_CHUNK = 500_000

#: Number of draws that are kept for the next run with the same number of cases.
_KEPT = 4_000_000

_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class MeanDistribution:
    """How the means of some differences vary from one draw of cases to the next."""

    means: NDArray[numpy.float64]  # The observed means, (columns,)
    errors: NDArray[numpy.float64]  # Standard errors of the means, (columns,)
    # |resampled mean - mean|, sorted, (resamples, columns); None if Student's t is used instead, with too few
    # cases to resample or very many
    spread: NDArray[numpy.float64] | None
    num_cases: int  # Number of cases, at least 2

    def half_width(self, column: int, tail: float) -> float:
        """Return the half-width of the interval that leaves a share `tail` outside at each end."""
        quantile = student_quantile(tail, self.num_cases - 1)
        if self.spread is None:
            return quantile * float(self.errors[column])
        outside = normal_tail(quantile * self._expansion)
        if 2 * outside * len(self.spread) < 1:  # beyond the resolution of these resamples
            return quantile * float(self.errors[column])
        # Not by `numpy.quantile`, with which all of `numpy.ma` is loaded.
        rank = (1 - 2 * outside) * (len(self.spread) - 1)
        below, above = self.spread[[floor(rank), ceil(rank)], column]
        return float(below + (above - below) * (rank % 1))

    def p_above(self, column: int, limit: float) -> float:
        """Return the one-sided p-value of "the true mean is not above `limit`"."""
        distance = float(self.means[column]) - limit
        if abs(distance) <= _ROUNDING:
            return 0.5
        tail = self._tail_beyond(column, abs(distance))
        return tail if distance > 0 else 1 - tail

    def p_two_sided(self, column: int) -> float:
        """Return the two-sided p-value of "the true mean is 0"."""
        above = self.p_above(column, 0.0)
        return min(1.0, 2 * min(above, 1 - above))

    @property
    def _expansion(self) -> float:
        return float(numpy.sqrt(self.num_cases / (self.num_cases - 1)))

    def _tail_beyond(self, column: int, distance: float) -> float:
        # Without resamples, and beyond their resolution
        error, freedom = float(self.errors[column]), self.num_cases - 1
        by_student = student_tail(distance / error, freedom) if error > 0 else 0.0
        if self.spread is None:
            return by_student
        num_resamples = len(self.spread)
        num_beyond = num_resamples - int(numpy.searchsorted(self.spread[:, column], distance - _ROUNDING))
        outside = (num_beyond + 1) / (num_resamples + 1) / 2
        tail = student_tail(normal_quantile(outside) / self._expansion, freedom)
        return tail if num_beyond else min(tail, by_student)


def resample_means(
    differences: NDArray[numpy.float64], *, num_resamples: int = NUM_RESAMPLES
) -> MeanDistribution:
    """Resample cases with replacement and take the means; ValueError for fewer than two cases.

    Differences have one row per case, one column per quantity, and no NaN; all columns share the draws. The
    same differences and number of draws give the same result.
    """
    num_cases = len(differences)
    if num_cases < 2:
        raise ValueError("the spread of a mean needs at least two cases")
    means = differences.mean(axis=0)
    errors = differences.std(axis=0, ddof=1) / numpy.sqrt(num_cases)
    spread = None
    if MIN_CASES <= num_cases <= MAX_CASES:
        resampled = numpy.concatenate(list(resampled_means(differences, num_resamples)))
        spread = numpy.sort(numpy.abs(resampled - means), axis=0)
    return MeanDistribution(means, errors, spread, num_cases)


def resampled_means(
    differences: NDArray[numpy.float64], num_resamples: int
) -> Iterator[NDArray[numpy.float64]]:
    """Yield the means of the draws in batches, (draws, columns)."""
    num_cases = len(differences)
    counts = _kept_counts if num_cases * num_resamples <= _KEPT else _draw_counts
    columns = numpy.ascontiguousarray(differences.T)
    for drawn in counts(num_cases, num_resamples):
        # BLAS is avoided: its threads busy-wait, and its order of summation depends on the machine.
        yield numpy.einsum("rc,qc->rq", drawn, columns) / num_cases


@lru_cache(maxsize=4)
def _kept_counts(num_cases: int, num_resamples: int) -> tuple[Draws, ...]:
    """Draw once for all runs with this many cases: draws depend only on these two numbers."""
    return tuple(_draw_counts(num_cases, num_resamples))


def _draw_counts(num_cases: int, num_resamples: int) -> Iterator[Draws]:
    """Yield how often each case is drawn, in batches of (draws, cases)."""
    generator = numpy.random.default_rng(SEED)
    rows = max(1, _CHUNK // num_cases)
    for start in range(0, num_resamples, rows):
        num_rows = min(rows, num_resamples - start)
        drawn = generator.integers(0, num_cases, size=(num_rows, num_cases))
        drawn += numpy.arange(num_rows)[:, None] * num_cases
        counts = numpy.bincount(drawn.ravel(), minlength=num_rows * num_cases).reshape(num_rows, num_cases)
        yield counts.astype(numpy.uint16)  # there are at most `MAX_CASES`


def sign_test_p(num_up: int, num_down: int) -> float:
    """Return the two-sided p-value of "as many go up as down", exact; 1 if none does either."""
    num = num_up + num_down
    ways = accumulate(range(min(num_up, num_down)), lambda ways, at: ways * (num - at) // (at + 1), initial=1)
    return float(min(1.0, 2 * sum(ways) / 2**num))


T = TypeVar("T")


def holm(p_values: Mapping[T, float]) -> Iterator[tuple[T, int, float]]:
    """Yield tests from the smallest p-value up, each with the number still open and its corrected p-value."""
    corrected = 0.0
    num_open = len(p_values)
    for test, p_value in sorted(p_values.items(), key=lambda item: item[1]):
        corrected = max(corrected, min(1.0, num_open * p_value))
        yield test, num_open, corrected
        num_open -= 1
