"""One browser for all runs in a worker's own process: to start one costs more than to render most pages."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Playwright

from pytest_design2a11y.capture import driver, renderer
from pytest_design2a11y.capture.browser.launch import ENVIRONMENT_VARIABLE, starting
from pytest_design2a11y.capture.browser.pair import BrowserPair
from pytest_design2a11y.capture.driver import open_driver
from pytest_design2a11y.measuring import browser_thread

T = TypeVar("T")


class LastingPair(BrowserPair):
    """Two browsers that outlast the renderers that use them; one that breaks is replaced, as in any run."""

    def close(self) -> None:
        """Leave them to the next renderer."""

    def end(self) -> None:
        """End them."""
        super().close()


class OneBrowser:
    """A thread with Playwright and a pair of browsers, which runs use one after the other."""

    def __init__(self) -> None:
        """Prepare; Playwright starts with the first page."""
        self._thread = ThreadPoolExecutor(1)
        self._identity = self._thread.submit(threading.get_ident).result()
        self._is_free = threading.Semaphore()
        self._chromium = os.environ.get(ENVIRONMENT_VARIABLE)
        self._ends = ExitStack()
        self._driver = self._ends.enter_context(open_driver())
        self._pair: LastingPair | None = None

    def serve(self, patched: pytest.MonkeyPatch) -> None:
        """Have runs use this thread and its browsers, unless they name a browser."""
        for module in (driver, renderer):
            patched.setattr(module, "open_driver", self._open_driver)
        patched.setattr(renderer, "BrowserPair", self._pair_for)
        patched.setattr(browser_thread, "threading", SimpleNamespace(Thread=partial(Turn, self.submit)))

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Do the work in this thread, or in one of its own while this one is in use."""
        if not self._is_free.acquire(blocking=False):
            return ThreadPoolExecutor(1).submit(work)
        return self._thread.submit(self._do, work)

    def close(self) -> None:
        """End the browsers and Playwright."""
        self._thread.submit(self._close).result()
        self._thread.shutdown()

    def _do(self, work: Callable[[], T]) -> T:
        try:
            return work()
        finally:
            self._is_free.release()

    def _close(self) -> None:
        if self._pair is not None:
            self._pair.end()
        self._ends.close()

    @contextmanager
    def _open_driver(self) -> Iterator[Callable[[], Playwright]]:
        if threading.get_ident() == self._identity:
            yield self._driver
        else:
            with open_driver() as own:
                yield own

    def _pair_for(self, start: Any, **how: Any) -> BrowserPair:
        is_named = how["chromium"] or how["options"] or os.environ.get(ENVIRONMENT_VARIABLE) != self._chromium
        if is_named or threading.get_ident() != self._identity:
            return BrowserPair(start, **how)
        if self._pair is None or self._pair.is_killed:
            self._pair = LastingPair(starting(self._driver().chromium), **how)
        return self._pair


class Turn:
    """Stands in for the thread of one run."""

    def __init__(
        self,
        submit: Callable[[Callable[[], Any]], Future[Any]],
        *,
        target: Callable[..., Any],
        args: Any,
        **_: Any,
    ) -> None:
        """Prepare, as a thread does."""
        self._begin = partial(submit, partial(target, *args))

    def start(self) -> None:
        """Begin it."""
        self._done = self._begin()

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        wait([self._done], timeout)

    def is_alive(self) -> bool:
        """Return whether it goes on."""
        return not self._done.done()
