"""Playwright's driver, started (half a second) while the renderer's libraries load; and its devices."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from difflib import get_close_matches
from functools import cache
from typing import Any

from playwright.sync_api import Error, Playwright, sync_playwright

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.viewport import Viewport


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


def viewport_of_device(name: str) -> Viewport:
    """Return the window of a device known to Playwright, such as "iPhone 13" or "Pixel 7 landscape"."""
    known = _devices()
    if name not in known:
        near = get_close_matches(name, known, n=3)
        raise ConfigurationError(
            f"Playwright knows no device {name!r}.",
            advice=f"Did you mean {', '.join(map(repr, near))}?"
            if near
            else "Write it as in 'iPhone 13', or a size such as 375x812.",
        )
    device = known[name]
    return Viewport(
        width=device["viewport"]["width"],
        height=device["viewport"]["height"],
        scale=float(device["device_scale_factor"]),
        touch=device["has_touch"],
        mobile=device["is_mobile"],
        device=name,
        user_agent=device["user_agent"],
    )


@cache
def _devices() -> Mapping[str, Any]:
    def ask() -> dict[str, Any]:
        with sync_playwright() as playwright:
            return dict(playwright.devices)

    # The list comes from the driver, which may be asked beside a running event loop in a thread of its own.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(ask).result()
