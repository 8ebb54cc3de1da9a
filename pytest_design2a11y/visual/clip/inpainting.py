"""Fill text boxes with their surroundings: Telea's method, radius 3, as OpenCV computes it.

`cv2.inpaint` on a whole page is slow if there is much text. Three facts make it cheaper without changing a
pixel: its result depends only on the neighbourhood of each group of boxes, so the group's surroundings are
enough; it fills each channel by itself, so one channel is enough if all is grey; and if a group is surrounded
by nothing but white, the result is white.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
import scipy  # It loads its parts on use
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.screenshot import Screenshot
from pytest_design2a11y.visual.clip.libraries import opencv

RADIUS = 3
"""As published."""

MARGIN = RADIUS + 2
"""How far from a mask a pixel can matter: OpenCV looks RADIUS away, takes gradients one pixel further, and
one is spare. Groups are more than 2 * MARGIN apart: their distance maps, RADIUS wide, never meet."""

Pixels = NDArray[numpy.uint8]
Mask = NDArray[numpy.bool_]
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
    result = pixels.copy()
    height, width = pixels.shape[:2]
    for group in _groups(rectangles):
        left, top = numpy.maximum(group[:, :2].min(axis=0) - MARGIN, 0)
        right, bottom = numpy.minimum(group[:, 2:].max(axis=0) + MARGIN, (width, height))
        shape = (bottom - top, right - left)
        moved = group - (left, top, left, top)
        is_masked = _painted(moved, shape)
        is_seen = _painted(moved, shape, margin=MARGIN) & ~is_masked
        filling = _filling(pixels[top:bottom, left:right], moved, is_masked, is_seen)
        result[top:bottom, left:right][is_masked] = filling
    return result


def _groups(rectangles: Rectangles) -> list[Rectangles]:
    """Return the rectangles in groups that cannot influence each other."""
    if not len(rectangles):
        return []
    left, top, right, bottom = (rectangles + numpy.array([-MARGIN, -MARGIN, MARGIN, MARGIN])).T
    is_near = (
        (left[:, None] <= right[None, :])
        & (right[:, None] >= left[None, :])
        & (top[:, None] <= bottom[None, :])
        & (bottom[:, None] >= top[None, :])
    )
    num_groups, labels = scipy.sparse.csgraph.connected_components(
        scipy.sparse.csr_matrix(is_near), directed=False
    )
    return [rectangles[labels == label] for label in range(num_groups)]


def _filling(part: Pixels, group: Rectangles, is_masked: Mask, is_seen: Mask) -> Pixels:
    """Return the masked pixels' new colors, (n, 3) or (n, 1)."""
    seen = part[is_seen]
    # OpenCV reads and writes one pixel off at the upper and left edge: masked pixels matter there.
    reads_masked = bool(group[:, :2].min() < 2)
    # All white: the method adds one half before rounding, and only white's 255.5 is then cut to 255.
    if seen.size and (seen == 255).all() and not reads_masked:
        return numpy.full((1, 1), 255, dtype=numpy.uint8)
    # Each channel is filled by itself: if everything relevant is grey, one is enough.
    is_grey = bool((seen == seen[:, :1]).all()) and not reads_masked
    source = part[..., 0] if is_grey else part
    cv2 = opencv()
    mask = is_masked.astype(numpy.uint8) * 255
    filled: Pixels = cv2.inpaint(numpy.ascontiguousarray(source), mask, RADIUS, cv2.INPAINT_TELEA)
    return filled[is_masked].reshape(-1, 1 if is_grey else 3)


def _painted(group: Rectangles, shape: tuple[int, int], *, margin: int = 0) -> Mask:
    mask = numpy.zeros(shape, dtype=numpy.bool_)
    for left, top, right, bottom in group:
        mask[max(top - margin, 0) : bottom + margin, max(left - margin, 0) : right + margin] = True
    return mask


@dataclass(frozen=True, slots=True)
class Picture:
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
