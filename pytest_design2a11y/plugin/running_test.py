"""The running test and its ledger, available to any thread, task or fixture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

import pytest

from pytest_design2a11y.plugin.marker import (
    marker_limits,
    marker_values,
    named_values,
    parameters,
    settings_in,
    source_label,
    subject_of,
)
from pytest_design2a11y.settings.variants import rendering_axes, variants

if TYPE_CHECKING:
    from pytest_design2a11y.models.page import Capture
    from pytest_design2a11y.models.verdicts import Subject
    from pytest_design2a11y.plugin.ledger import Closed, Ledger

T = TypeVar("T")

ledger_key: pytest.StashKey[Ledger] = pytest.StashKey()
closed_key: pytest.StashKey[tuple[Closed, ...]] = pytest.StashKey()
_shared_key: pytest.StashKey[WeakKeyDictionary[Capture, tuple[Any, Subject]]] = pytest.StashKey()

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


def current_ledger(*measured: Capture) -> Ledger | None:
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


def shared_pages(config: pytest.Config) -> WeakKeyDictionary[Capture, tuple[Any, Subject]]:
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


def ledger_of(item: pytest.Item) -> Ledger:
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


def close_ledger(item: pytest.Item) -> tuple[Closed, ...]:
    """Finish measuring and release the pages, because pytest keeps its tests until the end."""
    ledger = taken(item, ledger_key)
    item.stash[closed_key] = closed = () if ledger is None else ledger.close()
    if closed:
        from pytest_design2a11y.report.findings_file import junit_properties, properties_of_others

        # A rerun test still has the properties of the previous try.
        item.user_properties[:] = properties_of_others(item.user_properties)
        for number, result in enumerate(closed, 1):
            item.user_properties.extend(junit_properties(result.evaluation, number=number))
    return closed


def taken(item: pytest.Item, key: pytest.StashKey[T]) -> T | None:
    """Remove something from a test's stash and return it."""
    value = item.stash.get(key, None)
    if key in item.stash:
        del item.stash[key]
    return value
