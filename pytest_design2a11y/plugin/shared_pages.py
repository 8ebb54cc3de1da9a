"""Pages that were rendered once for several tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import pytest

if TYPE_CHECKING:
    from pytest_design2a11y.models.page import Capture
    from pytest_design2a11y.models.run import Subject

_key: pytest.StashKey[SharedPages] = pytest.StashKey()


class SharedPages:
    """The pages of a run that `design2a11y_render` rendered, for as long as something holds them."""

    def __init__(self) -> None:
        self._sources: WeakKeyDictionary[Capture, Any] = WeakKeyDictionary()
        self._own: WeakKeyDictionary[Capture, Subject] = WeakKeyDictionary()

    def add(self, capture: Capture, source: Any, own: Subject) -> None:
        """Remember a page, what it was rendered from, and what is said of it: its case, sample and axes."""
        self._sources[capture] = source
        self._own[capture] = own

    def said_of(self, capture: Capture) -> Subject | None:
        """Return what is said of a page; None for one that was not rendered here."""
        return self._own.get(capture)

    def source_of(self, capture: Capture) -> Any:
        """Return what a page was rendered from; None for one that was not rendered here."""
        return self._sources.get(capture)

    def given_to(self, item: pytest.Item) -> list[tuple[Capture, Subject]]:
        """Return the pages among the values of a test's fixtures, as rendered, with what is said of them."""
        if not self._own:
            return []
        given = getattr(item, "funcargs", {}).values()
        values = {id(one) for value in given for one in _parts(value)}
        return [(capture, own) for capture, own in self._own.items() if id(capture) in values]


def shared_pages(config: pytest.Config) -> SharedPages:
    """Return those of a run."""
    return config.stash.setdefault(_key, SharedPages())


def _parts(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, Mapping):
        yield from value.values()
    elif isinstance(value, list | tuple | set | frozenset):
        yield from value
