"""What a page is laid out for, the state that it is captured in, and what of it does not count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from pytest_design2a11y.exceptions import ConfigurationError

Scheme = Literal["light", "dark"]
Media = Literal["screen", "print"]
ForcedColors = Literal["none", "active"]
Motion = Literal["reduce", "no-preference"]


@dataclass(frozen=True, slots=True)
class Viewport:
    """What a page is laid out for: a window on a device, and what the person before it prefers."""

    width: int = 1280  # CSS pixels
    height: int = 720  # CSS pixels
    scale: float = 1.0  # Device pixels a CSS pixel; screenshots are in CSS pixels whatever it is
    touch: bool = False  # Whether the device has a touch screen
    scheme: Scheme = "light"  # Colour scheme
    mobile: bool = False  # Whether it is laid out as on a phone, by its `<meta name="viewport">`
    device: str = ""  # Playwright's name of the device, or ""
    user_agent: str = ""  # What the browser calls itself; "" for our own name
    forced_colors: ForcedColors = "none"  # Whether the system's colours take the place of the page's
    motion: Motion = "reduce"  # Whether the page is asked to move less
    media: Media = "screen"  # What the page is styled for
    locale: str = "en-US"  # Language and region, as in "en-US"
    timezone: str = "UTC"  # As in "Europe/Berlin"

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, CSS pixels."""
        return self.width, self.height


STANDARD_VIEWPORT = Viewport()


def context_options(viewport: Viewport) -> dict[str, Any]:
    """Return the arguments by which a browser context has this viewport; print is a page's own matter."""
    named = {"user_agent": viewport.user_agent} if viewport.user_agent else {}
    return {
        "viewport": {"width": viewport.width, "height": viewport.height},
        "device_scale_factor": viewport.scale,
        "has_touch": viewport.touch,
        "is_mobile": viewport.mobile,
        "reduced_motion": viewport.motion,
        "color_scheme": viewport.scheme,
        "forced_colors": viewport.forced_colors,
        "locale": viewport.locale,
        "timezone_id": viewport.timezone,
        **named,
    }


Step = Callable[[Any], object]
"""Acts on Playwright's page: clicks, fills in, hovers, scrolls."""


@dataclass(frozen=True, slots=True)
class PageState:
    """Steps on a page before it is captured, and the parts of it that count."""

    steps: tuple[Step, ...] = ()  # Taken in this order; the page comes to rest after each
    wait_for: str | None = None  # Selector of an element that must be visible then
    mask: tuple[str, ...] = ()  # CSS selectors of elements whose text and pixels do not count
    # CSS selector of the element to capture, the first visible one; None: the whole page
    part: str | None = None

    @property
    def conditions(self) -> dict[str, Any]:
        """The fields that are set, for `Capture.conditions`."""
        fields = {
            "steps": len(self.steps),
            "wait_for": self.wait_for,
            "mask": list(self.mask),
            "part": self.part,
        }
        return {name: value for name, value in fields.items() if value}


def as_steps(steps: Any) -> tuple[Step, ...]:
    """Return one step or several as a tuple; ConfigurationError for what is not a function."""
    taken = (steps,) if callable(steps) else tuple(steps or ())
    for step in taken:
        if not callable(step):
            raise ConfigurationError(
                f"{step!r} is not a step.", advice='Give functions: lambda page: page.click("#open").'
            )
    return taken


AS_LOADED = PageState()
