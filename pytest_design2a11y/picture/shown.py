"""A picture file's pixels at the width that its page was laid out at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_design2a11y.models.design_blocks import DesignBlocks
from pytest_design2a11y.models.page import CaptureWarning, Document
from pytest_design2a11y.picture.decode import decode_picture
from pytest_design2a11y.picture.layout import Layout, layout_of
from pytest_design2a11y.picture.pdf import is_pdf, render_pdf

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture as a page of its layout's width.

    Attributes:
        pixels: Shape (height, width, 3), sRGB, one pixel a CSS pixel.
        layout: What it was taken for.
        warnings: What had to be done to it.
    """

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

    Args:
        document: With a picture.
        scale: Pixels of the picture for one CSS pixel, as the user says; a PDF page has 96 pixels an inch.
        blocks: Say how wide the design is, where the user does not say the scale.
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
    return ShownPicture(
        _at_layout_width(decoded.pixels, layout), layout, (*decoded.warnings, *layout.warnings)
    )


def _at_layout_width(pixels: NDArray[np.uint8], layout: Layout) -> NDArray[np.uint8]:
    if layout.scale == 1.0:
        return pixels
    import numpy as np
    from PIL import Image

    height = max(1, round(pixels.shape[0] / layout.scale))
    shrunk = Image.fromarray(pixels).resize((layout.width, height), Image.Resampling.BOX)
    return np.asarray(shrunk)
