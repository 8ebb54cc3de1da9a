"""SSIM of scikit-image on the screenshots, as a metric: pip install scikit-image."""

from __future__ import annotations

import numpy as np

from pytest_design2a11y import Metric
from pytest_design2a11y.extending import Pages


def measure(pages: Pages) -> float:
    """Compare two screenshots, the smaller one continued by white."""
    from skimage.metrics import structural_similarity

    assert pages.reference is not None
    design, page = pages.reference.screenshot.pixels, pages.candidate.screenshot.pixels
    height, width = (max(sides) for sides in zip(design.shape[:2], page.shape[:2], strict=True))
    sides = []
    for pixels in (design, page):
        whole = np.full((height, width, 3), 255, np.uint8)
        whole[: pixels.shape[0], : pixels.shape[1]] = pixels
        sides.append(whole)
    return max(0.0, float(structural_similarity(*sides, channel_axis=2)))


SSIM = Metric(
    "ssim", "structural similarity of the screenshots", upper=1.0, needs_design=True, version="scikit-image",
    measure=measure,
)  # fmt: skip
