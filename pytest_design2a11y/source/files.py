"""Finding and reading the file that a source names."""

from __future__ import annotations

import difflib
import os
import re
import stat
from itertools import islice
from pathlib import Path

from pytest_design2a11y.exceptions import InputTooLarge, SourceNotFound
from pytest_design2a11y.files import FileTooLarge, read_regular

_STAGE = "source"
_MOST_NAMES_LISTED = 5_000
_NUM_SUGGESTIONS = 3
_LIKENESS = 0.75
_LONGEST_PATH = 4096
_ADDRESS = re.compile(r"(?i)www\.|localhost[:/]|[\w.-]+:\d+(?:/|\Z)")


def is_file_named(text: str, base: Path | None) -> bool:
    """Tell whether a text that reads like prose is the path of a file nonetheless."""
    if len(text) > _LONGEST_PATH or not text.isprintable():
        return False
    try:
        return ((base or Path.cwd()) / text).is_file()
    except OSError:
        return False


def check_file(source: str | os.PathLike[str], path: Path) -> None:
    """Refuse a path that does not lead to a regular file."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        reason = (
            "" if isinstance(error, FileNotFoundError) else f" ({getattr(error, 'strerror', None) or error})"
        )
        raise SourceNotFound(
            f"There is no file {os.fspath(source)!r}: looked for {path}{reason}.",
            stage=_STAGE,
            advice=_advice_for_missing(os.fspath(source), path),
        ) from None
    if stat.S_ISDIR(mode):
        pages = sorted(page.name for page in islice(path.glob("*.htm*"), _MOST_NAMES_LISTED))[
            :_NUM_SUGGESTIONS
        ]
        advice = f"Name a page in it, such as {', '.join(pages)}." if pages else "Name an HTML file."
        raise SourceNotFound(
            f"{os.fspath(source)!r} is a folder, not a page ({path}).", stage=_STAGE, advice=advice
        )
    if not stat.S_ISREG(mode):
        raise SourceNotFound(
            f"{os.fspath(source)!r} is not a regular file ({path}).",
            stage=_STAGE,
            advice="Give the path of an HTML file, a URL, or HTML text.",
        )


def read_file(path: Path, max_bytes: int) -> bytes:
    """Read a file of at most `max_bytes`."""
    refuse_larger_than(max_bytes, path.stat().st_size, str(path))
    try:
        data = read_regular(path, max_bytes)
    except FileTooLarge:  # It grew meanwhile.
        refuse_larger_than(max_bytes, max_bytes + 1, str(path))
        raise
    except OSError as error:
        raise SourceNotFound(
            f"{path} cannot be read: {error.strerror or error}.",
            stage=_STAGE,
            advice="Give the user that runs the tests the right to read it.",
        ) from error
    return data


def refuse_larger_than(max_bytes: int, num_bytes: int, label: str) -> None:
    """Raise `InputTooLarge` for an input beyond the limit."""
    if num_bytes > max_bytes:
        raise InputTooLarge(
            f"{label} has {num_bytes:,} bytes; the limit is {max_bytes:,}.",
            stage=_STAGE,
            advice="If the page is meant to be so large, raise the limit with --design2a11y-max-bytes.",
        )


def _advice_for_missing(source: str, path: Path) -> str:
    if _ADDRESS.match(source):
        return f"If it is meant as an address, write http://{source}."
    folder = path.parent
    if not folder.is_dir():
        existing = next((parent for parent in folder.parents if parent.is_dir()), Path(path.anchor))
        return f"The folder {folder} does not exist either; {existing} does."
    near = _names_like(path.name, folder)
    if near:
        return f"Near it there is {', '.join(near)}."
    return "Give the path of an HTML file, a URL, or HTML text (which starts with '<')."


def _names_like(name: str, folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in islice(entries, _MOST_NAMES_LISTED))
    except OSError:
        return []
    return difflib.get_close_matches(name, names, n=_NUM_SUGGESTIONS, cutoff=_LIKENESS)
