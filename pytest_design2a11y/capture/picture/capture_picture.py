"""From a picture of a design to a `Capture`: what anything after it knows of a page."""

from __future__ import annotations

import io
import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_design2a11y.capture.picture.decode import DecodedPicture, decode_picture
from pytest_design2a11y.capture.picture.ink import pieces_of
from pytest_design2a11y.capture.picture.layout import Layout, layout_of
from pytest_design2a11y.capture.picture.line_cache import lines_of
from pytest_design2a11y.capture.picture.lines import Line, is_plausible
from pytest_design2a11y.capture.picture.ocr import engine_identity, read_lines
from pytest_design2a11y.capture.picture.paragraphs import group_pieces, text_runs_of
from pytest_design2a11y.models.page import (
    Capture,
    CaptureWarning,
    Document,
    Environment,
    Role,
    Screenshot,
    TextRun,
    Viewport,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Less confident lines are shapes taken for letters.
LEAST_CONFIDENCE = 0.7
# From this share of doubtful lines on a person should look at the picture.
_MANY = 0.1


def capture_picture(
    document: Document, *, role: Role, scale: float | None = None, cache_folder: Path | None = None
) -> Capture:
    """Read a picture as if it were a page: its text with places and colours, no audit.

    Args:
        document: With the bytes of a PNG, JPEG or WebP file.
        role: Which side of a comparison it is on.
        scale: Pixels of the picture for one CSS pixel; None: told by the file's name, density or width.
        cache_folder: Where what was read is kept between runs; None: nowhere.

    Raises:
        PictureUnreadable: It is not such a file, or is damaged.
        PictureTooLarge: It has too many pixels.
        OcrUnavailable: What reads text from pictures is not installed.
    """
    assert document.picture is not None
    identity = engine_identity()
    decoded = decode_picture(document.picture, label=document.label)
    layout = layout_of(decoded.pixels.shape[1], name=document.label, density=decoded.scale, scale=scale)
    pixels = _at_layout_width(decoded.pixels, layout)
    lines = lines_of(pixels, read=read_lines, identity=identity, folder=cache_folder)
    seen = [line for line in lines if line.confidence >= LEAST_CONFIDENCE and is_plausible(line)]
    height, width = pixels.shape[:2]
    return Capture(
        label=document.label,
        role=role,
        image=Screenshot(_png(pixels)),
        page_size=(width, height),
        text_runs=_text_runs(seen, pixels),
        warnings=(*document.warnings, *_warnings(decoded, layout, lines, seen, role)),
        environment=_environment(),
        viewport=Viewport(width=layout.width),
        conditions={"kind": "picture", "reader": identity, "picture_scale": round(layout.scale, 4)},
    )


def _at_layout_width(pixels: NDArray[np.uint8], layout: Layout) -> NDArray[np.uint8]:
    if layout.scale == 1.0:
        return pixels
    import numpy as np
    from PIL import Image

    height = max(1, round(pixels.shape[0] / layout.scale))
    shrunk = Image.fromarray(pixels).resize((layout.width, height), Image.Resampling.BOX)
    return np.asarray(shrunk)


def _text_runs(lines: Sequence[Line], pixels: NDArray[np.uint8]) -> tuple[TextRun, ...]:
    pieces = [piece for line in lines for piece in pieces_of(line, pixels)]
    return text_runs_of(group_pieces(pieces))


def _warnings(
    decoded: DecodedPicture, layout: Layout, lines: Sequence[Line], seen: Sequence[Line], role: Role
) -> tuple[CaptureWarning, ...]:
    told = [*decoded.warnings, *layout.warnings]
    num_dropped = len(lines) - len(seen)
    if num_dropped > _MANY * len(lines):
        told.append(
            CaptureWarning(
                "picture_low_confidence",
                f"{num_dropped} of {len(lines)} lines of the picture are too doubtful, and are left out.",
                num_dropped,
            )
        )
    if role == "candidate":
        told.append(CaptureWarning("picture_not_audited", "A picture's accessibility cannot be measured."))
    return tuple(told)


def _png(pixels: NDArray[np.uint8]) -> bytes:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", compress_level=1)
    return file.getvalue()


def _environment() -> Environment:
    return Environment(
        chromium=None,
        axe=None,
        package=version("pytest-design2a11y"),
        platform=f"{platform.system()} {platform.machine()}",
    )
