"""What `check` prints of a run: which pages and which cases of several samples break a limit."""

from __future__ import annotations

from pytest_design2a11y.models.verdicts import CaseJudgement
from pytest_design2a11y.run_end.gating import JudgedRun
from tests.factories import make_evaluation


def judged(case: str, *, is_passed: bool, is_judged: bool = True) -> CaseJudgement:
    return CaseJudgement(case, {}, "visual", ">=", 0.8, "command line", is_passed, "mean of 2", is_judged)


def test_cases_that_break_a_limit_are_counted_and_those_not_judged_are_not() -> None:
    cases = [
        judged("kept", is_passed=True),
        judged("broken", is_passed=False),
        judged("open", is_passed=False, is_judged=False),
    ]

    (line,) = JudgedRun(cases, [], []).page_lines("main")

    assert line == "3 cases of several samples of main: 1 breaks a limit"
    (line,) = JudgedRun(cases[:1], [], []).page_lines("main")
    assert line == "1 case of several samples of main: 0 break a limit"


def test_only_what_is_not_kept_is_listed_on_request() -> None:
    cases = [judged("kept", is_passed=True), judged("broken", is_passed=False)]

    assert len(JudgedRun(cases, [], []).case_lines()) == 2
    (line,) = JudgedRun(cases, [], []).case_lines(only_broken=True)
    assert line.startswith("broken BREAKS")


def test_single_pages_are_counted_as_evaluations() -> None:
    (line,) = JudgedRun([], [make_evaluation("one", 0.5)], []).page_lines("main")

    assert line == "1 evaluation of main: 0 break a limit"
    (line,) = JudgedRun([judged("kept", is_passed=True)], [make_evaluation("one", 0.5)], []).page_lines(
        "main"
    )
    assert line == "1 evaluation and 1 case of several samples of main: 0 break a limit"
    assert JudgedRun([], [], []).page_lines("main") == ["0 evaluations of main: 0 break a limit"]
