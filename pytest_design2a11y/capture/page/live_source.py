"""What a test hands over as a page that it has open: of Playwright's sync API, or of its async one."""

from __future__ import annotations

import asyncio
import sys
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page

from pytest_design2a11y.exceptions import ConfigurationError

if TYPE_CHECKING:
    from playwright.async_api import Page as AsyncPage

_ASYNC = "playwright.async_api"

_ADVICE = {
    "Frame": "Render its page: render(frame.page).",
    "BrowserContext": "Render one of its pages.",
    "bytes": "Write render(html=data.decode()), or name the file.",
}


#: Names an element for CSS by its place in the document; null where that does not reach it.
_PATH = """(element) => {
  if (window !== window.top || element.getRootNode() !== document) return null;
  const number = (one) => [...one.parentNode.children].indexOf(one) + 1;
  const place = (one) => `${CSS.escape(one.localName)}:nth-child(${number(one)})`;
  const path = [];
  for (let one = element; one; one = one.parentElement) path.unshift(place(one));
  return path.join(" > ");
}"""
# Milliseconds in which an element must be there.
_PRESENT = 5000


def is_locator(source: object) -> bool:
    """Report whether something is a locator of either of Playwright's APIs."""
    return type(source).__name__ == "Locator" and type(source).__module__.startswith("playwright.")


def path_of(locator: Any) -> str:
    """Return the CSS selector of the one element that a locator finds, as it is now."""
    try:
        path: str | None = locator.evaluate(_PATH, timeout=_PRESENT)
    except PlaywrightError as error:
        raise ConfigurationError(
            f"The locator does not find one element: {error.message.splitlines()[0]}",
            advice="Give one that finds a single element of the page, such as page.locator('main').",
        ) from None
    if path is None:
        raise ConfigurationError(
            "The locator's element lies in a frame or in a shadow root, of which no part can be captured.",
            advice="Give the element around it, or render the frame's address by itself.",
        )
    return path


def require_page(source: object) -> Page:
    """Return what is a page of the sync API; anything else is an error."""
    if isinstance(source, Page):
        return source
    if _is_async_page(source):
        raise ConfigurationError(
            "The page is one of Playwright's async API.", advice="Write await render_async(page)."
        )
    raise _not_a_page(source)


def require_async_page(source: object) -> AsyncPage:
    """Return what is a page of the async API; anything else is an error."""
    if _is_async_page(source):
        return source
    if isinstance(source, Page):
        raise ConfigurationError("The page is one of Playwright's sync API.", advice="Write render(page).")
    raise _not_a_page(source)


def _is_async_page(source: object) -> TypeGuard[AsyncPage]:
    # Check sys.modules to avoid a slow import: such a page needs that API.
    return _ASYNC in sys.modules and isinstance(source, sys.modules[_ASYNC].Page)


def _not_a_page(source: object) -> ConfigurationError:
    name = type(source).__name__
    return ConfigurationError(
        f"render takes a path, a URL, HTML text or a live page of Playwright, not {name}.",
        advice=_ADVICE.get(name, "Name a file or a URL, or give HTML text."),
    )


def blocking(page: Any, loop: asyncio.AbstractEventLoop) -> Page:
    """Make a page of the async API usable as one of the sync API, from other threads than its loop's."""
    return cast("Page", _Blocking(page, loop))


class _Blocking:
    """One of Playwright's async objects, whose methods wait for what they give."""

    def __init__(self, target: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._target = target
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        if not callable(value):
            return _wrapped(value, self._loop)

        def call(*arguments: Any, **keywords: Any) -> Any:
            given = [one._target if isinstance(one, _Blocking) else one for one in arguments]
            answer = value(*given, **keywords)
            if iscoroutinefunction(value):
                answer = asyncio.run_coroutine_threadsafe(answer, self._loop).result()
            return _wrapped(answer, self._loop)

        return call


def _wrapped(value: Any, loop: asyncio.AbstractEventLoop) -> Any:
    if isinstance(value, list):
        return [_wrapped(one, loop) for one in value]
    is_playwright = type(value).__module__.startswith(_ASYNC)
    return _Blocking(value, loop) if is_playwright else value
