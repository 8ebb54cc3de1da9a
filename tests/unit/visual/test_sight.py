"""Where two screenshots differ: pixels, and regions of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage
from scipy.sparse.csgraph import connected_components

from pytest_design2a11y.visual.scene.sight import CELL, differing, groups_of, is_near, regions


@pytest.mark.parametrize("seed", range(20))
def test_groups_are_the_connected_components(seed: int) -> None:
    rng = np.random.default_rng(seed)
    links = rng.random((30, 30)) < 0.03
    _, expected = connected_components(links, directed=False)
    assert groups_of(30, np.argwhere(links).tolist()) == expected.tolist()


@pytest.mark.parametrize("seed", range(20))
def test_regions_are_what_touches_when_widened_by_two_squares(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mask = np.zeros((203, 315), dtype=bool)
    for top, left, height, width in rng.integers(0, [200, 310, 40, 60], (seed, 4)):
        mask[top : top + height, left : left + width] = True
    padded = np.pad(mask, [(0, -len(mask) % CELL), (0, -mask.shape[1] % CELL)])
    rows, columns = (side // CELL for side in padded.shape)
    cells = padded.reshape(rows, CELL, columns, CELL).sum(axis=(1, 3))
    labels, number = ndimage.label(ndimage.binary_dilation(cells >= 8, iterations=2))
    sizes = [int(cells[(labels == at) & (cells >= 8)].sum()) for at in range(1, number + 1)]
    assert [size for _, size in regions(mask)] == sizes
    for (left, top, width, height), _ in regions(mask):
        part = mask[round(top) : round(top + height), round(left) : round(left + width)]
        assert all(edge.any() for edge in (part[0], part[-1], part[:, 0], part[:, -1]))


@pytest.mark.parametrize("size", [(40, 33), (1, 70), (70, 1), (33, 2000)])
def test_a_pixel_differs_from_all_near_its_place_both_ways(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(7)
    first = rng.integers(0, 60, (*size, 3)).astype(np.uint8)
    second = first.copy()
    second[: size[0] // 2 + 1] = rng.integers(0, 60, (size[0] // 2 + 1, size[1], 3))

    def least(own: np.ndarray, other: np.ndarray) -> np.ndarray:
        around = np.pad(other.astype(int), [(1, 1), (1, 1), (0, 0)], mode="edge")
        near = [
            around[down : down + size[0], across : across + size[1]]
            for down in range(3)
            for across in range(3)
        ]
        smallest: np.ndarray = np.min([np.abs(own - one).max(axis=2) for one in near], axis=0)
        return smallest

    expected = np.maximum(least(first, second), least(second, first))
    expected[np.abs(first.astype(int) - second).max(axis=2) < 9] = 0
    assert (differing(first, second) == expected).all()


def test_a_color_is_near_to_so_many_levels_in_each_channel() -> None:
    pixels = np.array([[10, 20, 30], [14, 16, 34], [15, 20, 30], [10, 20, 250]], dtype=np.uint8)
    assert is_near(pixels, (10, 20, 30), 4).tolist() == [True, True, False, False]
