"""Playwright's driver, which takes half a second to start: what renders can be loaded meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache

from playwright.sync_api import Error, Playwright, sync_playwright


@contextmanager
def open_driver() -> Iterator[Callable[[], Playwright]]:
    """Return a function that starts the driver when it is first called; it ends with the context."""
    with ExitStack() as stack:

        @cache
        def driver() -> Playwright:
            context = sync_playwright()
            try:
                playwright = stack.enter_context(context)
            except Exception as error:
                with suppress(AttributeError):  # It has no loop yet where too few files may be open.
                    # What is raised here is kept in a future that nobody reads, of which asyncio would tell.
                    context._loop.set_exception_handler(lambda _loop, _of: None)
                raise Error(str(error)) from error
            # Ctrl-C ends the driver as well, which pending calls report.
            playwright._loop.set_exception_handler(
                lambda loop, of: (
                    "the driver" in str(of.get("exception")) or loop.default_exception_handler(of)
                )
            )
            return playwright

        yield driver
