"""Whether a run can write what it is asked for, told before it starts."""

from __future__ import annotations

import os
from pathlib import Path

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import is_special


def check_writable(path: Path, flag: str) -> None:
    """Refuse a file that could not be written at the end.

    Args:
        path: The file; its folders are made where they are missing.
        flag: The option that asks for it.

    Raises:
        ConfigurationError: It is a folder, a device or the like, or a file stands where a folder has to
            be, or the right to write is missing.
    """
    if problem := _problem(path):
        raise ConfigurationError(
            f"{flag} cannot write {path}: {problem}.",
            advice="Name a file in a folder that can be written to.",
        )


def _problem(path: Path) -> str | None:
    if path.is_dir():
        return "it is a folder"
    if is_special(path):
        return "it is not a regular file"
    there = next(place for place in (path, *path.absolute().parents) if place.exists())
    if there != path and not there.is_dir():
        return f"{there} is not a folder"
    return None if os.access(there, os.W_OK) else f"{there} is read-only"
