"""Reading a picture's text with the PP-OCR models that rapidocr ships.

What differs from rapidocr's defaults was measured: its direction classifier turns correct lines of screens
upside down, and its limit on the picture's sides shrinks whatever is taller than a window.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.capture.picture.lines import Line, Word
from pytest_design2a11y.exceptions import OcrUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pytest_design2a11y.models.geometry import Box

#: The models that were measured, by file name: SHA-256.
MODELS = {
    "PP-OCRv6_det_small.onnx": "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
    "PP-OCRv6_rec_small.onnx": "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
}

# Strips of this height are read one by one; a line belongs to the strip in which its centre lies.
STRIP = 960
OVERLAP = 192

_INSTALL = 'pip install "pytest-design2a11y[picture]"'


def read_lines(pixels: NDArray[np.uint8]) -> tuple[Line, ...]:
    """Read the lines of a picture, from top to bottom.

    Args:
        pixels: Shape (height, width, 3), sRGB.

    Raises:
        OcrUnavailable: The extra is not installed, or its models are not the ones that were measured.
    """
    lines = [line for strip in _strips(len(pixels)) for line in _read_strip(pixels, strip)]
    return tuple(sorted(lines, key=lambda line: (line.box[1], line.box[0])))


@cache
def engine_identity() -> str:
    """Name the reader, its versions and its models: pictures read by another one are read anew.

    Raises:
        OcrUnavailable: The extra is not installed, or its models are not the ones that were measured.
    """
    for package in ("rapidocr", "onnxruntime"):
        if find_spec(package) is None:
            raise OcrUnavailable(
                f"A picture as reference needs the package {package}, which is not installed.",
                advice=f"Install the extra: {_INSTALL}",
            )
    for name, known in MODELS.items():
        if _digest(_models() / name) != known:
            raise OcrUnavailable(
                f"rapidocr {_version('rapidocr')} brings another {name} than the one that was measured.",
                advice=f"Install the versions of the extra anew: {_INSTALL} --force-reinstall",
            )
    models = "+".join(digest[:12] for digest in MODELS.values())
    return f"rapidocr {_version('rapidocr')}, onnxruntime {_version('onnxruntime')}, models {models}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "of unknown version"


def _models() -> Path:
    spec = find_spec("rapidocr")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "models"


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


@cache
def _engine() -> Any:
    engine_identity()
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "Global.use_cls": False,
            "Global.max_side_len": 1_000_000,
            "Global.log_level": "critical",
            "Global.text_score": 0.0,
            "Global.return_word_box": True,
            # Otherwise a low picture is enlarged, which reads no better.
            "Det.limit_side_len": 64,
            # One thread: the same sums in the same order on every machine.
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _strips(height: int) -> Iterator[tuple[int, int, float, float]]:
    """Give (top, bottom) of each strip, and between which rows the centres of its own lines lie."""
    lowest = max(height - STRIP, 0)
    tops = [*range(0, lowest, STRIP - OVERLAP), lowest]
    first = 0.0
    for top, following in zip(tops, [*tops[1:], None], strict=True):
        last = height if following is None else (top + STRIP + following) / 2
        yield top, min(top + STRIP, height), first, last
        first = last


def _read_strip(pixels: NDArray[np.uint8], strip: tuple[int, int, float, float]) -> Iterator[Line]:
    import numpy as np

    top, bottom, first, last = strip
    read = _engine()(np.ascontiguousarray(pixels[top:bottom, :, ::-1]))
    if read.txts is None:
        return
    has_words = len(read.word_results) == len(read.txts)
    for number, (text, corners, confidence) in enumerate(
        zip(read.txts, read.boxes, read.scores, strict=True)
    ):
        box = _upright(corners, top)
        if first <= box[1] + box[3] / 2 < last and text.strip():
            words = read.word_results[number] if has_words else ((text, confidence, corners),)
            yield Line(
                text=_text(text),
                box=box,
                confidence=float(confidence),
                words=tuple(
                    Word(_text(word), _upright(place, top)) for word, _, place in words if word.strip()
                ),
            )


def _text(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _upright(corners: Any, top: int) -> Box:
    across = [float(corner[0]) for corner in corners]
    down = [float(corner[1]) + top for corner in corners]
    return min(across), min(down), max(across) - min(across), max(down) - min(down)
