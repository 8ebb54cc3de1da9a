"""How much of everything one page may take."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_design2a11y.exceptions import PageTooLarge


@dataclass(frozen=True, slots=True)
class CaptureLimits:
    """Limits of one capture; what is beyond them is clipped with a warning or refused with an error.

    Attributes:
        max_nodes: Elements in all frames together; more: `PageTooLarge`.
        max_frames: Frames, the main one included; more: `PageTooLarge`.
        max_height: Page pixels; what is below is clipped with a warning.
        max_width: Page pixels; a wider page is clipped to the window, with a warning.
        max_memory: Resident megabytes of one of the browser's renderers; more: `MemoryLimit`.
    """

    max_nodes: int = 30_000
    max_frames: int = 100
    max_height: int = 16_000
    max_width: int = 4_000
    max_memory: int = 2_048

    def check_nodes(self, number: int) -> None:
        """Refuse a page with too many elements."""
        _refuse_above(self.max_nodes, number, "elements", "--design2a11y-max-nodes")

    def check_frames(self, number: int) -> None:
        """Refuse a page with too many frames."""
        _refuse_above(self.max_frames, number, "frames", "--design2a11y-max-frames")


def _refuse_above(limit: int, number: int, things: str, option: str) -> None:
    if number > limit:
        raise PageTooLarge(
            f"The page has {number} {things}; the limit is {limit}.",
            stage="freeze",
            advice=f"Look for content that repeats, or raise the limit with {option}.",
        )
