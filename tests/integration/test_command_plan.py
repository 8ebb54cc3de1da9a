"""`design2a11y runs plan --from RUN --drop X`: what it prints, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.runs import save_run
from tests.factories import make_evaluation, make_run


@pytest.fixture(autouse=True)
def _saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pages = [
        make_evaluation(f"case {case}", 0.7 + 0.01 * case + 0.03 * (sample - 1), sample=str(sample))
        for case in range(12)
        for sample in range(3)
    ]
    save_run(make_run(*pages, name="main"))
    save_run(make_run(*pages[::3], name="one-sample"))


def test_the_plan_is_a_table_with_what_was_assumed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "plan", "--from", "main", "--drop", "0.02"]) == 0

    printed = capsys.readouterr().out
    assert printed.startswith("visual in main: mean 0.7550, 12 cases with 3 samples each\n")
    assert "standard deviation: 0.0300 between the samples of a case, 0.0361 between cases\n" in printed
    rows = [line.split() for line in printed.splitlines() if line.strip()[:1].isdigit()]
    assert [row[0] for row in rows] == ["1", "2", "3", "5"]
    assert all(int(row[1]) * int(row[0]) == int(row[2]) for row in rows)
    assert "with 12 cases and 3 samples, as here, " in printed
    assert "by 0.024 (standard deviation; --spread)" in printed


def test_json_tells_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "plan", "--from", "main", "--drop", "0.02", "--spread", "0.01", "--json"]) == 0

    told = json.loads(capsys.readouterr().out)
    assert told["spread"] == 0.01
    assert [one["num_samples"] for one in told["needed"]] == [1, 2, 3, 5]
    assert 0 < told["own_power"] <= 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--from", "one-sample", "--drop", "0.02"], "has 0 cases with two samples or more that have visual"),
        (["--from", "main", "--drop", "0"], "'0': write a number above 0"),
        (["--from", "main", "--drop", "0.02", "--metric", "visul"], "Did you mean 'visual'?"),
        (["--from", "main", "--drop", "0.02", "--metric", "ir,iwir"], "A plan is for one metric of pages."),
        (["--from", "main", "--drop", "0.02", "--metric", "errors"], "A plan is for one metric of pages."),
        (["--from", "main", "--drop", "0.02", "--metric", "appearance"], "has 0 cases with two samples"),
        (["--from", "gone", "--drop", "0.02"], "There is no saved run 'gone'"),
    ],
)
def test_what_cannot_be_planned_says_why(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["runs", "plan", *arguments])

    assert said in capsys.readouterr().err
