"""How a least-cost assignment, and its mean, change when two rows become one, for all neighbors at once.

Merging rows i and i+1 removes both and adds a new one. One of the two freed columns is left unassigned, along
a path that follows from the prices; the merged row gets its column by a shortest path (Dijkstra over reduced
costs, as in the Hungarian method). All merges advance together, with one numpy call for all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.matching.costs import (
    LARGEST_CHANGE,
    Costs,
    assign,
    break_ties,
    difference_of_means,
    hash_texts,
)

Indices = NDArray[np.intp]

SMALLEST_GAIN = 0.05
UNASSIGNED = -1
_FREE = -1
_START = -1
#: Number of array elements that fit into a processor's cache.
_CELLS = 1 << 15


def reroute(
    costs: Costs, merged: Costs, optimum: "Optimum", firsts: Indices, slacks: Costs, *, time_limit: TimeLimit
) -> Iterator[tuple[int, Indices]]:
    """Find the least-cost assignment after each merge of neighboring rows.

    Costs have the shape (rows, columns), those of the merged rows i and i + 1 (rows - 1, columns); `firsts`
    has the first row of each merge to compute, `slacks` the limit for its path: merges with longer ones are
    left out.

    Yields:
        The first row of a merge, and the column of each row after it; the merged row takes the place of its
        first row, and the value of its second row is meaningless.
    """
    missing = len(costs) - costs.shape[1]
    if missing > 0:
        # Add columns of cost 0 for rows that have no column.
        costs, merged = (np.pad(table, ((0, 0), (0, missing))) for table in (costs, merged))
        prices = np.pad(optimum.column_prices, (0, missing))
        pricing_rows = np.pad(optimum.pricing_rows, (0, missing), constant_values=UNASSIGNED)
        optimum = replace(optimum, column_prices=prices, pricing_rows=pricing_rows)
    # Columns without a row belong to "nobody", a row of zeros after the real ones.
    costs = np.vstack([costs, np.zeros(costs.shape[1])])
    size = max(1, _CELLS // costs.shape[1])
    for start in range(0, len(firsts), size):
        time_limit.check("matching")
        some = firsts[start : start + size]
        merges = _Merges(costs, optimum, some)
        merges.leave_one_free()
        is_placed = merges.place(merged[some], slacks[start : start + size])
        yield from zip(some[is_placed].tolist(), merges.columns[is_placed], strict=True)


class _Merges:
    """All merges in parallel: axis 0 of every array is the merge; `columns` as in `reroute`."""

    def __init__(self, costs: Costs, optimum: "Optimum", firsts: Indices) -> None:
        self._optimum, self._firsts = optimum, firsts
        self._numbers = np.arange(len(firsts))
        self._costs, self._nobody = costs, len(costs) - 1
        owners = np.full(costs.shape[1], self._nobody, dtype=np.intp)
        owners[optimum.columns] = np.arange(self._nobody)
        self._owners = np.tile(owners, (len(firsts), 1))
        self._freed = optimum.columns[firsts], optimum.columns[firsts + 1]
        for freed in self._freed:
            self._owners[self._numbers, freed] = _FREE
        self._free = self._freed[0]
        self.columns = np.tile(optimum.columns, (len(firsts), 1))

    def leave_one_free(self) -> None:
        """Move rows into one of the freed columns until a column of price 0 is left, to stay unassigned."""
        first, second = self._freed
        merges, column = self._numbers, self._freed_to_fill()
        self._free = first + second - column
        while len(merges):
            row = self._optimum.pricing_rows[column]
            is_last = row == UNASSIGNED
            self._owners[merges, column] = np.where(is_last, self._nobody, row)
            merges, row, column = merges[~is_last], row[~is_last], column[~is_last]
            self.columns[merges, row] = column
            column = self._optimum.columns[row]

    def _freed_to_fill(self) -> Indices:
        """Return the first freed column, or the second if the path to the first leads through it."""
        first, second = self._freed
        chosen, merges, column = first.copy(), self._numbers, first
        while len(merges):
            row = self._optimum.pricing_rows[column]
            goes_on = row != UNASSIGNED
            merges, column = merges[goes_on], self._optimum.columns[row[goes_on]]
            is_second = column == second[merges]
            chosen[merges[is_second]] = column[is_second]
            merges, column = merges[~is_second], column[~is_second]
        return chosen

    def place(self, merged: Costs, slacks: Costs) -> NDArray[np.bool_]:
        """Move rows along each merged row's path to the next column, starting from the last one.

        Return which merges have a path shorter than its slack; the others are left unchanged.
        """
        is_short, previous = self._shortest_paths(merged - self._optimum.column_prices, slacks)
        merges = self._numbers[is_short]
        column = self._free[merges]
        while len(merges):
            left = previous[merges, column]
            is_first = left == _START
            row = np.where(is_first, self._firsts[merges], self._owners[merges, left])
            is_real = row != self._nobody
            self.columns[merges[is_real], row[is_real]] = column[is_real]
            merges, column = merges[~is_first], left[~is_first]
        return is_short

    def _shortest_paths(self, distances: Costs, slacks: Costs) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
        """Find each merge's path from the merged row to the free column; `distances` is modified.

        Return whether it is short enough, and the column before each column on the path, or _START.
        """
        is_short = np.zeros(len(distances), dtype=bool)
        previous = np.full(distances.shape, _START, dtype=np.int32)
        found = previous.copy()
        # A price of minus infinity keeps a column out of the search; a distance of infinity removes it.
        prices = np.tile(self._optimum.column_prices, (len(distances), 1))
        active, owners, free = self._numbers, self._owners, self._free
        while len(active):
            each = np.arange(len(active))
            nearest = distances.argmin(axis=1)
            length = distances[each, nearest]
            is_found = (distances[each, free] == length) & (length < slacks)
            rest = ~is_found & (length < slacks)
            if not rest.all():
                is_short[active[is_found]] = True
                found[active[is_found]] = previous[is_found]
                active, owners, free, slacks = active[rest], owners[rest], free[rest], slacks[rest]
                distances, previous, prices = distances[rest], previous[rest], prices[rest]
                continue
            row = owners[each, nearest]
            start = length - self._costs[row, nearest] + prices[each, nearest]
            distances[each, nearest], prices[each, nearest] = np.inf, -np.inf
            # All columns of "nobody" lead on alike: one is enough.
            for index in np.flatnonzero(row == self._nobody):
                is_alike = owners[index] == self._nobody
                distances[index, is_alike] = np.inf
                prices[index, is_alike] = -np.inf
            reached = self._costs[row]
            reached -= prices
            reached += start[:, None]
            np.copyto(previous, nearest[:, None].astype(np.int32), where=reached < distances)
            np.minimum(distances, reached, out=distances)
        return is_short, found


@dataclass(frozen=True, slots=True)
class Optimum:
    """A least-cost assignment and its dual."""

    # The column of each row. Rows without one have numbers after those of the columns, as if there were
    # columns of cost 0 for them
    columns: Indices
    row_prices: Costs  # u, at most 0; 0 for unassigned rows
    # v, at most 0, the highest possible; 0 for unassigned columns. Every cost is at least u + v of its row
    # and column, and equal to it for assigned pairs
    column_prices: Costs
    # The row that makes a column's price negative: its cost there also equals u + v. UNASSIGNED if the
    # price is 0. From any column, following this row, then its own column, then the row of that column, and
    # so on, leads to a column of price 0
    pricing_rows: Indices


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


def _lower_prices(prices: Costs, costs: Costs, columns: Indices) -> tuple[Costs, Indices]:
    """Lower prices until no assigned row would prefer another column (Bellman-Ford)."""
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


def merge_gains(
    costs: Costs,
    merged: Costs,
    *,
    texts: Sequence[str],
    merged_texts: Sequence[str],
    others: Sequence[str],
    time_limit: TimeLimit,
) -> list[float]:
    """Compute the gain of merging every two neighboring rows; values within SMALLEST_GAIN may be 0.

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
