"""The actor of the Ray executor, called without Ray."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pytest_design2a11y.measuring.executors.ray import Actor
from pytest_design2a11y.measuring.executors.serial import score_serially
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings


@pytest.mark.slow
def test_an_actor_scores_as_one_process_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("design.html").write_text("<title>x</title><h1>Design</h1>")
    pair = Pair(Subject("1", ""), "design.html", Answer("<title>x</title><h1>Page</h1>"), Path())
    settings = Settings(cache_folder=tmp_path / "cache", picture_folder=tmp_path / "pictures")
    # Other tests have Playwright running in this thread.
    with ThreadPoolExecutor(1) as thread:
        (expected,) = thread.submit(lambda: list(score_serially([pair], settings=settings))).result()

    actor = Actor(settings, str(tmp_path), "command")
    try:
        assert actor.start() is None
        assert actor.score(pair) == expected

        actor._folder = str(tmp_path / "nowhere")
        refused = str(actor.start())
        assert "A node does not have the working directory." in refused
        assert str(tmp_path) not in refused
    finally:
        actor.stop()
