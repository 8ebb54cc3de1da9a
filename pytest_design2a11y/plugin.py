"""pytest hooks: options in, each test's ledger closed at its end, results out.

Loaded in every pytest run of every user: nothing heavy is imported before a test renders something.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from pytest_design2a11y import fixtures, options
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.records import from_dict, to_dict
from pytest_design2a11y.session import Closed, RunLog

closed_key = pytest.StashKey[tuple[Closed, ...]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    options.add_to_pytest(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Read the options, so that a mistake in them ends the run before any test."""
    config.addinivalue_line("markers", fixtures.MARKER_HELP)
    try:
        config.stash[fixtures.settings_key] = options.settings_from_pytest(config)
    except ConfigurationError as error:
        raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(fixtures, "design2a11y-fixtures")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Controller(config), "design2a11y-controller")


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
        _close_ledger(item)
    complaints = [complaint for closed in item.stash[closed_key] if (complaint := closed.complaint())]
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
        evaluations = [closed.evaluation for closed in item.stash.get(closed_key, ())]
        report.__dict__["design2a11y"] = [to_dict(evaluation) for evaluation in evaluations]
    return report


def _close_ledger(item: pytest.Item) -> None:
    ledger = item.stash.get(fixtures.ledger_key, None)
    item.stash[closed_key] = () if ledger is None else ledger.close()


class Controller:
    """The hooks that need what the whole run has seen; not registered in xdist's workers."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.log = RunLog()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Take a test's evaluations, whichever process ran it."""
        records = getattr(report, "design2a11y", None)
        if records:
            self.log.take(report.nodeid, map(from_dict, records))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table of what was measured."""
        evaluations = self.log.evaluations
        if not evaluations:
            return
        from pytest_design2a11y.report.terminal import summary_lines

        verbosity = terminalreporter.verbosity
        width = terminalreporter._tw.fullwidth
        terminalreporter.section("design2a11y")
        for line in summary_lines(evaluations, width=width, is_brief=verbosity < 0):
            terminalreporter.write_line(line.text, **line.markup)
