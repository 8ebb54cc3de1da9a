"""The running test and its ledger, for any thread, task or fixture; and limits that judged nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.option import options_of
from pytest_design2a11y.plugin.marker import (
    limits_on,
    marker_limits,
    marker_values,
    named_values,
    own_values,
    parameters,
    settings_in,
    source_label,
    subject_of,
)
from pytest_design2a11y.settings.run_options import LimitOptions
from pytest_design2a11y.settings.variants import rendering_axes, variants

if TYPE_CHECKING:
    from pytest_design2a11y.limits import Limit
    from pytest_design2a11y.models.page import Capture
    from pytest_design2a11y.models.verdicts import Subject
    from pytest_design2a11y.plugin.ledger import Closed, Ledger

T = TypeVar("T")

ledger_key: "pytest.StashKey[Ledger]" = pytest.StashKey()
closed_key: "pytest.StashKey[tuple[Closed, ...]]" = pytest.StashKey()
_shared_key: "pytest.StashKey[WeakKeyDictionary[Capture, tuple[Any, Subject]]]" = pytest.StashKey()

# The last one is current; there are several if a test runs pytest in its own process.
_running: list[pytest.Item] = []


@contextmanager
def running(item: pytest.Item) -> Iterator[None]:
    """Mark a test as the running one during the `with` block."""
    _running.append(item)
    try:
        yield
    finally:
        _running.pop()


def current_ledger(*measured: "Capture") -> "Ledger | None":
    """Return the running test's ledger, with the shared pages that it measured; None outside of tests.

    A context variable would not work: tasks and threads started by plugins earlier have another context.
    """
    if not _running:
        return None
    item = _running[-1]
    ledger, shared = ledger_of(item), shared_pages(item.config)
    for capture in measured:
        if capture in shared:
            ledger.note_capture(capture, shared[capture][1])
    return ledger


def shared_pages(config: pytest.Config) -> "WeakKeyDictionary[Capture, tuple[Any, Subject]]":
    """Return the pages of `design2a11y_render` in use, each with its source and its subject."""
    return config.stash.setdefault(_shared_key, WeakKeyDictionary())


def note_given_pages(item: pytest.Item) -> None:
    """Record in a test's ledger the shared pages that its fixtures provide, directly or in a collection."""
    shared = shared_pages(item.config)
    given: list[Any] = []
    for value in getattr(item, "funcargs", {}).values() if shared else ():
        inside = value.values() if isinstance(value, Mapping) else value
        is_collection = isinstance(value, Mapping | list | tuple | set | frozenset)
        given += inside if is_collection else [value]
    for capture, (_source, subject) in list(shared.items()):
        if any(value is capture for value in given):
            ledger_of(item).note_capture(capture, subject)


def ledger_of(item: pytest.Item) -> "Ledger":
    """Return a test's ledger, opened on first use."""
    if ledger_key not in item.stash:
        from pytest_design2a11y.models.verdicts import along
        from pytest_design2a11y.plugin.ledger import Ledger

        settings, subject = settings_in(item), subject_of(item)
        has_variant = len(variants(settings)) == 1
        source = parameters(item).get("candidate", marker_values(item).get("candidate"))
        item.stash[ledger_key] = Ledger(
            along(subject, rendering_axes(settings)) if has_variant else subject,
            settings,
            limits=marker_limits(item),
            is_sample=named_values(item).get("sample") is not None,
            expected="" if source is None else source_label(source, item.config.rootpath),
        )
    return item.stash[ledger_key]


def close_ledger(item: pytest.Item) -> "tuple[Closed, ...]":
    """Finish measuring and release the pages, because pytest keeps its tests until the end."""
    ledger = taken(item, ledger_key)
    item.stash[closed_key] = closed = () if ledger is None else ledger.close()
    return closed


def taken(item: pytest.Item, key: pytest.StashKey[T]) -> T | None:
    """Remove something from a test's stash and return it."""
    value = item.stash.get(key, None)
    if key in item.stash:
        del item.stash[key]
    return value


_LIMIT_FLAGS = tuple(given for option in options_of(LimitOptions) for given in (option.in_pytest, option.ini))
_LIMIT_ARGUMENTS = frozenset(option.field for option in options_of(LimitOptions))
_PAGES = ("reference", "candidate")
_FIXTURES = frozenset({*_PAGES, "render", "design2a11y_render", "design2a11y"})

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


def marker_complaints(item: pytest.Item, ledger: "Ledger | None", closed: "Sequence[Closed]") -> list[str]:
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
    from pytest_design2a11y.limits import idle_limits, named_limits
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


def _listed(limits: "Iterable[Limit]") -> str:
    return ", ".join(f"{limit} ({limit.origin})" for limit in limits)
