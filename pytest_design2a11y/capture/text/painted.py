"""Text that a person sees is painted: a screenshot without it decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.page.frame_context import FrozenPage
from pytest_design2a11y.capture.text.found_run import FoundRun
from pytest_design2a11y.capture.text.overlaps import in_layers, others_within, overlapping
from pytest_design2a11y.capture.text.own_ink import Views, has_own_ink, is_of_ground
from pytest_design2a11y.javascript import function_of
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Screenshot

Pixels = NDArray[np.uint8]
Take = Callable[[Box], bytes]
"""Takes a screenshot of a part (x, y, width, height) of the page, px."""


def painted_runs(
    page: FrozenPage, found: Sequence[FoundRun], *, screenshot: Screenshot | None, take: Take
) -> tuple[FoundRun, ...]:
    """Return the texts of a page that change its screenshot by what they paint; all, where there is none."""
    if screenshot is None or not found:
        return tuple(found)
    deadline, runs = page.channel.deadline, [one.letters for one in found]
    stacked = overlapping(runs, deadline)
    layers = in_layers(runs, stacked, deadline)
    plain = sorted({*range(len(found))} - {*stacked})
    placed = [index for layer in layers for index in layer]
    boxes = np.array([box for index in (*plain, *placed) for box in runs[index].boxes])
    left, top = (max(floor(edge), 0) for edge in boxes[:, :2].min(axis=0))
    right, bottom = (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    width, height = min(ceil(right), page.page_size[0]) - left, min(ceil(bottom), page.page_size[1]) - top
    area = (float(left), float(top), float(width), float(height))
    with _hidden_text(page, found, ()):
        bare = Screenshot(take(area)).pixels
    whole = screenshot.pixels[top : top + height, left : left + width]

    def unseen(indices: Sequence[int], shown: Pixels, *, has_all: bool = False) -> Iterator[int]:
        views = Views(whole, shown, bare, origin=(left, top))
        beside: Iterable[Sequence[Box]] = others_within(runs, indices, deadline) if has_all else repeat(())
        for index, near in zip(indices, beside, strict=False):
            run = runs[index]
            # Text of its ground's colour is no trick, and the published metric counts it.
            if not has_own_ink(run, views, deadline, others=near) and not is_of_ground(run, views):
                yield index

    # Those under too many others are lost.
    missing = {*stacked, *unseen(plain, whole, has_all=True)} - {*placed}
    for layer in layers:
        with _hidden_text(page, found, layer):
            missing.update(unseen(layer, Screenshot(take(area)).pixels))
    return tuple(one for index, one in enumerate(found) if index not in missing)


@contextmanager
def _hidden_text(page: FrozenPage, found: Sequence[FoundRun], kept: Sequence[int]) -> Iterator[None]:
    """Let the page paint no text but these runs, inside the `with` block."""
    for index, world in enumerate(page.worlds):
        own = {at: one.number for at, one in enumerate(found) if one.world == index}
        shown = [own.pop(at) for at in kept if at in own]
        world.call(function_of("capture/text/hide_text.js", "hideText"), list(own.values()), shown)
    yield
    for world in page.worlds:
        world.call("() => globalThis.__design2a11yText.showAgain()")
