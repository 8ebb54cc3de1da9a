"""What a run comes to is the same for the command as for pytest: policies, annotations, exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.measuring import executors
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.verdicts import Failure
from pytest_design2a11y.models.visual import VisualScore

Scores = Sequence[float | None]


@pytest.fixture
def score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs `design2a11y score --pairs` on samples of one case whose scores are given; nothing is rendered."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)

    def run(scores: Scores, *options: str) -> int:
        def measured(pairs: Sequence[Pair], **_how: Any) -> Iterator[Evaluation]:
            for pair in pairs:
                yield _evaluation(pair, scores[int(pair.subject.sample)])

        monkeypatch.setattr(executors, "score_pairs", measured)
        same = {"case": "login", "reference": "a.html"}
        lines = [
            {"id": f"login-{number}", **same, "sample": str(number), "candidate": f"{number}.html"}
            for number in range(len(scores))
        ]
        (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, lines)))
        return main(["score", "--pairs", "pairs.jsonl", *options])

    return run


def _evaluation(pair: Pair, value: float | None) -> Evaluation:
    subject = pair.subject
    visual = None if value is None else VisualScore(value, value, value, value, value, None, "indel")
    error = Failure("RenderTimeout", "It hung.", "candidate") if value is None else None
    return Evaluation(
        subject.id,
        subject.case,
        str(pair.candidate),
        subject.sample,
        "a.html",
        visual,
        error=error,
        page_sizes={"reference": (100, 100), "candidate": (100, 100)},
    )


LIMIT = "--min-visual-similarity=0.8"


@pytest.mark.parametrize(
    ("policy", "code"), [("mean", 0), ("median", 0), ("worst", 1), ("at_least=1/2", 0), ("at_least=2/2", 1)]
)
def test_samples_of_a_case_are_judged_together(
    score: Any, policy: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """0.95 and 0.75 against 0.8: the second page alone breaks the limit, their mean does not."""
    assert score([0.95, 0.75], LIMIT, f"--samples={policy}") == code

    word = "keeps" if code == 0 else "BREAKS"
    assert f"login {word} visual at least 0.8 (--min-visual-similarity)" in capsys.readouterr().err


def test_a_page_that_stands_alone_is_judged_by_itself(score: Any) -> None:
    assert score([0.95], LIMIT) == 0
    assert score([0.75], LIMIT) == 1
    assert score([None], LIMIT) == 3


def test_a_sample_that_could_not_be_measured_is_told_by_the_exit_code(score: Any) -> None:
    assert score([0.95, None], LIMIT, "--samples=at_least=1/2") == 3


def test_a_check_counts_cases_that_break_a_limit(score: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert score([0.95, 0.75], "--save=main") == 0

    for policy, code, number in (
        ("worst", 1, "1 breaks"),
        ("mean", 0, "0 break"),
        ("at_least=2/2", 1, "1 breaks"),
    ):
        capsys.readouterr()
        assert main(["check", "main", LIMIT, f"--samples={policy}"]) == code
        assert f"1 case of several samples of main: {number} a limit" in capsys.readouterr().out


def test_a_sample_that_is_missing_is_mentioned(score: Any, capsys: pytest.CaptureFixture[str]) -> None:
    score([0.95, 0.9, 0.9], "--only", "sample=0", "--only", "sample=2")

    assert "Samples are missing: login has no sample 1." in capsys.readouterr().err


def test_pages_that_are_not_chosen_are_not_scored(score: Any, capsys: pytest.CaptureFixture[str]) -> None:
    score([0.95, 0.9, 0.9], "--only=sample=1", "--json")

    assert [json.loads(line)["sample"] for line in capsys.readouterr().out.splitlines()] == ["1"]
    with pytest.raises(SystemExit, match="2"):
        score([0.95], "--only=case=help")
    assert "has no page with case=help. It has case: login." in capsys.readouterr().err


def test_github_gets_its_annotations_and_standard_output_stays_json(
    score: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))

    code = score([0.75], LIMIT, "--json")

    printed = capsys.readouterr()
    assert code == 1
    assert json.loads(printed.out)["visual"]["score"] == 0.75
    title = "design2a11y%3A visual 0.75 < 0.80 (--min-visual-similarity)"
    assert f"::error file=0.html,title={title}::login-0: visual is 0.7500" in printed.err
    assert "### design2a11y: this run" in (tmp_path / "summary.md").read_text()


def test_a_command_run_is_compared_and_gated_like_one_of_pytest(
    score: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score([0.95], "--save=main") == 0

    code = score([0.75], "--compare=main", "--fail-on=visual:0.1", "--set", "fail_on_point=true")

    assert code == 1
    assert "FAIL  visual:0.1: worse by 0.2000" in capsys.readouterr().err
    assert score([0.75], "--compare=main") == 0
    assert "compared:\n" in capsys.readouterr().err
    assert score([0.75], "--compare=main", "--fail-on=visual:0.1") == 3
    assert "too few cases: 1" in capsys.readouterr().err


def test_what_fails_goes_before_what_could_not_be_judged_or_measured(score: Any) -> None:
    assert score([0.95], "--save=main") == 0

    assert score([0.75, None], LIMIT, "--samples=worst", "--save=both") == 1
    assert main(["check", "both", LIMIT, "--samples=worst"]) == 1
    assert score([0.75, None], LIMIT, "--samples=mean", "--save=both") == 3
    assert main(["check", "both", LIMIT, "--samples=mean"]) == 3
    assert score([0.95, None], LIMIT, "--samples=worst") == 3
    assert score([0.75], LIMIT, "--compare=main", "--fail-on=visual:0.1") == 1
    assert main(["check", "main", LIMIT, "--require=ir<=0.1"]) == 3


def test_a_saved_run_that_cannot_be_compared_with_leaves_the_gate_unjudged(
    score: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score([0.95], "--save=main") == 0
    path = tmp_path / ".design2a11y" / "runs" / "main.jsonl"
    path.write_text(path.read_text().replace('"login"', '"other"'), encoding="utf-8")

    assert score([0.95], "--compare=main", "--fail-on=visual:0.1") == 3
    assert "have no case in common" in capsys.readouterr().err

    path.write_text(path.read_text().replace('"score": 0.95', '"score": 95'), encoding="utf-8")
    with pytest.raises(SystemExit, match="2"):
        score([0.95], "--compare=main")
    assert "line 2: Expected `int` <= 1 - at `$.visual.score`" in capsys.readouterr().err
