"""An assignment of least cost together with the prices that prove it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.matching.assignment import Costs, assign

UNASSIGNED = -1


@dataclass(frozen=True, slots=True)
class Optimum:
    """A least-cost assignment and its dual.

    Attributes:
        columns: The column of each row, or UNASSIGNED.
        row_prices: u, at most 0; 0 for unassigned rows.
        column_prices: v, at most 0, the highest possible; 0 for unassigned columns. Every cost is at least
            u + v of its row and column, and equal to it for assigned pairs.
    """

    columns: NDArray[np.intp]
    row_prices: Costs
    column_prices: Costs


def find_optimum(costs: Costs) -> Optimum:
    """Solve the assignment and find its prices.

    Args:
        costs: Shape (rows, columns), each below 0 and a multiple of 2**-48 (see `tiebreak`).
    """
    rows, columns = assign(costs)
    unassigned = np.ones(len(costs), dtype=bool)
    unassigned[rows] = False
    prices = np.minimum(0.0, costs[unassigned].min(axis=0, initial=0.0))
    prices = _lower_prices(prices, costs[rows], columns)
    row_prices = np.zeros(len(costs))
    row_prices[rows] = costs[rows, columns] - prices[columns]
    column_of_row = np.full(len(costs), UNASSIGNED, dtype=np.intp)
    column_of_row[rows] = columns
    return Optimum(column_of_row, row_prices, prices)


def _lower_prices(prices: Costs, costs: Costs, columns: NDArray[np.intp]) -> Costs:
    """Lower prices until no assigned row would rather have another column (Bellman-Ford)."""
    changed = np.arange(len(columns))
    assigned = costs[np.arange(len(columns)), columns]
    while len(changed):
        row_prices = assigned[changed] - prices[columns[changed]]
        lowered = np.minimum(prices, (costs[changed] - row_prices[:, None]).min(axis=0))
        changed = np.flatnonzero(lowered[columns] < prices[columns])
        prices = lowered
    return prices
