"""Files that are written whole or not at all, read up to a size; folders that stay within one; paths."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

#: One line of JSON that is read: a page of 10 MB, however it is escaped.
MAX_LINE_BYTES = 40_000_000

#: What a file to write to is named for standard output.
STANDARD_OUTPUT = Path("-")

# What is held of a file that is read in pieces.
_PIECE = 1 << 20

# Opening a pipe without a writer would block; Windows has neither the flag nor such files.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

# Windows refuses to replace a file that a program has open: its codes for that, and seconds between attempts.
_IN_USE = (5, 32)
_REPLACE_AGAIN = (0.05, 0.1, 0.2, 0.4)

_DEVICE = r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|\Z)"


class FileTooLarge(Exception):
    """A file has more bytes than are read."""


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading, without waiting for it; OSError for a pipe, a device or the like."""
    file = os.fdopen(os.open(path, _FLAGS), "rb")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise OSError(f"{path} is not a regular file")


def read_regular(path: Path, max_bytes: int) -> bytes:
    """Read a file whole; `FileTooLarge` where it has more bytes than that, OSError as in `open_regular`."""
    with open_regular(path) as file:
        is_large = os.fstat(file.fileno()).st_size > max_bytes
        content = b"" if is_large else _read(file, max_bytes + 1)
    if is_large or len(content) > max_bytes:
        raise FileTooLarge(f"{path} has more than {max_bytes:,} bytes")
    return content


def _read(file: BinaryIO, num_bytes: int) -> bytes:
    content: bytes | None = file.read(num_bytes)
    if content is None:  # Files of the system, such as /proc/kmsg, may have nothing for now.
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN), file.name)
    return content


def sha256_of(path: Path, max_bytes: int) -> str:
    """Digest a file piece by piece, so that a large one takes no memory.

    Returns 64 hexadecimal digits; `FileTooLarge` where it has more bytes than that.
    """
    digest = hashlib.sha256()
    num_bytes = 0
    with open_regular(path) as file:
        # A file may grow while it is read.
        while num_bytes <= max_bytes >= os.fstat(file.fileno()).st_size:
            piece = _read(file, _PIECE)
            if not piece:
                return digest.hexdigest()
            num_bytes += len(piece)
            digest.update(piece)
    raise FileTooLarge(f"{path} has more than {max_bytes:,} bytes")


def limited_lines(file: BinaryIO, *, max_bytes: int = MAX_LINE_BYTES) -> Iterator[bytes]:
    """Return the lines of a file; of a line that is longer, the first `max_bytes` + 1 bytes alone."""
    while line := file.readline(max_bytes + 1):
        yield line
        while len(line) > max_bytes and not line.endswith(b"\n"):
            line = file.readline(max_bytes + 1)


def is_special(path: Path) -> bool:
    """Return whether a path leads to a device, a pipe or the like, whose place no file may take."""
    return path.exists() and not (path.is_file() or path.is_dir())


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Return a path to write to; it takes the place of `path` at the end, unless something goes wrong before.

    Several processes and threads may write one path: readers see one of the contents, never half of it. Its
    folder is made where it is missing; where it cannot be written, what was there before stays. "-" is
    standard output.
    """
    if path == STANDARD_OUTPUT:
        with TemporaryDirectory() as folder:
            yield (temporary := Path(folder, "output"))
            sys.stdout.flush()
            sys.stdout.buffer.write(temporary.read_bytes())
        return
    if not path.name or path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if is_special(path):
        raise OSError(errno.EINVAL, "It is not a regular file", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    # An unpredictable name and a new file, so no link is followed.
    temporary = path.with_name(f".{secrets.token_hex(8)}.part")
    with naming(path):
        try:
            os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            yield temporary
            _replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)


def _replace(temporary: Path, path: Path) -> None:
    for seconds in _REPLACE_AGAIN:
        try:
            temporary.replace(path)
            return
        except PermissionError as error:
            if getattr(error, "winerror", None) not in _IN_USE:
                raise
        time.sleep(seconds)
    temporary.replace(path)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add the file's name to errors of the system that lack one (a full disk, for example)."""
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


@contextmanager
def locked(path: Path) -> Iterator[BinaryIO]:
    """Return a file to append to, made if need be, never a link; BlockingIOError where another has it."""
    with naming(path):
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(path, flags, 0o666), "ab") as file:
            _lock(file)
            yield file


def _lock(file: BinaryIO) -> None:
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    import msvcrt

    # A byte beyond the file's end: a locked range cannot be read by others.
    file.seek(1 << 30)
    try:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError as error:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all; see `replacing`."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, pieces: Iterable[str]) -> None:
    """Write a text piece by piece, as UTF-8 with plain line ends, whole or not at all; see `replacing`."""
    with (
        replacing(path) as temporary,
        temporary.open("w", encoding="utf-8", errors="replace", newline="\n") as file,
    ):
        file.writelines(pieces)


class CacheFolder:
    """Files by name in a folder, which is made with the first; processes of one machine may share it.

    Where they take more than `max_bytes`, those used longest ago go: looked at with the first file that is
    written, and again when much has been written since.
    """

    def __init__(self, folder: Path, *, max_bytes: int = 512 * 2**20) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._num_unchecked = max_bytes

    def read(self, name: str) -> bytes:
        """Return a file, which is used now."""
        path = self._folder / name
        content = read_regular(path, self._max_bytes)
        with suppress(OSError):
            os.utime(path)
        return content

    def write(self, name: str, content: bytes) -> None:
        """Write a file, whole or not at all, and remove others of its kind where there are too many."""
        write_whole(self._folder / name, content)
        self._num_unchecked += len(content)
        if self._num_unchecked > self._max_bytes / 64:
            self._num_unchecked = 0
            kept = self._folder.rglob(f"*{Path(name).suffix}")
            remove_least_recent(([path] for path in kept), max_bytes=self._max_bytes)


def remove_least_recent(entries: Iterable[Sequence[Path]], *, max_bytes: int) -> None:
    """Remove what was used longest ago, until the rest fits; other processes may do so at the same time.

    Files that go together make an entry; the first one's time is that of their last use.
    """
    found = []
    for files in entries:
        with suppress(OSError):
            facts = [path.stat() for path in files]
            found.append((facts[0].st_mtime_ns, sum(fact.st_size for fact in facts), files))
    total = sum(size for _, size, _ in found)
    for _, size, files in sorted(found):
        if total <= max_bytes:
            return
        for path in files:
            with suppress(OSError):
                path.unlink()
        total -= size


def file_path(text: str) -> Path:
    """Return a path with `~` and `~user` replaced by the home folder; as written where that is not known."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def is_reserved(name: str) -> bool:
    """Return whether a name, with whatever suffix, is that of a device on Windows, and of no file there."""
    return re.match(_DEVICE, name) is not None


def label_of_path(path: str | os.PathLike[str], *, separator: str = os.sep) -> str:
    """Name a file in a report the same on every system: as it was given, with slashes between its folders."""
    text = os.fspath(path)
    return text if separator == "/" else text.replace(separator, "/")


def label_from(root: Path, path: Path) -> str:
    """Name a file by its path from a folder that it lies below; "" where it lies elsewhere."""
    for folder, file in ((root, Path(os.path.normpath(path))), (root.resolve(), path.resolve())):
        if file.is_relative_to(folder):
            return file.relative_to(folder).as_posix()
    return ""
