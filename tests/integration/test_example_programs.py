"""The recipes for other programs run, as those programs would run them."""

from __future__ import annotations

import ast
import asyncio
import importlib.util
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pytest_design2a11y import Scorer

EXAMPLES = Path(__file__).parents[2] / "examples"
DESIGN = str(EXAMPLES / "designs" / "signup.html")
NOTEBOOK = EXAMPLES / "programs" / "notebook.ipynb"
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
    assert good["score"] > 0.8
    assert set(good["namedScores"]) == {"visual", "elements", "typography"}
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
    assert good > 0.8
    assert refused == 0.0
    assert unseen is None


@pytest.mark.skipif(importlib.util.find_spec("deepeval") is None, reason="needs deepeval")
@pytest.mark.slow
def test_deepeval(scorer: Scorer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
    monkeypatch.chdir(tmp_path)
    from deepeval import evaluate
    from deepeval.evaluate import AsyncConfig, DisplayConfig, ErrorConfig
    from deepeval.test_case import LLMTestCase

    def case(answer: str, design: str = DESIGN) -> LLMTestCase:
        return LLMTestCase(input="Build it.", actual_output=answer, expected_output=design)

    metric = example("deepeval_metric").DesignSimilarity(scorer)
    assert metric.measure(case(PAGE)) > 0.8
    assert metric.is_successful()
    assert set(metric.score_breakdown) == {"visual", "elements", "typography"}

    def run() -> list[Any]:
        cases = [case(PAGE), case("I'm sorry, but I can't help with that."), case(PAGE, "no/such.html")]
        quiet = DisplayConfig(print_results=False, show_indicator=False)
        result = evaluate(
            cases,
            [metric],
            async_config=AsyncConfig(),
            display_config=quiet,
            error_config=ErrorConfig(ignore_errors=True),
        )
        # DeepEval leaves the loop open that it made for this thread.
        asyncio.get_event_loop().close()
        # They come as each is ready.
        found = sorted(result.test_results, key=lambda one: one.index)
        return [data for one in found for data in one.metrics_data or ()]

    # Playwright's loop may run in this thread, for the browser of other tests.
    with ThreadPoolExecutor(1) as thread:
        good, refused, unseen = thread.submit(run).result()

    assert good.success
    assert good.score > 0.8
    assert (refused.success, refused.score) == (False, 0.0)
    assert "reads like a model's refusal" in refused.reason
    assert not unseen.success
    assert unseen.score is None
    assert "no/such.html" in unseen.error


@pytest.mark.slow
def test_notebook_in_a_running_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(NOTEBOOK.parent)
    names: dict[str, Any] = {}

    async def run() -> None:
        for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                compiled = compile("".join(cell["source"]), "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
                waiting = eval(compiled, names)
                await (waiting or asyncio.sleep(0))

    # Playwright's loop may run in this thread, for the browser of other tests.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(run())).result()

    assert names["evaluation"].visual.score > 0.9
    assert "reads like a model's refusal" in names["refused"].error.message
    assert names["scores"].keys() == {"prompt-a", "prompt-b"}
    assert None not in names["scores"].values()


@pytest.mark.skipif(importlib.util.find_spec("nbclient") is None, reason="needs nbclient and ipykernel")
@pytest.mark.slow
def test_notebook_in_a_kernel() -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()

    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert "prompt-b" in outputs[-1]["data"]["text/plain"]


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

    assert found.value > 0.8
    assert found.metadata["ir"] < 0.1
