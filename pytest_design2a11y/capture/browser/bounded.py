"""A limit on calls of Playwright's that have none of their own, such as opening and closing a page.

When a browser dies at the wrong moment they wait for ever. Playwright runs them as tasks of an event loop in
this thread; what is cancelled there comes back here.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from playwright.sync_api import Browser

T = TypeVar("T")

PERIOD = 0.25
# A call that can still fail by itself says more than one that is cut off.
AFTER_THE_END = 1.0


def bounded(call: Callable[[], T], *, browser: Browser, seconds: float) -> T:
    """Call a method of Playwright's, but not for longer than it may take or the browser lives.

    Raises:
        TimeoutError: It was given up.
        playwright.sync_api.Error: It failed.
    """
    loop = asyncio.get_running_loop()
    others = asyncio.all_tasks(loop)
    end = time.monotonic() + seconds

    timer = loop.call_later(PERIOD, lambda: look())

    def look() -> None:
        nonlocal end, timer
        if not browser.is_connected():
            end = min(end, time.monotonic() + AFTER_THE_END)
        if time.monotonic() < end:
            timer = loop.call_later(PERIOD, look)
            return
        for task in asyncio.all_tasks(loop) - others:
            task.cancel()

    try:
        return call()
    except asyncio.CancelledError as error:
        raise TimeoutError from error
    finally:
        timer.cancel()
