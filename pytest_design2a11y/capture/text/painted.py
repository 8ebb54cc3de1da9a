"""Text that a person sees is painted: where in doubt, a screenshot without it decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.page.frame_context import FrozenPage
from pytest_design2a11y.capture.scripts import tree_function
from pytest_design2a11y.capture.text.doubts import Decoys, FoundRun, doubtful
from pytest_design2a11y.capture.text.overlaps import in_layers, others_within, overlapping
from pytest_design2a11y.capture.text.own_ink import Views, has_own_ink
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Screenshot

Pixels = NDArray[np.uint8]
Take = Callable[[Box], bytes]
"""Takes a screenshot of a part (x, y, width, height) of the page, px."""


@dataclass(frozen=True, slots=True)
class Doubts:
    """Texts that something else on the page could stand in for.

    Attributes:
        plain: Indices of those that no other text lies on.
        layers: Indices of those that lie on each other, in layers in which none does.
        lost: Indices of those under too many others.
    """

    plain: tuple[int, ...]
    layers: tuple[tuple[int, ...], ...]
    lost: tuple[int, ...]

    def __bool__(self) -> bool:
        return bool(self.plain or self.layers)


def _doubts(page: FrozenPage, found: Sequence[FoundRun], others: Decoys) -> Doubts:
    deadline = page.channel.deadline
    runs = [one.letters for one in found]
    stacked = overlapping(runs, deadline)
    layers = in_layers(runs, stacked, deadline)
    placed, is_stacked = {index for layer in layers for index in layer}, set(stacked)
    return Doubts(
        plain=tuple(index for index in doubtful(found, others, deadline) if index not in is_stacked),
        layers=tuple(map(tuple, layers)),
        lost=tuple(index for index in stacked if index not in placed),
    )


def painted_runs(
    page: FrozenPage,
    found: Sequence[FoundRun],
    others: Decoys,
    *,
    screenshot: Screenshot | None,
    take: Take,
) -> tuple[FoundRun, ...]:
    """Return the texts of a page that change its screenshot by what they paint themselves.

    Args:
        page: Loaded and frozen; it is left as it is.
        found: All its texts.
        others: What could stand in for text; texts without any near count as painted.
        screenshot: Of the page; None: there is none, and all count.
        take: Takes more screenshots.
    """
    doubts = None if screenshot is None else _doubts(page, found, others)
    missing = _unpainted(page, found, doubts, screenshot, take) if screenshot and doubts else frozenset[int]()
    return tuple(one for index, one in enumerate(found) if index not in missing)


def _unpainted(
    page: FrozenPage, found: Sequence[FoundRun], doubts: Doubts, screenshot: Screenshot, take: Take
) -> frozenset[int]:
    area = _area(
        [found[index] for layer in (doubts.plain, *doubts.layers) for index in layer], page.page_size
    )
    with _hidden_text(page, found, ()):
        bare = _pixels(take(area))

    left, top, width, height = map(int, area)
    whole, deadline = screenshot.pixels[top : top + height, left : left + width], page.channel.deadline
    runs = [one.letters for one in found]

    def unseen(indices: Sequence[int], shown: Pixels, *, has_all: bool = False) -> Iterator[int]:
        views = Views(whole, shown, bare, origin=(int(area[0]), int(area[1])))
        others: Iterable[Sequence[Box]] = others_within(runs, indices, deadline) if has_all else repeat(())
        for index, near in zip(indices, others, strict=False):
            if not has_own_ink(runs[index], views, deadline, others=near):
                yield index

    missing = {*doubts.lost, *unseen(doubts.plain, whole, has_all=True)}
    for layer in doubts.layers:
        with _hidden_text(page, found, layer):
            missing.update(unseen(layer, _pixels(take(area))))
    return frozenset(missing)


def _area(found: Sequence[FoundRun], page_size: tuple[int, int]) -> Box:
    boxes = np.array([box for one in found for box in one.letters.boxes])
    left, top = (max(floor(edge), 0) for edge in boxes[:, :2].min(axis=0))
    right, bottom = (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    width, height = min(ceil(right), page_size[0]) - left, min(ceil(bottom), page_size[1]) - top
    return (float(left), float(top), float(width), float(height))


def _pixels(png: bytes) -> Pixels:
    return Screenshot(png).pixels


@contextmanager
def _hidden_text(page: FrozenPage, found: Sequence[FoundRun], kept: Sequence[int]) -> Iterator[None]:
    """Let the page paint no text but these runs, inside the `with` block."""
    for index, world in enumerate(page.worlds):
        own = {at: one.number for at, one in enumerate(found) if one.world == index}
        shown = [own.pop(at) for at in kept if at in own]
        world.call(tree_function(__package__, "hide_text.js"), list(own.values()), shown)
    yield
    for world in page.worlds:
        world.call("() => globalThis.__design2a11yText.showAgain()")
