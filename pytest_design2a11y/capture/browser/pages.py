"""The pages of a browser, each in a context of its own; the next one can be opened while one is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Request, Route
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser.beside import Beside
from pytest_design2a11y.capture.browser.bounded import bounded
from pytest_design2a11y.capture.browser.services import Services
from pytest_design2a11y.exceptions import BrowserLost

# What a page that is being opened ahead is waited for: in a browser that has just ended it never comes.
AHEAD_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class PageOptions:
    """How a page is opened.

    Attributes:
        context: Arguments of `new_context`.
        is_answered: Whether its requests are answered or passed on here, not left to the browser.
    """

    context: Mapping[str, Any]
    is_answered: bool


@dataclass
class Requests:
    """Hands the requests of a page to what answers them, once there is something.

    Attributes:
        answer: Answers a request, or passes it on.
    """

    answer: Callable[[Route, Request], None] | None = None

    def arrive(self, route: Route, request: Request) -> None:
        """Hand on a request; where nothing answers, it waits for ever."""
        if self.answer is not None:
            self.answer(route, request)


@dataclass(frozen=True, slots=True)
class BlankPage:
    """A page that has loaded nothing yet; no animation will run on it.

    Attributes:
        context: Its own.
        page: Playwright's handle.
        session: Its protocol session.
        main_frame: The protocol's name of its main frame.
        requests: All of its requests, where they are answered here.
    """

    context: BrowserContext
    page: Page
    session: CDPSession
    main_frame: str
    requests: Requests


class Pages:
    """Opens blank pages in a browser.

    Attributes:
        browser: That they are opened in.
        services: The processes that serve them.
    """

    def __init__(self, browser: Browser) -> None:
        """Prepare; nothing is opened yet."""
        self.browser = browser
        self.services = Services(browser)
        self._options: PageOptions | None = None
        self._is_like_last = True
        self._spare: Beside[BlankPage] | None = None

    def open(self, options: PageOptions, *, seconds: float) -> BlankPage:
        """Return a page that nothing has been loaded into, opened ahead or within so many seconds.

        Raises:
            BrowserLost: The browser opens none.
        """
        spare, self._spare = self._spare, None
        self._is_like_last = self._options in (None, options)
        self._options = options
        if spare is not None:
            with suppress(PlaywrightError, TimeoutError):
                awaited = partial(spare.result, seconds=min(seconds, AHEAD_SECONDS))
                blank = bounded(awaited, browser=self.browser, seconds=seconds)
                if self._is_like_last:
                    return blank
                bounded(blank.context.close, browser=self.browser, seconds=seconds)
        try:
            return bounded(partial(self._opened, options), browser=self.browser, seconds=seconds)
        except (PlaywrightError, TimeoutError) as error:
            raise BrowserLost(f"The browser opens no page: {error}", stage="launch") from error

    def open_ahead(self) -> None:
        """Open the next page while this thread waits for Playwright, where it may well be like the last."""
        if self._options is not None and self._is_like_last and self._spare is None:
            self._spare = Beside(partial(self._opened, self._options))

    def _opened(self, options: PageOptions) -> BlankPage:
        context = self.browser.new_context(**options.context)
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Animation.enable")
        session.send("Animation.setPlaybackRate", {"playbackRate": 0})
        tree = session.send("Page.getFrameTree")["frameTree"]
        requests = Requests()
        if options.is_answered:
            context.route("**/*", requests.arrive)
        return BlankPage(context, page, session, tree["frame"]["id"], requests)
