"""pytest hooks: options in, each test's ledger closed at its end, results out.

Loaded in every pytest run of every user: nothing heavy is imported before a test renders something.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y import fixtures, options
from pytest_design2a11y.exceptions import ConfigurationError, Design2a11yError

if TYPE_CHECKING:
    from pytest_design2a11y.models import Evaluation
    from pytest_design2a11y.outcome import Outcome
    from pytest_design2a11y.session import Closed

closed_key: pytest.StashKey[tuple[Closed, ...]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    options.add_to_pytest(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Read the options, so that a mistake in them ends the run before any test."""
    config.addinivalue_line("markers", fixtures.MARKER_HELP)
    try:
        if options.given_to_pytest(config):
            _check_settings(config)
    except Design2a11yError as error:
        raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(fixtures, "design2a11y-fixtures")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Controller(config), "design2a11y-controller")


def _check_settings(config: pytest.Config) -> None:
    settings = fixtures.settings_of(config)
    if settings.has_checks:
        from pytest_design2a11y.outcome import check_settings

        check_settings(settings, folder=_run_folder(config))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Read every marker, so that a mistake in one ends the run before any test."""
    for item in items:
        try:
            fixtures.marker_limits(item)
        except ConfigurationError as error:
            raise pytest.UsageError(f"{item.nodeid}: {error}") from None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Apply the configured limits at the end of a test that has not failed by itself."""
    try:
        yield
    finally:
        closed = _close_ledger(item)
    complaints = [complaint for one in closed if (complaint := one.complaint())]
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Hang a test's evaluations on its report, which xdist carries to the controller."""
    report = yield
    if call.when == "setup" and report.failed:
        _close_ledger(item)
    if call.when == "call" or (call.when == "setup" and report.failed):
        closed = item.stash.get(closed_key, ())
        if closed:
            from pytest_design2a11y.records import to_dict

            report.__dict__["design2a11y"] = [to_dict(one.evaluation) for one in closed]
    return report


def _close_ledger(item: pytest.Item) -> tuple[Closed, ...]:
    ledger = item.stash.get(fixtures.ledger_key, None)
    item.stash[closed_key] = closed = () if ledger is None else ledger.close()
    if closed:
        from pytest_design2a11y.report.junit import junit_properties

        for number, one in enumerate(closed, 1):
            item.user_properties.extend(junit_properties(one.evaluation, number=number))
    return closed


class Controller:
    """The hooks that need what the whole run has seen; not registered in xdist's workers."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self._by_test: dict[str, tuple[Evaluation, ...]] = {}
        self._outcome: Outcome | None = None

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """All of the run, in an order that does not depend on which test finished first."""
        everything = (evaluation for taken in self._by_test.values() for evaluation in taken)
        return tuple(sorted(everything, key=lambda one: (one.case, one.sample, one.id)))

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Take a test's evaluations, whichever process ran it; the last try of a test counts."""
        records = getattr(report, "design2a11y", None)
        if records:
            from pytest_design2a11y.records import from_dict

            self._by_test[report.nodeid] = tuple(map(from_dict, records))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Judge, compare and save the run, once, before its summary is printed."""
        if fixtures.settings_key not in self.config.stash and not self._by_test:
            return
        settings = fixtures.settings_of(self.config)
        if not (self._by_test or settings.has_output):
            return
        from pytest_design2a11y.outcome import conclude
        from pytest_design2a11y.pipeline import make_run

        has_ended_by_itself = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        is_complete = has_ended_by_itself and not (session.shouldstop or session.shouldfail)
        run = make_run(settings.save or "this run", self.evaluations, is_complete=is_complete)
        self._outcome = conclude(run, settings, folder=_run_folder(self.config), width=_width(self.config))
        if self._outcome.is_failed and session.exitstatus in (
            pytest.ExitCode.OK,
            pytest.ExitCode.NO_TESTS_COLLECTED,
        ):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table of what was measured, and what the run comes to."""
        sections = self._outcome.sections if self._outcome else {}
        if not self._by_test and not sections:
            return
        from pytest_design2a11y.report.terminal import summary_lines

        terminalreporter.section("design2a11y")
        if self._by_test:
            is_brief = terminalreporter.verbosity < 0
            for line in summary_lines(self.evaluations, width=_width(self.config), is_brief=is_brief):
                terminalreporter.write_line(line.text, **line.markup)
        for heading, lines in sections.items():
            terminalreporter.write_sep("-", f"design2a11y: {heading}")
            for text in lines:
                terminalreporter.write_line(text)
        for annotation in self._outcome.annotations if self._outcome else ():
            terminalreporter.write_line(annotation)


def _run_folder(config: pytest.Config) -> Path:
    return config.rootpath / ".design2a11y" / "runs"


def _width(config: pytest.Config) -> int:
    return config.get_terminal_writer().fullwidth
