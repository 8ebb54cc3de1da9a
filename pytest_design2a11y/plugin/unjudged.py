"""Limits that judged nothing: in one test, because of its marker or browser, or in the whole run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.option import options_of
from pytest_design2a11y.plugin.marker import limits_on, own_values
from pytest_design2a11y.settings.run_options import LimitOptions

if TYPE_CHECKING:
    from pytest_design2a11y.limits.thresholds import Limit
    from pytest_design2a11y.plugin.ledger import Closed, Ledger

_LIMIT_FLAGS = tuple(given for option in options_of(LimitOptions) for given in (option.in_pytest, option.ini))
_LIMIT_ARGUMENTS = frozenset(option.field for option in options_of(LimitOptions))
_PAGES = ("reference", "candidate")
_FIXTURES = frozenset({*_PAGES, "render", "render_async", "design2a11y_render", "design2a11y"})

#: Key in an xdist worker's output to the controller.
_NARROWED = "design2a11y_narrowed"


def require_chromium(item: pytest.Item | pytest.Session, browser_name: str) -> None:
    """Skip a test in other browsers; ConfigurationError if that leaves a limit unjudged."""
    if browser_name == "chromium":
        return
    if "chromium" not in (item.config.getoption("browser", None) or ()) and (limits := limits_on(item)):
        raise ConfigurationError(
            f"{_listed(limits)} cannot be judged in {browser_name}: only Chromium renders pages here.",
            advice="Add --browser chromium, or leave the test out.",
        )
    pytest.skip("pytest-design2a11y renders with Chromium only")


def empty_parameters(item: pytest.Item) -> str | None:
    """Return a complaint if pytest skips a test for lack of parameters although limits apply to it."""
    reasons = (str(mark.kwargs.get("reason")) for mark in item.iter_markers("skip"))
    is_empty = any(reason.startswith("got empty parameter set") for reason in reasons)
    renders = not _FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))
    if not is_empty or not renders or not (limits := limits_on(item)):
        return None
    return f"{_listed(limits)} cannot be judged: there is no page, as the test's list of parameters is empty."


def marker_complaints(item: pytest.Item, ledger: Ledger | None, closed: Sequence[Closed]) -> list[str]:
    """Return complaints about requests of a test's marker that the test did not fulfil.

    Markers of a class or module apply only to those of its tests that render something.
    """
    values = own_values(item)
    used = [name for name in values if name in _PAGES or name in _LIMIT_ARGUMENTS]
    roles = set() if ledger is None else ledger.roles
    if used and not roles:
        return [
            f"The marker design2a11y gives {', '.join(used)}, but the test rendered nothing. Let it take the "
            "fixtures reference and candidate, or render pages with the fixture render."
        ]
    if "candidate" in used and "candidate" not in roles:
        return [
            f"The marker design2a11y names the candidate {values['candidate']}, but the test rendered none. "
            "Let it take the fixture candidate."
        ]
    if ledger is None or ledger.is_sample:
        return []
    from pytest_design2a11y.limits.thresholds import idle_limits, named_limits
    from pytest_design2a11y.report.failure_text import explain_idle

    if any(result.unmeasured for result in closed):
        return []
    limits = named_limits(values, origin="marker")
    idle = idle_limits((result.evaluation for result in closed), limits)
    return explain_idle(idle, who="no candidate of the test was")


class Selection:
    """Whether a run includes everything that its limits are set for."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self._is_narrowed = any(config.getoption(name, None) for name in ("lf", "ignore", "ignore_glob"))

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Record that tests were deselected."""
        self._is_narrowed |= bool(items)

    def pytest_collectreport(self, report: pytest.CollectReport | pytest.TestReport) -> None:
        """Record that a module or test was skipped."""
        self._is_narrowed |= report.skipped

    pytest_runtest_logreport = pytest_collectreport

    def pytest_sessionfinish(self) -> None:
        """Report to the controller whether a worker left tests out."""
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput[_NARROWED] = self._is_narrowed

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Record whether a pytest-xdist worker left tests out."""
        self._is_narrowed |= getattr(node, "workeroutput", {}).get(_NARROWED, True)

    def has_everything(self) -> bool:
        """Whether nothing was left out that the run's limits apply to."""
        typed = " ".join(map(str, self.config.invocation_params.args))
        source, kinds = self.config.args_source, pytest.Config.ArgsSource
        is_at_root = self.config.invocation_params.dir == self.config.rootpath
        # Whether these are the tests that pytest runs by default.
        is_whole = source == kinds.TESTPATHS or (source == kinds.INVOCATION_DIR and is_at_root)
        return not self._is_narrowed and (is_whole or any(flag in typed for flag in _LIMIT_FLAGS))


def _listed(limits: Iterable[Limit]) -> str:
    return ", ".join(f"{limit} ({limit.origin})" for limit in limits)
