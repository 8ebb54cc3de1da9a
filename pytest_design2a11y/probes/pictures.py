"""Pictures of one part of a page, compared."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

#: Channel levels (0..255) by which a pixel clearly differs, and differs at all.
_CLEAR, _LEAST = 16, 3
#: Number of pixels that are enough to be noticed: fewer than any outline or underline has.
_ENOUGH = 10
#: Gap between two pictures, px.
_GAP = 8


def opened(png: bytes) -> Image:
    """Decode a picture."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        return picture.convert("RGB")


def change_between(before: Image, after: Image) -> tuple[int, bool]:
    """Return how many pixels of two pictures differ at all, and whether enough of them differ clearly."""
    import numpy

    apart = numpy.abs(numpy.asarray(before, numpy.int16) - numpy.asarray(after, numpy.int16)).max(axis=2)
    return int((apart >= _LEAST).sum()), int((apart >= _CLEAR).sum()) >= _ENOUGH


def side_by_side(first: Image, second: Image) -> bytes:
    """Return two pictures as one, the first on the left, as PNG."""
    from PIL import Image

    both = Image.new("RGB", (first.width + _GAP + second.width, max(first.height, second.height)), "white")
    both.paste(first, (0, 0))
    both.paste(second, (first.width + _GAP, 0))
    buffer = io.BytesIO()
    both.save(buffer, "PNG")
    return buffer.getvalue()
