"""pytest hooks: they read options, close each test's ledger, and output the results.

Loaded in every pytest run of every user: heavy imports wait until a test renders something.
"""

from collections.abc import Generator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pluggy import PluginValidationError

from pytest_design2a11y import extending
from pytest_design2a11y.exceptions import ConfigurationError, Design2a11yError, UncomparedMeasurement
from pytest_design2a11y.plugin import beside_playwright, fixtures, without_playwright
from pytest_design2a11y.plugin.failures import (
    BEGUN,
    IS_SAMPLE,
    MEASURED,
    CollectedResults,
    keep_users_lines,
    log_failure,
    remember_failed,
)
from pytest_design2a11y.plugin.marker import (
    MARKER_HELP,
    forget_given,
    marker_limits,
    settings_key,
    settings_of,
    take_given,
)
from pytest_design2a11y.plugin.running_test import (
    Selection,
    close_ledger,
    closed_key,
    empty_parameters,
    ledger_key,
    marker_complaints,
    note_given_pages,
    running,
    taken,
)
from pytest_design2a11y.settings import options

if TYPE_CHECKING:
    from pytest_design2a11y.run_end import Outcome


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    options.add_to_pytest(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the hooks for extensions."""
    pluginmanager.add_hookspecs(extending)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None, None, None]:
    """Refuse implementations of this package's hooks with wrong arguments, as a usage error."""
    try:
        yield
    except PluginValidationError as error:
        if "pytest_design2a11y_" not in str(error):
            raise
        raise pytest.UsageError(f"{error}".replace("\n", ": ")) from None


def pytest_configure(config: pytest.Config) -> None:
    """Read the options, so that an invalid one ends the run before any test."""
    config.addinivalue_line("markers", MARKER_HELP)
    for name in vars(config.hook):
        if name.startswith("pytest_design2a11y_") and not hasattr(extending, name):
            raise pytest.UsageError(f"There is no hook {name}(): docs/extending.md has their names.")
    try:
        for kind in extending.KINDS:
            name = f"pytest_design2a11y_{kind.lower()}s"
            try:
                getattr(config.hook, name).call_historic(
                    result_callback=partial(take_given, config, kind), kwargs={}
                )
            except Design2a11yError:
                raise
            except Exception as error:
                raise pytest.UsageError(f"{name}() failed: {type(error).__name__}: {error}") from None
        if options.given_to_pytest(config):
            settings = settings_of(config)
            if settings.has_checks:
                from pytest_design2a11y.run_end.gating import check_settings

                check_settings(settings, folder=_run_folder(config))
    except Design2a11yError as error:
        raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(fixtures, "design2a11y-fixtures")
    playwright = beside_playwright if beside_playwright.is_loaded(config) else without_playwright
    config.pluginmanager.register(playwright, "design2a11y-playwright")
    selection = Selection(config)
    config.pluginmanager.register(selection, "design2a11y-selection")
    if not _is_worker(config):
        config.pluginmanager.register(Controller(config, selection), "design2a11y-controller")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Forget the results of the run's hooks: a test may run pytest in its own process."""
    forget_given()


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Read the markers of the selected tests, so that an invalid one ends the run before any test."""
    if _is_worker(session.config):
        return
    for item in session.items:
        try:
            marker_limits(item)
        except ConfigurationError as error:
            raise pytest.UsageError(f"{item.nodeid}: {error}") from None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Record which test is running."""
    with running(item):
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail a test whose limits cannot be read or judge nothing: a worker of xdist cannot end the run."""
    try:
        marker_limits(item)
        complaint = empty_parameters(item)
    except ConfigurationError as error:
        complaint = str(error)
    if complaint:
        pytest.fail(complaint, pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Apply the configured limits at the end of a test that has not failed yet."""
    note_given_pages(item)
    try:
        yield
    finally:
        ledger = item.stash.get(ledger_key, None)
        closed = close_ledger(item)
    report = settings_of(item.config).html if closed else None
    complaints = [complaint for result in closed if (complaint := result.complaint(report=report))]
    complaints += marker_complaints(item, ledger, closed)
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)
    for function, page in ledger.uncompared() if ledger is not None else ():
        item.warn(UncomparedMeasurement(function, page))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Attach a test's evaluations to its report, which xdist carries to the controller."""
    message = keep_users_lines(call, item)
    report = yield
    if message is not None:
        report.longrepr = message
    ledger = item.stash.get(ledger_key, None)
    if call.when == "setup" and report.failed:
        close_ledger(item)
    elif call.when == "setup" and ledger is not None:
        report.__dict__[BEGUN] = ledger.begun()
    if closed := taken(item, closed_key):
        report.__dict__[MEASURED] = [result.evaluation.to_dict(has_details=True) for result in closed]
        report.__dict__[IS_SAMPLE] = any(result.is_sample for result in closed)
    return report


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explain why a metric of an evaluation does not keep the limit that a test asserts."""
    homes = {type(side).__module__ for side in (left, right)}
    if "pytest_design2a11y.models.evaluation" not in homes:
        return None
    from pytest_design2a11y.plugin.assertions import explain_comparison

    return explain_comparison(op, left, right)


class Controller:
    """Hooks that need the results of the whole run; not registered in xdist's workers."""

    def __init__(self, config: pytest.Config, selection: Selection) -> None:
        self.config = config
        self._selection = selection
        self._results = CollectedResults()
        self._outcome: Outcome | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: Any) -> None:
        """Collect a test's evaluations from any process; only its last try counts."""
        self._results.take(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Judge, compare and save the run once, before other plugins write their results."""
        if settings_key not in self.config.stash and not self._results.has_any:
            return
        if self.config.option.collectonly:
            return
        from pytest_design2a11y.measuring.records import make_run
        from pytest_design2a11y.models.run import UNSAVED
        from pytest_design2a11y.run_end import Outcome, conclude

        settings = settings_of(self.config)
        evaluations = self._results.evaluations()
        outcome = Outcome()
        judges_idle = exitstatus == pytest.ExitCode.OK and self._selection.has_everything()
        has_limits = settings.limits or any(rule.limits for rule in settings.cases)
        if self._results.has_any or settings.has_output or (judges_idle and has_limits):
            has_ended_by_itself = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
            is_stopped = session.shouldstop or session.shouldfail
            run = make_run(
                settings.save or UNSAVED,
                evaluations,
                is_complete=has_ended_by_itself and not is_stopped and self._results.is_complete,
            )
            outcome = conclude(
                run,
                settings,
                folder=_run_folder(self.config),
                width=_width(self.config),
                judges_pages=False,
                judges_idle=judges_idle,
                unjudged=self._results.unjudged(),
            )
        self._outcome = outcome
        passing = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
        if (outcome.is_failed or outcome.is_unmeasured) and session.exitstatus in passing:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        for heading, reasons in outcome.failing.items():
            log_failure(self.config, heading, reasons)
        remember_failed(self.config, self._results.tests_of(outcome.failed_cases))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table of measurements and the run's results."""
        sections = self._outcome.sections if self._outcome else {}
        if not self._results.has_any and not sections:
            return
        from pytest_design2a11y.escaping import terminal_line
        from pytest_design2a11y.report.terminal import summary_lines

        terminalreporter.write_sep("=", "design2a11y")
        if self._results.has_any:
            for line in summary_lines(
                self._results.evaluations(),
                width=_width(self.config),
                is_brief=terminalreporter.verbosity < 0,
            ):
                terminalreporter.write_line(terminal_line(line.text), **line.markup)
        for heading, lines in sections.items():
            terminalreporter.write_sep("-", f"design2a11y: {heading}")
            for text in lines:
                terminalreporter.write_line(terminal_line(text))
        for annotation in self._outcome.annotations if self._outcome else ():
            terminalreporter.write_line(annotation)


def _run_folder(config: pytest.Config) -> Path:
    return config.rootpath / ".design2a11y" / "runs"


def _width(config: pytest.Config) -> int:
    return config.get_terminal_writer().fullwidth
