"""A limit on calls of Playwright's that have none: opening and closing pages, commands in older versions.

When a browser dies at the wrong moment they wait for ever. Playwright runs them as tasks of an event loop in
this thread; what is cancelled there comes back here.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

from playwright.sync_api import Browser, CDPSession
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

T = TypeVar("T")

PERIOD = 0.25
# A call that can still fail by itself says more than one that is cut off.
AFTER_THE_END = 1.0
# Whether this version of Playwright ends a command by itself (1.65 does, 1.64 does not).
ENDS_COMMANDS = "timeout" in inspect.signature(CDPSession.send).parameters


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


def send_command(
    session: CDPSession, method: str, params: dict[str, Any] | None = None, *, seconds: float
) -> dict[str, Any]:
    """Send a command of the DevTools protocol and wait for its answer.

    Raises:
        playwright.sync_api.TimeoutError: There was none within that time.
        playwright.sync_api.Error: It failed.
    """
    if ENDS_COMMANDS:
        return session.send(method, params, timeout=seconds * 1000)
    # What `send` does there, with a limit around it.
    implementation: Any = session._impl_obj
    answer = asyncio.wait_for(implementation.send(method, params), seconds)
    try:
        return cast("dict[str, Any]", session._sync(answer))
    except TimeoutError:
        raise PlaywrightTimeoutError(f"{method} was not answered within {seconds:g} s.") from None
