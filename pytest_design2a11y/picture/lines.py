"""Lines of text as they were read from a picture."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.files import read_regular, remove_least_recent, write_whole
from pytest_design2a11y.models.from_json import from_json
from pytest_design2a11y.models.geometry import Box, is_inside
from pytest_design2a11y.models.page import TextRun

# A letter that stands alone is no taller, px; nor is a mark, such as a dash.
_LARGEST_LETTER = 100
_LARGEST_MARK = 40
# Letters, however far apart, are no wider than so many of their heights.
_WIDEST_LETTER = 3.0


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text."""

    text: str  # As read, words parted by one space
    box: Box  # Upright, px, a little larger than the letters
    confidence: float  # Of the reader, 0..1
    middles: tuple[float, ...]  # Across, px: about where the middle of each letter lies; spaces have none


def is_plausible(line: Line) -> bool:
    """Tell whether a line can be text: one letter as large as a picture is a shape that was taken for one."""
    _, _, width, height = line.box
    text = line.text.replace(" ", "")
    if len(text) == 1 and height > (_LARGEST_LETTER if text.isalnum() else _LARGEST_MARK):
        return False
    return width <= _WIDEST_LETTER * height * len(text)


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
    """Return a picture's lines, read anew where they are not kept in the folder.

    The identity names the reader with its versions: what another one read does not count.
    """
    if folder is None:
        return read(pixels)
    digest = hashlib.sha256(f"{identity} {pixels.shape}".encode() + pixels.tobytes()).hexdigest()
    path = folder / f"{digest}{_SUFFIX}"
    # Whatever somebody has put there: it is read again.
    with suppress(Exception):
        return tuple(from_json(Line, record) for record in json.loads(read_regular(path, MAX_BYTES)))
    lines = read(pixels)
    with suppress(OSError):
        write_whole(path, json.dumps([asdict(line) for line in lines]).encode())
        remove_least_recent(([entry] for entry in folder.glob(f"*{_SUFFIX}")), max_bytes=MAX_BYTES)
    return lines


def with_confidence(runs: Iterable[TextRun], lines: Sequence[Line]) -> tuple[TextRun, ...]:
    """Return each run the least confidence of the lines that it was made of."""
    return tuple(
        replace(
            run,
            confidence=min(
                (line.confidence for line in lines if any(is_inside(box, line.box) for box in run.boxes)),
                default=None,
            ),
        )
        for run in runs
    )
