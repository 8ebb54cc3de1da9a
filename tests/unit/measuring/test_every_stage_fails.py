"""Whatever any stage raises becomes that page's error, with its type, and takes no other page with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y import exceptions
from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.measuring import checks, conditions, measures, pipeline, sources
from pytest_design2a11y.measuring.executors import serial
from pytest_design2a11y.measuring.executors.serial import score_pair
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.run import shown_page
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings
from tests.fake_renderer import FakeRenderer

OWN = [
    one for one in vars(exceptions).values() if isinstance(one, type) and issubclass(one, Design2a11yError)
]
OTHERS = [
    ArithmeticError, AssertionError, AttributeError, EOFError, FileNotFoundError, ImportError, IndexError,
    KeyError, LookupError, MemoryError, NotImplementedError, OSError, OverflowError, PermissionError,
    RecursionError, RuntimeError, StopIteration, SyntaxError, TimeoutError, TypeError, UnicodeError,
    ValueError, ZeroDivisionError,
]  # fmt: skip
STAGES = ("read_document", "capture", "find_seen_text", "match_blocks", "embedded_appearance",
          "score_matching", "rates", "conditions_of")  # fmt: skip
#: What happens around the stages.
STEPS = ("visual_score", "page_rates", "delivered_text", "measure_accessibility", "measure_probes",
         "as_compared", "design_warnings", "kept_pictures", "count_failures", "named",
         "require_same_layout", "require_unread", "capture_source")  # fmt: skip


def scored(folder: Path, renderer: Any, **settings: Any) -> Evaluation:
    page = folder / "page.html"
    page.write_text("<!DOCTYPE html><h1>Soup</h1>")
    pair = Pair(Subject(id="1", case=""), str(page), str(page), folder)
    return score_pair(pair, renderer=renderer, settings=Settings(**settings))


def raising(error: Exception) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes most of the time of a score, and comes before many stages."""
    monkeypatch.setattr(measures, "embedded_appearance", lambda **_: 1.0)


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("stage", STAGES)
def test_any_error_of_any_stage_is_that_page_s_error(
    stage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    renderer = FakeRenderer()
    owners = (renderer, sources, pipeline, measures, checks, conditions)
    owner = next(one for one in owners if hasattr(one, stage))
    for kind in (*OWN, *OTHERS):
        monkeypatch.setattr(owner, stage, raising(kind("of the test")))

        evaluation = scored(tmp_path, renderer)

        assert evaluation.error is not None, kind
        assert evaluation.error.type == kind.__name__
        assert "of the test" in evaluation.error.message, kind


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("kind", [KeyError, OSError, MemoryError, RecursionError, UnicodeError])
def test_any_error_around_the_stages_is_that_page_s_error(
    kind: type[Exception], step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail = raising(kind("of the test"))
    for owner in (pipeline, measures, checks, serial):
        if hasattr(owner, step):
            monkeypatch.setattr(owner, step, fail)

    evaluation = scored(tmp_path, FakeRenderer(), picture_folder=tmp_path / "pictures")

    assert evaluation.error is not None
    assert evaluation.error.type == kind.__name__
    assert "of the test" in evaluation.error.message


class Unspeakable(Exception):
    """An error of a library that cannot be told."""

    def __str__(self) -> str:
        raise ValueError("no text")


@pytest.mark.parametrize("stage", ["capture", "find_seen_text", "rates"])
def test_an_error_without_a_text_is_told_by_its_type(
    stage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    renderer = FakeRenderer()
    owner = next(one for one in (renderer, conditions, measures, checks) if hasattr(one, stage))
    monkeypatch.setattr(owner, stage, raising(Unspeakable()))

    evaluation = scored(tmp_path, renderer)

    assert evaluation.error is not None
    assert evaluation.error.type == "Unspeakable"


def test_without_an_error_there_is_a_score(tmp_path: Path) -> None:
    """Or the test above could not fail."""
    evaluation = scored(tmp_path, FakeRenderer())

    assert evaluation.visual is not None
    assert evaluation.visual.score == 1.0
    assert evaluation.error is None


def test_pictures_that_cannot_be_written_are_a_warning(tmp_path: Path) -> None:
    """`.design2a11y` is a file, the disk is full, or it is read-only: the numbers are good all the same."""
    (tmp_path / ".design2a11y").write_text("")

    evaluation = scored(tmp_path, FakeRenderer(), picture_folder=tmp_path / ".design2a11y" / "pictures")

    assert evaluation.visual is not None
    assert "pictures_not_kept" in [warning.code for warning in evaluation.warnings]
    assert "Not a directory" in evaluation.warnings[-1].message


def told(pair: Pair) -> Evaluation:
    renderer: Any = FakeRenderer()
    return score_pair(pair, renderer=renderer, settings=Settings())


NO_PAGE = [
    ("I cannot do that.", "reads like a model's refusal"),
    ("```html\n```", "is plain text, not a page"),
    ("```html\n{% for x in y %}<p>{{ x }}</p>{% endfor %}\n```", "is a component's source code"),
    ("<!doctype html><html><body></body></html>", "has an empty body"),
]


@pytest.mark.parametrize(("text", "why"), NO_PAGE)
@pytest.mark.parametrize("kind", [str, Answer])
def test_a_text_that_is_no_page_is_told_by_the_name_of_its_pair(
    text: str, why: str, kind: type[str], tmp_path: Path
) -> None:
    (tmp_path / "design.html").write_text("<h1>Soup</h1>")
    pair = Pair(Subject(id="seven", case=""), "design.html", kind(text), tmp_path)

    evaluation = told(pair)

    assert (shown_page(evaluation), evaluation.case) == ("seven", "design")
    name = "The answer" if kind is Answer else "The HTML text"
    assert evaluation.error is not None
    assert f"{name} {why}" in evaluation.error.message


@pytest.mark.parametrize(("text", "why"), NO_PAGE)
def test_a_design_that_is_no_page_is_told_as_the_design(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<h1>Soup</h1>")
    pair = Pair(Subject(id="seven", case=""), text, "page.html", tmp_path)

    evaluation = told(pair)

    assert shown_page(evaluation, "reference") == "seven"
    assert evaluation.error is not None
    assert f"The design's HTML text {why}" in evaluation.error.message
