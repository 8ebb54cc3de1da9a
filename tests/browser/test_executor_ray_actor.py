"""The actor of the Ray executor, called without Ray: what it refuses, and what it sends back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.measuring.conditions import machine_conditions
from pytest_design2a11y.measuring.executors.ray import Actor, ScoredPair, digests_of
from pytest_design2a11y.measuring.executors.serial import score_serially
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.measuring.sources import open_renderer
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings


@pytest.mark.slow
def test_an_actor_scores_as_one_process_does_and_refuses_what_it_does_not_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("design.html").write_text("<title>x</title><h1>Design</h1>")
    pair = Pair(Subject("1", ""), "design.html", Answer("<title>x</title><h1>Page</h1>"), Path())
    settings = Settings(cache_folder=tmp_path / "cache", picture_folder=tmp_path / "pictures")
    # Other tests have Playwright running in this thread.
    with ThreadPoolExecutor(1) as thread:
        conditions = thread.submit(_conditions_here, settings).result()
        (expected,) = thread.submit(lambda: list(score_serially([pair], settings=settings))).result()

    actor = Actor(settings, str(tmp_path), {**conditions, "platform": "another kernel"}, "command")
    try:
        first = actor.score(pair, digests_of(pair))
        unseen = actor.score(pair, ["0" * 64, None])

        assert isinstance(first, ScoredPair)
        assert first.evaluation == expected
        written = {path.name: path.read_bytes() for path in (tmp_path / "pictures").iterdir()}
        assert len(written) == 4
        assert first.pictures == written
        assert isinstance(unseen, ScoredPair)
        assert unseen.evaluation.error is not None
        assert unseen.evaluation.error.type == "NodeDiffers"
        assert (unseen.evaluation.visual, unseen.evaluation.accessibility) == (None, None)

        actor._conditions, actor._is_started = {**conditions, "fonts": "others", "chromium": "1.0"}, False
        refused = str(actor.score(pair, digests_of(pair)))
        assert "differs from the machine that asks it in: chromium, fonts." in refused
        actor._folder = str(tmp_path / "nowhere")
        refused = str(actor.start())
        assert "A node does not have the working directory." in refused
        assert str(tmp_path) not in refused
    finally:
        actor.stop()


def _conditions_here(settings: Settings) -> dict[str, Any]:
    with open_renderer(settings) as renderer:
        return machine_conditions(renderer, settings)
