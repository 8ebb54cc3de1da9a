"""What a page is laid out for, and how users write it: sizes, schemes, locales, time zones.

Imported in every pytest run of every user: nothing at the top that costs time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

Scheme = Literal["light", "dark"]
Media = Literal["screen", "print"]
ForcedColors = Literal["none", "active"]
Motion = Literal["reduce", "no-preference"]

_SIZE = re.compile(r"(\d{1,5})x(\d{1,5})(?:@(\d{1,2}(?:\.\d{1,3})?))?((?:\+(?:touch|mobile))*)")
_LOCALE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")

_LARGEST, _LARGEST_SCALE = 10_000, 8.0

#: The words that schemes are written in, and what each says.
_WORDS: Mapping[str, tuple[str, str]] = {
    "light": ("scheme", "light"),
    "dark": ("scheme", "dark"),
    "forced-colors": ("forced_colors", "active"),
    "reduced-motion": ("motion", "reduce"),
    "full-motion": ("motion", "no-preference"),
    "screen": ("media", "screen"),
    "print": ("media", "print"),
}
#: Those that go without saying.
_UNSAID = frozenset({"light", "reduced-motion", "screen"})


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

    def with_scheme(self, text: str) -> Viewport:
        """Return one that a page is asked for in this scheme, as `read_scheme` reads it."""
        return replace(self, **_scheme_fields(text))


STANDARD_VIEWPORT = Viewport()


def viewport_of_size(text: str) -> Viewport:
    """Read a window: "1280x720", "375x812@3" with its scale, "375x812@3+mobile" of a phone, "...+touch"."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError("write WIDTHxHEIGHT, such as 1280x720, 375x812@3 or 375x812@3+mobile")
    width, height, scale = int(match[1]), int(match[2]), float(match[3] or 1)
    if not (1 <= width <= _LARGEST and 1 <= height <= _LARGEST):
        raise ValueError(f"width and height are 1 to {_LARGEST} px")
    if not 0 < scale <= _LARGEST_SCALE:
        raise ValueError(f"the scale is above 0, and {_LARGEST_SCALE:g} at most")
    is_mobile = "+mobile" in match[4]
    return Viewport(width, height, scale, touch=is_mobile or "+touch" in match[4], mobile=is_mobile)


def read_size(text: str) -> str:
    """Read a window, and write it the one way that tells it apart from others; see `viewport_of_size`."""
    window = viewport_of_size(text)
    scale = "" if window.scale == 1 else f"@{window.scale:g}"
    kind = "+mobile" if window.mobile else "+touch" if window.touch else ""
    return f"{window.width}x{window.height}{scale}{kind}"


def read_scheme(text: str) -> str:
    """Read what a page is asked for: "dark", "print", "dark+forced-colors", and write it in one way."""
    fields = _scheme_fields(text)
    said = (word for word, (name, value) in _WORDS.items() if fields.get(name) == value)
    return "+".join(word for word in said if word not in _UNSAID) or "light"


def _scheme_fields(text: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for word in text.strip().split("+"):
        if word not in _WORDS:
            raise ValueError(f"{word!r} is not one of {', '.join(_WORDS)}, joined by +")
        name, value = _WORDS[word]
        if fields.setdefault(name, value) != value:
            raise ValueError("two of its words contradict each other")
    return fields


def read_locale(text: str) -> str:
    """Read a language with a region, such as de-DE."""
    if not _LOCALE.fullmatch(text):
        raise ValueError("write a language and a region, such as en-US or de-DE")
    return text


def read_timezone(text: str) -> str:
    """Read a time zone, such as Europe/Berlin; where this machine knows none, the browser judges."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    for name in (text, "Europe/Berlin"):
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
        if name != text:
            raise ValueError("there is no such time zone; write one such as Europe/Berlin or UTC")
        break
    return text
