"""Join and merge blocks, break ties between costs, and find the least-cost assignment, with its bonus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from operator import floordiv, truediv
from typing import cast
from zlib import crc32

import numpy as np
import scipy  # Loads its parts on first use
from numpy.typing import NDArray

from pytest_design2a11y.models.geometry import Box, MeanColor, box_around
from pytest_design2a11y.models.visual import Block, least_confidence

CONTEXT_BONUS = 0.1
_BONUS_BELOW = -0.5

Costs = NDArray[np.float64]
Hashes = NDArray[np.uint64]
Indices = NDArray[np.int64]

#: The greatest change that breaking ties makes to a cost.
LARGEST_CHANGE = 2.0**-29

_ROUNDED_TO = 2.0**30
_SMALLEST_STEP = 2.0**-48
_STEP_BITS = 18


def assign(costs: Costs) -> tuple[Indices, Indices]:
    """Return row and column indices of an assignment of least total cost."""
    rows, columns = scipy.optimize.linear_sum_assignment(costs)
    return rows, columns


def with_context_bonus(costs: Costs) -> Costs:
    """Lower the cost of pairs whose neighbours fit each other too: -1..0 becomes -1.2..0.

    Every pair below -0.5 gets 0.1 times the sum of the two smallest costs among its up to eight
    neighbours (row and column at most one away) in the unadjusted table.
    """
    rows, columns = costs.shape
    # Beyond the edge is padding: 0 is the largest cost, so it never displaces a neighbour.
    padded = np.zeros((rows + 2, columns + 2))
    padded[1:-1, 1:-1] = costs
    smallest = np.zeros_like(costs)
    second = np.zeros_like(costs)
    for row, column in ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)):
        neighbour = padded[row : row + rows, column : column + columns]
        second = np.minimum(second, np.maximum(smallest, neighbour))
        smallest = np.minimum(smallest, neighbour)
    return np.where(costs < _BONUS_BELOW, costs + CONTEXT_BONUS * (second + smallest), costs)


def join_identical_boxes(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Join blocks with exactly the same box, in order: texts with a space, colors as the mean."""
    by_box: dict[Box, list[Block]] = {}
    for block in blocks:
        by_box.setdefault(block.box, []).append(block)
    return tuple(
        Block(
            text=" ".join(part.text for part in parts),
            box=box,
            color=reduce(partial(_mean_color, divide=truediv), (part.color for part in parts)),
            confidence=least_confidence(part.confidence for part in parts),
            owners=tuple(owner for part in parts for owner in part.owners),
        )
        for box, parts in by_box.items()
    )


def _mean_color(first: MeanColor, second: MeanColor, divide: Callable[[float, float], float]) -> MeanColor:
    return cast("MeanColor", tuple(divide(own + other, 2) for own, other in zip(first, second, strict=True)))


def merge_neighbours(first: Block, second: Block) -> Block:
    """Merge two blocks: texts with a space, box = union, color = channel-wise integer mean."""
    return Block(
        text=f"{first.text} {second.text}",
        box=box_around((first.box, second.box)),
        color=_mean_color(first.color, second.color, divide=floordiv),
        confidence=least_confidence((first.confidence, second.confidence)),
        owners=first.owners + second.owners,
    )


def hash_texts(texts: Sequence[str]) -> Hashes:
    """Return a number for each text, the same on every machine."""
    return np.array([crc32(text.encode("utf-8", "surrogatepass")) for text in texts], dtype=np.uint64)


def break_ties(costs: Costs, rows: Hashes, columns: Hashes) -> Costs:
    """Round costs, each -1..0, and separate them by hashes of the rows' and the columns' texts.

    All are below 0 then, pairs of equal texts still equal; swapping rows and columns transposes the result.
    """
    total, product = np.add.outer(rows, columns), np.multiply.outer(rows, columns)
    # The finaliser of splitmix64; unsigned numbers wrap around.
    mixed = total * np.uint64(0x9E3779B97F4A7C15) ^ product * np.uint64(0xD1B54A32D192ED03)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed = mixed ^ (mixed >> np.uint64(31))
    steps = (mixed >> np.uint64(64 - _STEP_BITS)).astype(np.float64) + 1.0
    return np.round(costs * _ROUNDED_TO) / _ROUNDED_TO - steps * _SMALLEST_STEP
