"""`--design2a11y-viewport` and schemes: tests run once in each, along an axis."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.runs import load_run

if TYPE_CHECKING:
    from tests.integration.conftest import Project

TESTS = """
    import unittest

    def test_page(render, design2a11y_viewport):
        pages = render("designs/login.html", role="reference"), render("generated/login.html")
        assert [page.viewport for page in pages] == [design2a11y_viewport] * 2
        assert_visual_similarity(*pages) > 0.5

    @pytest.mark.design2a11y(
        reference="designs/login.html", candidate="generated/login.html", viewport="iPhone 13", scheme="dark"
    )
    def test_marked(reference, candidate):
        assert (candidate.viewport.device, candidate.viewport.scheme) == ("iPhone 13", "dark")

    @pytest.mark.design2a11y(viewport="9wide")
    def test_mistaken(render):
        pass

    def test_apart(render):
        design = render("designs/login.html", role="reference", viewport="1280x720")
        assert_visual_similarity(design, render("generated/login.html", viewport="375x812")) > 0

    phone = pytest.mark.design2a11y(viewport="375x812")
    @pytest.mark.parametrize("name", [pytest.param("login", marks=phone)])
    def test_parameter(render, name):
        pass

    class TestOnce(unittest.TestCase):
        @pytest.fixture(autouse=True)
        def _render(self, render):
            pass

        def test_unit(self):
            pass
"""


def test_a_test_runs_once_in_each_viewport(project: Project) -> None:
    page = TESTS.partition("    @pytest.mark")[0]
    project.test_file(page)

    result = project.run("--design2a11y-viewport=1280x720", "--design2a11y-viewport=375x812@3", "-rA")

    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines_random(
        ["PASSED *::test_page[[]1280x720[]]", "PASSED *::test_page[[]375x812@3[]]"]
    )


@pytest.mark.slow
def test_tests_run_once_in_each_viewport_along_an_axis(project: Project) -> None:
    project.test_file(TESTS)

    result = project.run_apart(
        "--design2a11y-viewport=1280x720",
        "--design2a11y-viewport=375x812@3",
        "--design2a11y-no-audit",
        "--design2a11y-save=both",
        "-rA",
    )

    result.stdout.fnmatch_lines_random(
        [
            "PASSED *::test_page[[]1280x720-chromium]",
            "PASSED *::test_page[[]375x812@3-chromium]",
            "PASSED *::test_marked[[]chromium]",
            "ERROR *::test_mistaken*",
            "*--design2a11y-viewport does not take '9wide': write WIDTHxHEIGHT, such as 1280x720*",
            "*The design is laid out 1280 px wide, and generated/login.html was laid out 375 px wide.*",
            "ERROR *::test_parameter[[]*-login]*",
            "*A parameter's marker cannot choose the viewport of a test*",
            "ERROR *::TestOnce::test_unit*",
            "*A page is rendered once here, and there are 2 ways to do it, such as 1280x720 and 375x812@3.*",
            "*viewport 375x812@3*",
        ]
    )
    saved = load_run("both", folder=project.path / ".design2a11y" / "runs")
    axes = {one.id.partition("::")[2]: one.axes for one in saved.evaluations if one.error is None}
    assert axes == {
        "test_page[1280x720-chromium]": {"viewport": "1280x720"},
        "test_page[375x812@3-chromium]": {"viewport": "375x812@3"},
        "test_marked[chromium]": {"viewport": "iPhone 13", "scheme": "dark"},
    }


def test_a_device_that_does_not_exist_ends_the_run_before_any_test(project: Project) -> None:
    project.test_file(TESTS)

    result = project.run_here("--device=iPhone13")  # pytest-playwright's own

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*Playwright knows no device 'iPhone13'. Did you mean 'iPhone 13'*"])


def test_the_command_scores_each_pair_in_every_viewport(project: Project) -> None:
    line = {"id": "a", "reference": "designs/login.html", "candidate": "generated/login.html"}
    lines = [line, line | {"id": "b", "viewport": "640x480"}, line | {"id": "c", "viewport": "iPhone13"}]
    project.write("pairs.jsonl", "\n".join(map(json.dumps, lines)))
    sizes = ["--viewport", "1280x720", "--viewport", "375x812@3"]

    finished = project.command("score", "--pairs", "pairs.jsonl", "--json", "--no-audit", *sizes)

    wide, phone, own, wrong = map(json.loads, finished.stdout.splitlines())
    assert [one["id"] for one in (wide, phone, own, wrong)] == ["a[1280x720]", "a[375x812@3]", "b", "c"]
    assert [one["axes"]["viewport"] for one in (wide, phone, own)] == ["1280x720", "375x812@3", "640x480"]
    assert (phone["settings"]["viewport"], phone["settings"]["scale"]) == ("375x812", 3.0)
    assert wrong["error"]["message"].startswith("Playwright knows no device 'iPhone13'.")
    assert finished.returncode == 3
