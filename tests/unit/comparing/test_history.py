from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pytest_design2a11y.comparing.compare import history_lines, history_to_dict, make_history
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Failure
from pytest_design2a11y.wording import read_by
from tests.factories import make_evaluation, make_rates

VALUES = [0.90, 0.85, 0.80, 0.75, 0.70, 0.90]


def run_of(name: str, moved: float, *, num_cases: int = 6, is_complete: bool = True) -> Run:
    evaluations = tuple(
        make_evaluation(str(number), value + moved, accessibility=make_rates(0.1, iwir=0.5))
        for number, value in enumerate(VALUES[:num_cases])
    )
    return Run(name, "2026-01-01T00:00:00+00:00", is_complete, evaluations)


def test_every_run_has_its_means_with_their_intervals() -> None:
    first, worse = make_history(iter([run_of("first", 0.0), run_of("worse", -0.1)]))

    assert first.metrics["visual"].mean == pytest.approx(sum(VALUES) / 6)
    assert worse.metrics["visual"].mean == pytest.approx(sum(VALUES) / 6 - 0.1)
    interval = first.metrics["visual"].interval
    assert interval is not None
    assert interval[0] < sum(VALUES) / 6 < interval[1]
    assert "appearance" not in first.metrics


def test_the_listing_has_a_line_a_run() -> None:
    short = replace(run_of("short", 0.0, num_cases=1, is_complete=False), labels={"prompt": "v2"})
    lines = history_lines(make_history([run_of("first", 0.0), run_of("worse", -0.1), short]))

    assert lines[0].split() == [
        *("run", "created", "cases", "samples", "errors", "visual", "ir", "iwir", "weighted_ir")
    ]
    assert lines[1].split()[2:] == ["6", "6", "0", "0.8167", "0.1000", "0.5000", "0.0500"]
    assert lines[1].index("0.8167") + 6 == lines[0].index("visual") + 4
    assert lines[2].split()[5] == "0.7167"
    assert lines[3].endswith("0.0500  incomplete  prompt=v2")


def test_no_runs_are_said_to_be_none() -> None:
    with read_by("command"):
        (line,) = history_lines(make_history([]))

    assert line == "no saved runs yet: save one with --save NAME"


def test_json_tells_the_same() -> None:
    (told,) = json.loads(json.dumps(history_to_dict(make_history([run_of("worse", -0.1)]))))["runs"]

    assert (told["name"], told["num_cases"], told["num_samples"], told["num_errors"]) == ("worse", 6, 6, 0)
    assert told["metrics"]["visual"]["mean"] == pytest.approx(sum(VALUES) / 6 - 0.1)
    assert (told["metrics"]["visual"]["num_cases"], len(told["metrics"]["visual"]["interval"])) == (6, 2)


def test_the_listing_says_what_is_left_out() -> None:
    refused = Evaluation("r", "5", "r.html", reference="5", error=Failure("NotHtml", "no", "candidate"))
    run = replace(run_of("one", 0.0), evaluations=(*run_of("one", 0.0).evaluations[:5], refused))

    left_out = make_history([run])

    assert left_out[0].metrics["visual"].mean == pytest.approx(sum(VALUES[:5]) / 5)
    assert history_lines(left_out)[-1] == "(pages that could not be measured are left out)"
