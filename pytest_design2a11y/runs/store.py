"""Where runs are kept: one file a run, `.design2a11y/runs/NAME.jsonl`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from pytest_design2a11y.exceptions import ConfigurationError, RunNotFound, RunUnreadable
from pytest_design2a11y.files import replacing
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.runs.encoding import Header, decode_evaluation, decode_header, encode

DEFAULT_FOLDER = Path(".design2a11y") / "runs"
SUFFIX = ".jsonl"

_NAME = re.compile(r"\w[\w.+@-]{0,99}")
_BROKEN_OFF = (json.JSONDecodeError, UnicodeDecodeError)
_DAMAGE = (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, OverflowError)


def check_name(name: str) -> str:
    """Give the name back if a run can be saved under it.

    Raises:
        ConfigurationError: It could not be one file's name on every system.
    """
    if _NAME.fullmatch(name) and not name.endswith((".", SUFFIX)):
        return name
    raise ConfigurationError(
        f"{name!r} cannot be the name of a run.",
        advice="Take up to 100 letters, digits and . _ - + @, beginning with a letter or digit, "
        "without .jsonl.",
    )


def save_run(run: Run, *, folder: Path = DEFAULT_FOLDER) -> Path:
    """Write a run to its file, all of it or nothing; an earlier run of the same name is replaced.

    Args:
        run: What to write; its name gives the file's.
        folder: Where runs are kept; made if need be.

    Returns:
        The file.

    Raises:
        ConfigurationError: The run's name cannot be a file's.
    """
    path = folder / f"{check_name(run.name)}{SUFFIX}"
    with replacing(path) as temporary, temporary.open("w", encoding="ascii", newline="\n") as file:
        file.writelines(f"{line}\n" for line in encode(run))
        file.flush()
        os.fsync(file.fileno())
    return path


def load_run(
    name_or_path: str | os.PathLike[str], *, folder: Path = DEFAULT_FOLDER, has_audit: bool = True
) -> Run:
    """Read a saved run.

    The run goes by its file's name. A file whose last line broke off, or that has fewer lines than its header
    says, is an incomplete run.

    Args:
        name_or_path: A saved run's name, or the path of a file.
        folder: Where runs are kept.
        has_audit: Whether the counts per rule are wanted; comparing needs none.

    Raises:
        RunNotFound: There is no such run.
        RunUnreadable: The file is not a run, or is damaged; the message names the line.
    """
    path = find_run(name_or_path, folder=folder)
    with path.open("rb") as file:
        header = _read_header(path, file.readline())
        evaluations = tuple(_read_evaluations(path, file, header, has_audit=has_audit))
    if len(evaluations) > header.num_evaluations:
        _unreadable(path, header.num_evaluations + 2, "there are more lines than the header says")
    is_complete = header.is_complete and len(evaluations) == header.num_evaluations
    return Run(_name_of(path), header.created, is_complete, evaluations, header.labels, header.commit)


def find_run(name_or_path: str | os.PathLike[str], *, folder: Path = DEFAULT_FOLDER) -> Path:
    """Give the file of a saved run.

    Raises:
        RunNotFound: There is no such run; the message names those that there are.
    """
    text = os.fspath(name_or_path)
    by_name = folder / f"{text}{SUFFIX}"
    if _NAME.fullmatch(text) and by_name.is_file():
        return by_name
    with suppress(OSError, ValueError):
        if Path(text).is_file():
            return Path(text)
    raise RunNotFound(
        f"There is no saved run {text!r} in {folder}.", stage="runs", advice=_names_instead(text, folder)
    )


def load_runs(folder: Path = DEFAULT_FOLDER) -> tuple[list[Run], list[RunUnreadable]]:
    """Read all saved runs, without their audits.

    Returns:
        The runs, the oldest first; and why others could not be read.
    """
    runs, problems = [], []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            runs.append(load_run(path, has_audit=False))
        except RunNotFound:
            problems.append(RunUnreadable(f"{path} is not a file.", stage="runs"))
        except RunUnreadable as error:
            problems.append(error)
        except OSError as error:
            problems.append(RunUnreadable(f"{path} cannot be read: {error.strerror}.", stage="runs"))
    return sorted(runs, key=lambda run: (run.created, run.name)), problems


def _name_of(path: Path) -> str:
    return path.name.removesuffix(SUFFIX)


def _names_instead(text: str, folder: Path) -> str:
    names = sorted(_name_of(path) for path in folder.glob(f"*{SUFFIX}"))
    if not names:
        return "None has been saved yet; save one with --design2a11y-save NAME."
    near = get_close_matches(text, names, n=1)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    shown = ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
    return f"{hint}Saved: {shown}."


def _read_header(path: Path, line: bytes) -> Header:
    try:
        return decode_header(line)
    except RunUnreadable as error:
        raise RunUnreadable(f"{path}: {error.what}", stage="runs", advice=error.advice) from None
    except _DAMAGE as error:
        _unreadable(path, 1, _reason(error))


def _read_evaluations(
    path: Path, lines: Iterator[bytes], header: Header, *, has_audit: bool
) -> Iterator[Evaluation]:
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=2):
        try:
            evaluation = decode_evaluation(line, header, has_audit=has_audit)
        except _DAMAGE as error:
            if isinstance(error, _BROKEN_OFF) and not line.endswith(b"\n"):
                return
            _unreadable(path, number, _reason(error, line))
        first = seen.setdefault(evaluation.id, number)
        if first != number:
            _unreadable(path, number, f"the id {evaluation.id!r} is on line {first} already")
        yield evaluation


def _reason(error: Exception, line: bytes = b"") -> str:
    if line.startswith((b"<<<<<<<", b"=======", b">>>>>>>")):
        return "a merge conflict is left in it"
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return str(error)


def _unreadable(path: Path, number: int, reason: str) -> NoReturn:
    raise RunUnreadable(
        f"{path} is not a saved run that can be read: line {number}: {reason}.",
        stage="runs",
        advice="Save the run again, or take the file from version control.",
    )
