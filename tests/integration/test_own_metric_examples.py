"""The examples of metrics and of an engine run, as users would run them, and each fits on a screen."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import shutil
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pytest_design2a11y import Scorer
from pytest_design2a11y.extending import Pages
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.registry import forget_taken

EXAMPLES = Path(__file__).parents[2] / "examples"
OWN = EXAMPLES / "own_metrics"
TOKENS = json.loads((OWN / "tokens.json").read_text())
PAGE = """<!doctype html><html lang="en"><title>Plan</title>
<body style="background:#fff;color:{ink};font:24px sans-serif"><h1>Choose a plan</h1>
<div style="background:{brand};width:300px;height:80px"></div><p>Everything in one place.</p>"""
IN_PALETTE = PAGE.format(**TOKENS)
OUT_OF_PALETTE = PAGE.format(ink=TOKENS["ink"], brand="#ff00aa")


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    before = dict(METRICS)
    yield
    METRICS.clear()
    METRICS.update(before)
    forget_taken()


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, OWN / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", sorted(OWN.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_has_less_than_80_lines(path: Path) -> None:
    assert len(path.read_text().splitlines()) < 80


@pytest.mark.usefixtures("in_one_browser")
def test_palette_and_judge(tmp_path: Path) -> None:
    files = [str(OWN / "palette.py"), str(OWN / "judge.py")]
    with Scorer(metrics=files, cache_folder=tmp_path, audit=False) as scorer:
        inside = scorer.score(IN_PALETTE, IN_PALETTE)
        outside = scorer.score(IN_PALETTE, OUT_OF_PALETTE)
        again = scorer.score(IN_PALETTE, OUT_OF_PALETTE)

    assert inside.metrics == {"palette": 1.0, "grade": 1.0}
    (found,) = outside.metric_findings["palette"]
    assert found.message == "div has #ff00aa, a color of no token"
    assert found.box is not None
    assert found.box[2:] == (300, 80)
    assert outside.metrics["palette"] < 0.7  # type: ignore[operator]
    assert outside.metrics["grade"] == 1 - round(300 * 80 / (1280 * 720) * 10, 1) / 10
    assert again.metrics == outside.metrics
    assert len(list((tmp_path / "metrics").glob("grade-*.json"))) == 2


def test_a_judge_asks_again_and_keeps_its_budget() -> None:
    judge = example("judge")
    asked: list[str] = []

    async def mute(prompt: str, pictures: list[bytes]) -> str:
        asked.append(prompt)
        return "well"

    class Page:
        screenshot = type("Shot", (), {"png": b""})()

    pages: Any = Pages(Page(), Page())  # type: ignore[arg-type]
    one = judge.Judge(mute, model="m", budget=4)

    # In a thread of its own: Playwright may have left a loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        reason = thread.submit(asyncio.run, one(pages)).result().reason
        assert reason == "no grade in 3 answers, the last one 'well'"
        with pytest.raises(judge.BudgetSpent, match="the budget of m is spent"):
            thread.submit(asyncio.run, one(pages)).result()
    assert len(asked) == 4


@pytest.mark.usefixtures("in_one_browser")
def test_perceptual() -> None:
    pytest.importorskip("skimage", reason="scikit-image is not installed")
    with Scorer(metrics=[str(OWN / "perceptual.py")], audit=False) as scorer:
        same = scorer.score(IN_PALETTE, IN_PALETTE).metrics["ssim"]
        other = scorer.score(IN_PALETTE, OUT_OF_PALETTE).metrics["ssim"]

    assert same == pytest.approx(1.0)
    assert other is not None
    assert other < 1


@pytest.fixture(scope="session")
def ace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script of IBM Equal Access, from npm."""
    npm, folder = shutil.which("npm"), tmp_path_factory.mktemp("ace")
    if npm is None:
        pytest.skip("npm is not installed")
    name = "accessibility-checker-engine@4.0.34"
    try:
        command = [npm, "pack", "--silent", name]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
    except (subprocess.SubprocessError, OSError) as error:
        pytest.skip(f"npm cannot fetch {name}: {error}")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        for file in ("package/ace.js", "package/package.json"):
            archive.extract(file, folder, filter="data")
    return folder / "package" / "ace.js"


@pytest.mark.slow
@pytest.mark.usefixtures("in_one_browser")
def test_engine_counts_beside_axe_on_ten_pages(ace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACE_SCRIPT", str(ace))
    pages = [*(EXAMPLES / "generated").rglob("*.html"), *(EXAMPLES / "designs").glob("*.html")]
    assert len(pages) == 9

    with Scorer(metrics=[str(OWN / "engine.py")], engines="axe,ibm", timeout=60) as scorer:
        found = [scorer.audit(str(page)) for page in pages]
        bad = scorer.audit("<!doctype html><title>t</title><img src='data:,'><input>")

    assert [one.error for one in found] == [None] * 9
    assert {tuple(one.engines) for one in [*found, bad]} == {("axe", "ibm")}
    assert all(one.engines["ibm"].checked is None for one in found)
    assert {one.engines["ibm"].version for one in found} == {"4.0.34"}
    failed = Counter[str]()
    for rule in (rule for one in found for audit in one.audits.values() for rule in audit.rules):
        failed[rule.rule] += rule.num_violations
    # On gradients and placeholders they differ
    assert 0.5 < failed["text_contrast_sufficient"] / failed["color-contrast"] <= 1, failed
    assert bad.engines["ibm"].failed >= 2
    assert "img_alt_valid" in {rule.rule for rule in bad.further_audits["ibm"].rules}
