"""From a picture of a design to a `Capture`: what anything after it knows of a page."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.exceptions import BlocksFileInvalid
from pytest_design2a11y.models.elements import DesignBlocks
from pytest_design2a11y.models.page import (
    Capture,
    CaptureWarning,
    Document,
    Environment,
    Role,
    Screenshot,
    TextRun,
)
from pytest_design2a11y.models.viewport import Viewport
from pytest_design2a11y.picture.decode import decode_picture, is_pdf, render_pdf
from pytest_design2a11y.picture.ink import Line, is_plausible, lines_of, with_confidence
from pytest_design2a11y.picture.layout import Layout, is_one_screen, layout_of
from pytest_design2a11y.picture.ocr import engine_identity, installed_version, read_lines
from pytest_design2a11y.picture.paragraphs import group_pieces, text_runs_of
from pytest_design2a11y.picture.pieces import Piece, pieces_of

#: Less confident lines are shapes taken for letters.
LEAST_CONFIDENCE = 0.7
# From this share of doubtful lines on a person should look at the picture.
_MANY = 0.1
_NOT_AUDITED = CaptureWarning("picture_not_audited", "A picture's accessibility cannot be measured.")


def capture_picture(
    document: Document, *, role: Role, scale: float | None = None, cache_folder: Path | None = None
) -> Capture:
    """Read a picture as if it were a page: its text with places and colours, no audit.

    A reference's blocks file replaces what would be read; that of a candidate, which whoever made the page
    could have written, is passed over. `scale`: pixels of the picture for one CSS pixel; None: told by the
    file's name, density or width.
    """
    blocks = document.blocks if role == "reference" else None
    identity = _reader(blocks)
    shown = shown_picture(document, scale=scale, blocks=blocks)
    doubts: tuple[CaptureWarning, ...] = ()
    if blocks is None:
        folder = cache_folder and cache_folder / "lines"
        lines = lines_of(shown.pixels, read=read_lines, identity=identity, folder=folder)
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
        # As high as the picture where that shows one screen.
        viewport=Viewport(width, shown.size[1]) if is_one_screen(*shown.size) else Viewport(width),
        conditions={"kind": "picture", "reader": identity, "picture_scale": round(shown.layout.scale, 4)},
    )


def picture_conditions(document: Document, scale: float | None) -> dict[str, Any]:
    """Return all that a capture of a design depends on."""
    assert document.picture is not None
    return {
        "picture": hashlib.sha256(document.picture).hexdigest(),
        "page": document.picture_page,
        "label": document.label,
        "scale": scale,
        "reader": _reader(document.blocks),
        **{package: installed_version(package) for package in ("pillow", "pypdfium2")},
    }


def _reader(blocks: DesignBlocks | None) -> str:
    return engine_identity() if blocks is None else f"blocks file {blocks.digest[:12]}"


def pieces_in(lines: Sequence[Line], pixels: NDArray[np.uint8]) -> list[Piece]:
    """Return the pieces of believable lines."""
    return [piece for line in lines for piece in pieces_of(line, pixels)]


def believable(lines: Sequence[Line]) -> list[Line]:
    """Leave out what the reader doubts, and shapes that were taken for letters."""
    return [line for line in lines if line.confidence >= LEAST_CONFIDENCE and is_plausible(line)]


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture as a page of its layout's width: (height, width, 3), sRGB, one pixel a CSS pixel."""

    pixels: NDArray[np.uint8]
    layout: Layout
    warnings: tuple[CaptureWarning, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, CSS px."""
        return self.pixels.shape[1], self.pixels.shape[0]


def shown_picture(
    document: Document, *, scale: float | None = None, blocks: DesignBlocks | None = None
) -> ShownPicture:
    """Decode a document's picture and bring it to its layout's width.

    That is said by the scale (pixels of the picture for one CSS pixel), else by the design's blocks file.
    """
    assert document.picture is not None
    width = None if blocks is None or scale else blocks.size[0]
    if is_pdf(document.picture):
        pixels, layout = render_pdf(
            document.picture, label=document.label, page=document.picture_page, scale=scale, width=width
        )
        return ShownPicture(pixels, layout, layout.warnings)
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


# A frame with sides of part of a px is exported with whole ones, a shadow's edge included.
_TOLERANCE = 2


def given_text_runs(blocks: DesignBlocks, size: tuple[int, int], *, label: str) -> tuple[TextRun, ...]:
    """Return each text of a design as a run with an owner of its own, where its picture has that size, px."""
    if any(abs(told - own) > _TOLERANCE for told, own in zip(blocks.size, size, strict=True)):
        (width, height), (own_width, own_height) = blocks.size, size
        raise BlocksFileInvalid(
            f"The blocks file of {label} is for a design of {width}x{height} px, "
            f"and the picture shows {own_width}x{own_height} px.",
            advice="Export both from the same frame, without what reaches beyond it; picture_scale, where it "
            "is given, has to fit.",
        )
    return tuple(
        TextRun(one.text, one.boxes, one.color, owner, one.opacity, font=one.font)
        for owner, one in enumerate(blocks.texts)
    )
