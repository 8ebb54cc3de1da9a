"""The processes that serve all pages of a browser: one paints them, one loads their files.

Where one ends, the browser starts another and goes on, and nothing says what is gone: with the one, what
scripts have drawn on canvases, and WebGL for later pages; with the other, the files that were on their way.
"""

from __future__ import annotations

from collections.abc import Mapping

from playwright.sync_api import Browser, CDPSession
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser.beside import Beside
from pytest_design2a11y.exceptions import BrowserLost

PAINTS = "GPU"
LOADS = "network.mojom.NetworkService"

_NAMES = {PAINTS: "The process that paints", LOADS: "The process that loads files"}
_SECONDS = 5.0


class Services:
    """Tells whether a browser's processes are still its first ones."""

    def __init__(self, browser: Browser) -> None:
        """Prepare; the browser is asked nothing yet."""
        self._browser = browser
        self._session: CDPSession | None = None
        self._first: Mapping[str, int] = {}

    def note(self) -> None:
        """Note which processes there are, when the browser's first page is there."""
        if not self._first:
            self._first = self._process_ids()

    def ask(self) -> Beside[Mapping[str, int]]:
        """Ask which ones there are now, while this thread waits for something else."""
        return Beside(self._process_ids)

    def require_first(self, asked: Beside[Mapping[str, int]], *kinds: str) -> None:
        """Require that processes are the browser's first ones; what does not answer cannot be told.

        Args:
            asked: What `ask` gave.
            kinds: Which processes.

        Raises:
            BrowserLost: One has ended.
        """
        try:
            found = asked.result(seconds=_SECONDS)
        except TimeoutError:
            return
        for kind in kinds:
            if found and found.get(kind) != self._first.get(kind):
                raise BrowserLost(f"{_NAMES[kind]} ended during the capture.", stage="screenshot")

    def _process_ids(self) -> Mapping[str, int]:
        """Give the number of each process; none where the browser does not tell."""
        try:
            self._session = self._session or self._browser.new_browser_cdp_session()
            told = self._session.send("SystemInfo.getProcessInfo", timeout=_SECONDS * 1000)
        except PlaywrightError:
            return {}
        return {each["type"]: each["id"] for each in told["processInfo"] if each["type"] in _NAMES}
