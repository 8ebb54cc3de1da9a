"""Pages that were rendered once for several tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import pytest

if TYPE_CHECKING:
    from pytest_design2a11y.models.page import Capture
    from pytest_design2a11y.models.run import Axes

_key: pytest.StashKey[SharedPages] = pytest.StashKey()


class SharedPages:
    """The pages of a run that `design2a11y_render` rendered, for as long as something holds them."""

    def __init__(self) -> None:
        self._sources: WeakKeyDictionary[Capture, Any] = WeakKeyDictionary()
        self._axes: WeakKeyDictionary[Capture, Axes] = WeakKeyDictionary()

    def add(self, capture: Capture, source: Any, axes: Axes) -> None:
        """Remember a page, what it was rendered from, and the axes that it was rendered along."""
        self._sources[capture] = source
        self._axes[capture] = axes

    def axes_of(self, capture: Capture) -> Axes | None:
        """Return the axes that a page was rendered along; None for one that was not rendered here."""
        return self._axes.get(capture)

    def source_of(self, capture: Capture) -> Any:
        """Return what a page was rendered from; None for one that was not rendered here."""
        return self._sources.get(capture)

    def given_to(self, item: pytest.Item) -> list[tuple[Capture, Axes]]:
        """Return the pages among the values of a test's fixtures, as they were rendered, with their axes."""
        if not self._axes:
            return []
        given = getattr(item, "funcargs", {}).values()
        values = {id(one) for value in given for one in _parts(value)}
        return [(capture, axes) for capture, axes in self._axes.items() if id(capture) in values]


def shared_pages(config: pytest.Config) -> SharedPages:
    """Return those of a run."""
    return config.stash.setdefault(_key, SharedPages())


def _parts(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, Mapping):
        yield from value.values()
    elif isinstance(value, list | tuple | set | frozenset):
        yield from value
