"""scripts/get_corpus.py: a commit of a public repository becomes the folder that other tests read."""

from __future__ import annotations

import json
import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parents[3] / "scripts" / "get_corpus.py"))
ROUND = ("gemini", "naive", "2025-06-18-10-18")
OVERVIEW = {
    "overall_status": {"automatic": "Green"},
    "benchmark": {"automatic_ir": 0.02, "automatic_iw-ir": 0.3},
    "automatic_checks": {"total_nodes_checked": 150, "total_nodes_failed": 3},
    "details_checks": {
        "Landmarks": {"sources": {"axe-core": {"amount": 2}, "pa11y": {"amount": 0}}},
        "Contrast": {"sources": {"axe-core": {"amount": 0}, "pa11y": {"amount": 1}}},
    },
}
BENCHMARK = {theirs: number / 10 for number, theirs in enumerate(SCRIPT["VISUAL"].values())}


def git(folder: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    model, prompt, time = ROUND
    files: dict[str, Any] = {
        "Data/Input/html/1.html": "<h1>Design</h1>",
        f"Data/Output/{model}/html/{prompt}/{time}/1.html": "<h1>Page</h1>",
        f"Data/Output/{model}/insights/{prompt}/{time}/overview_1.json": json.dumps(OVERVIEW),
        f"Data/Output/{model}/insights/{prompt}/{time}/benchmark_1.json": json.dumps(BENCHMARK),
        f"Data/Output/{model}/html/{prompt}/another-time/1.html": "not asked for",
    }
    folder = tmp_path / "study"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "init", "--quiet")
    git(folder, "config", "uploadpack.allowFilter", "true")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=pages")
    return folder


def get(repository: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, *, commit: str = "") -> None:
    main = SCRIPT["main"]
    monkeypatch.setitem(main.__globals__, "SETS", (ROUND,))
    monkeypatch.setitem(main.__globals__, "COMMIT", commit or git(repository, "rev-parse", "HEAD"))
    main([str(folder), "--from", repository.as_uri()])


def test_pages_and_published_figures_lie_as_tests_read_them(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "shared" / "corpus"

    get(repository, folder, monkeypatch)

    name = "-".join(ROUND)
    found = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert found == [f"candidates/{name}/1.html", f"expected/{name}.jsonl", "references/1.html"]
    (line,) = map(json.loads, (folder / "expected" / f"{name}.jsonl").read_text("utf-8").splitlines())
    assert line["case"] == 1
    assert line["published"]["accessibility"] == {
        "checked": 150, "failed_axe": 2, "failed_htmlcs": 1, "failed_merged": 3,
        "ir": 0.02, "iwir": 0.3, "status": "green",
    }  # fmt: skip
    assert line["published"]["visual"]["block_match"] == BENCHMARK["final_size_score"]
    assert "2 pages of https://github.com/LLM4A11y/ui2code-study" in capsys.readouterr().out


def test_a_folder_that_is_there_is_left_alone(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit, match=r"is there already\. Remove it, or name another folder"):
        get(repository, tmp_path, monkeypatch)


def test_another_commit_than_the_named_one_is_not_taken(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        get(repository, tmp_path / "corpus", monkeypatch, commit="0" * 40)

    assert not (tmp_path / "corpus").exists()
