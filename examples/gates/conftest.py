"""Choose which prompt's pages are tested: `pytest examples/gates --prompt prompt-b`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_design2a11y import page_pairs

EXAMPLES = Path(__file__).parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--prompt", default="prompt-a", help="Folder under examples/generated to test.")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if {"design", "generated"} <= set(metafunc.fixturenames):
        prompt = metafunc.config.getoption("prompt")
        metafunc.parametrize(
            ("design", "generated"), page_pairs(EXAMPLES / "designs", EXAMPLES / "generated" / prompt)
        )
