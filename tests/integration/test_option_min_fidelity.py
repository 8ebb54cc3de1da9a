"""Fidelity as a limit: option, ini file, marker and call; where it has no value, it passes nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.integration.conftest import GOOD

if TYPE_CHECKING:
    from tests.integration.conftest import Project

MAGENTA = GOOD.replace("<main>", "<style>html{background:#f0f}</style><main>")

TESTS = """
from pytest_design2a11y import assert_fidelity

@pytest.fixture
def design(render):
    return render("designs/login.html", role="reference")

def test_alike(render, design):
    fidelity = assert_fidelity(design, render("designs/login.html"))
    assert float(fidelity) == float(fidelity.elements) == float(fidelity.typography) == 1.0
    fidelity >= 1

def test_magenta(render, design):
    page = render("generated/magenta.html")
    similarity = assert_visual_similarity(design, page)
    similarity > 0.8
    assert visual_similarity(design, page).elements < 1.0
    similarity.fidelity > 0.9

def test_gated(render, design):
    render("generated/magenta.html")

@pytest.mark.design2a11y(min_fidelity=0.1)
def test_lenient(render, design):
    render("generated/magenta.html")
"""


def test_a_page_turned_magenta_is_as_similar_and_far_less_faithful(project: Project) -> None:
    project.write(
        "generated/magenta.html", GOOD.replace("<main>", "<style>html{background:#f0f}</style><main>")
    )
    project.test_file(TESTS)

    result = project.run("--min-fidelity=0.9", "-rA")

    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines_random(
        [
            "*fidelity is 0.*, required: more than 0.9 (call)",
            "*fidelity is 0.*, required: at least 0.9 (--min-fidelity)",
            "*ground of the page*#ff00ff*",
            "*fidelity*visual*ir*iwir*blocking*",
        ]
    )


def test_the_ini_file_sets_it_too(project: Project) -> None:
    project.write(
        "generated/magenta.html", GOOD.replace("<main>", "<style>html{background:#f0f}</style><main>")
    )
    project.test_file(TESTS)
    project.write("pytest.ini", "[pytest]\ndesign2a11y_min_fidelity = 0.9\n")

    result = project.run("-k", "gated", "-rA")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*fidelity is 0.*, required: at least 0.9 (ini file)"])
