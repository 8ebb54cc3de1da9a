"""Everything a page does besides showing itself: dialogs, windows, downloads, errors, its own end."""

import re
from asyncio import CancelledError
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import BrowserContext, Dialog, Download, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.page.freeze import stop_soon
from pytest_design2a11y.capture.page.visit import Visit
from pytest_design2a11y.capture.warning_log import FLOOD

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
            stop_soon(self._visit)
        with suppress(*GIVEN_UP):
            dialog.dismiss()

    def _move(self) -> None:
        """Stop a page that keeps changing its own address, or keeps trying to leave."""
        self._num_moves += 1
        if self._num_moves % (5 * FLOOD) == 0:
            stop_soon(self._visit)

    def _cancel(self, download: Download) -> None:
        self._log.note("downloads")
        with suppress(*GIVEN_UP):
            download.cancel()

    def _shut(self, opened: Page) -> None:
        if opened is not self._visit.page:
            self._log.note("popups")
            with suppress(*GIVEN_UP):
                opened.close()
