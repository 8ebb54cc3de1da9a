"""Processes of this machine: their children, their memory, ending them; the watchdog over a browser's.

psutil works on every system. On Linux, /proc is used where it is faster (children) or counts better
(memory shared by processes, without the files that all of them map).
"""

import ctypes
import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

PROC = Path("/proc")
_HELD = re.compile(r"^Rss(?:Anon|Shmem):\s*(\d+) kB$", re.MULTILINE)
# What can go wrong when a process is inspected while it ends, or belongs to another user.
_GONE = (psutil.Error, OSError)


def own_descendant(process_id: int) -> int | None:
    """Return the id of a process if this one started it, directly or not; None for any other.

    A process that runs elsewhere, and may share its id with one here, must not be killed.
    """
    return process_id if process_id in set(descendants(os.getpid())) else None


def descendants(root: int) -> Iterator[int]:
    """Yield a process and all its running descendants."""
    if not (PROC / "self" / "task").is_dir():
        yield root
        with suppress(*_GONE):
            yield from (child.pid for child in psutil.Process(root).children(recursive=True))
        return
    waiting = [root]
    while waiting:
        process_id = waiting.pop()
        yield process_id
        # It may end while its threads are listed, and they while they are inspected.
        with suppress(OSError):
            for children in PROC.glob(f"{process_id}/task/*/children"):
                with suppress(OSError):
                    waiting.extend(map(int, children.read_text().split()))


def parent_of(process_id: int) -> int:
    """Return the process that started one; 0 if it has ended."""
    with suppress(*_GONE):
        return psutil.Process(process_id).ppid()
    return 0


def command_line(process_id: int) -> list[str]:
    """Return the program and arguments that a process was started with; empty if it has ended."""
    with suppress(*_GONE):
        return psutil.Process(process_id).cmdline()
    return []


def memory_of(process_id: int) -> int:
    """Return the bytes that a process holds, without files (programs, fonts) that others map too.

    On Linux, shared memory is counted for each process that shares it, so that none goes unnoticed.
    Elsewhere it is the process's unique memory (USS) or, if unknown, all its resident memory.
    """
    with suppress(OSError):
        status = (PROC / str(process_id) / "status").read_text()
        return sum(int(kilobytes) << 10 for kilobytes in _HELD.findall(status))
    with suppress(*_GONE):
        process = psutil.Process(process_id)
        with suppress(psutil.AccessDenied, AttributeError):
            return int(process.memory_full_info().uss)
        return int(process.memory_info().rss)
    return 0


def kill(process_id: int) -> None:
    """End a process at once; do nothing if it has ended or belongs to another user."""
    with suppress(*_GONE):
        psutil.Process(process_id).kill()


def profile_of(process_id: int) -> Path | None:
    """Return the folder of a browser's profile; None if unknown."""
    named = (argument.partition("=") for argument in command_line(process_id))
    return next((Path(path) for name, _, path in named if name == "--user-data-dir"), None)


def return_free_memory() -> None:
    """Return memory of this process that the C library keeps of freed pictures, which exceeds all in use."""
    # Fails without glibc: with another C library, or on another system.
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


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
