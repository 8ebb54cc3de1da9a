"""`-o design2a11y_label` and the git commit: saved in a run's header, shown where runs are told apart."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.exceptions import ConfigurationError, RunUnreadable
from pytest_design2a11y.models.run import origin_text
from pytest_design2a11y.run_end import conclude, current_commit
from pytest_design2a11y.runs import load_run, save_run
from pytest_design2a11y.settings.configuration import OPTIONS, Given
from pytest_design2a11y.settings.options import make_settings
from tests.factories import make_evaluation, make_run

PAGES = [make_evaluation(f"page {number}") for number in range(6)]
COMMIT = "0123456789abcdef0123456789abcdef01234567"
GIT = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))


def commit() -> None:
    Path("page.html").write_text("one", encoding="utf-8")
    for arguments in (["init", "-q"], ["add", "page.html"], ["commit", "-qm", "one"]):
        subprocess.run([*GIT, *arguments], check=True)


def save(name: str, **changes: object) -> None:
    save_run(replace(make_run(*PAGES, name=name), **changes))  # type: ignore[arg-type]


def test_a_saved_run_holds_commit_and_labels(tmp_path: Path) -> None:
    commit()
    (option,) = (one for one in OPTIONS if one.field == "label")
    labels = option.value_of(["prompt=3f2a", "temperature = 0.2"])
    settings = make_settings([Given("command line", {"label": labels, "save": "main"})])

    conclude(make_run(*PAGES, name="main"), settings, folder=tmp_path / ".design2a11y" / "runs", width=100)

    run = load_run("main")
    assert run.labels == {"prompt": "3f2a", "temperature": "0.2"}
    head = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    assert run.commit == head.stdout.strip()


@pytest.mark.parametrize("text", ["prompt", "=x", "prompt="])
def test_a_label_is_a_key_with_a_value(text: str) -> None:
    (option,) = (one for one in OPTIONS if one.field == "label")

    with pytest.raises(ConfigurationError, match="write KEY=VALUE"):
        option.value_of([text])


def test_changed_files_make_the_commit_dirty(tmp_path: Path) -> None:
    commit()
    Path("page.html").write_text("two", encoding="utf-8")

    assert current_commit(tmp_path).endswith("-dirty")


def test_there_is_no_commit_without_a_repository_or_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert current_commit(tmp_path) == ""
    monkeypatch.setenv("PATH", "")
    assert current_commit(tmp_path) == ""


def test_compare_and_history_show_them(capsys: pytest.CaptureFixture[str]) -> None:
    save("old")
    save("new", labels={"prompt": "3f2a"}, commit=f"{COMMIT}-dirty")

    main(["compare", "old", "new"])
    compared = capsys.readouterr().out
    main(["runs", "list"])
    history = capsys.readouterr().out
    main(["runs", "list", "--json"])

    assert "samples, commit 0123456789-dirty, prompt=3f2a\n" in compared
    assert "  commit 0123456789-dirty, prompt=3f2a\n" in history
    told = json.loads(capsys.readouterr().out)["runs"]
    assert {run["name"]: run["labels"] for run in told} == {"old": {}, "new": {"prompt": "3f2a"}}
    assert origin_text("", {}, {}) == ""


def test_parts_of_other_commits_are_not_merged(capsys: pytest.CaptureFixture[str]) -> None:
    save_run(replace(make_run(PAGES[0], name="a"), commit=COMMIT))
    save_run(replace(make_run(PAGES[1], name="b"), labels={"seed": "1"}))

    with pytest.raises(SystemExit, match="2"):
        main(["runs", "merge", "a", "b", "-o", "whole"])

    assert "commit, labels or prompt files: commit 0123456789 in a, seed=1 in b." in capsys.readouterr().err


def test_labels_of_a_file_are_checked() -> None:
    save("main", labels={"prompt": "3f2a"})
    path = Path(".design2a11y/runs/main.jsonl")
    path.write_text(path.read_text().replace('"3f2a"', "7"), encoding="utf-8")

    with pytest.raises(RunUnreadable, match=r"line 1: Expected `.*` - at `\$\.labels"):
        load_run("main")
