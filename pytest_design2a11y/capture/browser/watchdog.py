"""Watches a browser from another thread: its time, and the memory of its processes."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pytest_design2a11y.capture.browser.processes import command_line, descendants, kill, memory_of, parent_of

PERIOD = 0.25
# Above this share of the memory limit, processes are checked more often.
MUCH, SHORT_PERIOD = 0.4, 0.05
MEGABYTE = 1 << 20


class Watchdog:
    """Watches one browser while a capture runs."""

    def __init__(self, process_id: int | None, max_memory: int) -> None:
        self.process_id = process_id  # Of the browser; None: nothing can be watched
        # Megabytes that the browser's processes, plus the growth of its driver, may hold together
        self.max_memory = max_memory
        self.is_over_memory: bool = False  # Whether they held more during this capture, and were killed
        # Whether it gave up on the browser in this capture, and killed it if possible
        self.has_ended_browser: bool = False
        self._stop = threading.Event()

    @contextmanager
    def watching(self, seconds: float) -> Iterator[None]:
        """Watch during the `with` block; if it takes longer than `seconds`, its browser is killed."""
        if self.process_id is None:
            yield
            return
        end, driver = time.monotonic() + seconds, parent_of(self.process_id)
        watched = (self.process_id, end, driver, memory_of(driver))
        thread = threading.Thread(target=self._watch, args=watched, name="design2a11y-watchdog", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._stop.set()
            thread.join()

    def end_browser(self) -> None:
        """Kill the browser, if it is a process of ours."""
        self.has_ended_browser = True
        if self.process_id is not None:
            kill(self.process_id)

    def _watch(self, browser: int, end: float, driver: int, driver_before: int) -> None:
        period = PERIOD
        while not self._stop.wait(period):
            if time.monotonic() > end:
                self.end_browser()
                return
            held = {process_id: memory_of(process_id) for process_id in descendants(browser)}
            # If a page floods us with messages, they pile up in Playwright's driver.
            total = sum(held.values()) + max(0, memory_of(driver) - driver_before)
            period = SHORT_PERIOD if total > MUCH * self.max_memory * MEGABYTE else PERIOD
            if total > self.max_memory * MEGABYTE:
                self.is_over_memory = True
                largest = max(held, key=held.__getitem__)
                if "--type=renderer" in command_line(largest):
                    kill(largest)
                else:
                    # The share of one page in the painting process cannot be told apart from that of others.
                    self.end_browser()
