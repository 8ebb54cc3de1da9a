"""Text in the pictures of a page: logos, screenshots, drawings. The document does not have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil, floor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.geometry import Box, area, clipped
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.picture.capture_picture import believable, pieces_in
from pytest_design2a11y.picture.ink import Line, lines_of, with_confidence
from pytest_design2a11y.picture.ocr import engine_identity, read_lines
from pytest_design2a11y.picture.paragraphs import group_pieces, text_runs_of

# Smaller pictures hold no text, px.
_LEAST_WIDTH, _LEAST_HEIGHT = 20, 8
# A line is the document's own where so much of it lies on text of the document.
_COVERED = 0.3
# Levels of 255 between pixels: a picture without any such step shows nothing.
_STEP = 24


def with_pictured_text(capture: Capture, *, cache_folder: Path | None) -> Capture:
    """Add to a page's text what is read in its pictures, and only there."""
    if capture.image is None:
        return capture
    pixels = capture.screenshot.pixels
    found: list[TextRun] = []
    for place in _places(capture.picture_boxes):
        owners = 1 + max((run.owner for run in (*capture.text_runs, *found)), default=-1)
        found.extend(_text_in(pixels, place, (*capture.text_runs, *found), owners, cache_folder))
    together = list(capture.text_runs)
    for run in reversed(found):
        # What was read stands before the text of the document that begins below it.
        middle = run.boxes[0][1] + run.boxes[0][3] / 2
        below = (at for at, other in enumerate(together) if other.boxes and other.boxes[0][1] > middle)
        together.insert(next(below, len(together)), run)
    return replace(capture, text_runs=tuple(together)) if found else capture


def _places(boxes: Sequence[Box]) -> list[tuple[int, int, int, int]]:
    """Return (left, top, right, bottom) of pictures that may hold text and lie in no other."""
    large = sorted(
        (box for box in boxes if box[2] >= _LEAST_WIDTH and box[3] >= _LEAST_HEIGHT), key=area, reverse=True
    )
    outer: list[Box] = []
    for box in large:
        if not any(clipped(box, other) == box for other in outer):
            outer.append(box)
    return [
        (floor(left), floor(top), ceil(left + width), ceil(top + height))
        for left, top, width, height in sorted(outer, key=lambda box: (box[1], box[0]))
    ]


def _text_in(
    pixels: NDArray[np.uint8],
    place: tuple[int, int, int, int],
    known: Sequence[TextRun],
    owners: int,
    cache_folder: Path | None,
) -> Iterator[TextRun]:
    left, top, right, bottom = place
    crop = np.ascontiguousarray(pixels[top:bottom, left:right])
    levels = crop.astype(np.int16)
    # Most placeholders have no edge.
    if not any((np.abs(np.diff(levels, axis=axis)) >= _STEP).any() for axis in (0, 1)):
        return
    lines = lines_of(crop, read=read_lines, identity=engine_identity(), folder=cache_folder)
    new = [line for line in believable(lines) if not _is_known(line, known, left, top)]
    for run in with_confidence(text_runs_of(group_pieces(pieces_in(new, crop))), new):
        boxes = tuple((box[0] + left, box[1] + top, box[2], box[3]) for box in run.boxes)
        yield replace(run, boxes=boxes, owner=owners + run.owner)


def _is_known(line: Line, known: Sequence[TextRun], left: int, top: int) -> bool:
    place = (line.box[0] + left, line.box[1] + top, line.box[2], line.box[3])
    common = (clipped(place, box) for run in known for box in run.boxes)
    return sum(area(part) for part in common if part is not None) >= _COVERED * area(place)
