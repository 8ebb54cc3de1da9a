"""Paths as people write them."""

from __future__ import annotations

from pathlib import Path


def expanded(text: str) -> Path:
    """Give a path with `~` and `~user` replaced by the home folder; as written where that is not known."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)
