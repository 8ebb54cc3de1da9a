"""Whether a merge pays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def difference_of_means(current: Iterable[float], changed: Iterable[float]) -> float:
    """Return how far the mean assigned cost falls, over those costs that differ.

    Costs that both lists contain are cancelled first. A fall of the mean counts only where the least
    remaining cost falls too; otherwise the result is 0. A rise is returned as a negative number.

    References:
        Si et al.: Design2Code, arXiv 2403.03163, block matching as published in the code.
    """
    before, after = Counter(current), Counter(changed)
    rest_before = list((before - after).elements())
    rest_after = list((after - before).elements())
    gain = _mean(rest_before) - _mean(rest_after)
    if gain > 0 and not min(rest_before, default=0.0) > min(rest_after, default=0.0):
        return 0.0
    return gain


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
