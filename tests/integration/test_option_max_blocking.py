"""Severe differences as a limit: option, ini file, marker, command and call."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.integration.conftest import DESIGN

if TYPE_CHECKING:
    from tests.integration.conftest import Project

TESTS = """
from pytest_design2a11y import assert_no_differences

@pytest.fixture
def design(render):
    return render("designs/login.html", role="reference")

def test_gated(render, design):
    render("generated/empty.html")

@pytest.mark.design2a11y(max_blocking=50)
def test_lenient(render, design):
    render("generated/empty.html")

def test_alike(render, design):
    page = render("designs/login.html")
    assert assert_no_differences(design, page, severity="minor").blocking == 0

def test_asserted(render, design):
    assert_no_differences(design, render("generated/empty.html"))

def test_unknown(render, design):
    assert_no_differences(design, render("designs/login.html"), severity="bad")
"""


@pytest.fixture
def lacking(project: Project) -> Project:
    """A page that lacks the button of its design."""
    start, _, rest = DESIGN.partition("<button")
    project.write("generated/empty.html", start + rest.partition("</button>")[2])
    project.test_file(TESTS)
    return project


def test_what_a_reviewer_would_block_fails(lacking: Project) -> None:
    result = lacking.run("--max-blocking=0", "-rA")

    result.assert_outcomes(passed=2, failed=3)
    result.stdout.fnmatch_lines_random(
        [
            "*blocking is ?, required: at most 0 (--max-blocking)",
            '*button "Continue"*missing*',
            "*generated/empty.html against designs/login.html: ? difference* of severity serious or worse, "
            "and none is allowed (call)",
            "*  serious: *",
            "*There is no severity 'bad'. Use one of: critical, serious, moderate, minor.*",
            "*fidelity * blocking *",
        ]
    )


def test_the_ini_file_sets_it_and_any_limit_may_name_it(lacking: Project) -> None:
    lacking.write("pytest.ini", "[pytest]\ndesign2a11y_max_blocking = 0\n")

    result = lacking.run("-k", "gated", "-rA")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*blocking is ?, required: at most 0 (ini file)"])
    lacking.write("pytest.ini", "[pytest]\n")
    lacking.run("-k", "gated", "--design2a11y-require=blocking<=0").assert_outcomes(failed=1)


def test_the_command_counts_and_judges_them(lacking: Project) -> None:
    judged = lacking.command(
        "score", "designs/login.html", "generated/empty.html", "--max-blocking=0", "--json"
    )

    assert judged.returncode == 1
    assert json.loads(judged.stdout)["visual"]["blocking"] > 0
