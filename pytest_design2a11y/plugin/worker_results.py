"""What the reports of a run's tests bring, whichever process ran them: each one's last try, and crashes.

xdist carries a test's report to the controller as it is, so what was measured travels on it; `workeroutput`
would be lost with a worker that crashes. Imported in every run of every user: nothing heavy at the top.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_design2a11y.models.run import Evaluation

#: Attributes of a report: what the test measured, and what is known of it before it has measured anything.
MEASURED = "design2a11y"
BEGUN = "design2a11y_begun"
#: Attribute of a report: that its test has not judged what it measured, for it is one of several samples.
IS_SAMPLE = "design2a11y_is_sample"

#: `when` of the report that xdist makes up for the test that a worker was running when it crashed.
_CRASHED = "???"


class CollectedResults:
    """The evaluations of a run, by test."""

    def __init__(self) -> None:
        self._measured: dict[str, tuple[Evaluation, ...]] = {}
        self._begun: dict[str, Mapping[str, Any] | None] = {}
        self._crashed: set[str] = set()
        self._repeated: set[str] = set()
        self._samples: set[str] = set()

    def take(self, report: Any) -> None:
        """Take what a report brings; it is removed from the report, which pytest keeps to the end."""
        test = report.nodeid
        if report.when == "setup":
            self._begun[test] = report.__dict__.pop(BEGUN, None)
            self._measured.pop(test, None)
            self._crashed.discard(test)
            self._repeated.discard(test)
        records = report.__dict__.pop(MEASURED, None)
        if report.__dict__.pop(IS_SAMPLE, False):
            self._samples.add(test)
        if records:
            from pytest_design2a11y.models.run import from_dict

            tries = getattr(report, "rerun", 0) + 1
            self._measured[test] = tuple(from_dict({**record, "tries": tries}) for record in records)
        # Crashed: a test that renders, or that never came so far as to say that it does not.
        if report.when == _CRASHED and report.failed and self._begun.get(test, {}) is not None:
            self._crashed.add(test)
        if report.outcome == "rerun":
            self._repeated.add(test)
        if report.when == "teardown" and test in self._repeated:
            from pytest_design2a11y.report.junit import properties_of_others

            # JUnit XML would hold what every try measured, one after the other.
            report.user_properties = properties_of_others(report.user_properties)

    @property
    def has_any(self) -> bool:
        """Whether any test has rendered something, as far as is known."""
        return bool(self._measured) or any(self._begun.get(test) for test in self._crashed)

    @property
    def is_complete(self) -> bool:
        """Whether what was measured has arrived from all tests."""
        return not self._crashed

    def evaluations(self) -> tuple[Evaluation, ...]:
        """Return all of the run, in an order that does not depend on which test finished first."""
        everything = [one for taken in self._measured.values() for one in taken]
        everything += [self._lost(test) for test in self._crashed if test not in self._measured]
        return tuple(sorted(everything, key=lambda one: (one.case, one.sample, one.id)))

    def unjudged(self) -> frozenset[str]:
        """Return the ids of evaluations that are to be judged with their case."""
        return frozenset(one.id for test in self._samples for one in self._measured.get(test, ()))

    def _lost(self, test: str) -> Evaluation:
        from pytest_design2a11y.exceptions import WorkerCrashed
        from pytest_design2a11y.measuring.records import failed_evaluation
        from pytest_design2a11y.models.run import Subject

        begun = self._begun.get(test) or {"subject": {"id": test, "case": test}, "candidate": test}
        error = WorkerCrashed(
            f"The worker that ran {test} crashed before its measurements arrived.",
            advice="Run the test alone, without pytest-xdist, to see why.",
        )
        return failed_evaluation(Subject(**begun["subject"]), begun["candidate"], error)
