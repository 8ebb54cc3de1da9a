"""Fill text boxes with their surroundings: Telea's method, radius 3, as OpenCV computes it.

`cv2.inpaint` on a whole page is slow if there is much text. Two facts make it cheaper without changing a
pixel: its result depends only on the neighbourhood of each group of boxes, so the group's surroundings are
enough; and if a group is surrounded by nothing but white, the result is white.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
import scipy  # It loads its parts on use
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.visual.clip.libraries import opencv

RADIUS = 3
"""As published."""

MARGIN = RADIUS + 2
"""How far from a mask a pixel can matter: OpenCV looks RADIUS away, takes gradients one pixel further, and
one is spare. Groups are more than 2 * MARGIN apart: their distance maps, RADIUS wide, never meet."""

Pixels = NDArray[numpy.uint8]
Rectangles = NDArray[numpy.int64]


def pixel_rectangles(boxes: Sequence[Box], *, width: int, height: int) -> Rectangles:
    """Return the pixels of boxes, page fractions, (n, 4): left, top, right, bottom, the last two exclusive.

    As in the published metric, x, y, width and height are each multiplied by the page's size and truncated to
    an integer, so a box may lose its last row or column. Boxes without a pixel in the picture are left out.
    """
    fractions = numpy.asarray(boxes, dtype=numpy.float64).reshape(-1, 4)
    corners = (fractions * (width, height, width, height)).astype(numpy.int64)
    corners[:, 2:] += corners[:, :2]
    corners = corners.clip(0, (width, height, width, height))
    return corners[(corners[:, 2] > corners[:, 0]) & (corners[:, 3] > corners[:, 1])]


def inpainted(pixels: Pixels, rectangles: Rectangles) -> Pixels:
    """Return a picture with the rectangles filled; equal to one call of `cv2.inpaint` on the whole picture.

    References:
        A. Telea, "An image inpainting technique based on the fast marching method", 2004.
    """
    cv2, result = opencv(), pixels.copy()
    mask = numpy.zeros(pixels.shape[:2], dtype=numpy.uint8)
    for left, top, right, bottom in rectangles:
        mask[top:bottom, left:right] = 255
    near = cv2.dilate(mask, numpy.ones((2 * MARGIN + 1, 2 * MARGIN + 1), dtype=numpy.uint8))
    groups, _ = scipy.ndimage.label(near, structure=numpy.ones((3, 3)))
    for number, place in enumerate(scipy.ndimage.find_objects(groups), 1):
        part, is_near = pixels[place], groups[place] == number
        is_masked = is_near & (mask[place] > 0)
        # OpenCV reads and writes one pixel off at the upper and left edge: masked pixels matter there.
        reads_masked = is_masked[:2].any() or is_masked[:, :2].any()
        # All white: the method adds one half before rounding, and only white's 255.5 is then cut to 255.
        if not reads_masked and (part[is_near & ~is_masked] == 255).all():
            result[place][is_masked] = 255
        else:
            whole, own = numpy.ascontiguousarray(part), is_masked.astype(numpy.uint8)
            result[place][is_masked] = cv2.inpaint(whole, own, RADIUS, cv2.INPAINT_TELEA)[is_masked]
    return result


@dataclass(frozen=True, slots=True)
class TextlessPicture:
    """A screenshot and the text boxes on it, page fractions."""

    screenshot: Screenshot
    boxes: tuple[Box, ...]

    def key(self) -> str:
        """Return a key of the content: pictures with the same key have the same embedding."""
        digest = hashlib.sha256(self.screenshot.png)
        digest.update(numpy.asarray(self.boxes, dtype="<f8").tobytes())
        return digest.hexdigest()

    def square(self) -> Image.Image:
        """Return the page without its text, squashed (Lanczos) to a square of its shorter side."""
        pixels = self.screenshot.pixels
        height, width = pixels.shape[:2]
        rectangles = pixel_rectangles(self.boxes, width=width, height=height)
        side = min(width, height)
        image = Image.fromarray(inpainted(pixels, rectangles))
        return image.resize((side, side), Image.Resampling.LANCZOS)
