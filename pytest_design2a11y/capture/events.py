"""What a page does besides showing itself: dialogs, windows, downloads, errors, its own end."""

from __future__ import annotations

from contextlib import suppress

from playwright.sync_api import BrowserContext, Dialog, Download, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.journal import Journal
from pytest_design2a11y.capture.visit import Visit

MAX_DIALOGS = 20


def listen(visit: Visit, context: BrowserContext) -> None:
    """Answer and note whatever a page may do at any time, so that none of it waits for a person."""
    page, journal = visit.page, visit.journal
    page.on("crash", lambda _: _crashed(visit))
    page.on("close", lambda _: _closed(visit))
    page.on("dialog", lambda dialog: _dismiss(visit, dialog))
    page.on("download", lambda download: _cancel(download, journal))
    page.on("pageerror", lambda error: journal.note("js_errors", error.message))
    context.on("page", lambda opened: _shut(opened, page, journal))


def _crashed(visit: Visit) -> None:
    visit.has_crashed = True
    # Commands to a crashed page wait for ever; those to a closed one fail at once.
    with suppress(PlaywrightError):
        visit.page.close()


def _closed(visit: Visit) -> None:
    visit.is_closed = True


def _dismiss(visit: Visit, dialog: Dialog) -> None:
    visit.journal.note("dialogs", dialog.type)
    if visit.journal.counts["dialogs"] > MAX_DIALOGS:
        with suppress(PlaywrightError):
            visit.channel.session.send("Runtime.terminateExecution", timeout=1000)
    with suppress(PlaywrightError):
        dialog.dismiss()


def _cancel(download: Download, journal: Journal) -> None:
    journal.note("downloads")
    with suppress(PlaywrightError):
        download.cancel()


def _shut(opened: Page, page: Page, journal: Journal) -> None:
    if opened is page:
        return
    journal.note("popups")
    with suppress(PlaywrightError):
        opened.close()
