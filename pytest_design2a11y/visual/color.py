"""Component `color`: how alike the text colours of the matched blocks look."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import numpy as np

from pytest_design2a11y.models.colors import ciede2000, lab_from_srgb
from pytest_design2a11y.models.geometry import Color
from pytest_design2a11y.models.visual import Match


def color_similarities(first: Sequence[Color], second: Sequence[Color]) -> list[float]:
    """Return max(0, 1 - CIEDE2000 / 100) of each pair of sRGB colours."""
    if not first:
        return []
    differences = ciede2000(lab_from_srgb(first), lab_from_srgb(second))
    similarities: list[float] = np.maximum(0.0, 1.0 - differences / 100.0).tolist()
    return similarities


def color(matches: Sequence[Match]) -> float:
    """Return the mean colour similarity of the matches; 0 without matches."""
    return fmean(match.color for match in matches) if matches else 0.0
