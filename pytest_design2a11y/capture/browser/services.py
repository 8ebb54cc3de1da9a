"""The processes that serve all pages of a browser: one paints them, one loads their files.

Where one ends, the browser starts another and goes on, and nothing says what is gone: with the one, what
scripts have drawn on canvases, and WebGL for later pages; with the other, the files that were on their way.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from playwright.sync_api import Browser, CDPSession
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser.beside import Beside
from pytest_design2a11y.capture.browser.bounded import send_command

_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Service:
    """One of the processes: the protocol's name of its kind, and how errors call it."""

    type: str
    told: str


PAINTS = Service("GPU", "The process that paints")
LOADS = Service("network.mojom.NetworkService", "The process that loads files")


class Services:
    """Tells whether a browser's processes are still its first ones."""

    def __init__(self, browser: Browser) -> None:
        """Prepare; the browser is asked nothing yet."""
        self._browser = browser
        self._session: CDPSession | None = None
        self._first: Mapping[Service, int] = {}

    def note(self) -> None:
        """Note which processes there are, when the browser's first page is there."""
        if not self._first:
            self._first = self._process_ids()

    def ask(self) -> Beside[Mapping[Service, int]]:
        """Ask which ones there are now, while this thread waits for something else."""
        return Beside(self._process_ids)

    def lost(self, asked: Beside[Mapping[Service, int]]) -> Collection[Service]:
        """Return those that have ended, by what `ask` gave; none where the browser does not answer."""
        try:
            found = asked.result(seconds=_SECONDS)
        except TimeoutError:
            return ()
        return [service for service, first in self._first.items() if found and found.get(service) != first]

    def _process_ids(self) -> Mapping[Service, int]:
        """Return the number of each process; none where the browser does not tell."""
        try:
            self._session = self._session or self._browser.new_browser_cdp_session()
            told = send_command(self._session, "SystemInfo.getProcessInfo", seconds=_SECONDS)["processInfo"]
        except PlaywrightError:
            return {}
        ids = {process["type"]: process["id"] for process in told}
        return {service: ids[service.type] for service in (PAINTS, LOADS) if service.type in ids}
