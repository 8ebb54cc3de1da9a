"""Other plugins and pytest's own options beside us: they keep working, and so do we."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project


FLAKY = """
from pathlib import Path

def test_flaky(render):
    tried = Path("tried")
    page = "generated/login.html" if tried.exists() else "worse/login.html"
    tried.touch()
    render("designs/login.html", role="reference")
    render(page)
"""


def saved(project: Project, name: str) -> list[dict[str, object]]:
    lines = (project.path / f".design2a11y/runs/{name}.jsonl").read_text(encoding="ascii").splitlines()
    return [json.loads(line) for line in lines[1:]]


@pytest.mark.slow
def test_all_at_once_each_has_what_is_its_own(project: Project, workers: tuple[str, ...]) -> None:
    """pytest-xdist, pytest-html, pytest-rerunfailures, pytest-cov, pytest-playwright and JUnit in one run."""
    project.test_file(
        FLAKY
        + """
def test_bad(render):
    render("designs/login.html", role="reference")
    render("worse/login.html")

def test_live(page, render):
    page.goto((Path(__file__).parent / "generated/login.html").as_uri())
    assert_visual_similarity(render("designs/login.html", role="reference"), render(page)) > 0.8
"""
    )

    result = project.run_apart(
        *("--html=out/tests.html", "--self-contained-html", "--reruns=1", "--cov=.", "--cov-report=term"),
        *(
            "-p",
            "no:warnings",
            "--screenshot=on",
            "--tracing=on",
            "--video=off",
            "--output=artifacts",
            "--junitxml=again.xml",
        ),
        *("--min-visual-similarity=0.8", "--design2a11y-save=main", "--design2a11y-html=again.html"),
        *workers,
    )

    assert result.parseoutcomes() == {"passed": 2, "failed": 1, "rerun": 2}
    for lines in (
        ["test_pages.py*100%"],
        ["*test_bad*fail", "*test_flaky*0.9*pass"],
        ["run again: *test_bad* (try 2)*test_flaky* (try 2); the last try of a test counts"],
    ):
        result.stdout.fnmatch_lines(lines)
    tries = {str(one["id"]): one.get("tries", 1) for one in saved(project, "main")}
    assert tries == {
        f"test_pages.py::{name}[chromium]": number
        for name, number in (("test_bad", 2), ("test_flaky", 2), ("test_live", 1))
    }
    assert "try 2" in (project.path / "again.html").read_text(encoding="utf-8")
    assert len([*ElementTree.parse(project.path / "again.xml").iter("testcase")]) >= 3
    artifacts = sorted(path.name for path in (project.path / "artifacts").rglob("*") if path.is_file())
    assert artifacts == ["test-finished-1.png", "trace.zip"]
    assert "test_live" in (project.path / "out/tests.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_last_failed_measures_only_what_failed(two_pages: Project, workers: tuple[str, ...]) -> None:
    arguments = ("-p", "cacheprovider", "--min-visual-similarity=0.8", *workers)
    first = two_pages.pytester.runpytest_subprocess(*arguments, timeout=240)
    again = two_pages.pytester.runpytest_subprocess(*arguments, "--lf", timeout=240)

    first.assert_outcomes(passed=1, failed=1)
    again.assert_outcomes(failed=1)
    again.stdout.fnmatch_lines(["*test_bad*fail"])


@pytest.mark.slow
def test_stopping_at_the_first_failure_says_that_the_run_is_incomplete(
    two_pages: Project, workers: tuple[str, ...]
) -> None:
    two_pages.test_file(
        """
        import time

        @pytest.mark.parametrize("number", range(8))
        def test_page(render, number):
            render("designs/login.html", role="reference")
            render("worse/login.html")
        """
    )

    result = two_pages.run_apart("-x", "--min-visual-similarity=0.8", "--design2a11y-save=stopped", *workers)

    assert result.ret != 0
    result.stdout.fnmatch_lines(["*saved * evaluation* as *; it is incomplete"])
    assert 1 <= len(saved(two_pages, "stopped")) < 8


def test_collecting_only_renders_and_writes_nothing(two_pages: Project) -> None:
    result = two_pages.run_here("--co", "-q", "--design2a11y-html=out.html", "--design2a11y-save=main")

    assert result.ret == 0
    result.stdout.fnmatch_lines(["*test_good*", "*test_bad*", "2 tests collected*"])
    assert not (two_pages.path / "out.html").exists()
    assert not (two_pages.path / ".design2a11y/runs").exists()
