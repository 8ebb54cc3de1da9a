"""Comparisons that could mislead: each way of asking for one, with the exit code and the words that say why.

`pytest -v` on this file prints the table: one line a misuse and its exit code.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.models.audit import AccessibilityRates
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Environment
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Failure
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.runs import save_run

ENVIRONMENT = Environment("156.0", "4.12.1", "0.5.0")
CASES = {f"page-{number}": 0.9 - 0.01 * number for number in range(20)}


def page(case: str, visual: float, **changes: Any) -> Evaluation:
    whole = Evaluation(
        id=case,
        case=case,
        candidate=f"{case}.html",
        reference=f"designs/{case}.html",
        visual=VisualScore(visual, visual, visual, visual, visual, None, "indel"),
        accessibility=AccessibilityRates(100, 10, 0, 0.1, 0.3, 0.03, 50, 5, 0.1, "green"),
        environment=ENVIRONMENT,
        settings={"viewport": "1280x720"},
    )
    return replace(whole, **changes)


def failed(case: str, kind: str = "RenderTimeout") -> Evaluation:
    return Evaluation(
        case, case, "x.html", reference=f"designs/{case}.html", error=Failure(kind, "no", "candidate")
    )


def of(values: dict[str, float], model: str = "", **changes: Any) -> list[Evaluation]:
    axes = {"model": model} if model else {}
    return [page(case, value, id=f"{model}{case}", axes=axes, **changes) for case, value in values.items()]


def moved(by: float, values: dict[str, float] = CASES) -> dict[str, float]:
    return {case: value - by for case, value in values.items()}


def first(number: int) -> dict[str, float]:
    return dict(list(CASES.items())[:number])


NOISY = {case: value - (0.03 if number % 2 else -0.01) for number, (case, value) in enumerate(CASES.items())}
WEAK = moved(0.4)

Edit = Callable[[dict[str, Any]], object]


class Misuse(NamedTuple):
    """Two runs, the options, and what has to come of them."""

    name: str
    old: list[Evaluation]
    new: list[Evaluation]
    options: str
    code: int
    said: str
    edit: Edit | None = None


def visual(**values: Any) -> Edit:
    return lambda line: line["visual"].update(values)


def top(**values: Any) -> Edit:
    return lambda line: line.update(values)


FULL = of(CASES)
PHONE = {"viewport": "375x812"}
UNKNOWN = {"viewport": "1280x720", "print": "yes"}
BOTH = [*of(CASES, "strong"), *of(WEAK, "weak")]
LOST_18 = [*of(first(2)), *(failed(case) for case in list(CASES)[2:])]
FAIL_ON = "--fail-on visual:0.02"
UNSURE = "--fail-on visual:0.012"

MISUSES = [
    Misuse("scores that agree to 1e-10", FULL, of(moved(1e-10)), "--fail-on visual", 0, "visual: unchanged"),
    Misuse("another mix of models", BOTH, of(moved(0.05), "strong"), FAIL_ON, 3, "model=weak"),
    Misuse(
        "another mix of models, no gate", BOTH, of(CASES, "strong"), "", 3, "do not mix the same axes"
    ),
    Misuse(
        "the model that both have",
        BOTH, of(moved(0.05), "strong"), f"{FAIL_ON} --only model=strong", 1, "FAIL",
    ),
    Misuse(
        "each model with its own kind",
        BOTH, of(CASES, "strong"), f"{FAIL_ON} --by model", 3, "only in the old",
    ),
    Misuse("a value that no page has", BOTH, BOTH, "--only model=gone", 2, "has no page with model=gone"),
    Misuse("an axis that no run has", BOTH, BOTH, "--by promt", 2, "The runs have no axis 'promt'"),
    Misuse("18 of 20 cases absent", FULL, of(first(2)), FAIL_ON, 3, "90 % of the pages are missing"),
    Misuse("18 of 20 pages failed", FULL, LOST_18, FAIL_ON, 3, "90 % of the pages are missing"),
    Misuse("one page failed", FULL, [failed("page-0"), *FULL[1:]], FAIL_ON, 3, "5 % of the pages are"),
    Misuse(
        "one page failed, allowed",
        FULL, [failed("page-0"), *FULL[1:]], f"{FAIL_ON} --set allow_missing=5%", 0, "pass  visual:0.02",
    ),
    Misuse("four cases", of(first(4)), of(moved(0.3, first(4))), FAIL_ON, 3, "too few cases: 4"),
    Misuse("no case in common", FULL, of({"other": 0.5}), FAIL_ON, 2, "have no case in common"),
    Misuse("other viewports", FULL, of(CASES, settings=PHONE), FAIL_ON, 3, "viewport: 1280x720"),
    Misuse(
        "an unknown condition",
        FULL, of(CASES, settings=UNKNOWN), FAIL_ON, 3, "condition print",
    ),
    Misuse("a gate that can never fail", FULL, FULL, "--fail-on visual:100%", 2, "can never fail"),
    Misuse("neither surely worse nor surely not", FULL, of(NOISY), UNSURE, 0, "1 gate is inconclusive"),
    Misuse(
        "the same, told to fail",
        FULL, of(NOISY), f"{UNSURE} --set inconclusive=fail", 1, "counts as failed",
    ),
    Misuse(
        "a share of missing above 1",
        FULL, FULL, "--set allow_missing=1.5", 2, "write a share from 0 to 1",
    ),
    Misuse("infinity", FULL, FULL, FAIL_ON, 2, "line 3: JSON is malformed", visual(score=float("inf"))),
    Misuse("not a number", FULL, FULL, FAIL_ON, 2, "line 3: JSON is malformed", visual(score=float("nan"))),
    Misuse("per cent", FULL, FULL, FAIL_ON, 2, "<= 1.000000001 - at `$.visual.score`", visual(score=87.5)),
    Misuse("below 0", FULL, FULL, FAIL_ON, 2, "Expected `int` >= 0 - at `$.visual.text`", visual(text=-5)),
    Misuse("a number as text", FULL, FULL, FAIL_ON, 2, "`str` - at `$.visual.score`", visual(score="0.9")),
    Misuse("a switch as number", FULL, FULL, FAIL_ON, 2, "`bool` - at `$.visual.score`", visual(score=True)),
    Misuse("no case", FULL, FULL, FAIL_ON, 2, "line 3: Expected `str`, got `null`", top(case=None)),
    Misuse("a number as case", FULL, FULL, FAIL_ON, 2, "line 3: Expected `str`, got `int`", top(case=7)),
    Misuse("an id twice", FULL, FULL, FAIL_ON, 2, "line 3: the id 'page-0' is on line 2", top(id="page-0")),
    Misuse("a list as model", FULL, FULL, FAIL_ON, 2, "line 3: the axis 'model'", top(axes={"model": [1]})),
]  # fmt: skip


def _saved(name: str, evaluations: Sequence[Evaluation], edit: Edit | None = None) -> Path:
    run = Run(name, "2026-01-01T00:00:00+00:00", True, tuple(evaluations))
    path = save_run(run, folder=Path(".design2a11y/runs"))
    if edit is not None:
        lines = path.read_text().splitlines()
        record = json.loads(lines[2])
        edit(record)
        lines[2] = json.dumps(record)
        path.write_text("\n".join(lines) + "\n")
    return path


def run_command(*arguments: str) -> int:
    try:
        return main(arguments)
    except SystemExit as ended:
        return int(str(ended.code))


@pytest.mark.parametrize("misuse", MISUSES, ids=lambda misuse: f"{misuse.name} -> exit {misuse.code}")
def test_a_comparison_that_could_mislead_says_so(
    misuse: Misuse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    _saved("old", misuse.old)
    _saved("new", misuse.new, misuse.edit)

    code = run_command("compare", "old", "new", *misuse.options.split())

    printed = capsys.readouterr()
    assert misuse.said in printed.out + printed.err
    assert code == misuse.code


def test_json_stays_json_where_the_axes_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _saved("old", BOTH)
    _saved("new", of(CASES, "strong"))

    code = run_command("compare", "old", "new", "--json")

    assert code == 3
    assert json.loads(capsys.readouterr().out)["error"]["type"] == "AxesDiffer"


def test_groups_are_told_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _saved("old", BOTH)
    _saved("new", [*of(moved(0.05), "strong"), *of(WEAK, "weak")])

    code = run_command("compare", "old", "new", "--by", "model", "--fail-on", "visual:0.02", "--json")

    told = json.loads(capsys.readouterr().out)
    assert code == 1
    assert [one["group"] for one in told["groups"]] == [{"model": "strong"}, {"model": "weak"}]
    assert [one["gates"][0]["state"] for one in told["groups"]] == ["failed", "passed"]
    assert told["groups"][0]["metrics"]["visual"]["difference"] == pytest.approx(-0.05)
