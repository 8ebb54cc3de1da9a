"""The assignment of things on two long pages."""

from __future__ import annotations

import numpy as np

from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.visual.assignment import AT_ONCE, Indices, Table, assign


def test_many_things_of_one_height_meet_their_counterparts() -> None:
    """As all numbers of one long text: their bands are split alike on both pages."""
    number = 2 * AT_ONCE
    sides = np.ones(number), np.ones(number)

    def same(rows: Indices, columns: Indices) -> Table:
        return np.asarray((rows[:, None] == columns).astype(np.float64))

    assert assign(sides, sides, same, TimeLimit()) == [(at, at) for at in range(number)]
