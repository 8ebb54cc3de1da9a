"""Which severe differences are new and which are gone between two runs, and the gate on new ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_design2a11y.comparing import Comparison
from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.gates import parse_gate
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.visual import Difference, Severity
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report.causes import lacks_differences
from pytest_design2a11y.report.comparison.rows import comparison_to_dict
from pytest_design2a11y.report.comparison.text import comparison_lines, comparison_markdown
from pytest_design2a11y.runs import load_run, save_run
from tests.factories import judge_gates, make_evaluation, make_run, make_visual


def missing(text: str, severity: Severity = "serious") -> Difference:
    side = {"box": [8, 8, 90, 20], "text": text, "color": "#000000"}
    return Difference("missing", "text", 0.01, severity, expected=text, reference=side)


def page(case: str, *differences: Difference, sample: str = "1") -> Evaluation:
    visual = make_visual(0.8, differences=differences)
    return make_evaluation(case, replace(visual, blocking=len(visual.blockers)), sample=sample)


OLD = make_run(page("a", missing("Price"), missing("Basket")), page("b"))
NEW = make_run(page("a", missing("Price"), missing("Sign in", "critical"), missing("x", "minor")), page("b"))


@pytest.fixture
def compared() -> Comparison:
    return compare_runs(OLD, NEW)


def test_new_and_gone_ones_are_named_in_every_rendering(compared: Comparison) -> None:
    (change,) = compared.blockers

    assert [in_words(one) for one in change.new] == ['text "Sign in" at 8, 8 is missing']
    assert [in_words(one) for one in change.gone] == ['text "Basket" at 8, 8 is missing']
    told = [
        'a: 1 new: critical: text "Sign in" at 8, 8 is missing',
        'a: 1 gone: serious: text "Basket" at 8, 8 is missing',
    ]
    assert {f"  {line}" for line in told} <= set(comparison_lines(compared))
    assert all(f"- {line}" in comparison_markdown(compared) for line in told)
    record = comparison_to_dict(compared)["blockers"]
    assert [(one["case"], one["new"][0]["severity"]) for one in record] == [("a", "critical")]


def test_what_reads_alike_is_listed_once_with_its_number() -> None:
    sides = [{"box": [8, top, 90, 20], "name": "button", "label": "Buy"} for top in (1, 99)]
    buttons = [
        Difference("covered", "control", 0.01, "serious", reference=side, candidate=side) for side in sides
    ]
    compared = compare_runs(OLD, make_run(page("a", missing("Price"), *buttons), page("b")))

    (line,) = (line for line in comparison_lines(compared) if " new: " in line)

    assert line.startswith("  a: 2 new: serious: ")
    assert line.endswith(" (2 times)")
    assert line.count("serious") == 1


def test_what_is_new_in_several_cases_is_told_once_with_them() -> None:
    old = make_run(page("a"), page("b"), page("c"))
    own, shared = missing("Price"), missing("Sign in")
    compared = compare_runs(old, make_run(page("a", own, shared), page("b", shared), page("c")))

    lines = [line.strip() for line in comparison_lines(compared) if "is missing" in line]

    assert lines == [
        'new in 2 cases: text "Sign in" at 8, 8 is missing (a, b)',
        'a: 1 new: serious: text "Price" at 8, 8 is missing',
    ]
    assert all(f"- {line}" in comparison_markdown(compared) for line in lines)


def test_the_gate_on_cases_counts_what_is_new_and_not_what_is_gone_with_it(compared: Comparison) -> None:
    mean, case = judge_gates(parse_gate("blocking:0,case:0"), compared, on_point=True)

    assert (mean.state, case.state) == ("passed", "failed")
    assert case.sentence == (
        'blocking:case:0: 1 of 2 cases worse by more; a has 1 new: text "Sign in" at 8, 8 is missing'
    )
    (lenient,) = judge_gates(parse_gate("blocking:case:1"), compared)
    assert lenient.state == "passed"


def test_of_several_samples_only_what_none_had_is_new() -> None:
    old = make_run(page("a", missing("Price")), page("a", missing("Basket"), sample="2"))
    new = make_run(page("a", missing("Basket"), missing("Menu")), page("a", sample="2"))

    (change,) = compare_runs(old, new).blockers

    assert [one.expected for one in change.new] == ["Menu"]
    assert [one.expected for one in change.gone] == ["Price"]
    assert change.num_new == 0.5


def test_a_saved_run_keeps_them_without_its_details(tmp_path: Path, compared: Comparison) -> None:
    runs = [
        load_run(save_run(run, folder=tmp_path), has_audit=False) for run in (replace(OLD, name="o"), NEW)
    ]

    again = compare_runs(*runs)

    assert comparison_to_dict(again)["blockers"] == comparison_to_dict(compared)["blockers"]
    assert [one.severity for one in runs[1].evaluations[0].visual.differences] == ["serious", "critical"]  # type: ignore[union-attr]
    assert lacks_differences(runs[1].evaluations[0])


def test_nothing_is_said_where_a_run_does_not_know_its_differences() -> None:
    unknown = make_run(make_evaluation("a", make_visual(0.8)), make_evaluation("b", make_visual(0.8)))

    comparison = compare_runs(unknown, NEW)

    assert comparison.blockers == ()
    assert comparison.metrics["blocking"].reason == "the old run has no value of it"
