"""pytest's reports: how failures look, and the results of a run's tests, with last tries and crashes.

xdist sends a test's report to the controller unchanged, so measurements travel on it; `workeroutput`
would be lost with a crashed worker. Every run of every user imports this: keep module-level imports cheap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace, TracebackType
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.exceptions import BrowserNotFound, Design2a11yError, StepFailed, WorkerCrashed

if TYPE_CHECKING:
    from pytest_design2a11y.models.run import Evaluation

#: asyncio's message if a loop is already running.
_LOOP_RUNS = ("while another loop is running", "from a running event loop", "loop is already running")

#: Plugins that choose tests by what failed last time: this is not a test that could be chosen.
_CHOOSERS = ("lfplugin", "stepwiseplugin")


@cache
def _library_folders() -> tuple[str, ...]:
    """Return the folders of this package, of Python's own modules, and of installed packages."""
    import sysconfig

    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return str(Path(__file__).parents[1]), *(sysconfig.get_path(name) for name in names)


def keep_users_lines(call: pytest.CallInfo[None], item: pytest.Item) -> Any:
    """Reduce the stack of one of the package's errors to the user's lines.

    A browser that is missing ends the session: no other test could render anything either.

    Returns:
        What pytest is to show where no line is the user's: the message alone; else None.
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


def loop_advice(call: pytest.CallInfo[None], item: pytest.Item) -> str:
    """Return advice where an event loop of pytest-playwright keeps an async test from running; else ""."""
    error = None if call.excinfo is None else call.excinfo.value
    is_kept = isinstance(error, RuntimeError) and any(words in str(error) for words in _LOOP_RUNS)
    if not is_kept or "render_async" not in getattr(item, "fixturenames", ()):
        return ""
    return (
        "An event loop runs in this thread already: pytest-playwright keeps one from the first test on that"
        " uses its page. Run async tests in a process of their own (another call of pytest), or take"
        " pytest-playwright-asyncio, with -p no:playwright (docs/test-styles.md, Live pages)."
    )


def _cut(error: BaseException) -> bool:
    """Cut an error's stack down to the user's lines, and return whether there are any."""
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
    """The reasons of a failure, in lines, in the form in which pytest and its plugins print it."""

    @property
    def reprcrash(self) -> Any:
        """Where pytest reads what it shows in one line."""
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


#: Attributes of a report: what the test measured, and its subject before it has measured anything.
MEASURED = "design2a11y"
BEGUN = "design2a11y_begun"
#: Attribute of a report: whether its test left what it measured unjudged, as one of several samples.
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
        # Crashed: a test that renders, or that crashed before it was known not to.
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
        lost = (self._lost(test) for test in self._crashed if test not in self._measured)
        everything = (*chain.from_iterable(self._measured.values()), *lost)
        return tuple(sorted(everything, key=attrgetter("case", "sample", "id")))

    def unjudged(self) -> frozenset[str]:
        """Return the ids of evaluations that are to be judged with their case."""
        return frozenset(
            evaluation.id for test in self._samples for evaluation in self._measured.get(test, ())
        )

    def _lost(self, test: str) -> Evaluation:
        from pytest_design2a11y.measuring.records import failed_evaluation
        from pytest_design2a11y.models.run import Subject

        begun = self._begun.get(test) or {"subject": {"id": test, "case": test}, "candidate": test}
        error = WorkerCrashed(
            f"The worker that ran {test} crashed before its measurements arrived.",
            advice="Run the test alone, without pytest-xdist, to see why.",
        )
        return failed_evaluation(Subject(**begun["subject"]), begun["candidate"], error)
