"""Two pages in work, or one: what metrics of ours are computed from, each step once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, TypeVar, cast

from pytest_design2a11y.models.metric import Pages
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.settings.values import Settings

T = TypeVar("T")


class Work(Pages):
    """Pages, how they are measured, and what has been found out about them."""

    settings: Settings
    known: VisualScore | None

    def __new__(
        cls,
        candidate: Capture,
        reference: Capture | None,
        settings: Settings,
        known: VisualScore | None = None,
    ) -> Self:
        """Begin with pages of which nothing is known, or how alike they are."""
        work = super().__new__(cls, candidate, reference)
        work.settings, work.known, work._done = settings, known, {}
        return work

    _done: dict[Any, tuple[Any, Exception | None]]

    def once(self, step: Callable[[Work], T]) -> T:
        """Return what a step gives, done once; what it raises, it raises again."""
        if step not in self._done:
            try:
                self._done[step] = step(self), None
            except Exception as error:
                self._done[step] = None, error
        given, failure = self._done[step]
        if failure is not None:
            raise failure
        return cast("T", given)
