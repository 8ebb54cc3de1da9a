"""What one page may load, run and take up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pytest_design2a11y.exceptions import PageTooLarge
from pytest_design2a11y.models.option import count_above_zero, number_above_zero, option

_COMMANDS = frozenset({"score", "audit"})


@dataclass(frozen=True, repr=False)
class CaptureLimits:
    """Limits of one capture; what is beyond them is clipped with a warning or refused with an error.

    Attributes:
        timeout: Seconds for one page, everything included; more: `RenderTimeout`.
        settle: Seconds of the page's own clock in which its timers run; later ones are named in a warning.
        allow_host: Hosts that pages may load from.
        javascript: Whether the scripts of pages run.
        max_nodes: Elements in all frames together; more: `PageTooLarge`.
        max_frames: Frames, the main one included; more: `PageTooLarge`.
        max_height: Page pixels; what is below is clipped with a warning.
        max_width: Page pixels; a wider page is clipped to the window, with a warning.
        max_memory: Resident megabytes of all the browser's processes; more: `MemoryLimit`.
    """

    timeout: float = option(
        30.0, "Seconds that one page may take.", read=number_above_zero, metavar="SECONDS", commands=_COMMANDS
    )
    settle: float = option(
        7.0,
        "Seconds of its own clock that a page has to come to rest.",
        read=number_above_zero,
        metavar="SECONDS",
        commands=_COMMANDS,
    )
    allow_host: tuple[str, ...] = option(
        (),
        "Host that pages may load from, such as a CDN; none by default.",
        metavar="HOST",
        commands=_COMMANDS,
    )
    javascript: bool = option(True, "Render without running the pages' scripts.", commands=_COMMANDS)
    max_nodes: int = option(
        30_000, "Most elements that a page may have.", read=count_above_zero, metavar="N", commands=_COMMANDS
    )
    max_frames: int = option(
        100, "Most frames that a page may have.", read=count_above_zero, metavar="N", commands=_COMMANDS
    )
    max_height: int = option(
        16_000,
        "Pixels at which a taller page is clipped, with a warning.",
        read=count_above_zero,
        metavar="N",
        commands=_COMMANDS,
    )
    max_width: int = option(
        4_000,
        "Pixels from which on a wider page is clipped to the window, with a warning.",
        read=count_above_zero,
        metavar="N",
        commands=_COMMANDS,
    )
    max_memory: int = 2_048

    @property
    def conditions(self) -> dict[str, Any]:
        """The limits that change numbers, for `Capture.conditions`; the others refuse."""
        return {"max_height": self.max_height, "max_width": self.max_width}

    def check_nodes(self, number: int) -> None:
        """Refuse a page with too many elements."""
        _refuse_above(self.max_nodes, number, "elements", "--design2a11y-max-nodes")

    def check_frames(self, number: int) -> None:
        """Refuse a page with too many frames."""
        _refuse_above(self.max_frames, number, "frames", "--design2a11y-max-frames")


def _refuse_above(limit: int, number: int, things: str, flag: str) -> None:
    if number > limit:
        raise PageTooLarge(
            f"The page has {number} {things}; the limit is {limit}.",
            stage="freeze",
            advice=f"Look for content that repeats, or raise the limit with {flag}.",
        )
