"""What a page does besides showing itself: dialogs, windows, downloads, errors, its own end."""

from __future__ import annotations

import re
from asyncio import CancelledError
from contextlib import suppress

from playwright.sync_api import BrowserContext, Dialog, Download, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.page.freeze import stop_soon
from pytest_design2a11y.capture.page.visit import Visit
from pytest_design2a11y.capture.warning_log import FLOOD, WarningLog

#: Errors of scripts; with one more the page's capture ends. A loop that fails in every frame throws 500.
MAX_ERRORS = 5_000

# Of a package's name a bundler alone knows the file.
_PACKAGE = re.compile(r'Failed to resolve module specifier ("[^"./][^"]*")')

# What gives up a call cancels what is done within an event, too.
GIVEN_UP = (PlaywrightError, CancelledError)


def listen(visit: Visit, context: BrowserContext) -> None:
    """Answer and note whatever a page may do at any time, so that none of it waits for a person."""
    page, log = visit.page, visit.log
    page.on("crash", lambda _: _crashed(visit))
    page.on("close", lambda _: _closed(visit))
    page.on("dialog", lambda dialog: _dismiss(visit, dialog))
    page.on("framenavigated", lambda _: _moved(visit))
    page.on("download", lambda download: _cancel(download, log))
    page.on("pageerror", lambda error: _note_error(error.message, visit))
    context.on("page", lambda opened: _shut(opened, page, log))


def _note_error(message: str, visit: Visit) -> None:
    visit.log.note("js_errors", message)
    if package := _PACKAGE.search(message):
        visit.log.note_unbuilt(f"The script that imports {package[1]}")
    if visit.log.counts["js_errors"] > MAX_ERRORS:
        visit.end_flood(f"threw more than {MAX_ERRORS:,} errors")


def _crashed(visit: Visit) -> None:
    visit.has_crashed = True
    # Commands to a crashed page wait for ever; those to a closed one fail at once.
    with suppress(*GIVEN_UP):
        visit.page.close()


def _closed(visit: Visit) -> None:
    visit.is_closed = True


def _dismiss(visit: Visit, dialog: Dialog) -> None:
    visit.log.note("dialogs", dialog.type)
    if visit.log.counts["dialogs"] > FLOOD:
        stop_soon(visit)
    with suppress(*GIVEN_UP):
        dialog.dismiss()


def _moved(visit: Visit) -> None:
    """Stop a page that changes its own address again and again, or keeps trying to leave."""
    visit.num_moves += 1
    if visit.num_moves % (5 * FLOOD) == 0:
        stop_soon(visit)


def _cancel(download: Download, log: WarningLog) -> None:
    log.note("downloads")
    with suppress(*GIVEN_UP):
        download.cancel()


def _shut(opened: Page, page: Page, log: WarningLog) -> None:
    if opened is page:
        return
    log.note("popups")
    with suppress(*GIVEN_UP):
        opened.close()
