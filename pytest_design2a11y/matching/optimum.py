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
        columns: The column of each row. Rows without one have a number from that of the columns on, as if
            there were columns of cost 0 for them.
        row_prices: u, at most 0; 0 for unassigned rows.
        column_prices: v, at most 0, the highest possible; 0 for unassigned columns. Every cost is at least
            u + v of its row and column, and equal to it for assigned pairs.
        pricing_rows: The row because of which a column's price is below 0: its cost there equals u + v too.
            UNASSIGNED where the price is 0. From any column, the row so named, its own column, the row named
            there, and so on, lead to a column of price 0.
    """

    columns: NDArray[np.intp]
    row_prices: Costs
    column_prices: Costs
    pricing_rows: NDArray[np.intp]


def find_optimum(costs: Costs) -> Optimum:
    """Solve the assignment and find its prices; costs are multiples of 2**-48 below 0 (see `break_ties`)."""
    num_rows, num_columns = costs.shape
    rows, columns = assign(costs)
    rest = np.setdiff1d(np.arange(num_rows), rows)
    prices = np.minimum(0.0, costs[rest].min(axis=0, initial=0.0))
    pricing_rows = np.full(num_columns, UNASSIGNED, dtype=np.intp)
    if len(rest):
        pricing_rows = np.where(prices < 0.0, rest[costs[rest].argmin(axis=0)], UNASSIGNED)
    prices, lowered_by = _lower_prices(prices, costs[rows], columns)
    row_prices = np.zeros(num_rows)
    row_prices[rows] = costs[rows, columns] - prices[columns]
    column_of_row = np.empty(num_rows, dtype=np.intp)
    column_of_row[rows] = columns
    column_of_row[rest] = num_columns + np.arange(len(rest))
    pricing_rows = np.where(lowered_by == UNASSIGNED, pricing_rows, rows[lowered_by])
    return Optimum(column_of_row, row_prices, prices, pricing_rows)


def _lower_prices(prices: Costs, costs: Costs, columns: NDArray[np.intp]) -> tuple[Costs, NDArray[np.intp]]:
    """Lower prices until no assigned row would rather have another column (Bellman-Ford)."""
    changed = np.arange(len(columns))
    assigned = costs[changed, columns]
    lowered_by = np.full(len(prices), UNASSIGNED, dtype=np.intp)
    while len(changed):
        row_prices = assigned[changed] - prices[columns[changed]]
        offers = costs[changed] - row_prices[:, None]
        least = offers.min(axis=0)
        is_lower = least < prices
        lowered_by[is_lower] = changed[offers[:, is_lower].argmin(axis=0)]
        prices = np.minimum(prices, least)
        changed = np.flatnonzero(is_lower[columns])
    return prices, lowered_by
