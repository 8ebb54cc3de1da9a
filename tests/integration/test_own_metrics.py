"""A metric in a conftest.py stands where ours do: summary, limits, saved runs, gates, report, workers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y import Scorer
from pytest_design2a11y.measuring.records import reward
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.runs import load_run
from tests.integration.conftest import BAD, DESIGN, GOOD

if TYPE_CHECKING:
    from tests.integration.conftest import Project

METRIC = """
from pytest_design2a11y import Measured, Metric
from pytest_design2a11y.extending import Finding

def measure(pages):
    words = " ".join(run.text for run in pages.candidate.text_runs).split()
    found = [Finding(f"{len(words)} words <b>", box=(10, 20, 30, 40))]
    return Measured(min(len(words), 50) / 50, findings=found)

WORDS = Metric("words", "share of fifty words that the page has", upper=1.0, measure=measure)
"""
CONFTEST = f"{METRIC}\ndef pytest_design2a11y_metrics():\n    return [WORDS]\n"

TESTS = """
def test_page(render):
    render("designs/login.html", role="reference")
    render("generated/login.html")
"""


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    before = dict(METRICS)
    yield
    METRICS.clear()
    METRICS.update(before)


@pytest.fixture
def with_metric(project: Project) -> Project:
    project.write("conftest.py", CONFTEST)
    project.test_file(TESTS)
    return project


def test_summary_limit_and_failure_text_have_it(with_metric: Project) -> None:
    result = with_metric.run("--design2a11y-require=words>=0.9")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines_random(
        [
            "words is 0.4600, required: at least 0.9 (--design2a11y-require)",
            "  words: moderate: 23 words <b>",
            "* iwir * words *",
        ]
    )


def test_marker_and_ini_file_limit_it(with_metric: Project) -> None:
    with_metric.write("pytest.ini", "[pytest]\ndesign2a11y_require = words>=0.9\n")
    with_metric.test_file(
        TESTS.replace("def test_page", "@pytest.mark.design2a11y(require='words>=0.1')\ndef test_page")
        + TESTS.replace("test_page", "test_strict")
    )

    result = with_metric.run()

    result.assert_outcomes(passed=1, failed=1)


def test_a_saved_run_is_compared_by_a_gate_where_the_metric_is_not_installed(with_metric: Project) -> None:
    with_metric.run("--design2a11y-save=old").assert_outcomes(passed=1)
    with_metric.write(
        "generated/login.html", GOOD.replace("Welcome back. Please enter your details below.", "")
    )
    with_metric.run(
        "--design2a11y-save=new", "--design2a11y-compare=old", "--design2a11y-fail-on=words:0.01",
        "-o", "design2a11y_fail_on_point=true",
    ).stdout.fnmatch_lines(["*FAIL*words:0.01: worse by *"])  # fmt: skip
    (with_metric.path / "conftest.py").unlink()
    METRICS.pop("words", None)

    for arguments, told in (
        (
            ("compare", "old", "new", "--fail-on", "words:0.01", "--set", "fail_on_point=true"),
            "FAIL  words:0.01",
        ),
        (("compare", "old", "new", "--rank", "--rank-by", "words"), "words"),
        (("runs", "list"), "words"),
        (("runs", "export", "new"), "words"),
        (("check", "new", "--require", "words>=0.99"), "words is 0.3200, required"),
    ):
        METRICS.pop("words", None)
        finished = with_metric.command(*arguments)
        assert finished.returncode in (0, 1), (arguments, finished)
        assert told in finished.stdout, (arguments, finished)
    METRICS.pop("words", None)
    saved = load_run("new", folder=with_metric.path / ".design2a11y" / "runs")
    assert saved.evaluations[0].metrics["words"] is not None


def test_workers_measure_it_and_the_report_shows_what_it_found(with_metric: Project) -> None:
    result = with_metric.run("-n1", "--design2a11y-html=report.html", "--design2a11y-require=words>=0.99")

    result.assert_outcomes(failed=1)
    report = (with_metric.path / "report.html").read_text()
    assert "words &lt;b&gt;" in report or "words \\u003cb\\u003e" in report
    assert "words <b>" not in report


def test_a_program_measures_and_rewards_by_it(project: Project) -> None:
    project.write("metrics.py", METRIC)

    with Scorer(metrics=[str(project.path / "metrics.py")], max_iwir=1, require=["words>=0.99"]) as scorer:
        evaluation = scorer.score(DESIGN, GOOD)
        audited = scorer.audit(BAD)

    value = evaluation.metrics["words"]
    assert value is not None
    assert evaluation.to_dict()["metrics"]["words"] == value
    assert reward(evaluation, weights={"words": 1.0}) == value
    assert [one.metric for one in evaluation.verdicts] == ["iwir", "words"]
    assert audited.metrics["words"] is not None
    assert "words" in evaluation.summary()


# In processes, parts are measured in test_own_parts.py.
@pytest.mark.alike(1)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_command_measures_it_in_this_process_and_in_others(project: Project, jobs: str) -> None:
    project.write("metrics.py", METRIC)
    lines = (
        {"id": str(n), "reference": "designs/login.html", "candidate": "generated/login.html"} for n in "ab"
    )
    project.write("pairs.jsonl", "\n".join(map(json.dumps, lines)))

    finished = project.command(
        "score", "--pairs", "pairs.jsonl", "--metrics", "metrics.py", "--json", "--details", "-j", jobs
    )

    records = [json.loads(line) for line in finished.stdout.splitlines()]
    assert all("words" in record["metrics"] for record in records)
    assert records[0]["metric_findings"]["words"][0]["box"] == [10, 20, 30, 40]
    assert records[0]["metrics"] == records[1]["metrics"]


@pytest.mark.parametrize(
    ("conftest", "message"),
    [
        ("def pytest_design2a11y_metrics():\n    return 3\n", "() gave 3, which is not a Metric."),
        (CONFTEST.replace('"words"', '"visual"'), "There is a metric 'visual' already: it is one of pytest-"),
        (
            CONFTEST.replace("[WORDS]", "[WORDS, Metric('words', 'x', measure=measure)]"),
            "There are two metrics 'words'.",
        ),
        ("def pytest_design2a11y_metrics(page):\n    return []\n", "Argument(s) {'page'} are declared in"),
        (
            "def pytest_design2a11y_metrics():\n    raise OSError('no file')\n",
            "pytest_design2a11y_metrics() failed: OSError: no file",
        ),
        (
            CONFTEST.replace("measure(pages):", "measure():"),
            "of the metric 'words' is not valid: give a function of one argument, the pages.",
        ),
        ("def pytest_design2a11y_metric():\n    return []\n", "There is no hook pytest_design2a11y_metric()"),
    ],
    ids=["wrong value", "name of ours", "twice", "wrong shape", "raises", "no pages", "misspelt"],
)
def test_a_mistake_ends_the_run_before_any_test(project: Project, conftest: str, message: str) -> None:
    project.write("conftest.py", conftest)
    project.test_file("def test_nothing():\n    pass\n")

    result = project.run()

    assert result.ret != 0
    assert message in str(result.stderr) + str(result.stdout)
    assert "Traceback" not in str(result.stderr)
    assert "INTERNALERROR" not in str(result.stdout)
    assert "passed" not in str(result.stdout)


def test_a_conftest_deeper_down_gives_metrics_too(project: Project) -> None:
    project.write("deep/conftest.py", CONFTEST)
    project.test_file(TESTS, name="deep/test_pages.py")

    result = project.run("-v", "--design2a11y-save=deep")

    result.assert_outcomes(passed=1)
    assert load_run("deep", folder=Path(project.path, ".design2a11y/runs")).evaluations[0].metrics
