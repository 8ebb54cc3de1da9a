"""Numbers that say less than they seem to: what is missing cannot fail, and iwir rises as minor faults go."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.gates import parse_gates
from pytest_design2a11y.comparing.ranking import Ranking, rank_parts
from pytest_design2a11y.comparing.selection import parts_of
from pytest_design2a11y.models.audit import severity_note
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Verdict
from pytest_design2a11y.report.comparison.rows import comparison_to_dict, page_values, ranking_to_dict
from pytest_design2a11y.report.comparison.text import (
    comparison_lines,
    comparison_markdown,
    ranking_lines,
    ranking_markdown,
)
from pytest_design2a11y.report.terminal import summary_lines
from tests.factories import judge_gates, make_evaluation, make_rates, make_run

CASES = [f"case {number:02}" for number in range(20)]


def run_of(name: str, matched: float, ir: float, *, iwir: float | None = None) -> Run:
    pages = [
        make_evaluation(case, matched + number / 1000, accessibility=make_rates(ir, iwir=iwir))
        for number, case in enumerate(CASES)
    ]
    return make_run(*pages, name=name)


def ranked(*runs: Run) -> Ranking:
    return rank_parts(parts_of({run.name: run for run in runs}, ()), metrics=("visual", "ir"))


def test_who_lacks_text_is_not_called_best_in_rates() -> None:
    ranking = ranked(run_of("empty", 0.2, 0.05), run_of("whole", 0.9, 0.2), run_of("worse", 0.9, 0.4))

    (empty, whole, worse) = ranking.metrics["ir"].places
    assert [empty.lacks_content, whole.lacks_content, worse.lacks_content] == [True, False, False]
    assert ranking.metrics["visual"].places[0].block_match is None
    text = "\n".join(ranking_lines(ranking))
    assert "block_match 0.2095: missing text cannot fail a check" in text
    assert "warning: ir: contenders differ in how much of the designs' text they have" in text
    assert "block_match 0.2095: missing text cannot fail" in "\n".join(ranking_markdown(ranking)).replace(
        "\\_", "_"
    )
    rows = ranking_to_dict(ranking)["metrics"]["ir"]["ranking"]
    assert [(row["name"], row["lacks_content"]) for row in rows[:2]] == [("empty", True), ("whole", False)]
    assert rows[1]["block_match"] == pytest.approx(0.9095)


def test_alike_contenders_are_ranked_as_ever() -> None:
    ranking = ranked(run_of("one", 0.85, 0.1), run_of("other", 0.9, 0.2))

    assert all(place.block_match is None for place in ranking.metrics["ir"].places)
    assert "text is missing" not in "\n".join(ranking_lines(ranking))


def test_a_comparison_says_that_text_went_missing() -> None:
    comparison = compare_runs(run_of("old", 0.9, 0.2), run_of("new", 0.2, 0.1))

    note = "block_match 0.9095 -> 0.2095: missing text cannot fail a check"
    blind = "ir, iwir, weighted_ir, ir_elements, failed, unaudited"
    lines = comparison_lines(comparison, width=200)
    assert f"({blind}: {note})" in lines
    assert not [line for line in lines if line.strip() == f"({note})"]
    told = comparison_markdown(comparison)
    assert f"- {blind}: {note}".replace("_", r"\_").replace(">", "&gt;") in told
    assert "better" not in told.splitlines()[0]
    assert comparison_to_dict(comparison)["metrics"]["ir"]["note"] == note
    assert page_values(comparison)["notes"] == [f"{blind}: {note}"]
    assert not [
        name for name, row in page_values(comparison)["metrics"].items() if row["state"] != "compared"
    ]
    assert comparison_to_dict(comparison)["metrics"]["visual"]["note"] == ""
    (gate,) = judge_gates(parse_gates(["ir"]), comparison)
    assert gate.sentence.endswith(note)


def test_an_iwir_that_rises_while_less_fails_is_explained_once() -> None:
    comparison = compare_runs(run_of("old", 0.9, 0.1, iwir=0.19), run_of("new", 0.9, 0.01, iwir=1.0))

    note = "iwir rises (0.1900 -> 1.0000) while weighted_ir falls (0.0190 -> 0.0100)"
    assert " ".join(comparison_lines(comparison)).count(note) == 1
    assert comparison_to_dict(comparison)["notes"][0].startswith(note)
    iwir, ir = judge_gates(parse_gates(["iwir", "ir"]), comparison)
    assert note in iwir.sentence
    assert note not in ir.sentence


def test_a_single_page_that_springs_the_trap_is_named_where_the_means_do_not() -> None:
    def page(case: str, ir: float, iwir: float) -> Evaluation:
        return make_evaluation(case, accessibility=make_rates(ir, iwir=iwir))

    old = make_run(page("shop", 0.1, 0.2), page("blog", 0.1, 0.9))
    new = make_run(page("shop", 0.01, 1.0), page("blog", 0.1, 0.05))
    comparison = compare_runs(old, new)

    told = "iwir rises (0.2000 -> 1.0000) while weighted_ir falls (0.0200 -> 0.0100): fewer checks fail"
    assert comparison.severity_note.startswith(f"in case shop, {told}")
    assert f"in case shop, {told}" in " ".join(comparison_lines(comparison, width=400))
    assert f"- in case shop, {told}" in comparison_markdown(comparison).replace("&gt;", ">").replace("\\", "")
    assert comparison_to_dict(comparison)["notes"] == [comparison.severity_note]
    (mean, case) = judge_gates(parse_gates(["iwir:0.01,case:0.2"]), comparison, on_point=True)
    assert (mean.state, case.state) == ("passed", "failed")
    assert all(gate.sentence.count(told) == 1 for gate in (mean, case))

    alone = compare_runs(make_run(old.evaluations[0]), make_run(new.evaluations[0]))
    assert alone.severity_note.startswith(told)
    (gate,) = judge_gates(parse_gates(["iwir"]), alone, on_point=True)
    assert gate.state == "failed"
    assert told in gate.sentence


@pytest.mark.parametrize(
    ("old", "new"), [((0.5, 0.1), (0.4, 0.05)), ((0.5, 0.1), (0.6, 0.2)), ((0.5, 0.1), (0.5, 0.1))]
)
def test_other_changes_have_no_note(old: tuple[float, float], new: tuple[float, float]) -> None:
    assert severity_note(old, new) == ""


def test_a_lone_limit_has_a_line_a_run() -> None:
    verdict = Verdict("iwir", "<=", 0.3, 1.0, False, "command line")
    page = make_evaluation(
        "a",
        accessibility=make_rates(0.01, iwir=1.0),
        verdicts=(verdict,),
    )

    lines = [line.text for line in summary_lines([page, replace(page, id="b")], width=140, is_brief=False)]

    assert sum(line.startswith("hint: a limit on iwir alone") for line in lines) == 1
    both = replace(page, verdicts=(verdict, replace(verdict, metric="ir")))
    lines = [line.text for line in summary_lines([both], width=140, is_brief=False)]
    assert not any(line.startswith("hint:") for line in lines)
