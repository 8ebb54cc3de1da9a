"""`design2a11y compare` with one run, or three and more: ranked, in every form, and their gates."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.runs import save_run
from tests.factories import make_evaluation, make_run

MOVED = {"first": 0.0, "50%_&_more": 0.05, "設計": -0.05}


def pages(moved: float, **axes: str) -> list[Evaluation]:
    return [
        make_evaluation(
            f"case {number}", 0.7 + 0.01 * number + moved * (1 + number / 40), id=f"{number}{axes}", axes=axes
        )
        for number in range(10)
    ]


def run(*arguments: str) -> int:
    try:
        return main(arguments)
    except SystemExit as ended:
        return int(str(ended.code))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs that no test changes; some save others beside them."""
    folder = tmp_path_factory.mktemp("ranked")
    runs = folder / ".design2a11y" / "runs"
    for name, moved in zip("abc", MOVED.values(), strict=True):
        save_run(make_run(*pages(moved), name=name), folder=runs)
    groups = [
        one
        for model, moved in MOVED.items()
        for prompt in ("p1", "p2")
        if (model, prompt) != ("設計", "p2")
        for one in pages(moved, model=model, prompt=prompt)
    ]
    save_run(make_run(*groups, name="all"), folder=runs)
    return folder


@pytest.fixture(autouse=True)
def _here(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(saved)
    monkeypatch.setenv("COLUMNS", "120")


def test_three_runs_are_ranked(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compare", "a", "b", "c") == 0

    printed = capsys.readouterr().out
    assert "3 runs, ranked over the 10 cases that all of them have" in printed
    lines = printed[printed.index("visual (higher") :].splitlines()
    assert [line.split()[:3] for line in lines[2:5]] == [
        ["1", "b", "0.8006"],
        ["2", "a", "0.7450"],
        ["3", "c", "0.6894"],
    ]
    assert lines[4].endswith("-0.1112  ranks 1 and 2")


def test_json_has_every_pair(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compare", "a", "b", "c", "--json", "--cases", "all") == 0

    told = json.loads(capsys.readouterr().out)
    pairs = told["metrics"]["visual"]["pairs"]
    assert [(pair["first"], pair["second"], pair["better"]) for pair in pairs] == [
        ("a", "b", "b"),
        ("a", "c", "a"),
        ("b", "c", "b"),
    ]
    assert len(told["metrics"]["visual"]["differ_most"]) == 10
    assert [one["run"]["num_cases"] for one in told["ranked"]] == [10, 10, 10]


def test_csv_has_a_row_for_each_metric_and_group(capsys: pytest.CaptureFixture[str]) -> None:
    run("compare", "all", "--by", "model,prompt", "--csv", "--rank-by", "visual,appearance")

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 10
    best = [row for row in rows if row["rank"] == "1"]
    assert [(row["axis_model"], row["axis_prompt"]) for row in best] == [
        ("50%_&_more", "p1"),
        ("50%_&_more", "p2"),
    ]
    assert best[0]["surely_better_than"] == "first, p1; first, p2; 設計, p1"
    assert rows[-1]["state"] == "not measured"
    assert rows[-1]["mean"] == ""


def test_markdown_has_the_ranking(capsys: pytest.CaptureFixture[str]) -> None:
    run("compare", "all", "--by", "model,prompt", "--markdown", "--rank-by", "visual", "--cases", "2")

    printed = capsys.readouterr().out
    assert printed.startswith("### 5 groups by model, prompt ranked\n")
    assert "| 3 | first, p1 | 0.7450 | " in printed
    assert "<summary>Cases that differ most</summary>" in printed


def test_all_cases_are_listed_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    run("compare", "a", "b", "--cases", "all")

    listed = capsys.readouterr().out.partition("cases that moved most in visual:\n")[2]
    assert listed.count("  case ") == 10


def test_two_runs_are_ranked_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compare", "a", "b", "--rank", "--rank-by", "visual") == 0
    assert "2 runs, ranked over the 10 cases" in capsys.readouterr().out

    assert run("compare", "a", "b", "--rank-by", "visual") == 0
    assert "2 runs, ranked over the 10 cases" in capsys.readouterr().out


def test_gates_judge_every_run_against_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compare", "a", "b", "c", "--fail-on", "visual:0.02") == 1

    printed = capsys.readouterr().out
    assert "Holm-corrected for 2" in printed
    assert "\n  pass  b: visual:0.02: better by 0.0556" in printed
    assert "\n  FAIL  c: visual:0.02: worse by 0.0556" in printed


def test_a_gate_on_a_run_that_lacks_cases_could_not_be_judged(capsys: pytest.CaptureFixture[str]) -> None:
    save_run(make_run(*pages(0.05)[:8], name="short"))

    assert run("compare", "a", "b", "short", "--fail-on", "visual:0.02") == 3
    printed = capsys.readouterr().out
    assert "ERROR short: visual:0.02" in printed
    assert "20 % of the pages are missing in one of the runs" in printed
    assert "warning: short lacks 2 cases, left out for all: case 8, case 9" in printed

    assert run("compare", "a", "b", "short", "--fail-on", "visual:0.02", "--set", "allow_missing=20%") == 0


def test_gates_with_groups_judge_each_with_its_own_kind(capsys: pytest.CaptureFixture[str]) -> None:
    for name, moved in (("v1", 0.0), ("v2", -0.05), ("v3", 0.0)):
        small = [] if name == "v3" else pages(moved, model="small")
        save_run(make_run(*pages(0.0, model="large"), *small, name=name))

    assert run("compare", "v1", "v2", "v3", "--by", "model", "--fail-on", "visual:0.02") == 1

    printed = capsys.readouterr().out
    assert "pass  v2, large: visual:0.02" in printed
    assert "FAIL  v2, small: visual:0.02" in printed
    assert "warning: v3, small: only in the old run; its gates could not be judged" in printed


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["a"], 2, "nothing to compare it with. Name more runs, or an axis with several values (--by)."),
        (["a", "b", "a"], 2, "The run 'a' is named twice."),
        (["a", "b", "all"], 3, "do not mix the same axes"),
        (["all", "--by", "model,prompt", "--fail-on", "ir"], 2, "A gate needs a baseline, and there is one"),
        (["a", "b", "c", "--rank-by", "visul"], 2, "Did you mean 'visual'?"),
        (["a", "b", "--cases", "-1"], 2, 'neither a whole number nor "all"'),
        (["a", "gone", "b"], 2, "There is no saved run 'gone'"),
    ],
)
def test_what_cannot_be_ranked_says_why(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("compare", *arguments) == code
    assert said in capsys.readouterr().err


def test_a_ranking_is_plotted(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    assert run("compare", "a", "b", "c", "--plot", "plots/rank.svg") == 0

    assert "wrote plots/rank.svg" in capsys.readouterr().err
    assert "visual (higher is better)" in Path("plots/rank.svg").read_text(encoding="utf-8")


def test_two_runs_are_plotted_as_a_ranking_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compare", "a", "b", "--plot", "rank.svg") == 2

    assert "--plot draws rankings, and two runs are compared. Add --rank." in " ".join(
        capsys.readouterr().err.split()
    )
