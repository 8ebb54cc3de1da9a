"""The end of a run: one thing that cannot be done stops nothing else, and is never a pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.limits import Limit
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Verdict
from pytest_design2a11y.run_end import Outcome, conclude
from pytest_design2a11y.runs import save_details, save_run
from pytest_design2a11y.settings import Settings
from tests.factories import make_audited, make_evaluation, make_run


def evaluation(case: str, score: float, *, sample: str = "1") -> Evaluation:
    return make_audited(
        case,
        score,
        sample=sample,
        id=f"t.py::test[{case}-{sample}]",
        candidate=f"generated/{case}/{sample}.html",
        verdicts=(Verdict("visual", ">=", 0.8, score, score >= 0.8, "command line"),),
    )


def new_run(*evaluations: Evaluation) -> Run:
    return make_run(*evaluations, name="new")


def concluded(run: Run, folder: Path, **settings: Any) -> Outcome:
    return conclude(run, Settings(**settings), folder=folder / "runs", width=100)


def test_a_report_that_cannot_be_written_fails_the_run_and_keeps_the_rest(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()

    outcome = concluded(
        new_run(evaluation("login", 0.9)), tmp_path,
        html=tmp_path / "taken", save="new", findings=(tmp_path / "found.sarif",),
    )  # fmt: skip

    assert outcome.is_failed
    assert "taken" in outcome.sections["report"][0]
    assert (tmp_path / "runs/new.jsonl").is_file()
    assert (tmp_path / "found.sarif").is_file()


def test_an_accepted_page_that_the_run_did_not_look_at_is_named(tmp_path: Path) -> None:
    page = evaluation("login", 0.9)
    known = tmp_path / "new folder" / "known.toml"
    recorded = concluded(new_run(page), tmp_path, known=known, update_known=True)
    known.write_text(known.read_text() + "pages.old.region = 1\n")

    outcome = concluded(new_run(page), tmp_path, known=known)

    assert recorded.sections["known"][-1] == f"wrote {known}"
    assert outcome.sections["known"][-1] == "old: recorded, but not looked at in this run"
    assert not outcome.is_failed


def test_a_limit_that_could_not_be_judged_is_no_pass_and_says_so(tmp_path: Path) -> None:
    picture = replace(evaluation("login", 0.9), accessibility=None, audit=None)
    outcome = concluded(new_run(picture), tmp_path, limits=(Limit("iwir", "<=", 0.5, "command line"),))

    assert outcome.is_unmeasured
    assert outcome.sections["not judged"] == [
        "iwir<=0.5 could not be judged: generated/login/1.html was not measured: "
        "it has no accessibility, as a picture or without an audit"
    ]


def test_runs_without_a_case_in_common_are_no_pass_and_the_new_one_is_kept(tmp_path: Path) -> None:
    save_run(make_run(evaluation("other", 0.9), name="old"), folder=tmp_path / "runs")

    outcome = concluded(
        new_run(evaluation("login", 0.9)), tmp_path,
        compare="old", fail_on=("visual",), save="new", html=tmp_path / "report.html",
    )  # fmt: skip

    assert outcome.is_unmeasured
    assert "have no case in common" in outcome.sections["compared"][0]
    assert (tmp_path / "runs/new.jsonl").is_file()
    assert (tmp_path / "report.html").is_file()


def test_a_run_that_measured_nothing_replaces_no_saved_one(tmp_path: Path) -> None:
    path = save_run(make_run(evaluation("login", 0.9), name="main"), folder=tmp_path / "runs")
    before = path.read_bytes()

    outcome = concluded(make_run(name="main"), tmp_path, save="main")

    assert outcome.sections["saved"] == ["nothing was measured, so nothing was saved"]
    assert path.read_bytes() == before


def test_a_case_with_samples_is_told_and_reported_by_its_policy(tmp_path: Path) -> None:
    samples = [evaluation("login", 0.9, sample="1"), evaluation("login", 0.75, sample="2")]

    results = {
        policy: concluded(new_run(*samples), tmp_path, samples=policy, html=tmp_path / f"{policy}.html")
        for policy in ("mean", "worst")
    }

    assert not results["mean"].is_failed
    assert results["mean"].sections["cases (mean)"] == [
        "login keeps visual at least 0.8 (--min-visual-similarity); mean of 2 samples: 0.8250"
    ]
    assert results["worst"].is_failed
    assert results["worst"].sections["cases (worst)"] == [
        "login BREAKS visual at least 0.8 (--min-visual-similarity); worst of 2 samples: 0.7500"
    ]
    assert "mean of 2 samples: 0.8250" in (tmp_path / "mean.html").read_text(encoding="utf-8")
    assert "worst of 2 samples: 0.7500" in (tmp_path / "worst.html").read_text(encoding="utf-8")


def test_a_saved_run_is_reported_by_the_policy_and_the_acceptances_that_are_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = new_run(evaluation("login", 0.9, sample="1"), evaluation("login", 0.75, sample="2"))
    save_run(run)
    save_details(run)
    Path("known.toml").write_text('schema = 1\npages."generated/login/1.html".color-contrast = 1\n')

    code = main(
        [
            "report",
            "new",
            "-o",
            "report.html",
            "--samples=worst",
            "--known=known.toml",
        ]
    )

    page = Path("report.html").read_text(encoding="utf-8")
    assert code == 0
    assert "worst of 2 samples: 0.7500" in page
    assert page.count("1 of its failures is accepted") == 1
    assert '"accepted":1' in page


@pytest.mark.parametrize(
    ("score", "gate", "is_failed", "is_unmeasured", "sentence"),
    [
        (0.5, "visual:0.1", True, False, "FAIL  visual:0.1: worse by 0.4000 (0.9000 -> 0.5000, 8 cases)"),
        (0.9, "visual:0.1", False, False, ""),
        (
            0.9,
            "delivered:0.1",
            False,
            True,
            "delivered:0.1: could not be judged: neither run has a value of it",
        ),
    ],
    ids=["fails", "passes", "error"],
)
def test_only_gates_that_do_not_pass_are_told_where_the_run_fails(
    tmp_path: Path, score: float, gate: str, is_failed: bool, is_unmeasured: bool, sentence: str
) -> None:
    def pages(value: float) -> list[Evaluation]:
        return [make_evaluation(f"c{number}", value) for number in range(8)]

    save_run(make_run(*pages(0.9), name="old"), folder=tmp_path / "runs")

    outcome = concluded(new_run(*pages(score)), tmp_path, compare="old", fail_on=(gate, "text:0.9"))

    assert (outcome.is_failed, outcome.is_unmeasured) == (is_failed, is_unmeasured)
    told = outcome.failing.get("compared", [])
    assert len(told) == bool(sentence)
    assert all(sentence.removeprefix("FAIL  ") in one for one in told)
    assert any(sentence in line for line in outcome.sections["compared"])


def test_samples_that_are_missing_or_mistaken_are_named(tmp_path: Path) -> None:
    def sample(case: str, number: str, candidate: str = "a.html") -> Evaluation:
        return make_evaluation(case, 0.9, sample=number, candidate=candidate)

    run = new_run(
        *(sample(case, number) for case in ("a", "b") for number in ("1", "2", "10")), sample("c", "1")
    )
    twice = new_run(*(sample(case, "1", page) for case in ("a", "b") for page in ("x.html", "y.html")))

    assert concluded(run, tmp_path).sections["samples"] == ["Samples are missing: c has no sample 2, 10."]
    assert concluded(twice, tmp_path).sections["samples"] == [
        "2 different candidates count as sample 1 of the case 'a', and 1 more such: x.html, y.html. They are "
        "averaged as if they were one. Say what tells them apart: render(..., prompt=, model= or sample=), "
        "parameters of a test with these names, the marker, or these keys in the lines of --pairs."
    ]


def test_a_number_that_no_case_has_is_a_missing_sample_of_all(tmp_path: Path) -> None:
    run = new_run(*(make_evaluation(case, 0.9, sample=number) for case in "ab" for number in "13"))

    assert concluded(run, tmp_path).sections["samples"] == [
        "Samples are missing: a has no sample 2, b has no sample 2."
    ]


def test_a_run_that_cannot_be_saved_fails_and_its_report_is_written(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("no folder")

    outcome = concluded(
        new_run(evaluation("login", 0.9)), tmp_path, save="new", findings=(tmp_path / "found.sarif",)
    )

    assert outcome.is_failed
    assert "runs" in outcome.sections["saved"][0]
    assert (tmp_path / "found.sarif").is_file()


def test_an_incomplete_run_is_saved_as_one(tmp_path: Path) -> None:
    run = make_run(make_evaluation("a"), name="new", is_complete=False)

    path = tmp_path / "runs" / "new.jsonl"
    assert concluded(run, tmp_path, save="new").sections == {
        "saved": [f"saved 1 evaluation as {path}; it is incomplete"]
    }
