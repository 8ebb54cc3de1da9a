"""Whether merging neighbours pays: the gain of each possible merge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from pytest_design2a11y.matching.assignment import LARGEST_CHANGE, Costs, break_ties, hash_texts
from pytest_design2a11y.matching.rerouting import Indices, Optimum, find_optimum, reroute
from pytest_design2a11y.models.time_limit import TimeLimit

SMALLEST_GAIN = 0.05


def difference_of_means(current: Iterable[float], changed: Iterable[float]) -> float:
    """Return how far the mean assigned cost falls, over those costs that differ, as the published code does.

    Costs in both lists are cancelled first. A fall of the mean counts only if the least remaining cost falls
    too; otherwise the result is 0. A rise is returned as a negative number.
    """
    before, after = Counter(current), Counter(changed)
    rest_before = sorted((before - after).elements())
    rest_after = sorted((after - before).elements())
    gain = _mean(rest_before) - _mean(rest_after)
    if gain > 0 and not min(rest_before, default=0.0) > min(rest_after, default=0.0):
        return 0.0
    return gain


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def merge_gains(
    costs: Costs,
    merged: Costs,
    *,
    texts: Sequence[str],
    merged_texts: Sequence[str],
    others: Sequence[str],
    time_limit: TimeLimit,
) -> list[float]:
    """Compute the gain of merging every two neighbouring rows; values within SMALLEST_GAIN may be 0.

    Costs, each -1..0, have the shape (rows, columns), those of the row from merging rows i and i + 1 (rows -
    1, columns). The texts are of the rows, the merged rows and the columns (`others`).
    """
    time_limit.check("matching")
    hashes = hash_texts(others)
    distinct = break_ties(costs, hash_texts(texts), hashes)
    distinct_merged = break_ties(merged, hash_texts(merged_texts), hashes)
    optimum = find_optimum(distinct)
    slacks = _slacks(costs, optimum)
    # A merge's two texts determine its gain: the first merge of each number stands for all.
    numbered: dict[tuple[str, str], int] = {}
    numbers = np.array([numbered.setdefault(pair, len(numbered)) for pair in pairwise(texts)], dtype=np.intp)
    firsts = np.unique(numbers, return_index=True)[1]
    # By the prices, no path is shorter than its first step.
    first_steps = np.minimum(0.0, (distinct_merged - optimum.column_prices).min(axis=1))
    doubtful = firsts[first_steps[firsts] < slacks[firsts]]
    gains = np.zeros(len(merged))
    if len(doubtful):
        rerouted = reroute(
            distinct, distinct_merged, optimum, doubtful, slacks[doubtful], time_limit=time_limit
        )
        for index, columns in rerouted:
            gains[index] = _gain(costs, merged[index], optimum.columns, columns, index)
    listed: list[float] = gains[firsts][numbers].tolist()
    return listed


def _slacks(costs: Costs, optimum: Optimum) -> Costs:
    """Return, for each merge, the path length from which it cannot gain enough.

    The total falls by the two rows' prices minus the length. If there are more rows than columns, the number
    of costs stays the same, and the mean falls by at most the total. Otherwise there is one cost less, and
    the mean falls by at most the total and the largest cost.
    """
    falls = optimum.row_prices[:-1] + optimum.row_prices[1:]
    if len(costs) <= costs.shape[1]:
        falls = falls - costs[np.arange(len(costs)), optimum.columns].min()
    # Breaking ties has changed every cost by at most this much.
    slacks: Costs = falls - SMALLEST_GAIN + costs.shape[1] * 2 * LARGEST_CHANGE
    return slacks


def _gain(costs: Costs, merged: Costs, before: Indices, after: Indices, index: int) -> float:
    """Compare the costs of rows that change columns, if they have one."""
    is_changed = after != before
    is_changed[index : index + 2] = True
    rows = np.flatnonzero(is_changed & (before < costs.shape[1]))
    current = costs[rows, before[rows]].tolist()
    is_changed[index : index + 2] = False
    rows = np.flatnonzero(is_changed & (after < costs.shape[1]))
    changed = costs[rows, after[rows]].tolist()
    if after[index] < costs.shape[1]:
        changed.append(float(merged[after[index]]))
    return difference_of_means(current, changed)
