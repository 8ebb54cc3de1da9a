"""The processes that serve all pages of a browser: one paints them, one loads their files.

Where one ends, the browser starts another and goes on, and nothing says what is gone: with the one, what
scripts have drawn on canvases, and WebGL for later pages; with the other, the files that were on their way.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from playwright.sync_api import Browser, CDPSession
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser.bounded import Beside, send_command

_SECONDS = 5.0
_ASKED = "SystemInfo.getProcessInfo"


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
            with suppress(PlaywrightError):
                self._session = self._session or self._browser.new_browser_cdp_session()
                self._first = _process_ids(send_command(self._session, _ASKED, seconds=_SECONDS))

    def ask(self) -> Beside[dict[str, Any]] | None:
        """Ask which ones there are now, while this thread waits for something else; None: none were noted."""
        if self._session is None or not self._first:
            return None
        return Beside(partial(send_command, self._session, _ASKED, seconds=_SECONDS))

    def lost(self, asked: Beside[dict[str, Any]] | None) -> Collection[Service]:
        """Return those that have ended, by what `ask` gave; none where the browser does not answer."""
        if asked is None:
            return ()
        try:
            found = _process_ids(asked.result(seconds=_SECONDS))
        except (TimeoutError, PlaywrightError):
            return ()
        return [service for service, first in self._first.items() if found and found.get(service) != first]


def _process_ids(told: Mapping[str, Any]) -> Mapping[Service, int]:
    ids = {process["type"]: process["id"] for process in told["processInfo"]}
    return {service: ids[service.type] for service in (PAINTS, LOADS) if service.type in ids}
