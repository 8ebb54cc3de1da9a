"""`-o design2a11y_prompt_file`: what the pages were asked for with, saved as name and digest."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.exceptions import ConfigurationError, RunUnreadable
from pytest_design2a11y.run_end.gating import check_settings
from pytest_design2a11y.runs import load_run, save_run
from pytest_design2a11y.settings.configuration import OPTIONS, Given
from pytest_design2a11y.settings.options import make_settings
from tests.factories import make_evaluation, make_run

if TYPE_CHECKING:
    from tests.integration.conftest import Project

PAGES = [make_evaluation(f"page {number}") for number in range(6)]
DIGESTS = {name: hashlib.sha256(name.encode()).hexdigest() for name in ("v1", "v2")}
(OPTION,) = (one for one in OPTIONS if one.field == "prompt_file")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("prompts").mkdir()
    for name in DIGESTS:
        Path(f"prompts/{name}.txt").write_text(name, encoding="utf-8")


def save(name: str, prompt: str) -> None:
    run = make_run(*PAGES, name=name)
    save_run(replace(run, prompts={f"prompts/{prompt}.txt": DIGESTS[prompt]}))


@pytest.mark.slow
def test_a_run_in_pytest_saves_name_and_digest(project: Project) -> None:
    project.write("prompts/v1.txt", "v1")
    project.test_file(
        """
        def test_page(render):
            render("generated/login.html")
        """
    )

    result = project.run("--design2a11y-save=main", "-o", "design2a11y_prompt_file=prompts/v1.txt")

    assert result.ret == 0
    header = json.loads((project.path / ".design2a11y/runs/main.jsonl").read_text().splitlines()[0])
    assert header["prompts"] == {"prompts/v1.txt": DIGESTS["v1"]}


def test_files_elsewhere_go_by_their_name_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = OPTION.value_of([str(tmp_path / "prompts" / "v1.txt")])
    monkeypatch.chdir("prompts")
    Path("deep").mkdir()
    monkeypatch.chdir("deep")

    assert inside == (("prompts/v1.txt", DIGESTS["v1"]),)
    assert OPTION.value_of(["../v1.txt"]) == (("v1.txt", DIGESTS["v1"]),)


def test_a_file_that_is_not_there_is_a_usage_error() -> None:
    with pytest.raises(ConfigurationError, match=r"prompt_file does not take 'v3.txt': there is no"):
        OPTION.value_of(["v3.txt"])


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    both = make_settings([Given("command line", {"prompt_file": (("v1.txt", "a"), ("v1.txt", "b"))})])

    with pytest.raises(
        ConfigurationError, match="Two files of -o design2a11y_prompt_file have the same name"
    ):
        check_settings(both, folder=tmp_path)


def test_comparisons_show_where_they_differ(capsys: pytest.CaptureFixture[str]) -> None:
    save("old", "v1")
    save("same", "v1")
    save("new", "v2")
    changed = f"prompts/v1.txt ({DIGESTS['v1'][:8]}) -> prompts/v2.txt ({DIGESTS['v2'][:8]})"

    main(["compare", "old", "new"])
    assert f"\nchanged: prompt file: {changed}\n" in capsys.readouterr().out
    main(["compare", "old", "same"])
    printed = capsys.readouterr().out
    assert "changed" not in printed
    assert printed.count(f"prompt file prompts/v1.txt ({DIGESTS['v1'][:8]})") == 2
    main(["compare", "old", "same", "new"])
    assert f"changed: prompt file: prompts/v1.txt ({DIGESTS['v1'][:8]}) (old)" in capsys.readouterr().out
    main(["runs", "list"])
    assert f"prompt file prompts/v2.txt ({DIGESTS['v2'][:8]})" in capsys.readouterr().out


def test_parts_of_other_prompts_are_not_merged(capsys: pytest.CaptureFixture[str]) -> None:
    for name, prompt in (("a", "v1"), ("b", "v2")):
        run = make_run(PAGES[name == "b"], name=name)
        save_run(replace(run, prompts={"p.txt": DIGESTS[prompt]}))

    with pytest.raises(SystemExit, match="2"):
        main(["runs", "merge", "a", "b", "-o", "whole"])

    assert "commit, labels or prompt files: prompt file p.txt (" in capsys.readouterr().err


def test_prompts_of_a_file_are_checked() -> None:
    save("main", "v1")
    path = Path(".design2a11y/runs/main.jsonl")
    path.write_text(path.read_text().replace(f'"{DIGESTS["v1"]}"', "7"), encoding="utf-8")

    with pytest.raises(RunUnreadable, match=r"line 1: Expected `.*` - at `\$\.prompts"):
        load_run("main")
