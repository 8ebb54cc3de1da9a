"""pytest-xdist: the same results in any number of processes; a crash loses nothing else, no gate passes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project

WAYS = {
    "without": ("-p", "no:xdist"),
    "none": ("-n", "0"),
    "two": ("-n", "2"),
    "by-file": ("-n", "2", "--dist", "loadfile"),
}

CRASHES = {
    "exit": "os._exit(3)",
    "kill": "os.kill(os.getpid(), signal.SIGKILL)",
}

ONE_CRASHES = """
import os, signal

@pytest.mark.parametrize(
    ("reference", "candidate"), page_pairs("designs", "generated"), indirect=True
)
def test_page(reference, candidate):
    if os.environ.get("CRASH") and "login" in candidate.label:
        {crash}
"""


def saved(project: Project, name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    header, *lines = (project.path / f".design2a11y/runs/{name}.jsonl").read_text("ascii").splitlines()
    return json.loads(header), [json.loads(line) for line in lines]


def pages(project: Project) -> None:
    """Three designs, each with its page."""
    for folder in ("designs", "generated"):
        page = (project.path / folder / "login.html").read_text(encoding="utf-8")
        for name in ("second", "third"):
            project.write(
                f"{folder}/{name}.html", page.replace("Sign in to your account", f"The {name} page")
            )


def written(folder: Path, output: str) -> dict[str, str]:
    """Return all that a run wrote and printed, but for when it was."""
    paths = [*folder.glob("out.*"), *(folder / ".design2a11y").rglob("*.jsonl")]
    texts = {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in paths}
    texts["summary"] = output[output.index("= design2a11y =") :]
    moment = r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\+00:00| UTC)?|in \d+\.\d+s( \(.*?\))?|=+"
    return {name: re.sub(moment, "", text) for name, text in texts.items()}


@pytest.mark.slow
def test_every_way_to_run_gives_the_same(project: Project) -> None:
    """Values are compared as they are written, to their last digit."""
    pages(project)
    project.test_file(
        """
        @pytest.mark.parametrize(
            ("reference", "candidate"), page_pairs("designs", "generated"), indirect=True
        )
        def test_page(reference, candidate):
            pass
        """
    )
    project.write(
        "test_others.py",
        """
        def test_two_candidates(render):
            render("designs/login.html", role="reference")
            render("worse/login.html")
            render("generated/login.html")

        def test_fails(render):
            render("nowhere.html")
        """,
    )
    project.run_apart("--design2a11y-save=old", "-k", "test_page", "-p", "no:xdist")
    outputs = ("--design2a11y-html=out.html", "--design2a11y-findings=out.sarif", "--design2a11y-save=new")
    gates = ("--design2a11y-compare=old", "--design2a11y-fail-on=visual:0.1", "--max-iwir=0.9")
    results = {}

    for way, arguments in WAYS.items():
        result = project.run_apart(*outputs, *gates, *arguments)
        result.assert_outcomes(passed=4, failed=2)  # The gate, with too few cases, is one.
        assert result.ret == 1
        results[way] = written(project.path, result.stdout.str())

    assert sorted(results["two"]) == [
        ".design2a11y/details/new.details.jsonl",
        ".design2a11y/details/old.details.jsonl",
        ".design2a11y/runs/new.jsonl",
        ".design2a11y/runs/old.jsonl",
        "out.html",
        "out.sarif",
        "summary",
    ]
    for way in WAYS:
        for name, text in results["without"].items():
            assert results[way][name] == text, f"{name} differs {way}"
    assert results["two"]["summary"].count("design2a11y: compared") == 1


@pytest.mark.slow
def test_a_crash_keeps_what_others_measured_and_no_gate_passes(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages(project)
    project.test_file(ONE_CRASHES.format(crash=CRASHES["exit"]))
    project.run_apart("--design2a11y-save=old").assert_outcomes(passed=3)
    monkeypatch.setenv("CRASH", "1")

    result = project.run_apart(
        *("-n", "2", "--design2a11y-save=new", "--design2a11y-compare=old"),
        *("--design2a11y-fail-on=visual", "-o", "design2a11y_fail_on_point=true"),
    )

    result.assert_outcomes(passed=2, failed=2)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "*test_page*login*error",
            "*test_page*second*0.9*",
            "*test_page*third*0.9*",
            "error: generated/login.html: WorkerCrashed: The worker that ran *login* crashed before *",
            "*ERROR*visual: unchanged*; could not be judged: *; the new run is incomplete",
            "saved 3 evaluations as *new.jsonl; it is incomplete",
        ]
    )
    header, evaluations = saved(project, "new")
    assert header["is_complete"] is False
    assert [(one["case"], one["error"] and one["error"]["type"]) for one in evaluations] == [
        ("designs/login", "WorkerCrashed"),
        ("designs/second", None),
        ("designs/third", None),
    ]
    _, before = saved(project, "old")
    assert [one["visual"] for one in evaluations[1:]] == [one["visual"] for one in before[1:]]


@pytest.mark.slow
@pytest.mark.parametrize("crash", CRASHES)
def test_a_crash_in_a_fixture_is_named_too(project: Project, crash: str) -> None:
    pages(project)
    project.test_file(
        f"""
        import os, signal

        @pytest.fixture
        def doomed(render):
            render("designs/login.html", role="reference")
            {CRASHES[crash]}

        def test_doomed(doomed):
            pass

        def test_other():
            pass

        @pytest.mark.parametrize(
            ("reference", "candidate"), page_pairs("designs", "generated"), indirect=True
        )
        def test_page(reference, candidate):
            pass
        """
    )

    result = project.run_apart("-n", "2", "--design2a11y-save=run", "--design2a11y-html=run.html")

    result.assert_outcomes(passed=4, failed=1)
    header, evaluations = saved(project, "run")
    assert header["is_complete"] is False
    assert [one["id"] for one in evaluations if one["error"]] == ["test_pages.py::test_doomed[chromium]"]
    assert len(evaluations) == 4
    report = (project.path / "run.html").read_text(encoding="utf-8")
    assert "WorkerCrashed: The worker that ran test_pages.py::test_doomed[chromium] crashed" in report


@pytest.mark.slow
def test_where_no_worker_is_replaced_the_run_is_incomplete(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages(project)
    project.test_file(ONE_CRASHES.format(crash=CRASHES["kill"]))
    monkeypatch.setenv("CRASH", "1")

    result = project.run_apart("-n", "1", "--max-worker-restart=0", "--design2a11y-save=run")

    assert result.ret != 0
    header, evaluations = saved(project, "run")
    assert header["is_complete"] is False
    assert [one["case"] for one in evaluations if one["error"]] == ["designs/login"]


@pytest.mark.slow
def test_a_crashed_test_that_is_run_again_counts_by_its_last_try(project: Project) -> None:
    pages(project)
    project.test_file(
        """
        import os
        from pathlib import Path

        def test_crashes_once(render):
            render("designs/login.html", role="reference")
            render("generated/login.html")
            if not Path("crashed").exists():
                Path("crashed").touch()
                os._exit(3)

        def test_other(render):
            render("generated/second.html")
        """
    )

    result = project.run_apart("-n", "2", "--reruns=1", "--design2a11y-save=run")

    assert result.ret == 0
    result.stdout.fnmatch_lines(["*test_crashes_once*0.9*", "run again: *test_crashes_once* (try 2); *"])
    header, evaluations = saved(project, "run")
    assert header["is_complete"] is True
    assert [(one["case"], one["tries"], one["error"]) for one in evaluations] == [
        ("designs/login", 2, None),
        ("generated/second", 1, None),
    ]


@pytest.mark.slow
def test_a_crash_of_a_test_that_renders_nothing_is_not_ours(project: Project) -> None:
    project.test_file(
        """
        import os

        def test_other():
            os._exit(3)

        def test_good(render):
            render("generated/login.html")
        """
    )

    result = project.run_apart("-n", "2", "--design2a11y-save=run")

    result.assert_outcomes(passed=1, failed=1)
    header, evaluations = saved(project, "run")
    assert header["is_complete"] is True
    assert [one["error"] for one in evaluations] == [None]
