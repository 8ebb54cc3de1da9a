"""What the documentation shows, done: the tutorial from its first line to its last, and code for programs."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_design2a11y import scorer

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)

#: What the tutorial asks its reader to write, in the order of its commands.
EDITS: tuple[tuple[tuple[str, str], ...], ...] = (
    (),
    (('Email <input type="email">', '<label>Email <input type="email"></label>'), ("#9fb3c8", "#2c5282")),
    (("<h1>Welcome back</h1>", "<h1>Hello!</h1>"),),
)


def blocks(page: Path, language: str) -> Iterator[tuple[str, str]]:
    """Give title and text of the code blocks of a page in one language."""
    for found in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        if found[1] == language:
            yield found[2] or "", found[3]


def run(folder: Path, command: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    result = subprocess.run(
        [sys.executable, "-m", *command.split()],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return result.stdout + result.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """What the reader of the tutorial has written."""
    for language in ("html", "python"):
        for title, text in blocks(ROOT / "docs" / "tutorial.md", language):
            (tmp_path / title).parent.mkdir(exist_ok=True)
            (tmp_path / title).write_text(text, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_the_tutorial_says_what_happens(project: Path) -> None:
    page = project / "generated" / "login.html"
    shown = [text.splitlines() for _, text in blocks(ROOT / "docs" / "tutorial.md", "console")]

    for edits, (command, *lines) in zip(EDITS, shown, strict=True):
        text = page.read_text(encoding="utf-8")
        for old, new in edits:
            assert old in text
            text = text.replace(old, new)
        page.write_text(text, encoding="utf-8")
        output = run(project, command.removeprefix("$ "))
        assert [line for line in lines if line.strip() not in output] == [], output

    assert (project / "report.html").exists()


@pytest.mark.slow
def test_code_for_programs_runs(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    (project / "designs" / "signup.html").write_bytes((project / "designs" / "login.html").read_bytes())
    (project / "generated" / "signup.html").write_bytes((project / "generated" / "login.html").read_bytes())
    names: dict[str, object] = {}
    code = [text for _, text in blocks(ROOT / "docs" / "programs.md", "python") if "await" not in text]

    for text in code:
        exec(compile(text, "docs/programs.md", "exec"), names)

    assert len(code) >= 2
    assert doctest.testmod(scorer).failed == 0
