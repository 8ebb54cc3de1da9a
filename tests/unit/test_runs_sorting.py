"""Rows in order, in memory or on disk."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.runs import sorting
from pytest_design2a11y.runs.encoding import natural_key
from pytest_design2a11y.runs.sorting import SortedRows, natural_bytes

NAMES = st.text(st.sampled_from("aab0019~-. é\x01\udce9"), max_size=8)


@given(NAMES, NAMES)
def test_bytes_are_in_the_order_of_natural_keys(one: str, other: str) -> None:
    assert (natural_bytes(one) < natural_bytes(other)) == (natural_key(one) < natural_key(other))
    assert (natural_bytes(one) == natural_bytes(other)) == (natural_key(one) == natural_key(other))


def test_many_rows_are_sorted_on_disk_as_in_memory_and_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(bytes([number * 7 % 5]), f"{number * 31 % 100}") for number in range(200)]

    monkeypatch.setattr(sorting, "_IN_MEMORY", 10)
    on_disk = SortedRows(iter(rows))

    assert list(on_disk) == sorted(rows)
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(lambda: list(on_disk)).result() == sorted(rows)


def test_a_full_disk_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def execute(self, *_given: Any) -> None:
            raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(sorting, "_IN_MEMORY", 1)
    monkeypatch.setattr(sqlite3, "connect", lambda *_given, **_how: Full())

    with pytest.raises(ConfigurationError, match=r"database or disk is full.*Have TMPDIR name a folder"):
        SortedRows([(b"", "a"), (b"", "b")])
