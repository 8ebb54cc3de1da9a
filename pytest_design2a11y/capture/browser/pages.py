"""The pages of a browser: one for each visit, or one for many visits that leave nothing behind.

If a page serves one visit only, the next one can be opened while it is read. `Services` watches the two
processes that serve all pages: one paints them, one loads their files. If one ends, the browser starts a new
one without reporting what was lost: canvases and WebGL in one case, files in transit in the other.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Request, Route
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser.bounded import PendingCall, bounded, send_command
from pytest_design2a11y.capture.browser.machine import few_files
from pytest_design2a11y.exceptions import BrowserLost

_SECONDS = 5.0
_ASKED = "SystemInfo.getProcessInfo"


#: Names of the two processes in errors, by the protocol's name for their type.
SERVICES = {"GPU": "The process that paints", "network.mojom.NetworkService": "The process that loads files"}
PAINTS, LOADS = SERVICES


@dataclass(eq=False)
class Services:
    """Watches whether the browser still uses the processes it started with."""

    browser: Browser  # Not called before `note`
    _session: CDPSession | None = field(default=None, init=False)
    _first: Mapping[str, int] = field(default_factory=dict, init=False)

    def note(self) -> None:
        """Note which processes exist once the browser's first page is open."""
        if not self._first:
            with suppress(PlaywrightError):
                self._session = self._session or self.browser.new_browser_cdp_session()
                self._first = _process_ids(send_command(self._session, _ASKED, seconds=_SECONDS))

    def ask(self) -> PendingCall[dict[str, Any]] | None:
        """Ask which ones exist now, while this thread waits for something else; None if none were noted."""
        if self._session is None or not self._first:
            return None
        return PendingCall(partial(send_command, self._session, _ASKED, seconds=_SECONDS))

    def lost(self, asked: PendingCall[dict[str, Any]] | None) -> Collection[str]:
        """Return those that have ended, by the result of `ask`; empty if the browser does not answer."""
        if asked is None:
            return ()
        try:
            found = _process_ids(asked.result(seconds=_SECONDS))
        except (TimeoutError, PlaywrightError):
            return ()
        return [service for service, first in self._first.items() if found and found.get(service) != first]


def _process_ids(info: Mapping[str, Any]) -> Mapping[str, int]:
    return {process["type"]: process["id"] for process in info["processInfo"] if process["type"] in SERVICES}


# How long to wait for a page being opened ahead: in a browser that has just ended it never comes.
AHEAD_SECONDS = 5.0

#: Name of the isolated worlds that pages are read in.
WORLD = "design2a11y"

# Seconds in which a page accepts a script.
FILLING = 4.0

# How many shared pages wait for visits, and how many visits each may have, as its renderer's memory grows.
MOST_SHARED, MOST_VISITS = 2, 50


@dataclass(frozen=True, slots=True)
class PageOptions:
    """How a page is opened."""

    context: Mapping[str, Any]  # Arguments of `new_context`
    is_answered: bool  # Whether its requests are answered or passed on here, not left to the browser
    # Of all text, if visits with equal options may share the page (see `language_of`); None: one visit
    language: str | None = None


@dataclass(eq=False)
class Library:
    """Our functions in the world of every document of a shared page, sent and compiled once."""

    session: CDPSession  # The page's
    names: dict[str, str]  # Of all functions that shared pages of this browser used, by source
    _defined: set[str] = field(default_factory=set, init=False)

    def name_of(self, function: str) -> str | None:
        """Return the name of a function; None if it is only defined in documents after the current one."""
        name = self.names.setdefault(function, f"design2a11yOwn{len(self.names)}")
        return name if function in self._defined else None

    def fill(self, *, seconds: float = FILLING) -> None:
        """Add the functions that were requested of it, or of other pages."""
        missing = [function for function in self.names if function not in self._defined]
        if not missing:
            return
        # Parentheses make them compile at once, instead of being pre-parsed first.
        source = "".join(f"globalThis.{self.names[function]} = ({function});" for function in missing)
        send_command(self.session, "Page.enable", seconds=seconds)
        # A blank page's renderer shows the document, too, and keeps what it has compiled.
        script = {"source": source, "worldName": WORLD, "runImmediately": True}
        send_command(self.session, "Page.addScriptToEvaluateOnNewDocument", script, seconds=seconds)
        self._defined.update(missing)


@dataclass(slots=True)
class BlankPage:
    """A page that shows nothing which could appear in its next document; no animation will run on it."""

    options: PageOptions  # How it was opened
    context: BrowserContext  # Its own
    page: Page  # Playwright's handle
    session: CDPSession  # Its protocol session
    main_frame: str  # The protocol's id of its main frame
    library: Library | None  # Functions in its documents' worlds, if visits share it
    # Answers requests or passes them on, if they are answered here; without it they wait forever
    answer: Callable[[Route, Request], None] | None = None
    num_visits: int = 0  # How many visits it has had
    is_lost: bool = False  # Whether its renderer has ended


class PagePool:
    """Opens blank pages in a browser."""

    def __init__(self, browser: Browser) -> None:
        """Prepare; nothing is opened yet."""
        self.browser = browser
        self.services = Services(browser)  # The processes that serve them
        self._options: PageOptions | None = None
        self._is_like_last = True
        self._spare: PendingCall[BlankPage] | None = None
        self.shared: list[BlankPage] = []  # Those that wait for visits
        self._names: dict[str, str] = {}  # Of our functions in their documents' worlds

    def open(self, options: PageOptions, *, seconds: float) -> BlankPage:
        """Return a page for a visit: a waiting one, one opened ahead, or a new one within `seconds`."""
        if options.language is not None:
            for waiting in self.shared:
                if waiting.options == options and not waiting.is_lost:
                    self.shared.remove(waiting)
                    return waiting
            return self._new(options, seconds)
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
        return self._new(options, seconds)

    def open_ahead(self) -> None:
        """Open the next page while this thread waits for Playwright, if it is likely to be like the last."""
        if self._options is not None and self._is_like_last and self._spare is None:
            self._spare = PendingCall(partial(self._opened, self._options))

    def keep(self, blank: BlankPage) -> BlankPage | None:
        """Take a shared page back after a visit; return the one to close if there are enough."""
        blank.num_visits += 1
        if blank.library is None or blank.num_visits == MOST_VISITS:
            return blank
        try:
            blank.library.fill()
        except PlaywrightError:
            return blank
        self.shared.append(blank)
        return self.shared.pop(0) if len(self.shared) > MOST_SHARED else None

    def _new(self, options: PageOptions, seconds: float) -> BlankPage:
        try:
            return bounded(partial(self._opened, options, seconds), browser=self.browser, seconds=seconds)
        except (PlaywrightError, TimeoutError) as error:
            reason = str(error).partition("\n")[0] or f"no answer within {seconds:.3g} seconds."
            what = f"The browser does not open a page: {reason}"
            raise BrowserLost(what, stage="launch", advice=few_files()) from error

    def _opened(self, options: PageOptions, seconds: float = FILLING) -> BlankPage:
        context = self.browser.new_context(**options.context)
        page = context.new_page()
        session = context.new_cdp_session(page)
        # Otherwise the mouse stays in the upper left corner until the next document.
        session.send("Input.setIgnoreInputEvents", {"ignore": True})
        session.send("Animation.enable")
        session.send("Animation.setPlaybackRate", {"playbackRate": 0})
        tree = session.send("Page.getFrameTree")["frameTree"]
        library = None if options.language is None else Library(session, self._names)
        blank = BlankPage(options, context, page, session, tree["frame"]["id"], library)
        if options.is_answered:
            context.route("**/*", lambda route, request: blank.answer and blank.answer(route, request))
        if library is not None:
            library.fill(seconds=seconds)
            page.on("crash", lambda _: setattr(blank, "is_lost", True))
        return blank
