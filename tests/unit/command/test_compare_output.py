"""What `compare` prints of saved runs: how many cases, and groups that one run lacks."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.command.saved_runs import read_json
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.runs import save_run
from tests.factories import make_evaluation, make_run


@pytest.fixture(autouse=True)
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, move, models in (("old", 0.0, ("a", "b")), ("new", 0.1, ("a",))):
        pages = [
            make_evaluation(
                f"case {case}", 0.5 + move * case / 10, id=f"{case}-{model}", axes={"model": model}
            )
            for case in range(8)
            for model in models
        ]
        save_run(make_run(*pages, name=name), folder=tmp_path / ".design2a11y" / "runs")


def test_the_five_cases_that_moved_most_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "old", "new", "--only", "model=a"]) == 0

    assert re.findall(r"^  case (\d): ", capsys.readouterr().out, re.M) == ["7", "6", "5", "4", "3"]


@pytest.mark.parametrize("how", [[], ["--markdown"]], ids=["lines", "markdown"])
def test_a_group_that_one_run_lacks_is_told_with_its_gates(
    how: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["compare", "old", "new", "--by", "model", *how])
    without_gates = capsys.readouterr().out
    code = main(["compare", "old", "new", "--by", "model", "--fail-on", "visual:0.5", *how])
    with_gates = capsys.readouterr().out

    assert "model=b" in without_gates
    assert "gates could not be judged" not in without_gates
    assert "; its gates could not be judged" in with_gates
    assert code == 3


def test_what_is_no_fix_list_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text("[1]")
    with pytest.raises(ConfigurationError, match=r"list\.json is not the JSON of a fix list\. Save one with"):
        read_json(path)

    path.write_text('{"items": []}')
    assert read_json(path) == {"items": []}


def test_the_command_says_its_version_as_the_shell_calls_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["design2a11y", "--version"])

    assert main() == main(["--version"]) == 0
    assert capsys.readouterr().out == f"{version('pytest-design2a11y')}\n" * 2
