"""The full-page picture."""

from __future__ import annotations

import base64

from pytest_design2a11y.capture.journal import Journal
from pytest_design2a11y.capture.world import Channel


def page_size(channel: Channel, width: int, max_height: int, journal: Journal) -> tuple[int, int]:
    """Measure what of the page is captured: the window's width, the page's height up to a limit.

    Returns:
        Width and height, px.
    """
    size = channel.send("Page.getLayoutMetrics")["cssContentSize"]
    own_width, own_height = int(size["width"]), int(size["height"])
    height = max(1, min(own_height, max_height))
    if own_height > height:
        journal.note("page_clipped", f"{own_height} px high, captured {height} (--design2a11y-max-height)")
    if own_width > width:
        journal.note("page_clipped", f"{own_width} px wide, captured {width}")
    return width, height


def take(channel: Channel, size: tuple[int, int]) -> bytes:
    """Take a picture of the page's upper left part of that size, as PNG."""
    answer = channel.send(
        "Page.captureScreenshot",
        {
            "format": "png",
            "captureBeyondViewport": True,
            "optimizeForSpeed": True,
            "clip": {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1},
        },
    )
    return base64.b64decode(answer["data"])
