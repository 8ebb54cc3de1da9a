"""Whether merging neighbours pays: the gain of each possible merge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.matching.assignment import Costs, assign
from pytest_design2a11y.matching.optimum import Optimum, find_optimum
from pytest_design2a11y.matching.rerouting import reroute
from pytest_design2a11y.matching.tiebreak import LARGEST_CHANGE, break_ties, hash_texts

SMALLEST_GAIN = 0.05


def difference_of_means(current: Iterable[float], changed: Iterable[float]) -> float:
    """Return how far the mean assigned cost falls, over those costs that differ.

    Costs that both lists contain are cancelled first. A fall of the mean counts only where the least
    remaining cost falls too; otherwise the result is 0. A rise is returned as a negative number.

    References:
        Si et al.: Design2Code, arXiv 2403.03163, block matching as published in the code.
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
    costs: Costs, merged: Costs, *, texts: Sequence[str], merged_texts: Sequence[str], others: Sequence[str]
) -> list[float]:
    """Compute what merging each two neighbouring rows gains.

    Args:
        costs: Shape (rows, columns), each -1..0.
        merged: Shape (rows - 1, columns): the costs of the row that merging row i and i + 1 gives.
        texts: Of the rows.
        merged_texts: Of the merged rows.
        others: Of the columns.

    Returns:
        The gain of each merge; merges that cannot gain more than SMALLEST_GAIN may be given as 0.
    """
    hashes = hash_texts(others)
    distinct = break_ties(costs, hash_texts(texts), hashes)
    distinct_merged = break_ties(merged, hash_texts(merged_texts), hashes)
    optimum = find_optimum(distinct)
    merged_prices = np.minimum(0.0, (distinct_merged - optimum.column_prices).min(axis=1))
    # By the prices, the total cannot fall by more than this.
    falls = optimum.row_prices[:-1] + optimum.row_prices[1:] - merged_prices
    gains_of = _gains_of_few_rows if len(costs) <= costs.shape[1] else _gains_of_many_rows
    return gains_of(costs, merged, distinct, distinct_merged, optimum, falls)


def _gains_of_few_rows(
    costs: Costs, merged: Costs, distinct: Costs, distinct_merged: Costs, optimum: Optimum, falls: Costs
) -> list[float]:
    """All rows are assigned, before and after: see which of them change their column.

    One cost fewer remains after than before, and none is below -1, so that the mean falls by no more than the
    total and 1.
    """
    gains = [0.0] * len(merged)
    doubtful = _above(falls + 1.0, costs)
    before = costs[np.arange(len(costs)), optimum.columns]
    for index, columns in zip(
        doubtful.tolist(), reroute(distinct, distinct_merged, optimum, doubtful), strict=True
    ):
        is_changed = columns != optimum.columns
        is_changed[index : index + 2] = False
        rows = np.flatnonzero(is_changed)
        gains[index] = difference_of_means(
            [*before[rows].tolist(), *before[index : index + 2].tolist()],
            [*costs[rows, columns[rows]].tolist(), float(merged[index, columns[index]])],
        )
    return gains


def _gains_of_many_rows(
    costs: Costs, merged: Costs, distinct: Costs, distinct_merged: Costs, optimum: Optimum, falls: Costs
) -> list[float]:
    """As many columns are assigned before as after, so that the mean falls by no more than the total."""
    gains = [0.0] * len(merged)
    is_assigned = optimum.columns >= 0
    current = costs[is_assigned, optimum.columns[is_assigned]].tolist()
    for index in _above(falls, costs).tolist():
        pairs = assign(_reduced(distinct, distinct_merged, optimum, index))
        changed = np.delete(costs, index + 1, axis=0)
        changed[index] = merged[index]
        is_real = pairs[1] < costs.shape[1]
        gains[index] = difference_of_means(current, changed[pairs[0][is_real], pairs[1][is_real]].tolist())
    return gains


def _above(bounds: Costs, costs: Costs) -> NDArray[np.intp]:
    """Give the merges that may gain enough, if breaking ties has changed every cost as far as it can."""
    return np.flatnonzero(bounds > SMALLEST_GAIN - costs.shape[1] * 2 * LARGEST_CHANGE)


def _reduced(distinct: Costs, distinct_merged: Costs, optimum: Optimum, index: int) -> Costs:
    """Give the table after a merge, square and less the prices: quick to solve, with the same solution."""
    num_rows, num_columns = len(distinct) - 1, distinct.shape[1]
    row_prices = np.delete(optimum.row_prices, index + 1)
    row_prices[index] = 0.0
    table = np.zeros((num_rows, num_rows))
    table[:, :num_columns] = np.delete(distinct, index + 1, axis=0) - optimum.column_prices
    table[index, :num_columns] = distinct_merged[index] - optimum.column_prices
    return table - row_prices[:, None]
