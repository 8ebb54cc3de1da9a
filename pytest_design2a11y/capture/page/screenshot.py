"""The full-page screenshot, taken in a window of another size than the page's if that changes nothing else.

To capture beyond its window, Chromium lays out the whole document twice, which takes tens of seconds if a
model repeated itself endlessly. A taller window takes no time, but may change the page. A page drawn at
scale 3 and reduced to scale 1 differs from one drawn at scale 1 at the edges of letters and boxes, which is
no property of the page; a page that may choose other pictures or styles by the scale is left as it is.
"""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from playwright.sync_api import Page

from pytest_design2a11y.capture.browser.channel import Channel
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.page.frames import Extent, FrozenPage
from pytest_design2a11y.capture.page.freeze import keeps_changing
from pytest_design2a11y.capture.warning_log import WarningLog
from pytest_design2a11y.exceptions import BrowserLost, RenderTimeout
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.viewport import Viewport
from pytest_design2a11y.wording import setting

ATTEMPTS = 4


def captured_extent(channel: Channel, width: int, limits: CaptureLimits, log: WarningLog) -> Extent:
    """Return the part to capture: all of the page up to a limit; a wider page is cut to its window."""
    metrics = channel.send("Page.getLayoutMetrics")
    size, window, seen = (
        metrics[f"css{part}"] for part in ("ContentSize", "LayoutViewport", "VisualViewport")
    )
    own_width, own_height = int(size["width"]), int(size["height"])
    # Where the document's origin lies: a page that runs from right to left begins at its window's right edge.
    start = window["pageX"] - seen["pageX"], window["pageY"] - seen["pageY"]
    height = max(1, min(own_height, limits.max_height))
    if own_height > height:
        log.note("page_clipped", f"{own_height} px high, captured {height} ({setting('max_height')})")
    if own_width > limits.max_width:
        log.note("page_clipped", f"{own_width} px wide, captured {width} ({setting('max_width')})")
        return Extent((width, height), (0.0, -start[1]), (start[0], 0.0), (own_width, own_height))
    seen_width = max(width, own_width)
    return Extent((seen_width, height), (-start[0], -start[1]), (0.0, 0.0), (seen_width, own_height))


def take_live(page: Page, area: Box, milliseconds: float) -> bytes:
    """Take the same screenshot of a page that is not frozen; Playwright pauses its animations meanwhile."""
    x, y, width, height = area
    return page.screenshot(
        full_page=True,
        clip={"x": x, "y": y, "width": width, "height": height},
        animations="disabled",
        # Playwright's own way to hide it leaves an empty style on every field.
        caret="initial",
        style="* { caret-color: transparent !important }",
        scale="css",
        timeout=milliseconds,
    )


def take_stable(page: FrozenPage, *, seconds: float, area: Box | None = None) -> bytes:
    """Take the screenshot of a frozen page.

    A second one, a third of a page's time, is taken for comparison only if the page has content that
    freezing may not have stopped: nothing else can change without a script.
    """
    try:
        taken = take(page, seconds=seconds, area=area)
    except BrowserLost:
        # If the painting process has just ended, all but canvases and the like is painted again.
        if page.restless or page.channel.explain() is not None:
            raise
        taken = take(page, seconds=seconds, area=area)
    if not page.restless:
        return taken
    for _ in range(ATTEMPTS):
        before, taken = taken, take(page, seconds=seconds, area=area)
        if taken == before:
            return taken
    raise keeps_changing(page.restless)


def take(page: FrozenPage, *, seconds: float, area: Box | None = None) -> bytes:
    """Take a screenshot, as PNG, of the upper left part of the page to be captured, or of an area of it."""
    shoot = partial(shot, page.channel, page.in_scroll_area(area or page.area), seconds=seconds)
    if page.viewport.scale == 1:
        if page.whole[1] > page.page_size[1]:
            with tall_window(page) as is_same:
                return shoot(is_beyond_window=not is_same)
        # If nothing lies beyond the window, capturing beyond it would make frames from other sites flicker.
        return shoot(is_beyond_window=page.page_size != page.viewport.size)
    with drawn_at_scale_one(page) as is_drawn_so:
        if is_drawn_so:
            return shoot(is_beyond_window=True)
        with tall_window(page) as is_same:
            is_beyond = not is_same or page.page_size[0] != page.viewport.width
            # Drawn at the page's own scale: a screenshot has one pixel per CSS pixel.
            return shoot(is_beyond_window=is_beyond, scale=1 / page.viewport.scale)


def shot(channel: Channel, area: Box, *, is_beyond_window: bool, seconds: float, scale: float = 1.0) -> bytes:
    """Take a screenshot of a part (x, y, width, height) of a page, px, as PNG."""
    x, y, width, height = area
    answer = channel.ask(
        "Page.captureScreenshot",
        {
            "format": "png",
            "optimizeForSpeed": True,
            "captureBeyondViewport": is_beyond_window,
            "clip": {"x": x, "y": y, "width": width, "height": height, "scale": scale},
        },
        seconds=seconds,
    )
    if answer is None:
        raise RenderTimeout(
            f"The page could not be painted within {seconds:.3g} seconds.",
            stage="screenshot",
            advice="Look for filters over large areas, or for content that repeats without end.",
        )
    return base64.b64decode(answer["data"])


@contextmanager
def tall_window(page: FrozenPage) -> Iterator[bool]:
    """Make the window as tall as the captured part; yield whether the page looks the same, else undo it."""
    width, height = page.viewport.size
    before = _layout(page)
    resize(page.channel, page.viewport, width, page.page_size[1])
    try:
        if _layout(page) == before:
            yield True
            return
    finally:
        resize(page.channel, page.viewport, width, height)
    yield False


def _layout(page: FrozenPage) -> str:
    return str(page.worlds[0].run("capture/page/layout.js", "layout"))


def resize(
    channel: Channel, viewport: Viewport, width: int, height: int, *, scale: float | None = None
) -> None:
    """Lay a page out in a window of another size, px, and optionally at another scale."""
    channel.send(
        "Emulation.setDeviceMetricsOverride",
        {
            "width": width,
            "height": height,
            "screenWidth": width,
            "screenHeight": viewport.height,
            "deviceScaleFactor": scale or viewport.scale,
            "mobile": viewport.mobile,
        },
    )


@contextmanager
def drawn_at_scale_one(page: FrozenPage) -> Iterator[bool]:
    """Draw a page at scale 1 if that changes nothing else; yield whether it is."""
    has_foreign = page.conditions.get("allowed_hosts") != [] or "assets" in page.conditions
    asked = "capture/page/layout.js", "mayChooseByScale"
    if any(world.run(*asked, has_foreign) for world in page.worlds):
        yield False
        return
    width, height = page.viewport.size
    resize(page.channel, page.viewport, width, height, scale=1.0)
    try:
        yield True
    finally:
        resize(page.channel, page.viewport, width, height)
