"""How two looks differ, as a few numbers: each 0 for equal looks, and larger the more they differ."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.visual.looks import Look, cells
from pytest_design2a11y.visual.picture import Picture

_STEADY_COLOR = 10.0
_EDGE_POWER_FLOOR = 50.0
_CHROMA_POWER_FLOOR = 0.05
_FINE_BANDS = slice(9, None)


def differences(first: Look, second: Look) -> dict[str, float]:
    """Compare two looks; the order does not matter.

    Returns:
        By name: how the density of edges differs in coarse and in finer cells, how the rhythm of edges
        and of colourfulness differs wherever it lies, how colours differ place by place, how the
        backgrounds differ, and how the share of text differs.
    """
    return {
        "edges": _root_difference(cells(first.edges, 4), cells(second.edges, 4)),
        "layout": _root_difference(first.edges, second.edges),
        "edge_rhythm": _log_difference(first.edge_bands, second.edge_bands, _EDGE_POWER_FLOOR),
        "color_rhythm": _log_difference(
            first.chroma_bands[_FINE_BANDS], second.chroma_bands[_FINE_BANDS], _CHROMA_POWER_FLOOR
        ),
        "colors": _color_difference(first.colors, second.colors),
        "background": _color_difference(first.background, second.background),
        "text": abs(math.sqrt(max(0.0, first.text)) - math.sqrt(max(0.0, second.text))),
    }


def _root_difference(first: Picture, second: Picture) -> float:
    return float(np.abs(np.sqrt(first) - np.sqrt(second)).mean(dtype=np.float64))


def _log_difference(first: NDArray[np.float64], second: NDArray[np.float64], floor: float) -> float:
    return float(np.abs(np.log(first + floor) - np.log(second + floor)).mean())


def _color_difference(first: Picture, second: Picture) -> float:
    distance = np.sqrt(((first - second).astype(np.float64) ** 2).sum(axis=-1))
    return float((distance / (distance + _STEADY_COLOR)).mean())
