"""A time limit for Playwright calls that have none, and calls that go on while this thread waits for others.

When a browser dies at the wrong moment, opening or closing a page waits forever. Playwright runs each call
as a task of an event loop in this thread, and its caller waits in a greenlet: cancelling the task returns
control here, and a call in a greenlet of its own can go on alongside.
"""

import asyncio
import inspect
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Generic, TypeVar, cast

from greenlet import getcurrent, greenlet
from playwright.sync_api import Browser, CDPSession
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

T = TypeVar("T")

PERIOD = 0.25
# Seconds; an error that a call still raises by itself says more than its cancellation.
AFTER_THE_END = 1.0
# Whether this version of Playwright limits a command's time itself (1.65 does, 1.64 does not).
ENDS_COMMANDS = "timeout" in inspect.signature(CDPSession.send).parameters


def bounded(call: Callable[[], T], *, browser: Browser, seconds: float) -> T:
    """Call a method of Playwright's, for at most `seconds`, and only while the browser lives.

    Raises:
        TimeoutError: The call was abandoned.
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
        playwright.sync_api.TimeoutError: No answer came within that time.
        playwright.sync_api.Error: It failed.
    """
    if ENDS_COMMANDS:
        return session.send(method, params, timeout=seconds * 1000)
    # What Playwright's `send` does, with a time limit around it.
    implementation: Any = session._impl_obj
    answer = asyncio.wait_for(implementation.send(method, params), seconds)
    try:
        return cast("dict[str, Any]", session._sync(answer))
    except TimeoutError:
        raise PlaywrightTimeoutError(f"{method} was not answered within {seconds:g} s.") from None


class PendingCall(Generic[T]):
    """A call that goes on while this thread waits for Playwright, or is made when its result is requested."""

    def __init__(self, call: Callable[[], T], *, delay: float = 0.0) -> None:
        """Begin when this thread next waits, after `delay` seconds; it may call any number of methods."""
        self._call = call
        self._outcome: Future[T] = Future()
        self._dispatcher: greenlet | None = None
        self._start: asyncio.TimerHandle | None = None
        # A test that uses asyncio itself, on a page of its own, leaves this thread without a loop.
        with suppress(RuntimeError):
            self._start = asyncio.get_running_loop().call_later(delay, self._begin)

    def result(self, *, seconds: float) -> T:
        """Wait for the call to end and return its result; if it has already begun, for at most `seconds`.

        Raises:
            TimeoutError: It has not ended by then, or was cancelled along with another call.
            playwright.sync_api.Error: It failed.
        """
        if self._dispatcher is None:
            if self._start is not None:
                self._start.cancel()
            return self._call()
        if not self._outcome.done():
            self._wait(self._dispatcher, seconds)
        return self._outcome.result(timeout=0)

    def _begin(self) -> None:
        self._dispatcher = getcurrent()
        greenlet(self._run).switch()

    def _run(self) -> None:
        try:
            self._outcome.set_result(self._call())
        except asyncio.CancelledError:
            self._outcome.set_exception(TimeoutError())
        except Exception as error:
            self._outcome.set_exception(error)

    def _wait(self, dispatcher: greenlet, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        waiting, is_waiting = getcurrent(), True

        def resume() -> None:
            nonlocal is_waiting
            if is_waiting:
                is_waiting = False
                waiting.switch()

        timer = loop.call_later(seconds, resume)
        self._outcome.add_done_callback(lambda _: loop.call_soon(resume))
        try:
            while is_waiting and not dispatcher.dead:
                dispatcher.switch()
        finally:
            is_waiting = False
            timer.cancel()


def together(calls: Sequence[Callable[[], T]], *, seconds: float) -> list[T]:
    """Make several calls at once and return their results; each may take at most `seconds`.

    Raises:
        TimeoutError: One has not ended by then.
        playwright.sync_api.Error: One failed.
    """
    others = [PendingCall(call) for call in calls[1:]]
    first = [call() for call in calls[:1]]
    return [*first, *(other.result(seconds=seconds) for other in others)]
