"""A picture of a page, as bytes and as pixels."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Screenshot:
    """A full-page screenshot, one pixel per CSS pixel."""

    png: bytes = field(repr=False)

    @classmethod
    def of_pixels(cls, pixels: NDArray[numpy.uint8]) -> Self:
        """Return pixels, shape (height, width, 3), sRGB, as a screenshot."""
        from PIL import Image

        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "PNG", compress_level=1)
        return cls(file.getvalue())

    @cached_property
    def pixels(self) -> NDArray[numpy.uint8]:
        """The pixels, shape (height, width, 3), sRGB, read-only."""
        import numpy
        from PIL import Image

        with Image.open(io.BytesIO(self.png)) as image:
            pixels = numpy.asarray(image if image.mode == "RGB" else image.convert("RGB"))
        pixels.flags.writeable = False
        return pixels
