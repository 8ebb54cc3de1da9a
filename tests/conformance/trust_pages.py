"""Reads the pages of trust_pages.txt."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

_DEFAULTS = {"viewport": "width=device-width, initial-scale=1"}


@dataclass(frozen=True)
class TrustPage:
    """A page, and what is wrong with it.

    Attributes:
        kind: One of the twelve kinds of faults.
        name: Unique among them all.
        criteria: Success criteria of WCAG 2.2 that it fails; none: it is right, and looks as if it were not.
        html: The whole document.
    """

    kind: str
    name: str
    criteria: tuple[str, ...]
    html: str = field(repr=False)


@cache
def trust_pages() -> tuple[TrustPage, ...]:
    """Return all pages."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    sound, *sections = text[text.index("<!doctype") :].split("\n== ")
    return tuple(_page(sound.strip(), section) for section in sections)


def _page(sound: str, section: str) -> TrustPage:
    head, *lines = section.strip().splitlines()
    kind, name, *criteria = head.split()
    given = _DEFAULTS | {key: value for key, _, value in (line.partition(": ") for line in lines)}
    script = f"<script>{given['script']}</script>" if "script" in given else ""
    for place in ("viewport", "style", "part"):
        sound = sound.replace(place.upper(), given.get(place, ""))
    return TrustPage(kind, name, tuple(criteria), sound.replace("SCRIPT", script))
