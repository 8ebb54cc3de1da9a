from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.comparing import compare, history, table
from pytest_design2a11y.comparing.history import history_lines, history_to_dict, make_history
from pytest_design2a11y.comparing.table import RunTable
from pytest_design2a11y.models.evaluation import Failure
from pytest_design2a11y.models.run import Evaluation, Run
from tests.factories import ENVIRONMENT, make_evaluation, make_rates

VALUES = [0.90, 0.85, 0.80, 0.75, 0.70, 0.90]


def run_of(
    name: str, moved: float, *, axe: str = "4.12.1", num_cases: int = 6, is_complete: bool = True
) -> Run:
    evaluations = tuple(
        make_evaluation(
            str(number),
            value + moved,
            accessibility=make_rates(0.1, iwir=0.5),
            environment=replace(ENVIRONMENT, axe=axe),
        )
        for number, value in enumerate(VALUES[:num_cases])
    )
    return Run(name, "2026-01-01T00:00:00+00:00", is_complete, evaluations)


def runs() -> list[Run]:
    return [
        run_of("first", 0.0),
        run_of("worse", -0.1),
        run_of("better", 0.05),
        run_of("<new> axe", 0.05, axe="4.13"),
    ]


def test_every_run_is_compared_with_the_one_before() -> None:
    entries = make_history(iter(runs()))

    assert [entry.metrics["visual"].change for entry in entries] == ["", "worse", "better", "unclear"]
    assert [entry.metrics["iwir"].change for entry in entries] == ["", "unclear", "unclear", "refused"]
    assert entries[0].metrics["visual"].mean == pytest.approx(sum(VALUES) / 6)
    interval = entries[0].metrics["visual"].interval
    assert interval is not None
    assert interval[0] < sum(VALUES) / 6 < interval[1]
    assert "appearance" not in entries[0].metrics


def test_every_run_is_tabled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make_table(run: Run, **options: Any) -> RunTable:
        made.append(run.name)
        return table.make_table(run, **options)

    monkeypatch.setattr(history, "make_table", make_table)
    monkeypatch.setattr(compare, "make_table", make_table)

    make_history(runs())

    assert made == [run.name for run in runs()]


def test_runs_without_a_common_case_are_not_compared() -> None:
    other = run_of("other", 0.0)
    renamed = replace(
        other, evaluations=tuple(replace(one, case=f"x{one.case}") for one in other.evaluations)
    )

    assert make_history([run_of("first", 0.0), renamed])[1].metrics["visual"].change == ""


def test_the_listing_marks_what_clearly_changed() -> None:
    lines = history_lines(make_history([*runs(), run_of("short", 0.0, num_cases=1, is_complete=False)]))

    assert lines[0].split() == [
        "run",
        "created",
        "cases",
        "samples",
        "errors",
        "visual",
        "ir",
        "iwir",
        "weighted_ir",
    ]
    assert lines[1].split()[-4:] == ["0.8167", "0.1000", "0.5000", "0.0500"]
    assert lines[2].split()[5:7] == ["0.7167", "!"]
    assert lines[3].split()[5:7] == ["0.8667", "+"]
    assert lines[4].split()[-6:] == ["0.1000", "?", "0.5000", "?", "0.0500", "?"]
    assert lines[5].endswith("  incomplete")
    assert lines[6].startswith("(+ surely better than the last run with the same axes; ! surely worse")


def test_no_runs_are_said_to_be_none() -> None:
    assert history_lines(make_history([])) == [
        "no saved runs yet: save one with --save NAME, in pytest --design2a11y-save NAME"
    ]


def test_json_tells_the_same() -> None:
    told = json.loads(json.dumps(history_to_dict(make_history(runs()))))

    assert [run["name"] for run in told["runs"]] == ["first", "worse", "better", "<new> axe"]
    assert told["runs"][1]["metrics"]["visual"]["change"] == "worse"


def of_model(run: Run, model: str) -> Run:
    evaluations = tuple(replace(one, axes={"model": model}) for one in run.evaluations)
    return replace(run, name=f"{model}-{run.name}", evaluations=evaluations)


def test_a_run_is_compared_with_the_last_one_of_the_same_models() -> None:
    """The weak model's run lies between two of the strong one: it is neither a drop nor a recovery."""
    runs_of_two = [
        of_model(run_of("1", 0.05), "strong"),
        of_model(run_of("2", -0.3), "weak"),
        of_model(run_of("3", 0.0), "strong"),
    ]

    entries = make_history(runs_of_two)

    assert [entry.against for entry in entries] == ["", "", "strong-1"]
    assert [entry.metrics["visual"].change for entry in entries] == ["", "", "worse"]


def test_the_listing_says_what_failed_pages_count_as() -> None:
    refused = Evaluation("r", "5", "r.html", reference="5", error=Failure("NotHtml", "no", "candidate"))
    run = replace(run_of("one", 0.0), evaluations=(*run_of("one", 0.0).evaluations[:5], refused))

    left_out, zero = (make_history([run], failed_pages=rule) for rule in ("exclude", "zero"))

    assert zero[0].metrics["visual"].mean == pytest.approx(sum(VALUES[:5]) / 6)
    assert left_out[0].metrics["visual"].mean == pytest.approx(sum(VALUES[:5]) / 5)
    assert history_lines(left_out)[-1] == "(pages that could not be measured are left out)"
    assert history_lines(zero, failed_pages="zero")[-1].startswith("(1 page that failed by its own fault")
