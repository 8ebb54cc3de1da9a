"""Student's t and the normal distribution: SciPy has them too, but its import takes longer than a comparison.

References:
    Press et al., "Numerical Recipes", third edition, 2007, section 6.4: the incomplete beta function by its
    continued fraction (Lentz's method).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import count
from math import erfc, exp, inf, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist

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
