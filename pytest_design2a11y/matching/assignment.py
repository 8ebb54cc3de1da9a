"""The assignment of least cost, and the bonus that neighbours give in the final one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

CONTEXT_BONUS = 0.1
_BONUS_BELOW = -0.5

Costs = NDArray[np.float64]
Indices = NDArray[np.int64]


def assign(costs: Costs) -> tuple[Indices, Indices]:
    """Return row and column indices of an assignment of least total cost."""
    rows, columns = linear_sum_assignment(costs)
    return rows, columns


def with_context_bonus(costs: Costs) -> Costs:
    """Lower the cost of pairs whose neighbours fit each other too.

    Every pair below -0.5 gets 0.1 times the sum of the two smallest costs among its up to eight
    neighbours (row and column at most one away) in the unadjusted table.

    Args:
        costs: Shape (candidate blocks, reference blocks), each -1..0.

    Returns:
        A new table of that shape, each -1.2..0.
    """
    rows, columns = costs.shape
    # Beyond the edge there is nothing to gain: 0 is the largest cost, so it never displaces a neighbour.
    padded = np.zeros((rows + 2, columns + 2))
    padded[1:-1, 1:-1] = costs
    smallest = np.zeros_like(costs)
    second = np.zeros_like(costs)
    for row, column in ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)):
        neighbour = padded[row : row + rows, column : column + columns]
        second = np.minimum(second, np.maximum(smallest, neighbour))
        smallest = np.minimum(smallest, neighbour)
    return np.where(costs < _BONUS_BELOW, costs + CONTEXT_BONUS * (second + smallest), costs)
