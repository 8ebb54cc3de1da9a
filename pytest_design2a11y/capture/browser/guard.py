"""The last resort, from another thread: ends renderers that eat the memory, and browsers that hang."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PERIOD = 0.25
PROCESSES = Path("/proc")
MEGABYTE = 1 << 20


class Guard:
    """Watches one browser while a capture runs.

    Memory is watched where the system tells of processes in /proc, that is on Linux.

    Attributes:
        process_id: Of the browser; None: nothing can be watched.
        max_memory: Megabytes that one renderer may hold.
        has_ended_renderer: Whether it killed a renderer in this capture.
        has_ended_browser: Whether it gave the browser up in this capture, and killed it where it could.
    """

    def __init__(self, process_id: int | None, max_memory: int) -> None:
        self.process_id = process_id
        self.max_memory = max_memory
        self.has_ended_renderer = False
        self.has_ended_browser = False
        self._end = float("inf")
        self._stop = threading.Event()

    @contextmanager
    def watching(self, seconds: float) -> Iterator[None]:
        """Watch during the `with` block; a block that takes longer than `seconds` loses its browser."""
        if self.process_id is None:
            yield
            return
        self._end = time.monotonic() + seconds
        thread = threading.Thread(
            target=self._watch, args=(self.process_id,), name="design2a11y-guard", daemon=True
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
            _kill(self.process_id)

    def _watch(self, browser: int) -> None:
        while not self._stop.wait(PERIOD):
            if time.monotonic() > self._end:
                self.has_ended_browser = True
                _kill(browser)
                return
            for process_id in _large_renderers(browser, self.max_memory):
                self.has_ended_renderer = True
                _kill(process_id)


def own_descendant(process_id: int) -> int | None:
    """Give back the id of a process that this one started, directly or not; None for any other.

    What runs elsewhere, and may share its number with something here, must not be killed.
    """
    return process_id if process_id in set(descendants(os.getpid())) else None


def descendants(root: int) -> Iterator[int]:
    """Give a process and all that it started, directly or not, and that have not ended."""
    waiting = [root]
    while waiting:
        process_id = waiting.pop()
        yield process_id
        # It may end while its threads are listed, and they while they are looked at.
        with suppress(OSError):
            for children in PROCESSES.glob(f"{process_id}/task/*/children"):
                with suppress(OSError):
                    waiting.extend(map(int, children.read_text().split()))


def _kill(process_id: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process_id, signal.SIGKILL)


def _large_renderers(browser: int, max_memory: int) -> list[int]:
    page = os.sysconf("SC_PAGE_SIZE")
    return [
        process_id
        for process_id in descendants(browser)
        if _resident_pages(process_id) * page > max_memory * MEGABYTE and _is_renderer(process_id)
    ]


def _resident_pages(process_id: int) -> int:
    try:
        return int((PROCESSES / str(process_id) / "statm").read_text().split()[1])
    except OSError:
        return 0


def _is_renderer(process_id: int) -> bool:
    try:
        return b"--type=renderer" in (PROCESSES / str(process_id) / "cmdline").read_bytes()
    except OSError:
        return False
