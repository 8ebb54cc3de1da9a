"""The state that a page is captured in, and what of it does not count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pytest_design2a11y.exceptions import ConfigurationError

Step = Callable[[Any], object]
"""Acts on Playwright's page: clicks, fills in, hovers, scrolls."""


@dataclass(frozen=True, slots=True)
class PageState:
    """What is done to a page before it is read, and what of it does not count."""

    steps: tuple[Step, ...] = ()  # Done to it in this order; it comes to rest after each
    wait_for: str | None = None  # Selector of an element that must show then; None: of none
    mask: tuple[str, ...] = ()  # CSS selectors of elements of which neither text nor pixels count
    # CSS selector of the element that is captured, the first that shows; None: the whole page
    part: str | None = None

    @property
    def conditions(self) -> dict[str, Any]:
        """What numbers depend on, for `Capture.conditions`; what does not apply is left out."""
        told = {
            "steps": len(self.steps),
            "wait_for": self.wait_for,
            "mask": list(self.mask),
            "part": self.part,
        }
        return {name: value for name, value in told.items() if value}


def as_steps(steps: Any) -> tuple[Step, ...]:
    """Take one step or several."""
    taken = (steps,) if callable(steps) else tuple(steps or ())
    for step in taken:
        if not callable(step):
            raise ConfigurationError(
                f"{step!r} is not a step.", advice='Give functions: lambda page: page.click("#open").'
            )
    return taken


AS_LOADED = PageState()
