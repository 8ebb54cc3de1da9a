"""What is public for extensions is described, and ours come by the same hooks. Signatures: docs/api.md."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y import extending
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.extending import Engine, Executor, Probe, Reader
from pytest_design2a11y.measuring.executors import score_pairs
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.registry import available, forget_taken, take
from pytest_design2a11y.settings import Settings


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    forget_taken()


def test_everything_public_has_a_docstring() -> None:
    assert [name for name in extending.__all__ if not inspect.getdoc(getattr(extending, name))] == []


def test_ours_are_given_by_the_same_hooks() -> None:
    assert list(available(Engine)) == ["axe", "htmlcs"]
    assert list(available(Executor)) == ["serial", "processes", "ray"]
    assert list(available(Reader)) == ["picture", "svg"]
    assert ",".join(available(Probe)) == "keyboard,reflow,zoom,spacing,names,targets,layout,responds"


PAIRS = [Pair(Subject(name, name), None, f"{name}.html", Path()) for name in "abc"]


def test_an_executor_that_is_given_scores() -> None:
    def score(pairs: Any, *, settings: Settings, jobs: int, is_ordered: bool) -> Iterator[Any]:
        yield from (Evaluation(pair.subject.id, f"by {jobs}", pair.candidate) for pair in pairs)

    take(Executor, [Executor("cluster", score)])  # type: ignore[arg-type]

    found = score_pairs(PAIRS, settings=Settings(), jobs=3, executor="cluster")
    assert [(one.id, one.case) for one in found] == [("a", "by 3"), ("b", "by 3"), ("c", "by 3")]


def test_an_executor_may_leave_out_no_pair() -> None:
    def score(pairs: Any, **how: Any) -> Iterator[Any]:
        yield from (Evaluation(pair.subject.id, "", "") for pair in pairs if pair.subject.id == "b")

    take(Executor, [Executor("cluster", score)])  # type: ignore[arg-type]
    found = score_pairs(PAIRS, settings=Settings(), executor="cluster")

    assert next(found).id == "b"
    with pytest.raises(ConfigurationError, match="The executor 'cluster' gave no evaluation of a, c"):
        next(found)


def test_a_file_gives_an_executor(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from pytest_design2a11y.extending import Evaluation, Executor\n"
        "def score(pairs, **how):\n    yield from (Evaluation(one.subject.id, 'mine', '') for one in pairs)\n"
        "MINE = Executor('mine', score)\n"
    )
    settings = Settings(metrics=(str(file),))

    assert [one.case for one in score_pairs(PAIRS, settings=settings, executor="mine")] == ["mine"] * 3
    with pytest.raises(ConfigurationError, match=r"There is no executor 'mne'\. Did you mean 'mine'\?"):
        score_pairs(PAIRS, settings=settings, executor="mne")


def test_what_a_hook_gives_is_checked() -> None:
    with pytest.raises(
        ConfigurationError, match=r"pytest_design2a11y_engines\(\) gave 'ibm', which is not an Eng"
    ):
        take(Engine, ["ibm"])
    with pytest.raises(ConfigurationError, match="There are two engines 'axe'"):
        take(Engine, [Engine("axe", "mine", lambda settings: None)])  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        (
            Engine,
            ("My Engine", "mine", print),
            "name='My Engine' of an Engine is not valid: write lower-case",
        ),
        (Engine, ("mine", "mine", None), "make=None of an Engine is not valid: give a function."),
        (Reader, ("wire", ".wire", print), "suffixes='.wire' of a Reader is not valid: give a list."),
        (Probe, ("skips", [], print), r"checks=\[\] of a Probe is not valid: give a list."),
        (Executor, ("cluster", "score"), "score='score' of an Executor is not valid: give a function."),
    ],
)
def test_a_field_of_another_type_is_one_sentence(kind: Any, fields: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        take(kind, [kind(*fields)])


def test_a_file_may_import_everything_public(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from pytest_design2a11y.extending import *\nMINE = Engine('mine', 'Mine', print)\n")

    assert list(available(Engine, [str(file)])) == ["axe", "htmlcs", "mine"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import sys; sys.exit(3)", "Metrics cannot be loaded from .*: SystemExit: 3"),
        ("from pytest_design2a11y import Metric\nMetric('My', 'x')", "^'My' is not the name of a metric"),
    ],
)
def test_a_file_that_ends_or_is_wrong_says_so_once(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)

    with pytest.raises(ConfigurationError, match=message):
        available(Engine, [str(file)])
