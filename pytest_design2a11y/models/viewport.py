"""What a page is laid out for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
    scheme: Scheme = "light"  # Which colour scheme the page is asked for
    mobile: bool = False  # Whether it is laid out as on a phone, by its `<meta name="viewport">`
    device: str = ""  # Playwright's name of the device; "" where the window is no particular one's
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
