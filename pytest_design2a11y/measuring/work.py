"""Steps that built-in metrics are computed from, for one page or two, each run once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.settings.values import Settings

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Work:
    """Pages, how they are measured, and what the steps that are done gave, or the error that each raised."""

    candidate: Capture
    reference: Capture | None
    settings: Settings
    done: dict[Callable[[Work], Any], Any] = field(default_factory=dict)

    def once(self, step: Callable[[Work], T]) -> T:
        """Return what a step gives, done once; what it raises, it raises again."""
        if step not in self.done:
            try:
                self.done[step] = step(self)
            except Exception as error:
                self.done[step] = error
        given = self.done[step]
        if isinstance(given, Exception):
            raise given
        return given  # type: ignore[no-any-return]

    def given(self, step: Callable[[Work], T]) -> T | None:
        """Return what a step gave; None where it failed, or nothing needed it."""
        given = self.done.get(step)
        return None if isinstance(given, Exception) else given
