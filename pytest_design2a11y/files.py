"""Atomic writes, reads with a size limit, cache folders with a size limit, and paths."""

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

#: Maximum length of a line of JSON: a page of 10 MB, however it is escaped.
MAX_LINE_BYTES = 40_000_000

#: Name of an output file that means standard output.
STANDARD_OUTPUT = Path("-")

# Bytes held in memory of a file that is read in pieces.
_PIECE = 1 << 20

# Opening a pipe without a writer would block; Windows has neither the flag nor such pipes.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

# Windows refuses to replace a file that a program has open: the error codes, and seconds between attempts.
_IN_USE = (5, 32)
_REPLACE_AGAIN = (0.05, 0.1, 0.2, 0.4)

_DEVICE = r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|\Z)"


class FileTooLarge(Exception):
    """A file has more bytes than the limit."""


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading without blocking; OSError for a pipe, a device or the like."""
    file = os.fdopen(os.open(path, _FLAGS), "rb")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise OSError(f"{path} is not a regular file")


def read_regular(path: Path, max_bytes: int) -> bytes:
    """Read a whole file; `FileTooLarge` if it has more than `max_bytes`, OSError as in `open_regular`."""
    with open_regular(path) as file:
        is_large = os.fstat(file.fileno()).st_size > max_bytes
        content = b"" if is_large else _read(file, max_bytes + 1)
    if is_large or len(content) > max_bytes:
        raise FileTooLarge(f"{path} has more than {max_bytes:,} bytes")
    return content


def _read(file: BinaryIO, num_bytes: int) -> bytes:
    content: bytes | None = file.read(num_bytes)
    if content is None:  # System files such as /proc/kmsg may have nothing to read for now.
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN), file.name)
    return content


def sha256_of(path: Path, max_bytes: int) -> str:
    """Hash a file piece by piece; FileTooLarge if it has more than `max_bytes`."""
    digest = hashlib.sha256()
    num_bytes = 0
    with open_regular(path) as file:
        # A file may grow while it is being read.
        while num_bytes <= max_bytes >= os.fstat(file.fileno()).st_size:
            piece = _read(file, _PIECE)
            if not piece:
                return digest.hexdigest()
            num_bytes += len(piece)
            digest.update(piece)
    raise FileTooLarge(f"{path} has more than {max_bytes:,} bytes")


def limited_lines(file: BinaryIO, *, max_bytes: int = MAX_LINE_BYTES) -> Iterator[bytes]:
    """Yield the lines of a file; only the first `max_bytes` + 1 bytes of a longer line."""
    while line := file.readline(max_bytes + 1):
        yield line
        while len(line) > max_bytes and not line.endswith(b"\n"):
            line = file.readline(max_bytes + 1)


def is_special(path: Path) -> bool:
    """Return whether a path is a device, a pipe or the like, which must not be replaced by a file."""
    return path.exists() and not (path.is_file() or path.is_dir())


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a path to write to, which replaces `path` at the end unless an error occurs before.

    Several processes and threads may write to one path: readers see one complete version. A missing folder is
    created; if writing fails, the previous file stays. "-" is standard output.
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
    # The unpredictable name of a new file, so that no link is followed.
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
    """Add the file's name to system errors that lack one (a full disk, for example)."""
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


@contextmanager
def locked(path: Path) -> Iterator[BinaryIO]:
    """Yield a file to append to, created if missing, never a link; BlockingIOError if another has it."""
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

    # A byte beyond the file's end, because others cannot read a locked range.
    file.seek(1 << 30)
    try:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError as error:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically; see `replacing`."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, pieces: Iterable[str]) -> None:
    """Write a text piece by piece and atomically, as UTF-8 with plain line ends; see `replacing`."""
    with (
        replacing(path) as temporary,
        temporary.open("w", encoding="utf-8", errors="replace", newline="\n") as file,
    ):
        file.writelines(pieces)


class CacheFolder:
    """Files by name in a folder, created with the first file, that processes of a machine can share.

    Above `max_bytes`, the least recently used files are removed: this is checked with the first file written,
    and again after much more has been written.
    """

    def __init__(self, folder: Path, *, max_bytes: int = 512 * 2**20) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._num_unchecked = max_bytes

    def read(self, name: str) -> bytes:
        """Return a file and mark it as used."""
        path = self._folder / name
        content = read_regular(path, self._max_bytes)
        with suppress(OSError):
            os.utime(path)
        return content

    def write(self, name: str, content: bytes) -> None:
        """Write a file atomically, and remove others of its kind if there are too many."""
        write_whole(self._folder / name, content)
        self._num_unchecked += len(content)
        if self._num_unchecked > self._max_bytes / 64:
            self._num_unchecked = 0
            kept = self._folder.rglob(f"*{Path(name).suffix}")
            remove_least_recent(([path] for path in kept), max_bytes=self._max_bytes)


def remove_least_recent(entries: Iterable[Sequence[Path]], *, max_bytes: int) -> None:
    """Remove the least recently used entries, whose files belong together, until the rest fits."""
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
    """Return a path with `~` and `~user` expanded; unchanged if the home folder is unknown."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def is_reserved(name: str) -> bool:
    """Return whether a name, with any suffix, is reserved for a device on Windows."""
    return re.match(_DEVICE, name) is not None


def label_of_path(path: str | os.PathLike[str], *, separator: str = os.sep) -> str:
    """Return a file's name in reports, the same on every system: as given, with slashes between folders."""
    text = os.fspath(path)
    return text if separator == "/" else text.replace(separator, "/")


def label_from(root: Path, path: Path) -> str:
    """Return a file's path relative to a folder; "" if it is not below it."""
    for folder, file in ((root, Path(os.path.normpath(path))), (root.resolve(), path.resolve())):
        if file.is_relative_to(folder):
            return file.relative_to(folder).as_posix()
    return ""
