"""Slow tests of `.ci/run` that fail, or that its time does not suffice for, are tried once more."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TESTS = """
from pathlib import Path

def test_first():
    pass

def test_second():
    assert Path("again").exists()

def test_third():
    pass
"""


def test_what_did_not_pass_or_did_not_run_is_what_the_next_run_takes(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_it.py").write_text(TESTS, encoding="utf-8")

    def run(*options: str) -> str:
        command = [sys.executable, "-m", "pytest", "-v", "-p", "no:playwright", *options]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        ran = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        return ran.stdout

    assert "1 failed, 1 passed" in run("--exitfirst")
    (tmp_path / "again").touch()
    second = run("--not-passed")
    assert "2 passed, 1 deselected" in second
    assert "test_first" not in second
    assert "3 deselected" in run("--not-passed")


@pytest.mark.parametrize(
    ("codes", "expected", "is_said"),
    [((0,), 0, False), ((1, 0), 0, False), ((1, 1), 1, False), ((2, 0), 0, True), ((124, 2), 2, True)],
)
def test_a_second_try_decides(tmp_path: Path, codes: tuple[int, ...], expected: int, is_said: bool) -> None:
    for name, text in {
        ".ci/run": (ROOT / ".ci" / "run").read_text(encoding="utf-8"),
        "make": "#!/bin/sh\n",
        "codes": " ".join(map(str, codes)),
        ".venv/bin/python": '#!/bin/sh\necho "$*" >>calls\nset -- $(cat codes)\ncode=$1\nshift\n'
        'echo "$*" >codes\nexit "$code"\n',
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    ran = subprocess.run(
        [tmp_path / ".ci" / "run"],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )

    calls = (tmp_path / "calls").read_text(encoding="utf-8").splitlines()
    assert ran.returncode == expected
    assert ("NOT DONE: the slow tests did not end" in ran.stdout) == is_said
    assert [call.endswith("--not-passed") for call in calls] == [False, True][: len(codes)]
