"""The examples in public docstrings hold."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize("module", ["measuring.measures", "accessibility"])
def test_examples(module: str) -> None:
    results = doctest.testmod(import_module(f"pytest_design2a11y.{module}"))

    assert results.attempted >= 4
    assert results.failed == 0
