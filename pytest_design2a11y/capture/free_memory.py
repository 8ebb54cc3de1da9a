"""Memory that is free in this process goes back to the system; the C library does it by itself too late."""

from __future__ import annotations

import ctypes
from contextlib import suppress


def return_free_memory() -> None:
    """Return back what the C library keeps of memory that nobody uses, where it has a call for that.

    Pictures of pages are freed in pieces of many megabytes, in arenas of several threads, and what is kept of
    them adds up to more than all that is in use.
    """
    # Not glibc: another C library, or another system.
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
