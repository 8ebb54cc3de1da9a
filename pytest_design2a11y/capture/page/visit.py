"""One visit to one page: its data for every stage, what the page does, and why nothing works any more."""

import re
from asyncio import CancelledError
from collections.abc import Callable
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Dialog, Download, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser.channel import Channel, Deadline
from pytest_design2a11y.capture.browser.pages import Library
from pytest_design2a11y.capture.browser.processes import Watchdog
from pytest_design2a11y.capture.isolation.remote import Remote
from pytest_design2a11y.capture.limits import LOAD_SHARE, CaptureLimits
from pytest_design2a11y.capture.warning_log import FLOOD, WarningLog
from pytest_design2a11y.exceptions import BrowserLost, CaptureError, MemoryLimit, PageTooLarge, RendererCrash
from pytest_design2a11y.models.viewport import AS_LOADED, STANDARD_VIEWPORT, PageState, Viewport

#: Share of the remaining time that a screenshot may take if an audit follows.
IMAGE_SHARE = 0.5
#: Extra seconds to check whether the page held still, if an audit took all of its time.
CHECKING = 2.0


@dataclass(frozen=True)
class VisitSettings:
    """What a visit needs to know; see `Renderer`."""

    remote: Remote  # Access to other hosts
    limits: CaptureLimits  # What one page may load, run and take up
    viewport: Viewport = STANDARD_VIEWPORT  # The window to lay it out in
    state: PageState = AS_LOADED  # Steps taken on the page before it is read
    # Share of a page's time after which it is taken as it is, even if still loading or busy
    load_share: float = LOAD_SHARE


@dataclass(eq=False)
class Visit:
    """An open page, and why it ended, if known."""

    browser: Browser  # The page's browser
    page: Page  # Playwright's handle
    session: InitVar[CDPSession]
    watchdog: Watchdog  # Watches the browser from another thread
    deadline: Deadline  # Of the whole visit
    library: InitVar[Library | None] = None
    has_scripts: bool = True  # Whether scripts of the page may run
    log: WarningLog = field(default_factory=WarningLog, init=False)  # What happened on it
    channel: Channel = field(init=False)  # Its protocol session, bounded
    has_crashed: bool = field(default=False, init=False)  # Whether its renderer ended
    is_closed: bool = field(default=False, init=False)  # Whether the page is gone
    # What it did more often than a page may; "" if nothing
    flood: str = field(default="", init=False)

    def __post_init__(self, session: CDPSession, library: Library | None) -> None:
        self.channel = Channel(session, self.deadline, self.explain, library)

    def stop_soon(self) -> None:
        """End the page's scripts from within an event, where waiting for an answer is impossible."""
        self.log.note("scripts_stopped")
        self.channel.post("Emulation.setScriptExecutionDisabled", {"value": True})
        self.channel.post("Runtime.terminateExecution")

    def end_flood(self, what: str) -> None:
        """End a page that does something far too often, and its browser: no command would arrive in time."""
        if self.flood:
            return
        self.flood = what
        self.watchdog.end_browser()
        # Playwright has queued many more, and would answer each one.
        with suppress(PlaywrightError):
            self.page.close()

    def explain(self) -> CaptureError | None:
        """Return why nothing works any more, if the page or the browser ended."""
        stage = self.deadline.stage
        if self.watchdog.is_over_memory:
            return MemoryLimit(
                f"With this page the browser took more than {self.watchdog.max_memory} MB of memory.",
                stage=stage,
                advice="Look for a script that piles up data, for huge pictures or many canvases.",
            )
        if self.flood:
            return PageTooLarge(
                f"The page {self.flood}.",
                stage="load",
                advice="Look for a script, or for content that repeats, that does so again and again.",
            )
        if self.watchdog.has_ended_browser:
            return self.deadline.exceeded()
        if not self.browser.is_connected():
            return BrowserLost("The browser ended during the capture.", stage=stage)
        if self.has_crashed:
            return RendererCrash(
                "The page brought its renderer process down.",
                stage=stage,
                advice="Look for very deep nesting, or endless recursion in its layout.",
            )
        if self.is_closed:
            return CaptureError(
                "The page closed itself.", stage=stage, advice="Remove the script that does so."
            )
        return None


#: Script errors; one more ends the capture. A loop that fails in every frame throws 500.
MAX_ERRORS = 5_000

# A bare package name: only a bundler knows its file.
_PACKAGE = re.compile(r'Failed to resolve module specifier ("[^"./][^"]*")')

# Abandoning a call also cancels what is done within an event.
GIVEN_UP = (PlaywrightError, CancelledError)


class PageEvents:
    """Answers and notes whatever a page may do at any time, so that nothing waits for a person."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._log = visit.log
        self._num_moves = 0
        self._handlers: dict[Any, Callable[[Any], None]] = {
            "crash": lambda _: self._crash(),
            "close": lambda _: setattr(visit, "is_closed", True),
            "dialog": self._dismiss,
            "framenavigated": lambda _: self._move(),
            "download": self._cancel,
            "pageerror": lambda error: self.note_error(error.message),
        }

    def listen(self, context: BrowserContext) -> None:
        """Start listening."""
        for event, handle in self._handlers.items():
            self._visit.page.on(event, handle)
        context.on("page", self._shut)

    def stop(self, context: BrowserContext) -> None:
        """Stop listening."""
        for event, handle in self._handlers.items():
            self._visit.page.remove_listener(event, handle)
        context.remove_listener("page", self._shut)

    def note_error(self, message: str) -> None:
        """Note a script error, and end a page that throws far too many."""
        self._log.note("js_errors", message)
        if package := _PACKAGE.search(message):
            self._log.note_unbuilt(f"The script that imports {package[1]}")
        if self._log.counts["js_errors"] > MAX_ERRORS:
            self._visit.end_flood(f"threw more than {MAX_ERRORS:,} errors")

    def _crash(self) -> None:
        self._visit.has_crashed = True
        # Commands to a crashed page wait forever; those to a closed one fail at once.
        with suppress(*GIVEN_UP):
            self._visit.page.close()

    def _dismiss(self, dialog: Dialog) -> None:
        self._log.note("dialogs", dialog.type)
        if self._log.counts["dialogs"] > FLOOD:
            self._visit.stop_soon()
        with suppress(*GIVEN_UP):
            dialog.dismiss()

    def _move(self) -> None:
        """Stop a page that keeps changing its own address, or keeps trying to leave."""
        self._num_moves += 1
        if self._num_moves % (5 * FLOOD) == 0:
            self._visit.stop_soon()

    def _cancel(self, download: Download) -> None:
        self._log.note("downloads")
        with suppress(*GIVEN_UP):
            download.cancel()

    def _shut(self, opened: Page) -> None:
        if opened is not self._visit.page:
            self._log.note("popups")
            with suppress(*GIVEN_UP):
                opened.close()
