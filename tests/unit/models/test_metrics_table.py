"""`METRICS` is the only list of metrics: what shows, checks, stores or compares one reads it there."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import pytest_design2a11y
from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring import measures, pipeline
from pytest_design2a11y.models.evaluation import metric_values
from pytest_design2a11y.models.metric import Computed, Measured, Metric
from pytest_design2a11y.models.metrics import COMPARED, METRICS, OURS, components_of, shown_in
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.run import from_dict
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.registry import use_metrics
from pytest_design2a11y.report.terminal import columns_that_fit
from pytest_design2a11y.settings import Settings
from tests.factories import ENVIRONMENT, make_evaluation, make_run, make_visual
from tests.fake_renderer import screenshot

CAPTURE = Capture("a.html", "candidate", screenshot(), (40, 30), (), (), ENVIRONMENT)
DATA = Path(__file__).parents[2] / "data"
PACKAGE = Path(pytest_design2a11y.__file__).parent

#: What computes several metrics, weighs them by a published study, or names options, not metrics.
ALLOWED = {
    *("models/metrics.py", "visual/score.py", "limits/__init__.py"),
    "measuring/whole_page.py",
}


def lists_of_metrics(source: str) -> list[int]:
    """Return the lines of the literals that hold the names of three metrics or more."""
    found = []
    literals = (ast.Dict, ast.Tuple, ast.List, ast.Set)
    for node in (node for node in ast.walk(ast.parse(source)) if isinstance(node, literals)):
        elements = node.keys if isinstance(node, ast.Dict) else node.elts
        names = {one.value for one in elements if isinstance(one, ast.Constant)}
        if len(names & METRICS.keys()) >= 3:
            found.append(node.lineno)
    return found


def test_no_other_list_of_metrics_stands_in_the_package() -> None:
    found = {
        str(path.relative_to(PACKAGE)): lines
        for path in PACKAGE.rglob("*.py")
        if (lines := lists_of_metrics(path.read_text(encoding="utf-8")))
    }

    assert found.keys() <= ALLOWED, found


def test_a_list_of_metrics_is_found() -> None:
    assert lists_of_metrics('X = ("visual", "ir", "iwir")') == [1]
    assert lists_of_metrics('X = {"visual": 1, "ir": 2}') == []


def test_what_is_shown_by_default_comes_from_the_table() -> None:
    assert shown_in("summary")[:4] == ("fidelity", "visual", "ir", "iwir")
    assert columns_that_fit(1000)[: len(shown_in("summary"))] == list(shown_in("summary"))
    assert {"fidelity", "delivered"} <= set(shown_in("ranking"))
    assert components_of("fidelity") == ("visual", "elements", "typography")
    assert list(COMPARED) == [*METRICS, "errors"]


def test_every_metric_of_ours_is_measured_by_its_entry() -> None:
    for metric in OURS:
        assert isinstance(metric.measure, Computed), metric.name
        module, _, name = metric.measure.step.partition(":")
        assert callable(getattr(import_module(f"pytest_design2a11y.{module}"), name)), metric.name


def test_a_metric_of_ours_needs_its_function_and_its_entry_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    share = Metric("share", "share of text", upper=1.0, measure=Computed("measuring.measures:share_of_text"))
    monkeypatch.setattr(measures, "share_of_text", lambda work: Measured(0.5, "half"), raising=False)
    monkeypatch.setattr(pipeline, "OURS", (*OURS, share))
    monkeypatch.setitem(METRICS, "share", share)

    evaluation = pipeline.evaluate(
        Subject("a", "a"), reference=None, candidate=CAPTURE, settings=Settings(audit=False)
    )

    assert from_dict(evaluation.to_dict(has_details=True)).value("share") == 0.5
    assert dict(zip(METRICS, metric_values(evaluation), strict=True))["share"] == 0.5
    assert evaluation.settings["metrics"]["share"]["version"] == "1"
    with pytest.raises(ConfigurationError, match="There is a metric 'share' already: it is one of"):
        use_metrics([Metric("share", "mine", measure=lambda pages: 1.0)])


def test_evaluating_writes_no_file(tmp_path: Path) -> None:
    settings = Settings(audit=False, picture_folder=tmp_path / "pictures")
    pages: dict[str, Any] = {"reference": None, "candidate": CAPTURE, "settings": settings}
    evaluation = pipeline.evaluate(Subject("a", "a"), **pages)

    assert list(tmp_path.iterdir()) == []
    assert pipeline.with_pictures(evaluation, **pages).pictures["candidate"].endswith(".webp")


def test_every_metric_is_written_read_and_compared() -> None:
    whole = {
        "appearance": 0.4,
        "elements": 0.6,
        "typography": 0.7,
        "figures": 0.5,
        "fidelity": 0.8,
        "blocking": 2,
    }
    evaluation = make_evaluation("a", make_visual(0.5, **whole, appearance_backend="b"), delivered=0.3)

    again = from_dict(evaluation.to_dict(has_details=True))

    assert metric_values(again) == metric_values(evaluation)
    comparison = compare_runs(make_run(evaluation), make_run(again))
    measured = {name for name, one in comparison.metrics.items() if one.state == "compared"}
    parts = ("visual", "accessibility", "delivered")
    assert measured == {"errors", *(name for name, one in METRICS.items() if one.part in parts)}


@pytest.mark.parametrize("metric", ["elements", "typography", "fidelity"])
@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (1.5, "`float` <= 1.000000001"),
        (-0.1, "`float` >= -1e-09"),
        ("0.5", r"`int \| float \| null`, got `str`"),
        (True, r"`int \| float \| null`, got `bool`"),
    ],
)
def test_a_saved_number_is_one_from_0_to_1(metric: str, value: object, problem: str) -> None:
    record = make_evaluation("a", make_visual(0.5)).to_dict()
    from_dict(record)
    record["visual"][metric] = value

    with pytest.raises(ValueError, match=rf"^Expected {problem} - at `\$\.visual\.{metric}`$"):
        from_dict(record)
