"""What the controller makes of the reports of tests, in the order in which they come."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.plugin.failures import CollectedResults

BEGUN = {"subject": {"id": "t.py::a", "case": "login", "sample": "2"}, "candidate": "login/2.html"}


def report(test: str, when: str, *, outcome: str = "passed", **attributes: Any) -> SimpleNamespace:
    return SimpleNamespace(nodeid=test, when=when, outcome=outcome, failed=outcome == "failed", **attributes)


def measured(test: str, case: str = "login", sample: str = "1", **attributes: Any) -> SimpleNamespace:
    record = Evaluation(id=test, case=case, sample=sample, candidate=f"{case}.html").to_dict(has_details=True)
    return report(test, "call", design2a11y=[record], **attributes)


def crash(test: str, outcome: str = "failed") -> SimpleNamespace:
    """The report that xdist makes up for the test that a worker was running."""
    return report(test, "???", outcome=outcome)


def gathered(*reports: Any) -> CollectedResults:
    taker = CollectedResults()
    for one in reports:
        taker.take(one)
    return taker


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_the_order_does_not_depend_on_which_test_finished_first(order: tuple[int, ...]) -> None:
    reports = [measured("t.py::b", "login", "2"), measured("t.py::a", "start"), measured("t.py::c", "login")]

    taker = gathered(*(reports[place] for place in order))

    assert [one.id for one in taker.evaluations()] == ["t.py::c", "t.py::b", "t.py::a"]


def test_records_do_not_stay_on_the_reports_that_pytest_keeps() -> None:
    taken = measured("t.py::a")

    gathered(report("t.py::a", "setup", design2a11y_begun=BEGUN), taken)

    assert "design2a11y" not in vars(taken)


def test_the_last_try_counts_and_says_which_it_is() -> None:
    taker = gathered(
        report("t.py::a", "setup", rerun=0),
        measured("t.py::a", outcome="rerun", rerun=0),
        report("t.py::a", "setup", rerun=1),
        measured("t.py::a", rerun=1),
    )

    assert [(one.id, one.tries) for one in taker.evaluations()] == [("t.py::a", 2)]


def test_a_last_try_that_measures_nothing_leaves_nothing() -> None:
    taker = gathered(
        report("t.py::a", "setup", rerun=0),
        measured("t.py::a", outcome="rerun", rerun=0),
        report("t.py::a", "setup", outcome="skipped", rerun=1),
    )

    assert taker.evaluations() == ()
    assert not taker.has_any


def test_a_crashed_test_is_named_with_what_it_was_about() -> None:
    taker = gathered(
        measured("t.py::b"), report("t.py::a", "setup", design2a11y_begun=BEGUN), crash("t.py::a")
    )

    lost = taker.evaluations()[1]

    assert (lost.id, lost.case, lost.sample, lost.candidate) == ("t.py::a", "login", "2", "login/2.html")
    assert lost.error is not None
    assert lost.error.type == "WorkerCrashed"
    assert lost.error.message.startswith(
        "The worker that ran t.py::a crashed before its measurements arrived."
    )
    assert not taker.is_complete


def test_a_test_that_crashed_before_it_said_anything_is_named_too() -> None:
    taker = gathered(measured("t.py::b"), crash("t.py::a"))

    assert [one.id for one in taker.evaluations() if one.error] == ["t.py::a"]
    assert not taker.is_complete


def test_a_crash_after_the_measurement_keeps_the_measurement() -> None:
    taker = gathered(
        report("t.py::a", "setup", design2a11y_begun=BEGUN), measured("t.py::a"), crash("t.py::a")
    )

    assert [one.error for one in taker.evaluations()] == [None]
    assert not taker.is_complete


def test_a_crashed_test_that_renders_nothing_is_not_ours() -> None:
    taker = gathered(report("t.py::other", "setup"), crash("t.py::other"))

    assert taker.evaluations() == ()
    assert taker.is_complete


def test_only_a_crash_of_which_nothing_is_known_prints_nothing() -> None:
    assert not gathered(crash("t.py::other")).has_any


def test_a_crashed_test_that_is_run_again_counts_by_its_last_try() -> None:
    taker = gathered(
        report("t.py::a", "setup", design2a11y_begun=BEGUN),
        crash("t.py::a", outcome="rerun"),
        report("t.py::a", "setup", design2a11y_begun=BEGUN, rerun=1),
        measured("t.py::a", rerun=1),
    )

    assert [(one.error, one.tries) for one in taker.evaluations()] == [(None, 2)]
    assert taker.is_complete
