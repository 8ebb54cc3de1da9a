"""Pages drawn in another window than their own, where that changes nothing else on them.

To capture beyond its window, Chromium lays the whole document out twice: where a model repeated itself
without end, that takes tens of seconds, and a taller window takes none, but may change the page. What a page
draws at scale 3 and what is made of it at scale 1 differ in the edges of letters and boxes, which is nothing
of the page's own; a page that may choose other pictures or styles by the scale is left as it is.
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
    """Lay a page out in a window of another size, px, and of another scale where one is given."""
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


@contextmanager
def drawn_at_scale_one(page: FrozenPage) -> Iterator[bool]:
    """Have a page drawn at scale 1, inside the `with` block, where that changes nothing else.

    Yields:
        Whether it is.
    """
    has_foreign = page.conditions.get("allowed_hosts") != [] or "assets" in page.conditions
    function = tree_function(__package__, "fine_scale.js")
    if any(world.call(function, has_foreign) for world in page.worlds):
        yield False
        return
    width, height = page.viewport.size
    resize(page, width, height, scale=1.0)
    try:
        yield True
    finally:
        resize(page, width, height)
