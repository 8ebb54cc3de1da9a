"""Candidates that are the same byte for byte are rendered once, and score as if each had been rendered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.measuring.executors import score_pairs, serial
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings

PAGE = """<!doctype html><title>x</title><link rel=stylesheet href="../style.css">
<h1>Sign in</h1><img src=missing.png>"""
COLORS = {"1": "teal", "2": "teal", "3": "teal", "4": "gold"}


@pytest.fixture
def pairs(tmp_path: Path) -> list[Pair]:
    """Four samples: three alike, the fourth with another style sheet under the same name."""
    (tmp_path / "designs").mkdir()
    (tmp_path / "designs" / "login.html").write_text("<!doctype html><title>x</title><h1>Sign in</h1>")
    for sample, color in COLORS.items():
        folder = tmp_path / f"sample-{sample}" / "pages"
        folder.mkdir(parents=True)
        (folder.parent / "style.css").write_text(f"h1 {{ color: {color} }}")
        (folder / f"{sample}.html").write_text(PAGE)
    subjects = {sample: Subject(id=sample, case="login", sample=sample) for sample in COLORS}
    return [
        Pair(subject, "designs/login.html", f"sample-{sample}/pages/{sample}.html", tmp_path)
        for sample, subject in subjects.items()
    ]


def scored(
    pairs: Sequence[Pair], renderer: Renderer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Evaluation], list[str]]:
    """Score pairs; give the evaluations, and the pages that were rendered."""
    rendered: list[str] = []
    read = renderer._read

    def reading(launched: Any, document: Any, *more: Any) -> Any:
        rendered.append(document.label)
        return read(launched, document, *more)

    with monkeypatch.context() as patched:
        patched.setattr(renderer, "_read", reading)
        patched.setattr(serial, "open_renderer", lambda settings: nullcontext(renderer))
        return list(score_pairs(pairs, settings=settings)), rendered


def test_three_identical_samples_are_rendered_once_and_score_as_three(
    pairs: list[Pair],
    renderer: Renderer,
    make_renderer: Callable[..., Renderer],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cache = tmp_path / "cache"

    once, rendered = scored(
        pairs, make_renderer(cache_folder=cache), Settings(cache_folder=cache, audit=False), monkeypatch
    )
    each, all_rendered = scored(pairs, renderer, Settings(audit=False), monkeypatch)

    assert rendered == ["designs/login.html", "sample-1/pages/1.html", "sample-4/pages/4.html"]
    assert len(all_rendered) == 8
    assert once == each
    digests = [one.candidate_digest for one in once]
    assert len({*digests[:3]}) == 1
    assert digests[3] not in (None, digests[0])
    assert [one.candidate for one in once] == [pair.candidate for pair in pairs]
