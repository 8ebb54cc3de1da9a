"""Reads and writes a run as one file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NoReturn

import msgspec

from pytest_design2a11y import files
from pytest_design2a11y.exceptions import RunUnreadable
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.runs.encoding import Header, decode_evaluation, decode_header, encode

SUFFIX = ".jsonl"
#: Errors of what is not a run.
DAMAGE = (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, OverflowError)


def write_run(run: Run, path: Path) -> None:
    """Write a run atomically."""
    with files.replacing(path) as temporary, temporary.open("w", encoding="ascii", newline="\n") as file:
        file.writelines(f"{line}\n" for line in encode(run))
        file.flush()
        os.fsync(file.fileno())


def read_run(path: Path, *, has_audit: bool) -> Run:
    """Read a run, named after its file; RunUnreadable if it is damaged. See `load_run`."""
    with files.open_regular(path) as file:
        lines = _lines(path, file)
        try:
            header = decode_header(next(lines, b""))
        except RunUnreadable as error:
            raise RunUnreadable(f"{path}: {error.what}", advice=error.advice) from None
        except DAMAGE as error:
            _unreadable(path, 1, _reason(error))
        evaluations = tuple(_read_evaluations(path, lines, header, has_audit=has_audit))
    if len(evaluations) > header.num_evaluations:
        _unreadable(path, header.num_evaluations + 2, "there are more lines than the header says")
    is_complete = header.is_complete and len(evaluations) == header.num_evaluations
    return Run(
        name_of(path), header.created, is_complete, evaluations, header.labels, header.commit, header.prompts
    )


def name_of(path: Path) -> str:
    """Return the name of a run."""
    return path.name.removesuffix(SUFFIX)


def _lines(path: Path, file: BinaryIO) -> Iterator[bytes]:
    for number, line in enumerate(files.limited_lines(file), 1):
        if len(line) > files.MAX_LINE_BYTES:
            _unreadable(path, number, f"it is longer than {files.MAX_LINE_BYTES // 1_000_000} MB")
        yield line


def _read_evaluations(
    path: Path, lines: Iterator[bytes], header: Header, *, has_audit: bool
) -> Iterator[Evaluation]:
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=2):
        try:
            evaluation = decode_evaluation(line, header, has_audit=has_audit)
        except DAMAGE as error:
            is_broken_off = type(error) in (msgspec.DecodeError, UnicodeDecodeError)
            if is_broken_off and not line.endswith(b"\n"):
                return
            _unreadable(path, number, _reason(error, line))
        if (first := seen.setdefault(evaluation.id, number)) != number:
            _unreadable(path, number, f"the id {evaluation.id!r} is on line {first} already")
        yield evaluation


def _reason(error: Exception, line: bytes = b"") -> str:
    if line.startswith((b"<<<<<<<", b"=======", b">>>>>>>")):
        return "a merge conflict is left in it"
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _unreadable(path: Path, number: int, reason: str) -> NoReturn:
    raise RunUnreadable(
        f"{path} is not a saved run that can be read: line {number}: {reason}.",
        advice="Save the run again, or take the file from version control.",
    )
