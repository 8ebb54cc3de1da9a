"""Read a picture's text with the PP-OCR models that rapidocr ships.

The deviations from rapidocr's defaults were measured: its direction classifier turns correct lines of screens
upside down, and its limit on the picture's sides shrinks everything taller than a window.
"""

import hashlib
import json
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import islice, pairwise
from math import ceil, floor
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_closing, find_objects, label

from pytest_design2a11y.exceptions import OcrUnavailable
from pytest_design2a11y.files import CacheFolder
from pytest_design2a11y.models.geometry import Box, box_around, clipped, moved
from pytest_design2a11y.picture.ink import TextLine

#: The models that were measured: SHA-256 by file name.
MODELS = {
    "PP-OCRv6_det_small.onnx": "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
    "PP-OCRv6_rec_small.onnx": "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
}

#: Raised with every change to what is read, or to how it is used, so that other scores are not reused.
READING = 2

# Strips of this height are read one by one; a line belongs to the strip that contains its center.
STRIP = 960
OVERLAP = 192
# px; text this near to the edge of a region that is read by itself is cut off by it.
_CUT = 2

#: Bytes that all lines in a folder may take in total.
MAX_BYTES = 128 * 1024 * 1024

_INSTALL = 'pip install "pytest-design2a11y[picture]"'


_MAKING = Lock()


def lines_of(pixels: NDArray[np.uint8], folder: Path | None) -> tuple[TextLine, ...]:
    """Return a picture's lines, reading them anew if the folder has none, or those of another reader."""
    if folder is None:
        return read_lines(pixels)
    digest = hashlib.sha256(f"{engine_identity()} {pixels.shape}".encode() + pixels.tobytes()).hexdigest()
    kept, name = CacheFolder(folder, max_bytes=MAX_BYTES), f"{digest}.lines.json"
    # If an entry is corrupt, read again.
    with suppress(Exception):
        return msgspec.json.decode(kept.read(name), type=tuple[TextLine, ...])
    lines = read_lines(pixels)
    with suppress(OSError):
        kept.write(name, json.dumps([asdict(line) for line in lines]).encode())
    return lines


def read_lines(pixels: NDArray[np.uint8]) -> tuple[TextLine, ...]:
    """Read the lines of a picture, from top to bottom."""
    lowest = max(len(pixels) - STRIP, 0)
    tops = [*range(0, lowest, STRIP - OVERLAP), lowest]
    edges = [0.0, *((top + STRIP + following) / 2 for top, following in pairwise(tops)), len(pixels)]
    lines = [
        line
        for top, (first, last) in zip(tops, pairwise(edges), strict=True)
        for line in _read(pixels[top : top + STRIP], (0, top))
        if first <= line.box[1] + line.box[3] / 2 < last
    ]
    unread = unread_regions(pixels, lines)
    lines.extend(line for region in unread for line in _look_again(pixels, region, lines))
    return tuple(sorted(lines, key=lambda line: (line.box[1], line.box[0])))


def installed_version(package: str) -> str:
    """Return a package's version, if known."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "of unknown version"


@cache
def engine_identity() -> str:
    """Return the reader, its versions and its models: pictures read by another one are read anew."""
    for package in ("rapidocr", "onnxruntime"):
        if find_spec(package) is None:
            raise OcrUnavailable(
                f"A picture as reference needs the package {package}, which is not installed.",
                advice=f"Install the extra: {_INSTALL}",
            )
    spec = find_spec("rapidocr")
    assert spec is not None
    assert spec.origin is not None
    for name, known in MODELS.items():
        file = Path(spec.origin).parent / "models" / name
        if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != known:
            raise OcrUnavailable(
                f"rapidocr {installed_version('rapidocr')} brings another {name} than the one that was "
                "measured.",
                advice=f"Install the versions of the extra anew: {_INSTALL} --force-reinstall",
            )
    models = "+".join(digest[:12] for digest in MODELS.values())
    packages = f"rapidocr {installed_version('rapidocr')}, onnxruntime {installed_version('onnxruntime')}"
    return f"{packages}, models {models}, reading {READING}"


@cache
def _engine() -> Any:
    """Return the reader, made once: ask for it under `_MAKING`."""
    engine_identity()
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "Global.use_cls": False,
            "Global.max_side_len": 1_000_000,
            "Global.log_level": "critical",
            "Global.text_score": 0.0,
            "Global.return_word_box": True,
            "Global.return_single_char_box": True,
            # Several lines at once are padded to the widest one: more memory, and no less time.
            "Rec.rec_batch_num": 1,
            # Otherwise a low picture is enlarged, which reads no better.
            "Det.limit_side_len": 64,
            # One thread: the same sums in the same order on every machine.
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _look_again(
    pixels: NDArray[np.uint8], region: tuple[slice, slice], known: Sequence[TextLine]
) -> Iterator[TextLine]:
    """Read a region by itself, leaving out what its edge cuts off, or what was read before."""
    part, top, left = pixels[region], region[0].start, region[1].start
    bottom, right = top + part.shape[0], left + part.shape[1]
    for line in _read(part, (left, top)):
        x, y, width, height = line.box
        is_whole = left + _CUT <= x and x + width <= right - _CUT and top + _CUT <= y
        is_new = not any(clipped(line.box, other.box) for other in known)
        if is_whole and y + height <= bottom - _CUT and is_new and sum(map(str.isalnum, line.text)) > 1:
            yield line


def _read(pixels: NDArray[np.uint8], corner: tuple[int, int]) -> Iterator[TextLine]:
    """Read a part of a picture whose top left corner is given."""
    with _MAKING:
        engine = _engine()
    read = engine(np.ascontiguousarray(pixels[:, :, ::-1]))
    if read.txts is None:
        return
    has_letters = len(read.word_results) == len(read.txts)
    for number, (text, corners, confidence) in enumerate(
        zip(read.txts, read.boxes, read.scores, strict=True)
    ):
        if text.strip():
            letters = read.word_results[number] if has_letters else ()
            boxes = (_upright(letter, corner) for _, _, letter in letters)
            middles = [box[0] + box[2] / 2 for box in boxes]
            yield _line(text, _upright(corners, corner), float(confidence), middles)


def _line(text: str, box: Box, confidence: float, middles: Sequence[float]) -> TextLine:
    """Return a line as a person reads it: one character may stand for several letters, such as a ligature."""
    letters = "".join(text.split())
    if len(middles) != len(letters):
        middles = [box[0] + box[2] * (at + 0.5) / len(letters) for at in range(len(letters))]
    spelt = ["".join(unicodedata.normalize("NFKC", letter).split()) for letter in letters]
    remaining = iter(spelt)
    words = ["".join(islice(remaining, len(word))) for word in text.split()]
    repeated = (middle for middle, letter in zip(middles, spelt, strict=True) for _ in letter)
    return TextLine(" ".join(word for word in words if word), box, confidence, tuple(repeated))


def _upright(corners: Any, start: tuple[int, int]) -> Box:
    """Return the box around four corners, moved to where their part of the picture starts."""
    return moved(box_around([(float(x), float(y), 0.0, 0.0) for x, y in corners]), start)


#: Greatest number of regions of a picture that are read a second time, the widest ones.
MAX_REGIONS = 24

# Levels of 255 between neighboring pixels that make an edge.
_STEP = 24
# px; margin around text that was read, which is removed along with it.
_MARGIN = 2
# px; strokes this near to each other belong to one region.
_REACH = 9
# px; range of text heights, and the least ratio of width to height.
_HEIGHTS = (7, 60)
_LEAST_ASPECT = 1.6
# Share of edge pixels in a region: less is a border, more is dithering.
_DENSITIES = (0.12, 0.7)
# Share of columns that have strokes; share of edge in any row below which it is no border.
_INKED_COLUMNS = 0.5
_BORDER = 0.95
# px; margin around a region when it is read.
_AROUND = 20


def unread_regions(pixels: NDArray[np.uint8], lines: Sequence[TextLine]) -> list[tuple[slice, slice]]:
    """Find regions that may hold unread text, rows and columns, from top to bottom."""
    levels = pixels.astype(np.int16)
    edges = np.zeros(pixels.shape[:2], dtype=bool)
    edges[:, 1:] |= np.abs(np.diff(levels, axis=1)).max(axis=2) >= _STEP
    edges[1:] |= np.abs(np.diff(levels, axis=0)).max(axis=2) >= _STEP
    for line in lines:
        left, top, width, height = line.box
        rows = slice(max(floor(top) - _MARGIN, 0), ceil(top + height) + _MARGIN)
        edges[rows, max(floor(left) - _MARGIN, 0) : ceil(left + width) + _MARGIN] = 0
    parts, _ = label(binary_closing(edges, np.ones((3, _REACH))), structure=np.ones((3, 3)))
    regions = [region for region in find_objects(parts) if _may_be_text(edges[region])]
    widest = sorted(regions, key=lambda region: region[1].start - region[1].stop)[:MAX_REGIONS]
    ordered = sorted(widest, key=lambda region: (region[0].start, region[1].start))
    return [(_around(rows), _around(columns)) for rows, columns in ordered]


def _around(part: slice) -> slice:
    return slice(max(part.start - _AROUND, 0), part.stop + _AROUND)


def _may_be_text(edges: NDArray[np.bool_]) -> bool:
    height, width = edges.shape
    return bool(
        _HEIGHTS[0] <= height <= _HEIGHTS[1]
        and width >= _LEAST_ASPECT * height
        and _DENSITIES[0] <= edges.mean() <= _DENSITIES[1]
        and edges.any(axis=0).mean() > _INKED_COLUMNS
        and edges.mean(axis=1).max() < _BORDER
    )
