"""A page as CLIP gets to see it: its text filled in, squashed to a square."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy
from PIL import Image

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Screenshot
from pytest_design2a11y.visual.clip.inpainting import inpainted, pixel_rectangles


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenshot and the text boxes on it, page fractions."""

    screenshot: Screenshot
    boxes: tuple[Box, ...]

    def key(self) -> str:
        """The content's name: pictures with the same name have the same embedding."""
        digest = hashlib.sha256(self.screenshot.png)
        digest.update(numpy.asarray(self.boxes, dtype="<f8").tobytes())
        return digest.hexdigest()

    def square(self) -> Image.Image:
        """The page without its text, squashed (Lanczos) to a square of its shorter side."""
        pixels = self.screenshot.pixels
        height, width = pixels.shape[:2]
        rectangles = pixel_rectangles(self.boxes, width=width, height=height)
        side = min(width, height)
        image = Image.fromarray(inpainted(pixels, rectangles))
        return image.resize((side, side), Image.Resampling.LANCZOS)
