"""The two browsers of a renderer: one that reaches nothing at all, and one for pages with an address."""

import atexit
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser.bounded import bounded
from pytest_design2a11y.capture.browser.launch import LaunchedBrowser, launch
from pytest_design2a11y.capture.browser.processes import Watchdog
from pytest_design2a11y.exceptions import BrowserLost

# Seconds between two checks of folders that are being removed.
PERIOD = 0.02


@dataclass(eq=False)
class BrowserPair:
    """Starts each browser when it is first needed, and a new one after it has ended."""

    start: Callable[..., Browser]  # This and the next two as for `launch`
    chromium: str | None
    options: Mapping[str, Any]
    patience: float  # Seconds that closing a browser may take before it is killed
    _launched: dict[bool, LaunchedBrowser] = field(default_factory=dict, init=False)
    _profiles: list[Path] = field(default_factory=list, init=False)
    is_killed: bool = field(default=False, init=False)  # Whether no page gets a browser any more

    def get(self, *, is_hermetic: bool) -> LaunchedBrowser:
        """Return a running browser; a hermetic one reaches no address, not even this machine's own."""
        if self.is_killed:
            raise BrowserLost("The browser was ended.", stage="launch")
        known = self._launched.get(is_hermetic)
        if known and not known.browser.is_connected():
            self.drop(known)
        if is_hermetic not in self._launched:
            started = launch(
                self.start, chromium=self.chromium, options=self.options, is_hermetic=is_hermetic
            )
            self._launched[is_hermetic] = started
            self._profiles = [*self._stored(), *filter(None, [started.profile])]
        return self._launched[is_hermetic]

    def drop(self, launched: LaunchedBrowser, *, is_dead: bool = False) -> None:
        """End a browser, so that the next page gets another; a dead one is not waited for."""
        self._launched = {kind: other for kind, other in self._launched.items() if other is not launched}
        browser, seconds = launched.browser, 0.0 if is_dead else self.patience
        try:
            bounded(browser.close, browser=browser, seconds=seconds)
        except (TimeoutError, RuntimeError):  # It does not end, or Playwright ended before it.
            Watchdog(launched.process_id, 0).end_browser()
        except PlaywrightError:
            pass

    @contextmanager
    def watching(self, launched: LaunchedBrowser, max_memory: int, seconds: float) -> Iterator[Watchdog]:
        """Watch a browser; replace it if it ended, or if its memory would count against the next page."""
        watchdog = Watchdog(launched.process_id, max_memory)
        try:
            with watchdog.watching(seconds):
                yield watchdog
        finally:
            # Playwright notices the end only later; the painting process keeps textures for a while.
            if watchdog.has_ended_browser or watchdog.is_over_memory:
                self.drop(launched, is_dead=watchdog.has_ended_browser)

    def kill(self) -> None:
        """End both immediately, from any thread, if they are our processes."""
        self.is_killed = True
        for launched in tuple(self._launched.values()):
            Watchdog(launched.process_id, 0).end_browser()

    def close(self) -> None:
        """End both, and wait until Playwright's files are removed: otherwise its cleanup is cut short."""
        for launched in tuple(self._launched.values()):
            self.drop(launched)
        end = time.monotonic() + self.patience
        while self._stored() and time.monotonic() < end:
            time.sleep(PERIOD)
        for profile in self._stored():
            # Windows keeps files that a process, or a virus scanner, still has open.
            shutil.rmtree(profile, ignore_errors=True)
            if profile.exists():
                atexit.register(shutil.rmtree, profile, ignore_errors=True)

    def _stored(self) -> list[Path]:
        """Return the profiles that still exist, those of ended browsers included."""
        return [profile for profile in self._profiles if profile.exists()]
