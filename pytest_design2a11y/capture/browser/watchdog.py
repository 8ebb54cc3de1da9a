"""The last resort, from another thread: ends what eats the memory, and browsers that hang."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

PERIOD = 0.25
# Above this share of what they may hold, processes are looked at more often.
MUCH, SHORT_PERIOD = 0.4, 0.05
PROCESSES = Path("/proc")
MEGABYTE = 1 << 20
_PARENT = re.compile(r"^PPid:\s*(\d+)$", re.MULTILINE)
_HELD = re.compile(r"^Rss(?:Anon|Shmem):\s*(\d+) kB$", re.MULTILINE)


class Watchdog:
    """Watches one browser while a capture runs.

    Memory is watched where the system tells of processes in /proc, that is on Linux.

    Attributes:
        process_id: Of the browser; None: nothing can be watched.
        max_memory: Megabytes that the browser's processes, and what its driver takes more, may hold together.
        is_over_memory: Whether they held more in this capture, and were killed.
        has_ended_browser: Whether it gave the browser up in this capture, and killed it where it could.
    """

    def __init__(self, process_id: int | None, max_memory: int) -> None:
        self.process_id = process_id
        self.max_memory = max_memory
        self.is_over_memory: bool = False
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
        self._driver = _parent_of(self.process_id)
        self._driver_before = _held(self._driver)
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
        period = PERIOD
        while not self._stop.wait(period):
            if time.monotonic() > self._end:
                self.has_ended_browser = True
                _kill(browser)
                return
            held = memory_of(descendants(browser))
            # What a page floods us with waits in Playwright's driver.
            total = sum(held.values()) + max(0, _held(self._driver) - self._driver_before)
            period = SHORT_PERIOD if total > MUCH * self.max_memory * MEGABYTE else PERIOD
            if total > self.max_memory * MEGABYTE:
                self._end_largest(held)

    def _end_largest(self, held: Mapping[int, int]) -> None:
        self.is_over_memory = True
        largest = max(held, key=lambda process_id: held[process_id])
        if _is_renderer(largest):
            _kill(largest)
        else:
            # What a page holds in the process that paints cannot be told from what others do.
            self.end_browser()


def own_descendant(process_id: int) -> int | None:
    """Return back the id of a process that this one started, directly or not; None for any other.

    What runs elsewhere, and may share its number with something here, must not be killed.
    """
    return process_id if process_id in set(descendants(os.getpid())) else None


def profile_of(process_id: int) -> Path | None:
    """Return the folder of a browser's profile; None where the system does not tell."""
    try:
        arguments = (PROCESSES / str(process_id) / "cmdline").read_text().split("\0")
    except OSError:
        return None
    named = (argument.partition("=") for argument in arguments)
    return next((Path(path) for name, _, path in named if name == "--user-data-dir"), None)


def descendants(root: int) -> Iterator[int]:
    """Return a process and all that it started, directly or not, and that have not ended."""
    waiting = [root]
    while waiting:
        process_id = waiting.pop()
        yield process_id
        # It may end while its threads are listed, and they while they are looked at.
        with suppress(OSError):
            for children in PROCESSES.glob(f"{process_id}/task/*/children"):
                with suppress(OSError):
                    waiting.extend(map(int, children.read_text().split()))


def memory_of(processes: Iterable[int]) -> dict[int, int]:
    """Return the bytes that each process holds, without the files (programs, fonts) that all of them map.

    Memory that several share is counted for each: none of it goes unseen, however it is spread.
    """
    return {process_id: _held(process_id) for process_id in processes}


def _held(process_id: int) -> int:
    try:
        status = (PROCESSES / str(process_id) / "status").read_text()
    except OSError:
        return 0
    return sum(int(kilobytes) << 10 for kilobytes in _HELD.findall(status))


def _parent_of(process_id: int) -> int:
    """Return the process that started one; 0 where that has ended."""
    try:
        found = _PARENT.search((PROCESSES / str(process_id) / "status").read_text())
    except OSError:
        return 0
    return int(found[1]) if found else 0


def _kill(process_id: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process_id, signal.SIGKILL)


def _is_renderer(process_id: int) -> bool:
    try:
        return b"--type=renderer" in (PROCESSES / str(process_id) / "cmdline").read_bytes()
    except OSError:
        return False
