"""How a least-cost assignment changes when two rows become one, for all neighbours at once.

Merging rows i and i+1 replaces one of them by the merged row and leaves the other's column free. Both
changes are repaired by a shortest path each (Dijkstra over reduced costs, as in the Hungarian method), and
all merges take their steps together, one numpy call for all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.matching.assignment import Costs
from pytest_design2a11y.matching.optimum import Optimum

Indices = NDArray[np.intp]

_FREE = -1
_START = -1


@dataclass(frozen=True, slots=True)
class Rerouted:
    """The assignment after each merge.

    Attributes:
        columns: Shape (merges, rows): the column of each row; those of the two merged rows mean nothing.
        merged_columns: Shape (merges,): the column of the merged row.
    """

    columns: Indices
    merged_columns: Indices


def reroute(costs: Costs, merged: Costs, optimum: Optimum, firsts: Indices) -> Rerouted:
    """Find the least-cost assignment after each merge of neighbouring rows.

    Args:
        costs: Shape (rows, columns), not more rows than columns.
        merged: Shape (rows - 1, columns): costs of the row that merging row i and i+1 gives.
        optimum: Of `costs`.
        firsts: Shape (merges,): the first row of each merge to look at.

    Returns:
        The assignment after each of these merges.
    """
    return _Merges(costs, merged, optimum, firsts).rerouted()


class _Merges:
    """All merges side by side: axis 0 of every array is the merge."""

    def __init__(self, costs: Costs, merged: Costs, optimum: Optimum, firsts: Indices) -> None:
        num_rows, num_columns = costs.shape
        self.merged = merged[firsts]
        # Columns without a row belong to a row of zeros; it and the merged row come after the real rows.
        self.nobody, self.newcomer = num_rows, num_rows + 1
        self.costs = np.vstack([costs, np.zeros(num_columns)])
        merges = np.arange(len(firsts))
        owners = np.full(num_columns, self.nobody, dtype=np.intp)
        owners[optimum.columns] = np.arange(num_rows)
        self.owners = np.tile(owners, (len(merges), 1))
        self.owners[merges, optimum.columns[firsts]] = _FREE
        self.owners[merges, optimum.columns[firsts + 1]] = _FREE
        self.columns = np.tile(np.append(optimum.columns, [_FREE, _FREE]), (len(merges), 1))
        self.prices = np.tile(optimum.column_prices, (len(merges), 1))

    def rerouted(self) -> Rerouted:
        self._find_column(self.nobody, -self.prices)
        self._find_column(self.newcomer, self.merged - self.prices)
        return Rerouted(self.columns[:, : self.nobody], self.columns[:, self.newcomer])

    def _find_column(self, source: int, distances: Costs) -> None:
        settled = np.full_like(distances, np.inf)
        if source == self.nobody:
            # Its other columns are as good as the one it looks for: none is worth a visit.
            settled[self.owners == self.nobody] = 0.0
        paths = _shortest_paths(self, distances, settled)
        self._follow(paths, source)
        self.prices += np.minimum(paths.settled - paths.lengths[:, None], 0.0)

    def _follow(self, paths: _Paths, source: int) -> None:
        """Move every row on a path to the path's next column, from the end backwards."""
        merges, column = np.arange(len(self.owners)), paths.ends
        while len(merges):
            left = paths.previous[merges, column]
            row = np.where(left == _START, source, self.owners[merges, left])
            self.owners[merges, column] = row
            self.columns[merges, row] = column
            goes_on = left != _START
            merges, column = merges[goes_on], left[goes_on]


@dataclass(slots=True)
class _Paths:
    """Shortest paths from a row without a column to the nearest free column.

    Attributes:
        ends: The free column.
        lengths: Its distance.
        settled: The distance of every column that is nearer than the end, else infinity.
        previous: The column before it on the path to each column, or _START.
    """

    ends: Indices
    lengths: Costs
    settled: Costs
    previous: NDArray[np.int32]


def _shortest_paths(merges: _Merges, distances: Costs, settled: Costs) -> _Paths:
    """Find a path for each merge.

    Args:
        merges: The assignment so far.
        distances: Of every column from the start; used up.
        settled: The distance of the columns not to visit, else infinity; used up.
    """
    num_merges = len(distances)
    is_open = np.isinf(settled)
    # A distance of infinity takes a column out of the search, a price of minus infinity keeps it out.
    distances[~is_open] = np.inf
    prices = np.where(is_open, merges.prices, -np.inf)
    previous = np.full(distances.shape, _START, dtype=np.int32)
    found = _Paths(np.empty(num_merges, np.intp), np.empty(num_merges), settled.copy(), previous.copy())
    active, owners = np.arange(num_merges), merges.owners
    while len(active):
        each = np.arange(len(active))
        nearest = distances.argmin(axis=1)
        length, row = distances[each, nearest], owners[each, nearest]
        is_found = row == _FREE
        if is_found.any():
            done, rest = active[is_found], ~is_found
            found.ends[done], found.lengths[done] = nearest[is_found], length[is_found]
            found.settled[done], found.previous[done] = settled[is_found], previous[is_found]
            active, owners, prices = active[rest], owners[rest], prices[rest]
            distances, settled, previous = distances[rest], settled[rest], previous[rest]
            continue
        start = length - merges.costs[row, nearest] + prices[each, nearest]
        settled[each, nearest], distances[each, nearest], prices[each, nearest] = length, np.inf, -np.inf
        # All columns of nobody lead on alike: one is enough.
        for index in np.flatnonzero(row == merges.nobody):
            is_alike = owners[index] == merges.nobody
            settled[index, is_alike] = length[index]
            distances[index, is_alike] = np.inf
            prices[index, is_alike] = -np.inf
        reached = merges.costs[row]
        reached -= prices
        reached += start[:, None]
        np.copyto(previous, nearest[:, None].astype(np.int32), where=reached < distances)
        np.minimum(distances, reached, out=distances)
    return found
