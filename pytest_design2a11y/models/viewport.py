"""The viewport that a page is laid out for, the state it is captured in, and its masked parts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.records import Amount

Scheme = Literal["light", "dark"]
Media = Literal["screen", "print"]
ForcedColors = Literal["none", "active"]
Motion = Literal["reduce", "no-preference"]


@dataclass(frozen=True, slots=True)
class Viewport:
    """The window and device that a page is laid out for, and the preferences of its user."""

    width: int = 1280  # CSS pixels
    height: int = 720  # CSS pixels
    scale: Amount = 1.0  # Device pixels per CSS pixel; screenshots are always in CSS pixels
    touch: bool = False  # Whether the device has a touch screen
    scheme: Scheme = "light"  # Color scheme
    mobile: bool = False  # Whether it is laid out as on a phone, by its `<meta name="viewport">`
    device: str = ""  # Playwright's name of the device, or ""
    user_agent: str = ""  # User agent of the browser; "" for our own
    forced_colors: ForcedColors = "none"  # Whether the system's colors replace the page's
    motion: Motion = "reduce"  # Whether the page is asked for reduced motion
    media: Media = "screen"  # Media type that the page is styled for
    locale: str = "en-US"  # Language and region, as in "en-US"
    timezone: str = "UTC"  # As in "Europe/Berlin"

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, CSS pixels."""
        return self.width, self.height


STANDARD_VIEWPORT = Viewport()


def context_options(viewport: Viewport) -> dict[str, Any]:
    """Return the arguments that give a browser context this viewport; print is set per page."""
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
    """Steps on a page before its capture, and the parts of it that count."""

    steps: tuple[Step, ...] = ()  # Run in this order; the page settles after each
    wait_for: str | None = None  # Selector of an element that must be visible afterwards
    mask: tuple[str, ...] = ()  # CSS selectors of elements whose text and pixels do not count
    part: str | None = None  # CSS selector of the element to capture, the first visible one; None: all

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
    """Return one step or several as a tuple; ConfigurationError if any is not a function."""
    taken = (steps,) if callable(steps) else tuple(steps or ())
    for step in taken:
        if not callable(step):
            raise ConfigurationError(
                f"{step!r} is not a step.", advice='Give functions: lambda page: page.click("#open").'
            )
    return taken


AS_LOADED = PageState()
