"""Playwright's driver, started (half a second) while the renderer's libraries load."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache

from playwright.sync_api import Error, Playwright, sync_playwright


@contextmanager
def open_driver() -> Iterator[Callable[[], Playwright]]:
    """Yield a function that starts the driver when it is first called; it ends with the context."""
    with ExitStack() as stack:

        @cache
        def driver() -> Playwright:
            context = sync_playwright()
            try:
                playwright = stack.enter_context(context)
            except Exception as error:
                with suppress(AttributeError):  # It has no loop yet if too few files may be open.
                    # An error raised here is kept in a future that is never read, which asyncio would report.
                    context._loop.set_exception_handler(lambda _loop, _of: None)
                raise Error(str(error)) from error
            # Ctrl-C ends the driver as well, which pending calls would report.
            playwright._loop.set_exception_handler(
                lambda loop, of: (
                    "the driver" in str(of.get("exception")) or loop.default_exception_handler(of)
                )
            )
            return playwright

        yield driver
