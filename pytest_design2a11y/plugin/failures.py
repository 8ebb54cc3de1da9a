"""pytest's reports: how failures look, and the collected results of a run, with reruns and crashes.

xdist passes a test's report to the controller unchanged, so measurements are attached to it; `workeroutput`
would be lost if a worker crashed. Imported in every run of every user: keep module-level imports cheap.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace, TracebackType
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.exceptions import BrowserNotFound, Design2a11yError, StepFailed, WorkerCrashed

if TYPE_CHECKING:
    from pytest_design2a11y.models.evaluation import Evaluation
    from pytest_design2a11y.models.verdicts import CaseKey

#: Plugins that select tests by the last failures: a case is not a test that could be selected.
_CHOOSERS = ("lfplugin", "stepwiseplugin")


@cache
def _library_folders() -> tuple[str, ...]:
    """Return the folders of this package, the standard library, and installed packages."""
    import sysconfig

    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return str(Path(__file__).parents[1]), *(sysconfig.get_path(name) for name in names)


def keep_users_lines(call: pytest.CallInfo[None], item: pytest.Item) -> Any:
    """Reduce the traceback of our error to the user's lines; return the message if no line is the user's.

    A missing browser ends the session, because no other test could render anything either.
    """
    if call.excinfo is None or not isinstance(error := call.excinfo.value, Design2a11yError):
        return None
    if isinstance(error, BrowserNotFound):
        item.session.shouldfail = "there is no browser to render pages with"
    if item.config.getoption("fulltrace"):
        return None
    cause = error.__cause__ if isinstance(error, StepFailed) else None
    has_lines = cause is not None and _cut(cause)
    error.__cause__ = cause if has_lines else None
    if cause is not None:
        cause.__cause__ = None
    if _cut(error):
        call.excinfo = pytest.ExceptionInfo.from_exception(error)
        return None
    shown: Any = call.excinfo.getrepr(style="value")
    shown.reprtraceback.reprentries[-1].lines[:] = [f"E   {call.excinfo.exconly()}"]
    return shown


def _cut(error: BaseException) -> bool:
    """Cut an error's traceback down to the user's lines; return whether there are any."""
    entries, entry = [], error.__traceback__
    while entry is not None:
        entries.append(entry)
        entry = entry.tb_next
    lines = None
    for entry in reversed(entries):
        if not entry.tb_frame.f_code.co_filename.startswith(_library_folders()):
            lines = TracebackType(lines, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    if lines is not None:
        error.__traceback__ = lines
    return lines is not None


class _Reasons(str):
    """The reasons of a failure, line by line, in the form that pytest and its plugins print."""

    @property
    def reprcrash(self) -> Any:
        """Read by pytest for one-line summaries."""
        return SimpleNamespace(message=self.splitlines()[0], path="", lineno=0)

    def toterminal(self, out: Any) -> None:
        """Print the reasons."""
        for line in self.splitlines():
            out.line(f"E   {line}", red=True)


def log_failure(config: pytest.Config, heading: str, reasons: Sequence[str]) -> None:
    """Report a failing case to pytest's summary, JUnit XML and other plugins."""
    from pytest_design2a11y.escaping import terminal_line

    name = f"design2a11y::{heading}"
    text = _Reasons("\n".join(map(terminal_line, reasons)) or "see above")
    choosers = [plugin for chooser in _CHOOSERS if (plugin := config.pluginmanager.get_plugin(chooser))]
    log = config.pluginmanager.subset_hook_caller("pytest_runtest_logreport", remove_plugins=choosers)
    stages: Any = (("call", "failed", text), ("teardown", "passed", None))
    for when, outcome, longrepr in stages:
        log(report=pytest.TestReport(name, ("design2a11y", 0, heading), {}, outcome, longrepr, when))


def remember_failed(config: pytest.Config, tests: Iterable[str]) -> None:
    """Have `pytest --lf` run tests that passed again, because their case failed."""
    if (plugin := config.pluginmanager.get_plugin("lfplugin")) is not None:
        plugin.lastfailed.update(dict.fromkeys(tests, True))


#: Attribute of a report: the test's measurements, or its subject before it has measured anything.
MEASURED = "design2a11y"
BEGUN = "design2a11y_begun"
#: Attribute of a report: whether its measurements were left unjudged, as one of several samples.
IS_SAMPLE = "design2a11y_is_sample"

#: `when` of the report that xdist creates for the test that was running when a worker crashed.
_CRASHED = "???"


class CollectedResults:
    """The evaluations of a run, by test."""

    def __init__(self) -> None:
        self._measured: dict[str, tuple[Evaluation, ...]] = {}
        self._begun: dict[str, Mapping[str, Any] | None] = {}
        self._crashed: set[str] = set()
        self._samples: set[str] = set()

    def take(self, report: Any) -> "tuple[Evaluation, ...]":
        """Take the measurements out of a report, which pytest keeps until the end of the run."""
        test = report.nodeid
        if report.when == "setup":
            self._begun[test] = report.__dict__.pop(BEGUN, None)
            self._measured.pop(test, None)
            self._crashed.discard(test)
        records = report.__dict__.pop(MEASURED, None)
        if report.__dict__.pop(IS_SAMPLE, False):
            self._samples.add(test)
        if records:
            from pytest_design2a11y.models.run import from_dict

            tries = getattr(report, "rerun", 0) + 1
            self._measured[test] = tuple(from_dict({**record, "tries": tries}) for record in records)
        # Crashed: count tests that render, and those that crashed before that was known.
        if report.when == _CRASHED and report.failed and self._begun.get(test, {}) is not None:
            self._crashed.add(test)
        return self._measured[test] if records else ()

    @property
    def has_any(self) -> bool:
        """Whether any test is known to have rendered something."""
        return bool(self._measured) or any(self._begun.get(test) for test in self._crashed)

    @property
    def is_complete(self) -> bool:
        """Whether the measurements of all tests have arrived."""
        return not self._crashed

    def evaluations(self) -> "tuple[Evaluation, ...]":
        """Return all evaluations of the run, in an order independent of which test finished first."""
        lost = (self._lost(test) for test in self._crashed if test not in self._measured)
        everything = (*chain.from_iterable(self._measured.values()), *lost)
        return tuple(sorted(everything, key=attrgetter("case", "sample", "id")))

    def unjudged(self) -> frozenset[str]:
        """Return the ids of evaluations that must be judged with their case."""
        return frozenset(
            evaluation.id for test in self._samples for evaluation in self._measured.get(test, ())
        )

    def tests_of(self, cases: "Container[CaseKey]") -> list[str]:
        """Return the node ids of the tests that measured pages of some cases."""
        return [
            test
            for test, evaluations in self._measured.items()
            if any(evaluation.case_key in cases for evaluation in evaluations)
        ]

    def _lost(self, test: str) -> "Evaluation":
        from pytest_design2a11y.measuring.records import failed_evaluation
        from pytest_design2a11y.models.verdicts import Subject

        begun = self._begun.get(test) or {"subject": {"id": test, "case": test}, "candidate": test}
        error = WorkerCrashed(
            f"The worker that ran {test} crashed before its measurements arrived.",
            advice="Run the test alone, without pytest-xdist, to see why.",
        )
        return failed_evaluation(Subject(**begun["subject"]), begun["candidate"], error)
