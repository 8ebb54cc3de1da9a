"""Turn a picture of a design into a `Capture`; read the text in a page's pictures, such as its logo."""

import hashlib
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from math import ceil, floor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.exceptions import SourceError
from pytest_design2a11y.models.elements import DesignBlocks, Screenshot
from pytest_design2a11y.models.geometry import Box, area, clipped, moved
from pytest_design2a11y.models.page import Capture, CaptureWarning, Document, Environment, Role, TextRun
from pytest_design2a11y.models.viewport import Viewport
from pytest_design2a11y.picture.decode import decode_picture
from pytest_design2a11y.picture.ink import TextLine, is_plausible, with_confidence
from pytest_design2a11y.picture.layout import PictureLayout, is_one_screen, layout_of
from pytest_design2a11y.picture.ocr import engine_identity, installed_version, lines_of
from pytest_design2a11y.picture.paragraphs import group_pieces, text_runs_of
from pytest_design2a11y.picture.pieces import Piece, pieces_of

#: Lines with less confidence are misread shapes.
LEAST_CONFIDENCE = 0.7
# Share of doubtful lines from which a person should check the picture.
_MANY = 0.1
_NOT_AUDITED = CaptureWarning("picture_not_audited", "A picture's accessibility cannot be measured.")


def capture_picture(
    document: Document, *, role: Role, scale: float | None = None, cache_folder: Path | None = None
) -> Capture:
    """Read a picture as if it were a page: its text with positions and colors, no audit.

    A reference's blocks file replaces reading; a candidate's is ignored, since whoever made the page could
    have written it. `scale`: pixels per CSS pixel; None: of the file's name, density or width.
    """
    blocks = document.blocks if role == "reference" else None
    identity = _reader(blocks)
    shown = shown_picture(document, scale=scale, blocks=blocks)
    doubts: tuple[CaptureWarning, ...] = ()
    if blocks is None:
        lines = lines_of(shown.pixels, cache_folder and cache_folder / "lines")
        seen = believable(lines)
        text_runs = with_confidence(text_runs_of(group_pieces(pieces_in(seen, shown.pixels))), seen)
        num_dropped = len(lines) - len(seen)
        if num_dropped > _MANY * len(lines):
            message = (
                f"{num_dropped} of {len(lines)} lines of the picture are too doubtful, and are left out."
            )
            doubts = (CaptureWarning("picture_low_confidence", message, num_dropped),)
    else:
        text_runs = given_text_runs(blocks, shown.size, label=document.label)
    width = shown.layout.width
    unaudited = (_NOT_AUDITED,) if role == "candidate" else ()
    return Capture(
        label=document.label,
        role=role,
        image=Screenshot.of_pixels(shown.pixels),
        page_size=shown.size,
        text_runs=text_runs,
        warnings=(*document.warnings, *shown.warnings, *doubts, *unaudited),
        environment=Environment(
            chromium=None,
            axe=None,
            package=version("pytest-design2a11y"),
            platform=f"{platform.system()} {platform.machine()}",
        ),
        # The window is as high as the picture if that shows one screen.
        viewport=Viewport(width, shown.size[1]) if is_one_screen(*shown.size) else Viewport(width),
        conditions={"kind": "picture", "reader": identity, "picture_scale": round(shown.layout.scale, 4)},
    )


def picture_conditions(document: Document, scale: float | None) -> dict[str, Any]:
    """Return everything that a capture of a design depends on."""
    assert document.picture is not None
    return {
        "picture": hashlib.sha256(document.picture).hexdigest(),
        "label": document.label,
        "scale": scale,
        "reader": _reader(document.blocks),
        "pillow": installed_version("pillow"),
    }


def _reader(blocks: DesignBlocks | None) -> str:
    return engine_identity() if blocks is None else f"blocks file {blocks.digest[:12]}"


def pieces_in(lines: Sequence[TextLine], pixels: NDArray[np.uint8]) -> list[Piece]:
    """Return the pieces of the credible lines."""
    return [piece for line in lines for piece in pieces_of(line, pixels)]


def believable(lines: Sequence[TextLine]) -> list[TextLine]:
    """Leave out doubtful lines and misread shapes."""
    return [line for line in lines if line.confidence >= LEAST_CONFIDENCE and is_plausible(line)]


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture as a page of its layout's width: (height, width, 3), sRGB, one pixel per CSS pixel."""

    pixels: NDArray[np.uint8]
    layout: PictureLayout
    warnings: tuple[CaptureWarning, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height, CSS px."""
        return self.pixels.shape[1], self.pixels.shape[0]


def shown_picture(
    document: Document, *, scale: float | None = None, blocks: DesignBlocks | None = None
) -> ShownPicture:
    """Decode a document's picture, scaled to its layout's width: by the scale, else the blocks file."""
    assert document.picture is not None
    width = None if blocks is None or scale else blocks.size[0]
    decoded = decode_picture(document.picture, label=document.label)
    num_rows, num_columns = decoded.pixels.shape[:2]
    layout = layout_of(
        num_columns,
        num_rows,
        name=document.label,
        density=decoded.scale,
        scale=num_columns / width if width else scale,
    )
    pixels = decoded.pixels
    if layout.scale != 1.0:
        height = max(1, round(num_rows / layout.scale))
        shrunk = Image.fromarray(pixels).resize((layout.width, height), Image.Resampling.BOX)
        pixels = np.asarray(shrunk)
    return ShownPicture(pixels, layout, (*decoded.warnings, *layout.warnings))


# A frame with fractional sides is exported with whole ones, including the edge of a shadow.
_TOLERANCE = 2


def given_text_runs(blocks: DesignBlocks, size: tuple[int, int], *, label: str) -> tuple[TextRun, ...]:
    """Return each text of a design as a run with its own owner, if its picture has the given size, px."""
    if any(abs(listed - shown) > _TOLERANCE for listed, shown in zip(blocks.size, size, strict=True)):
        (width, height), (own_width, own_height) = blocks.size, size
        raise SourceError(
            f"The blocks file of {label} is for a design of {width}x{height} px, "
            f"and the picture shows {own_width}x{own_height} px.",
            advice="Export both from the same frame, without what reaches beyond it; picture_scale, where it "
            "is given, has to fit.",
        )
    return tuple(
        TextRun(text.text, text.boxes, text.color, owner, text.opacity, font=text.font)
        for owner, text in enumerate(blocks.texts)
    )


# px; smaller pictures hold no text.
_LEAST_WIDTH, _LEAST_HEIGHT = 20, 8
# A line belongs to the document itself if this share of it lies on the document's text.
_COVERED = 0.3
# Levels of 255 between neighboring pixels; a picture without any such step shows nothing.
_STEP = 24


def with_pictured_text(capture: Capture, *, cache_folder: Path | None) -> Capture:
    """Add the text read in a page's pictures, and only there, to its text."""
    if capture.image is None:
        return capture
    pixels = capture.screenshot.pixels
    pictured: list[TextRun] = []
    for edges in _places(capture.picture_boxes):
        pictured += _text_in(pixels, edges, (*capture.text_runs, *pictured), cache_folder)
    together = list(capture.text_runs)
    for run in reversed(pictured):
        # Text from a picture comes before the document's text that begins below it.
        middle = run.boxes[0][1] + run.boxes[0][3] / 2
        below = (at for at, other in enumerate(together) if other.boxes and other.boxes[0][1] > middle)
        together.insert(next(below, len(together)), run)
    return replace(capture, text_runs=tuple(together)) if pictured else capture


def _places(boxes: Sequence[Box]) -> list[tuple[int, int, int, int]]:
    """Return (left, top, right, bottom) of pictures that may contain text and lie in no other picture."""
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
    edges: tuple[int, int, int, int],
    known: Sequence[TextRun],
    cache_folder: Path | None,
) -> Iterator[TextRun]:
    left, top, right, bottom = edges
    crop = np.ascontiguousarray(pixels[top:bottom, left:right])
    levels = crop.astype(np.int16)
    # Most placeholders have no edges.
    if not any((np.abs(np.diff(levels, axis=axis)) >= _STEP).any() for axis in (0, 1)):
        return
    new = []
    for line in believable(lines_of(crop, cache_folder)):
        box = moved(line.box, edges)
        common = (clipped(box, other) for run in known for other in run.boxes)
        if sum(area(part) for part in common if part is not None) < _COVERED * area(box):
            new.append(line)
    owners = 1 + max((run.owner for run in known), default=-1)
    for run in with_confidence(text_runs_of(group_pieces(pieces_in(new, crop))), new):
        boxes = tuple(moved(box, edges) for box in run.boxes)
        yield replace(run, boxes=boxes, owner=owners + run.owner)
