"""The recipes for other programs run, as those programs would run them."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from pytest_design2a11y import Scorer

EXAMPLES = Path(__file__).parents[2] / "examples"
DESIGN = str(EXAMPLES / "designs" / "signup.html")
PAGE = (EXAMPLES / "generated" / "prompt-a" / "signup.html").read_text(encoding="utf-8")


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / "programs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def scorer() -> Iterator[Scorer]:
    with Scorer(timeout=20) as found:
        yield found


def test_promptfoo(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    module = example("promptfoo_assertion")
    monkeypatch.setattr(module, "scorer", lambda: scorer)

    good = module.get_assert(f"```html\n{PAGE}\n```", {"vars": {"design": DESIGN}})
    bad = module.get_assert("I'm sorry, but I can't help with that.", {"vars": {"design": DESIGN}})

    assert good["pass"]
    assert good["score"] > 0.9
    assert set(good["namedScores"]) == {"block_match", "text", "position", "color", "appearance"}
    assert (bad["pass"], bad["score"]) == (False, 0.0)
    assert "reads like a model's refusal" in bad["reason"]


def test_rewards(scorer: Scorer) -> None:
    rewards = example("training_reward").rewards

    good, refused, unseen = rewards(
        [PAGE, "I'm sorry, but I can't help with that.", PAGE],
        [DESIGN, DESIGN, "no/such/design.html"],
        scorer=scorer,
    )

    assert good is not None
    assert good > 0.9
    assert refused == 0.0
    assert unseen is None


@pytest.mark.skipif(importlib.util.find_spec("inspect_ai") is None, reason="needs inspect-ai")
@pytest.mark.slow
def test_inspect() -> None:
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    score = example("inspect_scorer").design_similarity(timeout=20)
    output = ModelOutput.from_content("a model", PAGE)
    state = TaskState("a model", sample_id=1, epoch=1, input="Build it.", messages=[], output=output)

    # Playwright's loop may run in this thread, for the browser of other tests.
    with ThreadPoolExecutor(1) as thread:
        found = thread.submit(lambda: asyncio.run(score(state, Target(DESIGN)))).result()

    assert found.value > 0.9
    assert found.metadata["ir"] < 0.1
