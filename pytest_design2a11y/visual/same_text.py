"""Read a page's text as its design where both look the same: markup that nobody sees changes nothing.

How text is divided into elements decides what its blocks, runs and paragraphs are. A `<b>` in place of a
`<strong>`, or a `<span>` around a word, would make other texts of the same letters in the same place.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import ceil, floor

import numpy as np

from pytest_design2a11y.models.geometry import Box, area, clipped
from pytest_design2a11y.models.page import Capture, TextRun

# Boxes hold the same letters if they share this much of the smaller one.
_SHARED = 0.5
# Levels of 255 by which letters may change: words of several text nodes are rounded otherwise than those of
# one, by a quarter of a pixel.
MOST_CHANGE = 72
# Divided otherwise, more lines than this are left as they are.
_MOST_LINES = 3000

Group = list[TextRun]
"""The runs of one element."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A page, read as its design where both look the same."""

    page: Capture
    owners: Mapping[
        int, tuple[int, ...]
    ]  # The page's own elements, by the number of the design's in their place

    def owners_of(self, numbers: Iterable[int]) -> tuple[int, ...]:
        """Return the page's own elements whose text these elements have."""
        return tuple(
            dict.fromkeys(chain.from_iterable(self.owners.get(number, (number,)) for number in numbers))
        )


def read_as_design(reference: Capture, candidate: Capture) -> Reading | None:
    """Return how the page reads if text that looks as in its design is divided as there; None if it is."""
    pages = reference, candidate
    design, page = (_groups(capture.text_runs) for capture in pages)
    same = set(map(_key, design)) & set(map(_key, page))
    left = [
        [group for group in groups if _key(group) not in same and _looks_the_same(pages, group)]
        for groups in (design, page)
    ]
    swaps = [*_divided_otherwise(left[0], left[1])]
    if not swaps:
        return None
    order = {run: at for at, run in enumerate(reference.text_runs)}
    first_owner = 1 + max(run.owner for run in candidate.text_runs)
    first_paragraph = 1 + max(run.paragraph or 0 for run in candidate.text_runs)
    owners: dict[int, tuple[int, ...]] = {}
    instead: dict[TextRun, Group] = {}
    for wanted, made in swaps:
        old = tuple(dict.fromkeys(run.owner for run in made))
        owners |= {first_owner + run.owner: old for run in wanted}
        instead |= {run: [] for run in made}
        for run in sorted(wanted, key=order.__getitem__):
            paragraph = None if run.paragraph is None else first_paragraph + run.paragraph
            number = first_owner + run.owner
            instead[_in_place_of(run, made)].append(replace(run, owner=number, paragraph=paragraph))
    # What stands in a paragraph with them still does.
    divided = {run.paragraph for wanted, _ in swaps for run in wanted} - {None}
    beside = {(run.text, run.boxes): run.paragraph for run in reference.text_runs if run.paragraph in divided}
    for run in (run for run in candidate.text_runs if run not in instead):
        if (paragraph := beside.get((run.text, run.boxes))) is not None:
            instead[run] = [replace(run, paragraph=first_paragraph + paragraph)]
    replaced = {*instead}
    runs = chain.from_iterable(
        instead.pop(run, []) if run in replaced else [run] for run in candidate.text_runs
    )
    return Reading(replace(candidate, text_runs=tuple(runs)), owners)


def _in_place_of(run: TextRun, others: Group) -> TextRun:
    """Return which of other runs has most of the place of a run's first line."""

    def common(other: TextRun) -> float:
        return max((area(part) for box in other.boxes if (part := clipped(box, run.boxes[0]))), default=0.0)

    return max(others, key=common)


def _groups(runs: Sequence[TextRun]) -> list[Group]:
    groups: dict[int, Group] = defaultdict(list)
    for run in runs:
        groups[run.owner].append(run)
    return [*groups.values()]


def _key(group: Group) -> tuple[object, ...]:
    first = group[0].paragraph
    return tuple((run.text, run.boxes, run.paragraph == first) for run in group)


def _looks_the_same(pages: tuple[Capture, Capture], group: Group) -> bool:
    for box in (box for run in group for box in run.boxes):
        design, page = (capture.screenshot.pixels[_part(box)] for capture in pages)
        if design.shape != page.shape:
            return False
        change = np.maximum(design, page) - np.minimum(design, page)
        if change.max(initial=0) > MOST_CHANGE:
            return False
    return True


def _part(box: Box) -> tuple[slice, slice]:
    x, y, width, height = box
    return slice(floor(y), ceil(y + height)), slice(floor(x), ceil(x + width))


def _components(number: int, links: Iterable[tuple[int, int]]) -> list[int]:
    """Number the connected parts of a graph, by their first node; SciPy would take half a second to load."""
    linked: defaultdict[int, list[int]] = defaultdict(list)
    for one, other in links:
        linked[one].append(other)
        linked[other].append(one)
    labels, label = [-1] * number, -1
    for start in range(number):
        if labels[start] >= 0:
            continue
        waiting, label = [start], label + 1
        while waiting:
            node = waiting.pop()
            if labels[node] < 0:
                labels[node] = label
                waiting += linked[node]
    return labels


def _divided_otherwise(design: Sequence[Group], page: Sequence[Group]) -> Iterator[tuple[Group, Group]]:
    """Yield the runs of the design, and those of the page in their place, that are the same letters."""
    at_design, at_page = (_lines(groups) for groups in (design, page))
    if not len(at_design[0]) or not len(at_page[0]) or max(len(at_design[0]), len(at_page[0])) > _MOST_LINES:
        return
    (boxes, of), (others, of_others) = at_design, at_page
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    common = np.clip(high - low, 0, None).prod(axis=2)
    sizes = [(edges[:, 2:] - edges[:, :2]).prod(axis=1) for edges in (boxes, others)]
    first, second = np.nonzero(common >= _SHARED * np.minimum(sizes[0][:, None], sizes[1]))
    links = zip(of[first].tolist(), (len(design) + of_others[second]).tolist(), strict=True)
    labels = _components(len(design) + len(page), links)
    parts: list[tuple[Group, Group]] = [([], []) for _ in {*labels}]
    for label, group in zip(labels[: len(design)], design, strict=True):
        parts[label][0].extend(group)
    for label, group in zip(labels[len(design) :], page, strict=True):
        parts[label][1].extend(group)
    yield from (part for part in parts if all(part) and _letters(part[0]) == _letters(part[1]))


def _lines(groups: Sequence[Group]) -> tuple[np.ndarray, np.ndarray]:
    """Return the edges of all lines, shape (lines, 4), and the group of each."""
    boxes = [(box, at) for at, group in enumerate(groups) for run in group for box in run.boxes]
    edges = np.array([box for box, _ in boxes], dtype=np.float64).reshape(-1, 4)
    edges[:, 2:] += edges[:, :2]
    return edges, np.array([at for _, at in boxes], dtype=np.int64)


def _letters(runs: Iterable[TextRun]) -> list[tuple[str, str, float]]:
    """Return the letters with their colors, in whatever order: they are in the same place."""
    return sorted((letter, str(run.color), run.alpha) for run in runs for letter in "".join(run.text.split()))
