"""Pages as real tools build them are captured as a person finds them in the end, and twice the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from studies.trials.situations.scoring import limits_of, score
from studies.trials.situations.table import read_situations

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser

    from pytest_design2a11y.capture.renderer import Renderer
    from studies.trials.situations.scoring import Outcome
    from studies.trials.situations.table import Situation

# Each for something that no other here has; the slow test has them all.
TELLING = {
    "vue-hydrated": "markup of a server that scripts take over",
    "reveal": "text that shows once it is scrolled to",
    "react-fetch": "absolute /assets, then data, then a render that a scheduler puts off",
    "fetch-chain": "requests and timers in turns",
    "worker-module": "a worker that loads modules and data",
    "cdn-recorded": "assets from elsewhere, recorded",
}
SITUATIONS = {situation.name: situation for situation in read_situations()}


@pytest.fixture
def renderer_of(
    renderer: Renderer, make_renderer: Callable[..., Renderer], tmp_path: Path
) -> Callable[[Situation], Renderer]:
    """Return the renderer of all tests, or one with settings that a situation needs."""

    def choose(situation: Situation) -> Renderer:
        limits = limits_of(situation, tmp_path / "assets")
        return make_renderer(**limits) if limits else renderer

    return choose


@pytest.mark.alike(2)
@pytest.mark.parametrize("name", TELLING)
def test_a_page_is_captured_as_it_settles(
    name: str, chromium: Browser, renderer_of: Callable[[Situation], Renderer]
) -> None:
    situation = SITUATIONS[name]

    (outcome,) = score(situation, browser=chromium, renderer=renderer_of(situation), rest=0.3)

    _is_as_seen(outcome)


@pytest.mark.slow(is_long=True)
@pytest.mark.parametrize("name", SITUATIONS)
def test_every_situation_is_captured_twice_as_it_settles(
    name: str, chromium: Browser, renderer_of: Callable[[Situation], Renderer]
) -> None:
    situation = SITUATIONS[name]

    first, second = score(situation, browser=chromium, renderer=renderer_of(situation), times=2)

    _is_as_seen(first)
    assert second.is_same_as(first)


def _is_as_seen(outcome: Outcome) -> None:
    assert outcome.error == ""
    assert outcome.score == 1.0, outcome.warnings
    assert outcome.is_text_equal
    assert outcome.differing == 0.0
