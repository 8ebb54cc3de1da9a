"""Return freed memory to the system (malloc_trim); the C library itself does it too late."""

from __future__ import annotations

import ctypes
from contextlib import suppress


def return_free_memory() -> None:
    """Return unused memory that the C library keeps, where it has a call for that.

    Pictures of pages are freed in pieces of many megabytes, in arenas of several threads, and what is kept of
    them adds up to more than all that is in use.
    """
    # Not glibc: another C library, or another system.
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
