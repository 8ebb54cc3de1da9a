"""The process that paints all pages of a browser.

Where it ends, the browser starts another and goes on, but what scripts have drawn on canvases is gone, and
later pages may get no WebGL: nothing says so.
"""

from __future__ import annotations

from playwright.sync_api import Browser, CDPSession
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.exceptions import BrowserLost

_SECONDS = 5.0


class Painter:
    """Tells whether the process that paints is still the browser's first."""

    def __init__(self, browser: Browser) -> None:
        """Prepare; the browser is asked nothing yet."""
        self._browser = browser
        self._session: CDPSession | None = None
        self._first: int | None = None

    def note(self) -> None:
        """Note which process paints, when the browser's first page is there."""
        if self._first is None:
            self._first = self._process_id()

    def require_first(self) -> None:
        """Require that it paints still.

        Raises:
            BrowserLost: Another one does, or none.
        """
        if self._first is not None and self._process_id() != self._first:
            raise BrowserLost("The process that paints ended during the capture.", stage="screenshot")

    def _process_id(self) -> int | None:
        """Give the number of the process; None where the browser does not tell."""
        try:
            self._session = self._session or self._browser.new_browser_cdp_session()
            told = self._session.send("SystemInfo.getProcessInfo", timeout=_SECONDS * 1000)["processInfo"]
        except PlaywrightError:
            return None
        return next((process["id"] for process in told if process["type"] == "GPU"), None)
