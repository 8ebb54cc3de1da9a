"""Component `appearance`, backend `embedded`: how alike two pages look apart from their text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytest_design2a11y.colors import lab_from_srgb
from pytest_design2a11y.models import Box, Screenshot
from pytest_design2a11y.visual.picture import Picture, picture_without_text

_LEVELS = 5
_STEADY_COLOR = 50.0
_STEADY_EDGE = 5.0


def embedded_appearance(
    *,
    reference: Screenshot,
    candidate: Screenshot,
    reference_boxes: Sequence[Box],
    candidate_boxes: Sequence[Box],
) -> float:
    """Compare colours and edges of two pages without their text, at several scales.

    The order of the two pages does not matter; a page against itself gives exactly 1.

    Args:
        reference: The full page.
        candidate: The full page.
        reference_boxes: Text of the reference, as page fractions.
        candidate_boxes: Text of the candidate, as page fractions.

    Returns:
        0..1.
    """
    first = lab_from_srgb(picture_without_text(reference.pixels, reference_boxes))
    second = lab_from_srgb(picture_without_text(candidate.pixels, candidate_boxes))
    similarities = []
    for _ in range(_LEVELS):
        similarities.append(_color_similarity(first, second) * _edge_similarity(first, second))
        first, second = _halve(first), _halve(second)
    return float(np.clip(np.mean(similarities), 0.0, 1.0))


def _color_similarity(first: Picture, second: Picture) -> float:
    distance = np.sqrt(((first - second) ** 2).sum(axis=-1))
    return float(np.mean(_STEADY_COLOR / (_STEADY_COLOR + distance)))


def _edge_similarity(first: Picture, second: Picture) -> float:
    similarities = []
    for axis in (0, 1):
        edge1, edge2 = np.diff(first, axis=axis), np.diff(second, axis=axis)
        difference = (edge1 - edge2) ** 2
        scale = edge1**2 + edge2**2 + _STEADY_EDGE**2
        similarities.append(1.0 - float(np.mean(difference / (2.0 * scale))))
    return float(np.mean(similarities))


def _halve(picture: Picture) -> Picture:
    half = len(picture) // 2
    halved: Picture = picture.reshape(half, 2, half, 2, -1).mean(axis=(1, 3))
    return halved
