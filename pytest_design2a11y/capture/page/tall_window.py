"""A window as tall as what is captured, for pages on which Chromium's own way does not end in time.

To capture beyond its window, Chromium lays the whole document out twice. Where a model repeated itself
without end, that takes tens of seconds; making the window taller takes none, but may change the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pytest_design2a11y.capture.page.frame_context import FrozenPage
from pytest_design2a11y.capture.scripts import tree_function


@contextmanager
def tall_window(page: FrozenPage) -> Iterator[bool]:
    """Make the window as tall as what is captured, inside the `with` block.

    Yields:
        Whether the page looks the same in it. Where not, the window is as it was.
    """
    width, height = page.viewport.size
    before = _layout(page)
    resize(page, width, page.page_size[1])
    try:
        if _layout(page) == before:
            yield True
            return
    finally:
        resize(page, width, height)
    yield False


def _layout(page: FrozenPage) -> str:
    layout: str = page.worlds[0].call(tree_function(__package__, "layout.js"))
    return layout


def resize(page: FrozenPage, width: int, height: int, *, scale: float | None = None) -> None:
    """Return a page a window of another size, px, and of another scale where one is given."""
    page.send(
        "Emulation.setDeviceMetricsOverride",
        {
            "width": width,
            "height": height,
            "screenWidth": width,
            "screenHeight": page.viewport.height,
            "deviceScaleFactor": scale or page.viewport.scale,
            "mobile": page.viewport.mobile,
        },
    )
