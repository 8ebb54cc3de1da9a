"""Reading files that pages ask for: regular ones alone, never waiting for what is none, up to a size."""

from __future__ import annotations

import os
import stat
from pathlib import Path

# A pipe that nobody writes to would be waited for; Windows has neither the flag nor such files.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class FileTooLarge(Exception):
    """A file has more bytes than are read."""


def read_regular(path: Path, max_bytes: int) -> bytes:
    """Read a file whole.

    Args:
        path: The file.
        max_bytes: More than that are not read.

    Raises:
        FileTooLarge: It is larger.
        OSError: It cannot be read, or is a pipe, a device or the like.
    """
    with os.fdopen(os.open(path, _FLAGS), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(f"{path} is not a regular file")
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise FileTooLarge(path)
    return content
