"""Files that several processes may write and read at once: whole or not at all, and bounded in all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees all of it or none; its folder is made.

    Raises:
        OSError: It cannot be written; what was there before still is.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def sweep(folder: Path, *, pattern: str, max_bytes: int) -> None:
    """Delete the files used longest ago until the rest is within a limit; what is in use elsewhere stays.

    Args:
        folder: Where they are.
        pattern: Of their names, as for `Path.glob`.
        max_bytes: What all of them may take together.
    """
    files = []
    for path in folder.glob(pattern):
        with suppress(OSError):
            facts = path.stat()
            files.append((facts.st_mtime_ns, facts.st_size, path))
    total = 0
    for _, size, path in sorted(files, reverse=True):
        total += size
        if total > max_bytes:
            with suppress(OSError):
                path.unlink()
