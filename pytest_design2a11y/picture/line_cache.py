"""What was read from pictures, kept on disk: a design is read once and serves many candidates and runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_design2a11y.files import read_regular, remove_least_recent, write_whole
from pytest_design2a11y.models.from_json import from_json
from pytest_design2a11y.picture.lines import Line

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Bytes that all entries may take together.
MAX_BYTES = 128 * 1024 * 1024

_SUFFIX = ".lines.json"


def lines_of(
    pixels: NDArray[np.uint8],
    *,
    read: Callable[[NDArray[np.uint8]], tuple[Line, ...]],
    identity: str,
    folder: Path | None,
) -> tuple[Line, ...]:
    """Return a picture's lines, read anew where they are not known.

    Args:
        pixels: Shape (height, width, 3), sRGB.
        read: Reads a picture.
        identity: Names the reader with its versions: what another one read does not count.
        folder: Where lines are kept; None: nowhere.
    """
    if folder is None:
        return read(pixels)
    path = folder / f"{_key(pixels, identity)}{_SUFFIX}"
    known = _load(path)
    if known is not None:
        return known
    lines = read(pixels)
    with suppress(OSError):
        write_whole(path, json.dumps([asdict(line) for line in lines]).encode())
        remove_least_recent(([entry] for entry in folder.glob(f"*{_SUFFIX}")), max_bytes=MAX_BYTES)
    return lines


def _key(pixels: NDArray[np.uint8], identity: str) -> str:
    digest = hashlib.sha256(f"{identity} {pixels.shape}".encode())
    digest.update(pixels.tobytes())
    return digest.hexdigest()


def _load(path: Path) -> tuple[Line, ...] | None:
    try:
        return tuple(from_json(Line, record) for record in json.loads(read_regular(path, MAX_BYTES)))
    except Exception:  # Whatever somebody has put there: it is read again.
        return None
