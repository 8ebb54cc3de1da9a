"""The process that paints all pages of a browser.

Where it ends, the browser starts another and goes on, but what scripts have drawn on canvases is gone, and
nothing says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, CDPSession
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.exceptions import BrowserLost

_SECONDS = 5.0


class Painter:
    """Tells whether the process that paints is still the same."""

    def __init__(self, browser: Browser) -> None:
        """Prepare; the browser is asked nothing yet."""
        self._browser = browser
        self._session: CDPSession | None = None

    @contextmanager
    def required(self) -> Iterator[None]:
        """Require that one process paints during the whole `with` block.

        Raises:
            BrowserLost: Another one, or none, does at its end.
        """
        before = self._process_id()
        yield
        if before is not None and self._process_id() != before:
            raise BrowserLost("The process that paints ended during the capture.", stage="screenshot")

    def _process_id(self) -> int | None:
        """Give the number of the process; None where the browser does not tell."""
        try:
            self._session = self._session or self._browser.new_browser_cdp_session()
            told = self._session.send("SystemInfo.getProcessInfo", timeout=_SECONDS * 1000)["processInfo"]
        except PlaywrightError:
            return None
        return next((process["id"] for process in told if process["type"] == "GPU"), None)
