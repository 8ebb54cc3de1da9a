"""Several tests at once: Holm's correction keeps the share of false alarms over all of them.

References:
    Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6(2),
    1979.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")


def holm(p_values: Mapping[T, float]) -> Iterator[tuple[T, int, float]]:
    """Return the tests from the smallest p-value up, with what is left to correct for.

    Yields:
        Test, number of tests still open (it included), and its corrected p-value.
    """
    corrected = 0.0
    num_open = len(p_values)
    for test, p_value in sorted(p_values.items(), key=lambda item: item[1]):
        corrected = max(corrected, min(1.0, num_open * p_value))
        yield test, num_open, corrected
        num_open -= 1
