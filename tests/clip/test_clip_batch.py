"""Many pairs in one process: in input order, as soon as each is ready, with CLIP's pictures in batches."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.measuring import conditions
from pytest_design2a11y.measuring.executors import score_pairs, serial
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.visual.clip.model import Model

_MISSING = [name for name in ("torch", "open_clip", "cv2") if importlib.util.find_spec(name) is None]
needs_clip = pytest.mark.skipif(
    bool(_MISSING), reason=f"needs the extra `clip`: {', '.join(_MISSING)} missing"
)

_MODEL = "batch-tiny"
_COLORS = ("teal", "gold", "navy", "coral", "plum")


@pytest.fixture(autouse=True)
def one_renderer(monkeypatch: pytest.MonkeyPatch, renderer: Renderer) -> None:
    """The session's browser stands for the one that a batch starts."""
    monkeypatch.setattr(serial, "open_renderer", lambda settings: nullcontext(renderer))


@pytest.fixture
def pairs(tmp_path: Path) -> list[Pair]:
    """Five pages of other colours, each beside the first; the fourth is not there."""
    for color in _COLORS:
        html = f"<title>x</title><h1>Page</h1><div style='height: 300px; background: {color}'></div>"
        (tmp_path / f"{color}.html").write_text(html)
    (tmp_path / "coral.html").unlink()
    return [Pair(Subject(id=color, case=""), "teal.html", f"{color}.html", tmp_path) for color in _COLORS]


@pytest.fixture(scope="module")
def weights(make_tiny_clip: Callable[..., Path]) -> Path:
    """A small seeded model, saved as real weights are."""
    return make_tiny_clip(_MODEL, 1) / "1.pt"


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pictures the model was given, each time."""
    return counted(monkeypatch, Model, "features", lambda given: len(given[1]))


def counted(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, note: Callable[[Sequence[Any]], int]
) -> list[int]:
    """Note something of each call of a function."""
    noted: list[int] = []
    function = getattr(owner, name)

    def noting(*given: Any, **named: Any) -> Any:
        noted.append(note(given))
        return function(*given, **named)

    monkeypatch.setattr(owner, name, noting)
    return noted


def appearances(evaluations: Iterator[Evaluation]) -> dict[str, float | None]:
    return {one.id: None if one.visual is None else one.visual.appearance for one in evaluations}


@pytest.mark.slow
def test_each_result_comes_after_one_more_pair_was_rendered(
    pairs: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered = counted(monkeypatch, serial, "capture_source", lambda given: 1)

    ready = [(one.id, len(rendered)) for one in score_pairs(pairs, settings=Settings(audit=False))]

    # That a page of "coral" is missing is known without rendering.
    assert ready == [("teal", 4), ("gold", 6), ("navy", 6), ("coral", 8), ("plum", 8)]


@needs_clip
def test_the_pictures_of_several_pairs_are_embedded_together(
    pairs: list[Pair], weights: Path, batches: list[int]
) -> None:
    settings = Settings(appearance=f"clip:{_MODEL}@{weights}", clip_batch=6)

    found = appearances(score_pairs(pairs, settings=settings))

    # Of the first three pairs, all references and the first candidate are one picture; then comes one more.
    assert batches == [3, 1]
    assert list(found) == list(_COLORS)
    assert found["teal"] == 1.0
    assert found["coral"] is None


@needs_clip
@pytest.mark.slow
def test_scores_do_not_depend_on_the_size_of_the_batch(pairs: list[Pair], weights: Path) -> None:
    settings = Settings(appearance=f"clip:{_MODEL}@{weights}")

    found = [
        appearances(score_pairs(pairs, settings=replace(settings, clip_batch=size))) for size in (1, 4, 16)
    ]

    assert found[0] == found[1] == found[2]


@pytest.mark.slow
@needs_clip
def test_embeddings_are_kept_on_disk_between_runs(
    pairs: list[Pair], weights: Path, batches: list[int], tmp_path: Path
) -> None:
    settings = Settings(appearance=f"clip:{_MODEL}@{weights}", cache_folder=tmp_path / "cache")
    first = appearances(score_pairs(pairs, settings=settings))
    conditions.clip_backend.cache_clear()

    second = appearances(score_pairs(pairs, settings=settings))

    assert batches == [4]
    assert second == first


@needs_clip
@pytest.mark.slow
def test_a_picture_that_cannot_be_embedded_fails_its_own_pair_only(
    pairs: list[Pair], weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(appearance=f"clip:{_MODEL}@{weights}", clip_batch=16)
    compute = Model.features

    def without_navy(self: Model, images: Sequence[Any]) -> Any:
        rows = compute(self, images)
        for row, image in zip(rows, images, strict=True):
            if image.getpixel((image.width // 2, image.height // 3)) == (0, 0, 128):
                row[:] = float("nan")
        return rows

    monkeypatch.setattr(Model, "features", without_navy)
    conditions.clip_backend.cache_clear()
    found = {one.id: one for one in score_pairs(pairs, settings=settings)}

    assert found["navy"].visual is None
    assert found["navy"].error is not None
    assert found["navy"].error.type == "AppearanceUnavailable"
    assert [name for name, one in found.items() if one.visual is not None] == ["teal", "gold", "plum"]
