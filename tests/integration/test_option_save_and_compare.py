"""--design2a11y-save, --design2a11y-compare, --design2a11y-fail-on and --design2a11y-samples."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project

GOOD = "<!doctype html><html lang=en><title>Home</title><main><h1>Welcome</h1><p>Hello</p></main></html>"
PAIRS = """
import os

PAIRS = page_pairs("designs", os.environ.get("GENERATED", "generated"))

@pytest.mark.parametrize(("reference", "candidate"), PAIRS, indirect=True)
def test_page(reference, candidate):
    pass
"""


def test_a_run_is_saved_and_the_next_one_gated_against_it(
    project: Project, workers: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("designs", "generated", "worse"):
        page = (project.path / folder / "login.html").read_text()
        project.write(f"{folder}/second.html", page.replace("Sign in to your account", "Log in to the site"))
    project.test_file(PAIRS)

    saved = project.run("--design2a11y-save=main", *workers)
    monkeypatch.setenv("GENERATED", "worse")
    compared = project.run(
        *(
            "--design2a11y-compare=main",
            "--design2a11y-fail-on=visual:0.1",
            "-o",
            "design2a11y_fail_on_point=true",
        ),
        *workers,
    )

    assert saved.ret == 0
    saved.stdout.fnmatch_lines(["*saved 2 evaluations as *main.jsonl*"])
    header, *lines = (project.path / ".design2a11y/runs/main.jsonl").read_text().splitlines()
    assert json.loads(header)["name"] == "main"
    assert [json.loads(line)["case"] for line in lines] == ["designs/login", "designs/second"]
    assert compared.ret == 1
    compared.assert_outcomes(passed=2, failed=1)
    compared.stdout.fnmatch_lines(["FAILED design2a11y::compared - visual*"])
    compared.stdout.fnmatch_lines(["*design2a11y: compared*", "*visual*", "*FAIL*visual*"])


def test_a_part_of_the_same_session_can_be_the_baseline(project: Project) -> None:
    for prompt, folder in (("v1", "generated"), ("v2", "worse")):
        project.write(f"out/{prompt}/login.html", (project.path / folder / "login.html").read_text())
    project.test_file(
        """
        PAIRS = page_pairs("designs", "out/{prompt}/{case}.html")

        @pytest.mark.parametrize(("reference", "candidate"), PAIRS, indirect=True)
        def test_page(reference, candidate):
            pass
        """
    )
    arguments = ("--design2a11y-fail-on=visual:0.1", "-o", "design2a11y_fail_on_point=true")

    result = project.run("--design2a11y-compare=prompt=v1", *arguments)

    assert result.ret == 1
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["old: prompt=v1, *", "new: prompt=v2, *", "*FAIL*visual*"])


@pytest.mark.slow
def test_samples_of_a_case_get_one_verdict(project: Project) -> None:
    page = (project.path / "generated/login.html").read_text()
    (project.path / "generated/login.html").unlink()
    for sample in (1, 2, 3):
        project.write(f"generated/login/{sample}.html", page)
    project.write("generated/login/4.html", (project.path / "worse/login.html").read_text())
    project.test_file(PAIRS)
    limit = "--min-visual-similarity=0.95"

    results = {
        policy: project.run(limit, f"--design2a11y-samples={policy}")
        for policy in ("mean", "median", "worst", "at_least=3/4")
    }

    assert {policy: result.ret for policy, result in results.items()} == {
        "mean": 1,
        "median": 0,
        "worst": 1,
        "at_least=3/4": 0,
    }
    results["mean"].assert_outcomes(passed=4, failed=1)
    results["mean"].stdout.fnmatch_lines(
        [
            "*design2a11y: cases (mean)*",
            "*/login BREAKS visual at least 0.95 (--*); mean of 4 samples: 0.*",
        ]
    )
    results["at_least=3/4"].stdout.fnmatch_lines(["*3 of 4 samples keep the limit, 3 needed*"])


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--design2a11y-compare=nowhere", "*There is no saved run 'nowhere'*"),
        ("--design2a11y-save=../escape", "*'../escape' cannot be the name of a run.*"),
        ("--design2a11y-fail-on=visual:0.02", "*--design2a11y-fail-on needs --design2a11y-compare*"),
        ("--design2a11y-samples=most", "*'most' is not a policy for a case's samples.*"),
    ],
)
def test_what_would_fail_at_the_end_is_refused_at_the_start(
    project: Project, option: str, message: str
) -> None:
    project.test_file(PAIRS)

    result = project.run_here(option)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{broken", "*broken.jsonl is not a saved run that can be read*"),
        (
            "<!doctype html>",
            "*broken.jsonl is a page, not a saved run.*Save a run, and give its name: *--save NAME.*",
        ),
        (
            '{"format": "design2a11y run", "schema": 99}',
            "*broken.jsonl: The run was saved in format version 99;*",
        ),
    ],
)
def test_a_baseline_that_cannot_be_read_is_told_before_the_first_test(
    project: Project, content: str, message: str
) -> None:
    project.test_file(PAIRS)
    project.write(".design2a11y/runs/broken.jsonl", content)

    result = project.run_here("--design2a11y-compare=broken")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_a_gate_that_fails_is_a_failing_case_in_junit(project: Project) -> None:
    project.test_file(PAIRS)
    project.run("--design2a11y-save=main").assert_outcomes(passed=1)
    project.write("generated/login.html", (project.path / "worse/login.html").read_text())

    result = project.run(
        "--design2a11y-compare=main", "--design2a11y-fail-on=visual:0.02", "--junitxml=results.xml"
    )

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["FAILED design2a11y::compared - visual:0.02: could not be judged: too few*"])
    suite = (project.path / "results.xml").read_text()
    assert 'failures="1"' in suite
    assert '<testcase classname="design2a11y" name="compared"' in suite


def test_a_run_that_ends_early_keeps_what_it_has_and_says_so(project: Project) -> None:
    project.write("designs/second.html", (project.path / "designs/login.html").read_text())
    project.write("generated/second.html", (project.path / "worse/login.html").read_text())
    project.test_file(
        """
        @pytest.mark.parametrize(
            ("reference", "candidate"), page_pairs("designs", "generated")[::-1], indirect=True
        )
        def test_page(reference, candidate):
            assert_visual_similarity(reference, candidate) > 0.9
        """
    )

    result = project.run("-x", "--design2a11y-save=early")

    result.stdout.fnmatch_lines(["*saved 1 evaluation as *; it is incomplete*"])
    header = json.loads((project.path / ".design2a11y/runs/early.jsonl").read_text().splitlines()[0])
    assert header["is_complete"] is False


def test_last_failed_runs_the_samples_of_the_case_that_failed_and_no_others(project: Project) -> None:
    bad = (project.path / "worse/login.html").read_text()
    for sample in ("1", "2"):
        project.write(f"pages/good/{sample}.html", GOOD)
        project.write(f"pages/bad/{sample}.html", bad if sample == "2" else GOOD)
    project.test_file(
        """
        import pytest

        @pytest.mark.parametrize("sample", ["1", "2"])
        @pytest.mark.parametrize("case", ["good", "bad"])
        def test_page(render, case, sample):
            render(f"pages/{case}/{sample}.html")
        """
    )
    arguments = ("--max-ir=0.05", "--design2a11y-samples=worst")

    first = project.run(*arguments)
    project.write("pages/bad/2.html", GOOD)
    again = project.run(*arguments, "--lf")
    last = project.run(*arguments, "--lf")

    first.assert_outcomes(passed=4, failed=1)
    again.assert_outcomes(passed=2)
    again.stdout.fnmatch_lines(["*test_page*bad*"])
    last.assert_outcomes(passed=4)
