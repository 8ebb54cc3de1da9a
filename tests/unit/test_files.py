"""Files appear whole or not at all; a folder within a size loses what was used longest ago."""

from __future__ import annotations

import errno
import io
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_design2a11y import files
from pytest_design2a11y.files import (
    FileTooLarge,
    limited_lines,
    locked,
    open_regular,
    read_regular,
    remove_least_recent,
    replacing,
    write_whole,
)
from tests.posix import make_pipe


def test_a_file_takes_the_place_of_the_old_one_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "run.txt"
    with replacing(path) as temporary:
        temporary.write_text("first")
    with replacing(path) as temporary:
        temporary.write_text("second")
        assert path.read_text() == "first"

    assert path.read_text() == "second"
    assert list(path.parent.iterdir()) == [path]


def test_no_link_is_followed_to_a_file_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    victim, path = tmp_path / "victim", tmp_path / "run.txt"
    victim.write_text("old")
    path.symlink_to(victim)
    write_whole(path, b"new")
    monkeypatch.setattr("secrets.token_hex", lambda number: "planted")
    (tmp_path / ".planted.part").symlink_to(victim)

    with pytest.raises(FileExistsError):
        write_whole(path, b"new")
    (tmp_path / "index").symlink_to(victim)
    with pytest.raises(OSError, match="symbolic links"), locked(tmp_path / "index"):
        pass
    assert (path.read_text(), victim.read_text()) == ("new", "old")
    assert path.stat().st_mode & 0o111 == 0


def test_an_error_of_the_system_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"

    def write() -> None:
        with replacing(path):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OSError, match=r"No space left on device: '.*run\.txt'"):
        write()


def test_what_goes_wrong_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("old")

    def write_half() -> None:
        with replacing(path) as temporary:
            temporary.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()

    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_as_long_as_names_may_be_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)

    with replacing(path) as temporary:
        temporary.write_text("whole")

    assert path.read_text() == "whole"


def test_what_was_used_longest_ago_goes_first_and_with_what_belongs_to_it(tmp_path: Path) -> None:
    entries = []
    for age, name in enumerate(("newest", "middle", "oldest")):
        files = (tmp_path / name, tmp_path / f"{name}-small")
        for path in files:
            path.write_bytes(bytes(50))
            os.utime(path, (1000 - age, 1000 - age))
        entries.append(files)

    remove_least_recent([*entries, (tmp_path / "gone",)], max_bytes=200)

    assert {path.name for path in tmp_path.iterdir()} == {
        *("newest", "newest-small", "middle", "middle-small")
    }


def test_of_a_line_beyond_the_limit_the_beginning_is_given_and_the_next_line_is_whole() -> None:
    file = io.BytesIO(b"one\n" + b"x" * 35 + b"\n\nlast")

    assert list(limited_lines(file, max_bytes=10)) == [b"one\n", b"x" * 11, b"\n", b"last"]


def test_a_line_as_long_as_the_limit_is_whole() -> None:
    assert list(limited_lines(io.BytesIO(b"123456789\nx"), max_bytes=10)) == [b"123456789\n", b"x"]


def test_a_file_is_opened_only_where_it_is_one(tmp_path: Path) -> None:
    make_pipe(tmp_path / "pipe")

    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(OSError, match=r"not a regular file|directory"):
            open_regular(path)


def test_a_file_that_says_that_it_is_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(10_000_000_000)

    with pytest.raises(FileTooLarge, match="more than 1,000 bytes"):
        read_regular(tmp_path / "sparse", 1_000)


def test_a_file_that_has_nothing_for_now_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """As /proc/kmsg, which says that it is a regular file."""
    if sys.platform == "win32":
        pytest.skip("Windows has no such files.")
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    monkeypatch.setattr(files, "open_regular", lambda path: os.fdopen(reading, "rb"))

    with pytest.raises(BlockingIOError, match="temporarily unavailable"):
        read_regular(Path("kmsg"), 100)
    os.close(writing)


def test_nothing_takes_the_place_of_a_device_or_a_pipe(tmp_path: Path) -> None:
    """As root, `--html=/dev/null` took the device from the whole system."""
    pipe = tmp_path / "pipe"
    make_pipe(pipe)
    (tmp_path / "link").symlink_to(pipe)

    for path in (pipe, tmp_path / "link"):
        with pytest.raises(OSError, match="It is not a regular file"):
            write_whole(path, b"x")
    assert pipe.is_fifo()
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("name", [".", "..", ""])
def test_a_folder_is_not_written_to(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(IsADirectoryError):
        write_whole(Path(name), b"x")
    assert not list(tmp_path.iterdir())


class InUse(PermissionError):
    """What Windows raises where a program has the file open."""

    winerror = 32


@pytest.mark.parametrize(("num_refusals", "is_written"), [(2, True), (9, False)])
def test_a_file_that_a_program_has_open_is_replaced_when_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, num_refusals: int, is_written: bool
) -> None:
    path, replace, asked = tmp_path / "report.html", Path.replace, []

    def refuse(temporary: Path, target: Path) -> Path:
        asked.append(target)
        if len(asked) <= num_refusals:
            raise InUse(errno.EACCES, "The process cannot access the file", str(temporary))
        return replace(temporary, target)

    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr("time.sleep", lambda seconds: None)

    if is_written:
        write_whole(path, b"new")
    else:
        with pytest.raises(PermissionError, match="cannot access the file"):
            write_whole(path, b"new")
    assert path.exists() == is_written
    assert [one.name for one in tmp_path.iterdir()] == ["report.html"] * is_written


def test_on_windows_a_byte_beyond_the_content_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locks: list[tuple[int, int]] = []

    def locking(descriptor: int, mode: int, number: int) -> None:
        locks.append((os.lseek(descriptor, 0, os.SEEK_CUR), number))
        if len(locks) > 1:
            raise OSError(errno.EDEADLK, "Resource deadlock avoided")

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))

    with locked(tmp_path / "index") as file:
        file.write(b"one line\n")
    with pytest.raises(BlockingIOError, match="index"), locked(tmp_path / "index"):
        pass
    assert (tmp_path / "index").read_bytes() == b"one line\n"
    assert locks[0] == (1 << 30, 1)
