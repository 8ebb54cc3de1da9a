"""A run of many pages holds the pictures of the one that it is at."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project

COUNTING_CONFTEST = """
import gc, json, pathlib

counts = []

def pytest_runtest_logfinish():
    from pytest_design2a11y.models.page import Screenshot

    gc.collect()
    held = [one for one in gc.get_objects() if type(one) is Screenshot]
    counts.append(sum("pixels" in vars(one) for one in held))

def pytest_unconfigure():
    pathlib.Path("counts.json").write_text(json.dumps(counts))
"""


@pytest.mark.slow
def test_pages_are_let_go_of_test_by_test(project: Project) -> None:
    """The tests themselves, and their reports, are kept by pytest to the end of the run.

    The session keeps so many bytes of screenshots as files, which are small beside their pixels, and pytest
    what failed last.
    """
    project.write("conftest.py", COUNTING_CONFTEST)
    project.test_file(
        """
        @pytest.mark.parametrize("number", range(5))
        def test_page(render, number):
            render("designs/login.html", role="reference")
            render("worse/login.html")
            assert number != 1
        """
    )

    result = project.run_apart("--design2a11y-html=report.html", "--min-visual-similarity=0.1")

    result.assert_outcomes(passed=4, failed=1)
    counts = json.loads((project.path / "counts.json").read_text())
    assert len(counts) == 5
    assert max(counts) <= 2
