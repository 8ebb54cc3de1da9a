"""Paths as people write them."""

from __future__ import annotations

import os
from pathlib import Path


def expanded(text: str) -> Path:
    """Return a path with `~` and `~user` replaced by the home folder; as written where that is not known."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def label_of_path(path: str | os.PathLike[str], *, separator: str = os.sep) -> str:
    """Name a file in a report the same on every system: as it was given, with slashes between its folders."""
    text = os.fspath(path)
    return text if separator == "/" else text.replace(separator, "/")
