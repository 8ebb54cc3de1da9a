"""Processes of this machine: their children, their memory, ending them.

psutil works on every system. On Linux, /proc is used where it is faster (children) or counts better
(memory shared by processes, without the files that all of them map).
"""

import ctypes
import os
import re
from collections.abc import Iterator
from contextlib import suppress
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
