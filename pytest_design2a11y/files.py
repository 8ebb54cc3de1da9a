"""Files that are written whole or not at all, and folders that stay within a size."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a path to write to; it takes the place of `path` at the end, unless something goes wrong before.

    Several processes and threads may write one path: readers see one of the contents, never half of it.

    Args:
        path: What is to be written; its folder is made where it is missing.

    Raises:
        OSError: It cannot be written there; what was there before stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{os.getpid()}-{threading.get_ident()}.part")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all; see `replacing`."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def remove_least_recent(entries: Iterable[Sequence[Path]], *, max_bytes: int) -> None:
    """Remove what was used longest ago, until the rest fits; other processes may do so at the same time.

    Args:
        entries: Files that go together; the first one's time is that of their last use.
        max_bytes: What all of them may take.
    """
    found = []
    for files in entries:
        with suppress(OSError):
            facts = [path.stat() for path in files]
            found.append((facts[0].st_mtime_ns, sum(one.st_size for one in facts), files))
    total = sum(size for _, size, _ in found)
    for _, size, files in sorted(found):
        if total <= max_bytes:
            return
        for path in files:
            with suppress(OSError):
                path.unlink()
        total -= size
