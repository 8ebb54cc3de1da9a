"""Find text that is really painted, by screenshots without it; overlapping text is tested layer by layer."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, repeat
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.browser.channel import Deadline
from pytest_design2a11y.capture.page.frames import FrozenPage
from pytest_design2a11y.capture.text.candidates import FoundRun
from pytest_design2a11y.models.colors import largest_channel, most_frequent_color
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import LEAST_CONTRAST, Box, is_but_tips
from pytest_design2a11y.models.page import TextRun

# Least share of a text that lies on or under another one.
_SHARED = 0.5

#: Up to this many overlapping texts are separated; a person does not read more in one place.
MAX_LAYERS = 8

Boxes = NDArray[np.float64]


def overlapping(runs: Sequence[TextRun], deadline: Deadline) -> list[int]:
    """Return the indices of runs at least half of which lies on or under another run."""
    at = np.array([at for at, run in enumerate(runs) for _ in run.boxes], dtype=np.intp)
    if not len(at):
        return []
    boxes = np.array([box for run in runs for box in run.boxes], dtype=np.float64)
    order = np.argsort(boxes[:, 1], kind="stable")
    at, boxes = at[order], boxes[order]
    areas = boxes[:, 2] * boxes[:, 3]
    ends = np.searchsorted(boxes[:, 1], boxes[:, 1] + boxes[:, 3], side="left")
    is_stacked = np.zeros(len(runs), dtype=bool)
    for position, end in enumerate(ends.tolist()):
        deadline.check()
        rest = np.arange(position + 1, end)
        if is_stacked[at[position]]:
            # The others are checked only if they are not known yet.
            rest = rest[~is_stacked[at[rest]]]
        rest = rest[at[rest] != at[position]]
        common = _common(boxes[rest], boxes[position])
        hits = rest[(common > 0) & (common >= _SHARED * np.minimum(areas[rest], areas[position]))]
        if len(hits):
            is_stacked[at[hits]] = is_stacked[at[position]] = True
    return np.flatnonzero(is_stacked).tolist()


def in_layers(runs: Sequence[TextRun], indices: Sequence[int], deadline: Deadline) -> list[list[int]]:
    """Return layers of overlapping runs that do not overlap within a layer; too many are left out."""
    layers: list[list[tuple[int, Boxes]]] = [[] for _ in range(MAX_LAYERS)]
    for index in indices:
        deadline.check()
        boxes = np.array(runs[index].boxes)
        for layer in layers:
            if not any(_common(others, box).any() for _, others in layer for box in boxes):
                layer.append((index, boxes))
                break
    return [[index for index, _ in layer] for layer in layers if layer]


def others_within(runs: Sequence[TextRun], indices: Iterable[int], deadline: Deadline) -> Iterator[list[Box]]:
    """Yield, for each of some runs, the boxes of other runs that reach into its boxes."""
    at = np.array([at for at, run in enumerate(runs) for _ in run.boxes], dtype=np.intp)
    boxes = np.array([box for run in runs for box in run.boxes], dtype=np.float64).reshape(-1, 4)
    for index in indices:
        reaches = np.zeros(len(boxes), dtype=bool)
        for box in boxes[at == index]:
            deadline.check()
            reaches |= _common(boxes, box) > 0
        yield [(x, y, width, height) for x, y, width, height in boxes[reaches & (at != index)].tolist()]


def _common(boxes: Boxes, box: Boxes) -> Boxes:
    """Return the area that each box shares with one box; 0 if they do not overlap."""
    left, top = np.maximum(boxes[:, 0], box[0]), np.maximum(boxes[:, 1], box[1])
    right = np.minimum(boxes[:, 0] + boxes[:, 2], box[0] + box[2])
    bottom = np.minimum(boxes[:, 1] + boxes[:, 3], box[1] + box[3])
    return np.where((right > left) & (bottom > top), (right - left) * (bottom - top), 0.0)


# Least change, in levels of 255, that text makes to a visible pixel: the contrast that thin strokes keep; and
# the least for translucent text, which is meant to be paler.
_LEAST_CHANGE = 0.75 * LEAST_CONTRAST
_LEAST_CHANGE_TRANSLUCENT = 12.0
_TRANSLUCENT = 0.5
# Least change as a share of the existing contrast: anything less is lost in it.
_LEAST_SHARE_OF_CONTRAST = 0.3
# If what a text paints and what stands out without it agree this much, a picture shows its words.
_ECHOED = 0.5
# Shift (px) at which this is also checked, and the least correlation, -1..1: other pictures have less.
_ASIDE = 8
_CORRELATED = 0.5
# Text with less than this share of the picture's contrast may be a copy of its words.
_FAINT = 0.8

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Views:
    """The same part of a page several times, each of shape (height, width, 3), sRGB."""

    whole: Pixels  # As seen by a person
    shown: Pixels  # With the texts being tested, maybe without others
    bare: Pixels  # Without any text
    origin: tuple[int, int]  # Left and top of that part, px of the page


def has_own_ink(run: TextRun, views: Views, deadline: Deadline, *, others: Iterable[Box] = ()) -> bool:
    """Return whether a person sees what a run itself paints; changes in boxes of others do not count."""
    least = _LEAST_CHANGE if run.alpha >= _TRANSLUCENT else _LEAST_CHANGE_TRANSLUCENT
    length, inked = 0, 0
    parts = [_slices(box, views.origin) for box in others]
    if parts:
        only = views.shown.copy()
        for part in parts:
            only[part] = views.bare[part]
        views = replace(views, shown=only)
    for whole, shown, bare, around in _crops(run, views):
        deadline.check()
        height, width = shown.shape[:2]
        changed = _own_pixels(whole, shown, bare, around, least)
        # Across the lines, which are vertical in some scripts.
        across = 0 if width >= height else 1
        length += max(width, height)
        inked += int(changed.any(axis=across).sum())
    return inked > 0 and not is_but_tips(inked, length)


def is_of_ground(run: TextRun, views: Views) -> bool:
    """Return whether a run has the color of its ground, and nothing else is visible where it lies."""
    return run.color is not None and all(
        _contrast(whole) < _LEAST_CHANGE
        and max(map(abs, np.subtract(run.color, most_frequent_color(whole)))) < _LEAST_CHANGE
        for whole, *_ in _crops(run, views)
    )


def _slices(box: Box, origin: tuple[int, int]) -> tuple[slice, slice]:
    (x, y, width, height), (left, top) = box, origin
    rows = slice(max(floor(y) - top, 0), max(ceil(y + height) - top, 0))
    return rows, slice(max(floor(x) - left, 0), max(ceil(x + width) - left, 0))


def _crops(run: TextRun, views: Views) -> Iterator[tuple[Pixels, Pixels, Pixels, Pixels]]:
    """Yield the views of each box, the last one including its surroundings."""
    for box in run.boxes:
        rows, columns = _slices(box, views.origin)
        whole, shown, bare = (view[rows, columns] for view in (views.whole, views.shown, views.bare))
        if not bare.size:
            continue
        margins = [
            (max(_ASIDE - part.start, 0), max(part.stop + _ASIDE - length, 0))
            for part, length in zip((rows, columns), views.bare.shape, strict=False)
        ]
        wide = views.bare[
            max(rows.start - _ASIDE, 0) : rows.stop + _ASIDE,
            max(columns.start - _ASIDE, 0) : columns.stop + _ASIDE,
        ]
        yield whole, shown, bare, np.pad(wide, (*margins, (0, 0)), mode="edge")


def _own_pixels(whole: Pixels, shown: Pixels, bare: Pixels, around: Pixels, least: float) -> Mask:
    levels = around.ravel()
    is_flat = bool((levels[3:] == levels[:-3]).all())
    contrast = _contrast(whole) if is_flat else max(_contrast(whole), _contrast(bare))
    change = largest_channel(np.maximum(shown, bare) - np.minimum(shown, bare))
    changed: Mask = change >= max(least, _LEAST_SHARE_OF_CONTRAST * contrast)
    if is_flat or not changed.any():  # There is nothing that it could copy.
        return changed
    ground = most_frequent_color(bare)
    stands_out: Mask = largest_channel(np.abs(around - ground)) >= max(_LEAST_CHANGE, contrast / 2)
    here = _moved(stands_out, changed.shape, _ASIDE, _ASIDE)
    is_echo = np.count_nonzero(changed & here) >= _ECHOED * np.count_nonzero(changed | here)
    # Or it is a fainter copy of what a picture shows slightly beside it.
    strongest = float(change.max())
    is_faint = strongest <= _FAINT * contrast and bool(stands_out.any())
    if is_echo or (is_faint and _correlation_aside(change >= strongest / 2, stands_out) >= _CORRELATED):
        return changed & False
    return changed


def _contrast(pixels: Pixels) -> float:
    """Return the range of a channel's levels, 0..255, without a fiftieth at either end."""
    channels = np.ascontiguousarray(pixels.reshape(-1, 3).T)
    last = channels.shape[1] - 1
    ranks = [share * last for share in (0.02, 0.98)]
    near = [min(floor(rank) + beyond, last) for rank in ranks for beyond in (0, 1)]
    levels = np.partition(channels, near, axis=1)[:, near].T.astype(np.float64)
    # Interpolated between levels exactly like NumPy's percentiles, to the last digit.
    below, above, share = levels[::2], levels[1::2], np.array(ranks)[:, None] % 1
    step = above - below
    low, high = np.where(share < 0.5, below + step * share, above - step * (1 - share))
    return float((high - low).max())


def _correlation_aside(changed: Mask, stands_out: Mask) -> float:
    """Return the greatest correlation of two masks over all positions of one within the other, -1..1."""
    num_pixels, num_changed = changed.size, np.count_nonzero(changed)
    shifts = [(row, column) for row in range(2 * _ASIDE + 1) for column in range(2 * _ASIDE + 1)]
    moved = [_moved(stands_out, changed.shape, *shift) for shift in shifts]
    num_out = np.array([np.count_nonzero(mask) for mask in moved])
    num_both = np.array([np.count_nonzero(mask & changed) for mask in moved])
    spread = num_changed * (num_pixels - num_changed) * num_out * (num_pixels - num_out)
    covariance = num_pixels * num_both - num_changed * num_out
    return float((covariance / np.sqrt(np.maximum(spread, 1))).max())


def _moved(stands_out: Mask, shape: tuple[int, ...], row: int, column: int) -> Mask:
    return stands_out[row : row + shape[0], column : column + shape[1]]


Take = Callable[[Box], bytes]
"""Takes a screenshot of a part (x, y, width, height) of the page, px."""


@dataclass(frozen=True)
class HiddenText:
    """Screenshots of the part of a page that has text, without it."""

    area: Box  # That part, whole px of the page
    bare: Screenshot  # Without any text
    # With the text of one layer each: texts that overlap others, but not each other, by index
    layers: tuple[tuple[Sequence[int], Screenshot], ...]
    stacked: frozenset[int]  # All texts that overlap others


def hide_text(page: FrozenPage, texts: Sequence[FoundRun], take: Take) -> HiddenText | None:
    """Take screenshots of a page without its text; None if it has no text."""
    if not texts:
        return None
    deadline, runs = page.channel.deadline, [text.letters for text in texts]
    stacked = overlapping(runs, deadline)
    layers = in_layers(runs, stacked, deadline)
    plain = sorted({*range(len(texts))} - {*stacked})
    boxes = np.array([box for index in chain(plain, *layers) for box in runs[index].boxes])
    left, top = (max(floor(edge), 0) for edge in boxes[:, :2].min(axis=0))
    right, bottom = (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    width, height = min(ceil(right), page.page_size[0]) - left, min(ceil(bottom), page.page_size[1]) - top
    area = (float(left), float(top), float(width), float(height))
    shots: list[Screenshot] = []
    for layer in ((), *layers):
        with _hidden_text(page, texts, layer):
            shots.append(Screenshot(take(area)))
    return HiddenText(area, shots[0], tuple(zip(layers, shots[1:], strict=True)), frozenset(stacked))


def painted_runs(
    texts: Sequence[FoundRun], screenshot: Screenshot | None, hidden: HiddenText | None, deadline: Deadline
) -> tuple[FoundRun, ...]:
    """Return the texts that change the screenshot of a page when painted; all, without a screenshot."""
    if screenshot is None or hidden is None:
        return tuple(texts)
    runs = [text.letters for text in texts]
    left, top, width, height = map(int, hidden.area)
    whole, bare = screenshot.pixels[top : top + height, left : left + width], hidden.bare.pixels

    def unseen(indices: Sequence[int], shown: Pixels, others: Iterable[Sequence[Box]]) -> Iterator[int]:
        views = Views(whole, shown, bare, origin=(left, top))
        for index, near in zip(indices, others, strict=False):
            run = runs[index]
            # Text in the color of its ground is not a trick, and the published metric counts it.
            if not has_own_ink(run, views, deadline, others=near) and not is_of_ground(run, views):
                yield index

    plain = sorted({*range(len(texts))} - hidden.stacked)
    missing = {*unseen(plain, whole, others_within(runs, plain, deadline))}
    # Runs under too many others are lost.
    missing |= hidden.stacked - {index for layer, _ in hidden.layers for index in layer}
    for layer, shown in hidden.layers:
        missing.update(unseen(layer, shown.pixels, repeat(())))
    return tuple(text for index, text in enumerate(texts) if index not in missing)


@contextmanager
def _hidden_text(page: FrozenPage, texts: Sequence[FoundRun], kept: Sequence[int]) -> Iterator[None]:
    """Let the page paint no text but these runs inside the `with` block."""
    for index, world in enumerate(page.worlds):
        numbers = {at: text.number for at, text in enumerate(texts) if text.world == index}
        shown = [numbers.pop(at) for at in kept if at in numbers]
        world.run("capture/text/hide_text.js", "hideText", list(numbers.values()), shown)
    yield
    for world in page.worlds:
        world.call("() => globalThis.__design2a11yText.showAgain()")
