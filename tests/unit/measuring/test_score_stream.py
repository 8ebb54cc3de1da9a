"""One pair is scored in a thread while the next one is rendered: nothing else may change by that."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.measuring import pipeline
from pytest_design2a11y.measuring.executors import serial
from pytest_design2a11y.measuring.executors.serial import score_pair, score_serially, score_stream
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.measuring.pipeline import evaluate
from pytest_design2a11y.measuring.sources import capture_source
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings
from tests.fake_renderer import FakeRenderer

SECONDS = 5.0
IDS = ("a", "b", "c", "d")
AS_BROWSER: Any = FakeRenderer()


@pytest.fixture
def pairs(tmp_path: Path) -> list[Pair]:
    for name in IDS:
        (tmp_path / f"{name}.html").write_text(f"<!DOCTYPE html><h1>{name}</h1>")
    return [Pair(Subject(id=name, case=""), "a.html", f"{name}.html", tmp_path) for name in IDS]


def stream(pairs: Any, renderer: Any = None) -> Iterator[Evaluation]:
    return score_stream(pairs, opened=lambda: renderer or AS_BROWSER, settings=Settings())


def threads_left() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name == "design2a11y-behind"]


def test_results_are_those_of_single_pairs_in_input_order(pairs: list[Pair]) -> None:
    alone = [score_pair(pair, renderer=AS_BROWSER, settings=Settings()) for pair in pairs]

    assert list(stream(pairs)) == alone
    assert [one.id for one in alone] == list(IDS)
    assert threads_left() == []


def test_a_pair_is_scored_while_the_next_one_is_rendered(
    pairs: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each waits for the other: one after the other they would never come to an end."""
    is_rendering, is_scoring = threading.Event(), threading.Event()

    def score(subject: Subject, **given: Any) -> Evaluation:
        if subject.id == "a":
            is_scoring.set()
            assert is_rendering.wait(SECONDS)
        return evaluate(subject, **given)

    class Meeting(FakeRenderer):
        def capture(self, document: Document, *, role: Any, **how: Any) -> Capture:
            if document.label == "b.html":
                is_rendering.set()
                assert is_scoring.wait(SECONDS)
            return super().capture(document, role=role, **how)

    monkeypatch.setattr(pipeline, "evaluate", score)

    found = list(stream(pairs[:2], Meeting()))

    assert [one.error for one in found] == [None, None]


def test_one_pair_is_taken_ahead(pairs: list[Pair]) -> None:
    taken: list[str] = []

    def given() -> Iterator[Pair]:
        for pair in pairs:
            taken.append(pair.subject.id)
            yield pair

    ready = [(one.id, len(taken)) for one in stream(given())]

    assert ready == [("a", 2), ("b", 3), ("c", 4), ("d", 4)]


def test_a_fault_of_either_stage_is_its_pair_s_only(
    pairs: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    (pairs[1].folder / "b.html").unlink()

    def score(subject: Subject, **given: Any) -> Evaluation:
        if subject.id == "c":
            raise MemoryError("of the test")
        return evaluate(subject, **given)

    monkeypatch.setattr(pipeline, "evaluate", score)

    found = {one.id: one for one in stream(pairs)}

    assert list(found) == list(IDS)
    errors = {name: one.error and one.error.type for name, one in found.items()}
    assert errors == {"a": None, "b": "SourceNotFound", "c": "MemoryError", "d": None}
    assert found["c"].visual is None
    assert found["d"].visual is not None


def test_what_was_scored_comes_before_the_error_that_ends_the_pairs(pairs: list[Pair]) -> None:
    def given() -> Iterator[Pair]:
        yield from pairs[:2]
        raise OSError("The file of pairs is gone.")

    found = stream(given())

    assert [next(found).id, next(found).id] == ["a", "b"]
    with pytest.raises(OSError, match="pairs is gone"):
        next(found)
    assert threads_left() == []


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What has ended, in order: scoring, which takes its time here, and the browser."""
    ended: list[str] = []

    def slow(subject: Subject, **given: Any) -> Evaluation:
        time.sleep(0.05)
        ended.append(f"scored {subject.id}")
        return evaluate(subject, **given)

    monkeypatch.setattr(pipeline, "evaluate", slow)
    return ended


def opened(monkeypatch: pytest.MonkeyPatch, steps: list[str], renderer: Any) -> None:
    """Return `score_serially` a renderer whose closing is noted."""

    @contextmanager
    def open_renderer(settings: Settings) -> Iterator[Any]:
        try:
            yield renderer
        finally:
            steps.append("closed")

    monkeypatch.setattr(serial, "open_renderer", open_renderer)


def test_closing_early_ends_the_thread_then_the_browser(
    pairs: list[Pair], steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(monkeypatch, steps, AS_BROWSER)
    found = score_serially(pairs, settings=Settings())
    assert next(found).id == "a"

    found.close()

    assert steps == ["scored a", "scored b", "closed"]
    assert threads_left() == []


class Interrupted(FakeRenderer):
    """Ctrl-C comes while the second pair is rendered."""

    def capture(self, document: Document, *, role: Any, **how: Any) -> Capture:
        if document.label == "b.html":
            raise KeyboardInterrupt
        return super().capture(document, role=role, **how)


def test_ctrl_c_ends_the_thread_then_the_browser(
    pairs: list[Pair], steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(monkeypatch, steps, Interrupted())

    with pytest.raises(KeyboardInterrupt):
        list(score_serially(pairs, settings=Settings()))

    assert steps == ["scored a", "closed"]
    assert threads_left() == []


def test_ctrl_c_does_not_wait_for_a_page_that_takes_its_time(
    pairs: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial, "PATIENCE", 0.05)
    may_end = threading.Event()
    monkeypatch.setattr(pipeline, "evaluate", lambda *_, **__: may_end.wait(SECONDS))
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            list(stream(pairs, Interrupted()))
        assert time.monotonic() - start < SECONDS / 2
    finally:
        may_end.set()


def test_captures_of_two_pairs_are_held_at_most(pairs: list[Pair], monkeypatch: pytest.MonkeyPatch) -> None:
    """The pair that is scored and the one that is rendered; while a result is out, the one that is scored."""
    made: list[weakref.ref[Capture]] = []
    gc.freeze()  # All that was there before: looked through each time, it would take most of the time.

    def held() -> int:
        gc.collect()
        return sum(one() is not None for one in made)

    def counting(*given: Any, **how: Any) -> Capture:
        most_held.append(held())
        capture = capture_source(*given, **how)
        made.append(weakref.ref(capture))
        return capture

    most_held: list[int] = []
    monkeypatch.setattr(serial, "capture_source", counting)

    held_with_result = [held() for _ in stream(pairs)]
    gc.unfreeze()

    assert len(made) == 8
    assert max(most_held) <= 3
    assert max(held_with_result) <= 2
    assert held_with_result[-1] == 0
