"""References are captured once; --no-cache and pytest's --cache-clear."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project

TEST = """
def test_pair(render):
    reference = render("designs/login.html", role="reference")
    print("SCORE", repr(float(assert_visual_similarity(reference, render("generated/login.html")))))
"""


def score(project: Project, *options: str) -> str:
    pages = ("designs/login.html", "generated/login.html")
    command = [sys.executable, "-m", "pytest_design2a11y", "score", *pages, "--json", *options]
    return subprocess.run(
        command, cwd=project.path, capture_output=True, text=True, timeout=240, check=True
    ).stdout


@pytest.mark.slow
def test_a_cached_reference_gives_the_same_result_bit_for_bit(project: Project) -> None:
    folder = project.path / ".design2a11y/cache/captures"
    folder.unlink()  # Other projects' captures

    uncached = score(project, "--no-cache")
    assert not folder.exists()
    fresh, cached = score(project), score(project)

    assert len(list(folder.iterdir())) == 1
    assert uncached == fresh == cached


@pytest.mark.slow
def test_pytest_keeps_captures_in_its_cache_and_clears_them(project: Project) -> None:
    project.test_file(TEST)
    entries = project.path / ".pytest_cache/d/design2a11y/captures"
    entries.unlink()

    first, second = (project.pytester.runpytest_subprocess("-s", timeout=240) for _ in range(2))
    kept = sorted(entries.iterdir())
    project.pytester.runpytest_subprocess("--cache-clear", "--co", "-q", timeout=240)

    scores = {line for run in (first, second) for line in run.outlines if "SCORE" in line}
    assert len(scores) == 1
    assert len(kept) == 1
    assert not entries.exists()
