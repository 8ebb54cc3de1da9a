"""The test that is running, and its ledger, whichever thread, task or fixture asks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.models.paths import label_of_path
from pytest_design2a11y.plugin.marker import (
    marker_limits,
    marker_values,
    named_values,
    parameters,
    subject_of,
)
from pytest_design2a11y.plugin.shared_pages import shared_pages
from pytest_design2a11y.plugin.viewports import VARIANT, settings_in

if TYPE_CHECKING:
    from pytest_design2a11y.models.page import Capture
    from pytest_design2a11y.plugin.ledger import Ledger

ledger_key: pytest.StashKey[Ledger] = pytest.StashKey()

# The last one; there are several where a test runs pytest in its own process.
_running: list[pytest.Item] = []


@contextmanager
def running(item: pytest.Item) -> Iterator[None]:
    """Let a test be the one that is running, during the `with` block."""
    _running.append(item)
    try:
        yield
    finally:
        _running.pop()


def current_ledger(*measured: Capture) -> Ledger | None:
    """Return the running test's ledger; None outside of tests.

    A variable of the context would not do: tasks and threads that plugins made before the test have another.

    Pages that several tests share become its own by being measured.
    """
    if not _running:
        return None
    item = _running[-1]
    ledger = ledger_of(item)
    for capture in measured:
        if (own := shared_pages(item.config).said_of(capture)) is not None:
            ledger.note_shared(capture, own)
    return ledger


def ledger_of(item: pytest.Item) -> Ledger:
    """Return a test's ledger, opened when it is first asked for."""
    if ledger_key not in item.stash:
        from pytest_design2a11y.models.run import along
        from pytest_design2a11y.plugin.ledger import Ledger
        from pytest_design2a11y.settings.variants import rendering_axes, variants

        settings = settings_in(item, parameters(item).get(VARIANT, {}))
        has_variant = len(variants(settings)) == 1
        source = parameters(item).get("candidate", marker_values(item).get("candidate"))
        item.stash[ledger_key] = Ledger(
            along(subject_of(item), rendering_axes(settings)) if has_variant else subject_of(item),
            settings,
            limits=marker_limits(item),
            is_sample=named_values(item).get("sample") is not None,
            expected=("" if source is None else source_label(source, item.config.rootpath)),
        )
    return item.stash[ledger_key]


def source_label(source: Any, root: Path) -> str:
    """Name a source in a report; a file below pytest's root by its path from there."""
    if isinstance(source, Path):
        return label_of_path(source.relative_to(root) if source.is_relative_to(root) else source)
    if type(source) is str:
        return source if len(source) < 500 and "<" not in source else "<html>"
    if isinstance(source, str):
        return "<html>"
    return str(getattr(source, "url", type(source).__name__))
