"""Tests whether a difference is more than chance: signs, and Holm's correction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

import scipy


def sign_test_p(num_up: int, num_down: int) -> float:
    """Return the two-sided p-value of "as many go up as down", exact; 1 if none does either."""
    num = num_up + num_down
    return min(1.0, 2 * float(scipy.special.bdtr(min(num_up, num_down), num, 0.5))) if num else 1.0


T = TypeVar("T")


def holm(p_values: Mapping[T, float]) -> Iterator[tuple[T, int, float]]:
    """Yield tests from the smallest p-value up, each with the number still open and its corrected p-value."""
    corrected = 0.0
    num_open = len(p_values)
    for test, p_value in sorted(p_values.items(), key=lambda item: item[1]):
        corrected = max(corrected, min(1.0, num_open * p_value))
        yield test, num_open, corrected
        num_open -= 1
