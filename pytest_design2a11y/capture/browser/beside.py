"""Calls of Playwright's that go on while this thread waits for others.

Playwright runs each call as a task of an event loop in this thread, and its caller waits in a greenlet. A
call in a greenlet of its own waits there, as those within Playwright's events do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Generic, TypeVar

from greenlet import getcurrent, greenlet

T = TypeVar("T")


class Beside(Generic[T]):
    """A call that goes on whenever this thread waits for Playwright.

    Where nothing can go on beside, it is made when it is waited for.
    """

    def __init__(self, call: Callable[[], T], *, delay: float = 0.0) -> None:
        """Begin when this thread next waits, after `delay` seconds; any number of methods may be called."""
        self._call = call
        self._outcome: Future[T] = Future()
        self._dispatcher: greenlet | None = None
        self._start: asyncio.TimerHandle | None = None
        # A test's own use of asyncio, beside a page of the test's, leaves this thread without a loop.
        with suppress(RuntimeError):
            self._start = asyncio.get_running_loop().call_later(delay, self._begin)

    def result(self, *, seconds: float) -> T:
        """Wait for the call to end, and return what it gave; where it has begun, for so many seconds at most.

        Raises:
            TimeoutError: It has not ended by then, or was given up with another call.
            playwright.sync_api.Error: It failed.
        """
        if self._dispatcher is None:
            if self._start is not None:
                self._start.cancel()
            return self._call()
        if not self._outcome.done():
            self._wait(self._dispatcher, seconds)
        if not self._outcome.done():
            raise TimeoutError
        return self._outcome.result()

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
    """Make several calls at once, and return what each gave; each is waited for so many seconds at most.

    Raises:
        TimeoutError: One has not ended by then.
        playwright.sync_api.Error: One failed.
    """
    begun = [Beside(call) for call in calls[1:]]
    first = [call() for call in calls[:1]]
    return [*first, *(each.result(seconds=seconds) for each in begun)]
