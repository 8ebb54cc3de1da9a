"""Paths as people write them."""

from __future__ import annotations

import os
import re
from pathlib import Path

_DEVICE = r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|\Z)"


def file_path(text: str) -> Path:
    """Return a path with `~` and `~user` replaced by the home folder; as written where that is not known."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def is_reserved(name: str) -> bool:
    """Tell whether a name, with whatever suffix, is that of a device on Windows, and of no file there."""
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
