"""Costs among which no two assignments tie, so that any solver finds the same one.

Text ratios of short texts are simple fractions, and assignments of equal total cost are common. Which of
them a solver returns depends on the order of the rows and on rounding. Here each cost is rounded to a
multiple of 2**-30 and lowered by less than that, by an amount that only the two texts decide. All values
are multiples of 2**-48, so that sums of a few units are exact in double precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Costs = NDArray[np.float64]
Hashes = NDArray[np.uint64]

#: The most that breaking ties changes a cost.
LARGEST_CHANGE = 2.0**-29

_ROUNDED_TO = 2.0**30
_SMALLEST_STEP = 2.0**-48
_STEP_BITS = 18


def hash_texts(texts: Sequence[str]) -> Hashes:
    """Return a number for each text, the same on every machine."""
    return np.array([crc32(text.encode("utf-8", "surrogatepass")) for text in texts], dtype=np.uint64)


def break_ties(costs: Costs, rows: Hashes, columns: Hashes) -> Costs:
    """Round costs and set them apart by their texts.

    Args:
        costs: Shape (rows, columns), each -1..0.
        rows: Hashes of the rows' texts.
        columns: Hashes of the columns' texts; swapping them with the rows' transposes the result.

    Returns:
        A new table of that shape, each below 0, pairs of equal texts still equal.
    """
    scrambled = _scramble(np.add.outer(rows, columns), np.multiply.outer(rows, columns))
    steps = (scrambled >> np.uint64(64 - _STEP_BITS)).astype(np.float64) + 1.0
    return np.round(costs * _ROUNDED_TO) / _ROUNDED_TO - steps * _SMALLEST_STEP


def _scramble(total: Hashes, product: Hashes) -> Hashes:
    # The finaliser of splitmix64; unsigned numbers wrap around.
    mixed = total * np.uint64(0x9E3779B97F4A7C15) ^ product * np.uint64(0xD1B54A32D192ED03)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    scrambled: Hashes = mixed ^ (mixed >> np.uint64(31))
    return scrambled
