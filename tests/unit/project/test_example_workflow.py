"""The workflow of examples/prompt_regression generates pages with the prompt that a pull request changes."""

from __future__ import annotations

import os
import re
import subprocess
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
WORKFLOW = ROOT / "examples" / "prompt_regression" / ".github" / "workflows" / "prompt.yml"
PYTHON = '#!/bin/sh\necho "$2" >called\n'


def git(folder: Path, *words: str) -> None:
    name = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("prompts/v3.md", "prompts/v3.md"),
        ("prompts/v1.md", "prompts/v1.md"),
        ("designs/a.html", "prompts/v1.md"),
    ],
)
def test_the_changed_prompt_is_used(tmp_path: Path, changed: str, expected: str) -> None:
    base, clone = tmp_path / "base", tmp_path / "clone"
    for name in ("prompts/v1.md", "prompts/v2.md", "designs/b.html"):
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_text("as it was\n", encoding="utf-8")
    git(base, "init", "--initial-branch=main")
    git(base, "add", ".")
    git(base, "commit", "--message=first")
    git(tmp_path, "clone", str(base), str(clone))
    (clone / changed).write_text("new\n", encoding="utf-8")
    git(clone, "add", ".")
    git(clone, "commit", "--message=change")
    (clone / "python").write_text(PYTHON, encoding="utf-8")
    (clone / "python").chmod(0o755)
    found = re.search(r"run: \|\n((?: {10}.*\n)+)", WORKFLOW.read_text(encoding="utf-8"))
    assert found

    subprocess.run(
        ["bash", "-eo", "pipefail", "-c", textwrap.dedent(found[1])],
        cwd=clone,
        env={**os.environ, "PATH": f"{clone}:{os.environ['PATH']}", "GITHUB_BASE_REF": "main"},
        check=True,
        capture_output=True,
    )

    assert (clone / "called").read_text(encoding="utf-8").strip() == expected
