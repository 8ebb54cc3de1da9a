"""The last resort, from another thread: ends what eats the memory, and browsers that hang."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pytest_design2a11y.capture.browser.processes import (
    command_line,
    descendants,
    kill,
    memory_of,
    parent_of,
)

PERIOD = 0.25
# Above this share of what they may hold, processes are looked at more often.
MUCH, SHORT_PERIOD = 0.4, 0.05
MEGABYTE = 1 << 20


class Watchdog:
    """Watches one browser while a capture runs."""

    def __init__(self, process_id: int | None, max_memory: int) -> None:
        self.process_id = process_id  # Of the browser; None: nothing can be watched
        # Megabytes that the browser's processes, and what its driver takes more, may hold together
        self.max_memory = max_memory
        self.is_over_memory: bool = False  # Whether they held more in this capture, and were killed
        # Whether it gave the browser up in this capture, and killed it where it could
        self.has_ended_browser: bool = False
        self._end = float("inf")
        self._driver, self._driver_before = 0, 0
        self._stop = threading.Event()

    @contextmanager
    def watching(self, seconds: float) -> Iterator[None]:
        """Watch during the `with` block; a block that takes longer than `seconds` loses its browser."""
        if self.process_id is None:
            yield
            return
        self._end = time.monotonic() + seconds
        self._driver = parent_of(self.process_id)
        self._driver_before = self._memory_of_driver()
        thread = threading.Thread(
            target=self._watch, args=(self.process_id,), name="design2a11y-watchdog", daemon=True
        )
        thread.start()
        try:
            yield
        finally:
            self._stop.set()
            thread.join()

    def end_browser(self) -> None:
        """Kill the browser, where it is a process of ours."""
        self.has_ended_browser = True
        if self.process_id is not None:
            kill(self.process_id)

    def _watch(self, browser: int) -> None:
        period = PERIOD
        while not self._stop.wait(period):
            if time.monotonic() > self._end:
                self.has_ended_browser = True
                kill(browser)
                return
            held = memory_of(descendants(browser))
            # What a page floods us with waits in Playwright's driver.
            total = sum(held.values()) + max(0, self._memory_of_driver() - self._driver_before)
            period = SHORT_PERIOD if total > MUCH * self.max_memory * MEGABYTE else PERIOD
            if total > self.max_memory * MEGABYTE:
                self.is_over_memory = True
                largest = max(held, key=lambda process_id: held[process_id])
                if "--type=renderer" in command_line(largest):
                    kill(largest)
                else:
                    # What a page holds in the process that paints cannot be told from what others do.
                    self.end_browser()

    def _memory_of_driver(self) -> int:
        return memory_of([self._driver])[self._driver]


def profile_of(process_id: int) -> Path | None:
    """Return the folder of a browser's profile; None where the system does not tell."""
    named = (argument.partition("=") for argument in command_line(process_id))
    return next((Path(path) for name, _, path in named if name == "--user-data-dir"), None)
