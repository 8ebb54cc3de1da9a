"""pytest hooks: options in, each test's ledger closed at its end, results out.

Loaded in every pytest run of every user: nothing heavy is imported before a test renders something.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y import fixtures, options
from pytest_design2a11y.exceptions import ConfigurationError

if TYPE_CHECKING:
    from pytest_design2a11y.models import Evaluation
    from pytest_design2a11y.session import Closed

closed_key: pytest.StashKey[tuple[Closed, ...]] = pytest.StashKey()


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
    return closed


class Controller:
    """The hooks that need what the whole run has seen; not registered in xdist's workers."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self._by_test: dict[str, tuple[Evaluation, ...]] = {}

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

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table of what was measured."""
        if not self._by_test:
            return
        from pytest_design2a11y.report.terminal import summary_lines

        width = terminalreporter._tw.fullwidth
        terminalreporter.section("design2a11y")
        for line in summary_lines(self.evaluations, width=width, is_brief=terminalreporter.verbosity < 0):
            terminalreporter.write_line(line.text, **line.markup)
