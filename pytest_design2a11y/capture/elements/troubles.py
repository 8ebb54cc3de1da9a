"""Things on a page that are covered, overflow or blend into something else, by geometry and pixels.

Intended overlaps are found as well: comparing two pages leaves out what both have.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.elements.view import Integers, Lids, View
from pytest_design2a11y.capture.text.candidates import FoundRun
from pytest_design2a11y.models.colors import luminance
from pytest_design2a11y.models.elements import Element, Trouble, TroubleKind
from pytest_design2a11y.models.geometry import Box

# Smaller shares of a text or element do not count.
_LEAST_COVERED = 0.1
_LEAST_CLIPPED = 0.08
_LEAST_OUT = 0.05
_ELSEWHERE = 0.9
# px; how far text may reach out of its box: left, top, right, bottom.
_MAY_REACH = (-3, 0, 3, 3)
# Share of a line's height that is empty above and below its letters; least share that two lines must share.
_EMPTY = 0.22
_LEAST_COMMON = 0.12
# Least share of a paragraph that must lie on another text or across an edge.
_LEAST_HIT = 0.03
# A line lies across an edge if at least this share of it lies on each side.
_LEAST_ACROSS = 0.15
# No edge shows if what is painted between it and the text, such as the text's card, hides this much of both.
_MOST_HIDDEN = 0.5
# Text cannot be read if this share of its lines, letters included, has less contrast than this.
_LEAST_CONTRAST = 1.5
_LEAST_UNREADABLE = 0.7
# Number of places checked along a line, and across it.
_ALONG, _ACROSS = 48, 8
# Number of texts checked, from the top of the page: all of them on ordinary pages.
_MOST_TEXTS = 3000
# Number of boxes compared with all others at a time.
_CHUNK = 500

Boxes = NDArray[np.float64]
Facts = dict[str, Any]
"""Fields of a `Trouble`."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How the elements of a page overlap."""

    view: View
    lids: Lids
    by: tuple[int, ...]  # For each, the candidate that covers most of it, -1 if none does
    drawn: tuple[tuple[int, Element], ...]  # The candidates' elements, with their indices

    def other(self, at: int) -> Facts:
        """Return which candidate covers something, or is overflowed; nothing for -1."""
        if at < 0:
            return {}
        about = self.lids.candidates.abouts[at]
        name, role = about.get("label", ""), about.get("role", "")
        return {"by_box": _box(self.lids.edges[at]), "by_name": name, "by_role": role}


class _Lines:
    """The lines of a page's texts, without those in frames, and the paragraph of each."""

    def __init__(self, painted: Sequence[FoundRun]) -> None:
        has_words = (text for text in painted if not text.world and any(map(str.isalnum, text.run.text)))
        kept = [(text, text.letters.boxes) for text in islice(has_words, _MOST_TEXTS)]
        # Per line; all arrays have shape (lines,) unless noted.
        self.runs = [text for text, lines in kept for _ in lines]
        boxes = np.array([box for _, lines in kept for box in lines], dtype=np.float64).reshape(-1, 4)
        # Left, top, right, bottom, px, shape (lines, 4); then of the letters alone, without the space between
        # lines, which belongs to both.
        self.edges = np.hstack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]])
        self.cores = self.edges + _EMPTY * boxes[:, 3:] * np.array([0, 1, 0, -1])
        self.areas = np.maximum(boxes[:, 2:].prod(axis=1), 1.0)
        self.core_areas = np.maximum((self.cores[:, 2:] - self.cores[:, :2]).prod(axis=1), 1.0)
        # Markup within a text does not start a new paragraph.
        numbers: dict[tuple[bool, int], int] = {}
        texts: dict[int, list[str]] = {}
        of = []
        for text, lines in kept:
            run = text.run
            key = (False, run.owner) if run.paragraph is None else (True, run.paragraph)
            number = numbers.setdefault(key, len(numbers))
            texts.setdefault(number, []).append(run.text)
            of += [number] * len(lines)
        self.of = np.array(of, dtype=np.int64)  # Each line's paragraph
        self.texts = [" ".join(parts) for parts in texts.values()]  # Of the paragraphs
        self.ranks = np.array([text.rank for text in self.runs], dtype=np.int64)  # When each line is painted
        # Each line's first and last element, shape (lines, 2).
        self.spans = np.array([text.span for text in self.runs], dtype=np.int64).reshape(-1, 2)

    def found(
        self, kind: TroubleKind, shares: Boxes, least: float, facts: Sequence[Facts] = ()
    ) -> Iterator[Trouble]:
        """Yield paragraphs hit at least to the given share, each with the line that is hit most.

        Args:
            kind: Of the trouble.
            shares: Per line, 0..1.
            least: The share of a paragraph's area from which it counts.
            facts: Per line, further fields of its trouble.
        """
        hit_areas, number = self.areas * shares, len(self.texts)
        hit = np.bincount(self.of, hit_areas, number) / np.maximum(
            np.bincount(self.of, self.areas, number), 1
        )
        for at in np.flatnonzero(hit >= least).tolist():
            line = int(np.where(self.of == at, hit_areas, -1).argmax())
            share = round(min(float(hit[at]), 1.0), 4)
            trouble = Trouble(kind, _box(self.edges[line]), self.texts[at], share=share)
            yield replace(trouble, **facts[line]) if facts else trouble


def find_troubles(
    layout: Layout, laid_out: Sequence[FoundRun], painted: Sequence[FoundRun]
) -> tuple[Trouble, ...]:
    """Find the troubles of a page.

    Args:
        layout: Of the page's elements.
        laid_out: All its laid-out texts, including invisible ones.
        painted: Those that are at least partly visible.
    """
    seen, lines, lids = _Lines(painted), _Lines(laid_out), layout.lids
    troubles: list[Trouble] = []
    if lines.texts:
        shares, by = lids.over(lines.edges.astype(np.int64), lines.ranks, lines.spans + np.array([0, 1]))
        troubles += lines.found("covered", shares, _LEAST_COVERED, [*map(layout.other, by.tolist())])
        # Also where a line across its ground keeps letters of the ground's color from counting as seen.
        troubles += _unreadable(layout, lines)
    for at, element in layout.drawn:
        if element.kind in ("picture", "box") and element.shown <= 1 - _LEAST_COVERED:
            covered = Trouble("covered", element.box, element.label, share=round(1 - element.shown, 4))
            troubles.append(replace(covered, **layout.other(layout.by[at])))
    if seen.texts:
        troubles += _texts_on_texts(seen)
        troubles += _texts_on_edges(layout, seen)
        troubles += _overflowing(layout, seen)
        cuts = np.array([text.cut for text in seen.runs])
        troubles += seen.found("clipped", cuts, _LEAST_CLIPPED, [*map(_cut, seen.runs)])
    # Boxes in the same place look like one.
    worst: dict[tuple[object, ...], Trouble] = {}
    for trouble in sorted(troubles, key=lambda trouble: trouble.share):
        worst[(trouble.kind, trouble.text, *map(round, trouble.box))] = trouble
    return tuple(worst.values())


def _cut(text: FoundRun) -> Facts:
    """Return what of a text is cut off, and where all of it would be."""
    facts: Facts = {"cut": "height" if text.is_cut_in_height else "length"}
    return facts if text.around is None else {**facts, "box": text.around}


def _texts_on_texts(lines: _Lines) -> Iterator[Trouble]:
    cores, areas, of = lines.cores, lines.core_areas, lines.of
    shares = np.zeros(len(cores))
    others: list[Facts] = [{} for _ in cores]
    for start in range(0, len(cores), _CHUNK):
        part = slice(start, start + _CHUNK)
        low = np.maximum(cores[part, None, :2], cores[None, :, :2])
        high = np.minimum(cores[part, None, 2:], cores[None, :, 2:])
        common = np.clip(high - low, 0, None).prod(axis=2)
        ranks, others_ranks = lines.ranks[part, None], lines.ranks
        is_under = (ranks < others_ranks) | ((ranks == others_ranks) & (of[part, None] < of))
        common[~is_under | (of[part, None] == of)] = 0
        common[common < _LEAST_COMMON * np.minimum(areas[part, None], areas)] = 0
        shares[part] = common.max(axis=1) / areas[part]
        for at in np.flatnonzero(shares[part]).tolist():
            over = int(common[at].argmax())
            name = lines.texts[lines.of[over]]
            others[start + at] = {"by_box": _box(lines.edges[over]), "by_name": name, "by_role": "text"}
    return lines.found("covered", shares, _LEAST_HIT, others)


def _texts_on_edges(layout: Layout, lines: _Lines) -> Iterator[Trouble]:
    """Yield texts that lie across a visible edge of a box that is painted before them and not around them."""
    drawn = [(at, element) for at, element in layout.drawn if element.kind == "box"]
    boxes = [at for at, box in drawn if box.has_border or box.has_fill]
    if not boxes:
        return iter(())
    candidates = layout.lids.candidates
    places, (first, end) = layout.lids.edges[boxes], candidates.spans[boxes].T
    is_drawn = (candidates.worlds[boxes] == 0) & (candidates.grounds[boxes] > 0)
    areas = lines.core_areas
    shares, by = np.zeros(len(areas)), np.full(len(areas), -1)
    for start in range(0, len(areas), _CHUNK):
        at = slice(start, start + _CHUNK)
        first_own, last_own = lines.spans[at, :1], lines.spans[at, 1:]
        low = np.maximum(lines.cores[at, None, :2], places[None, :, :2])
        high = np.minimum(lines.cores[at, None, 2:], places[None, :, 2:])
        part = np.clip(high - low, 0, None).prod(axis=2) / areas[at, None]
        is_apart = ~((first <= first_own) & (last_own < end)) & ~((first_own <= first) & (first <= last_own))
        is_apart &= is_drawn & (candidates.ranks[boxes] < lines.ranks[at, None])
        part[~is_apart | (part < _LEAST_ACROSS) | (part > 1 - _LEAST_ACROSS)] = 0
        hit, of = np.nonzero(part)
        if len(hit):
            crossed, box = np.hstack([low[hit, of], high[hit, of]]).astype(np.int64), np.array(boxes)[of]
            hidden, _ = layout.lids.over(crossed, candidates.ranks[box], candidates.spans[box])
            part[hit, of] *= hidden < _MOST_HIDDEN
        shares[at], by[at] = part.max(axis=1), part.argmax(axis=1)
    others = [layout.other(boxes[box] if share else -1) for share, box in zip(shares, by, strict=True)]
    return lines.found("covered", shares, _LEAST_HIT, others)


def _overflowing(layout: Layout, lines: _Lines) -> Iterator[Trouble]:
    """Yield texts that run out of the innermost visible box around them, at a side or below."""
    candidates = layout.lids.candidates
    boxes = [at for at, box in layout.drawn if box.kind == "box" and not candidates.worlds[at]]
    if not boxes:
        return iter(())
    start, last = lines.spans.T[..., None]
    is_around = (candidates.spans[boxes, 0] <= start) & (last < candidates.spans[boxes, 1])
    # The innermost box is the last.
    at = len(boxes) - 1 - is_around[:, ::-1].argmax(axis=1)
    places = layout.lids.edges[boxes][at]
    left, _, right, bottom = (places + np.array(_MAY_REACH)).T
    low = np.maximum(lines.edges[:, 0], left), lines.edges[:, 1]
    high = np.minimum(lines.edges[:, 2], right), np.minimum(lines.edges[:, 3], bottom)
    inside = np.clip(high[0] - low[0], 0, None) * np.clip(high[1] - low[1], 0, None)
    shares = np.where(is_around.any(axis=1), 1 - inside / lines.areas, 0.0)
    others = [layout.other(boxes[box] if share else -1) for share, box in zip(shares, at, strict=True)]
    # A text that lies wholly elsewhere does not run out of the box.
    inside_of = np.full(len(lines.texts), 1.0)
    np.minimum.at(inside_of, lines.of, shares)
    shares[inside_of[lines.of] > _ELSEWHERE] = 0
    return lines.found("overflowing", np.clip(shares, 0, 1), _LEAST_OUT, others)


def _unreadable(layout: Layout, lines: _Lines) -> Iterator[Trouble]:
    """Yield texts that have almost no contrast with most of the pixels in their lines."""
    edges = lines.edges
    starts, sizes = edges[:, :2], edges[:, 2:] - edges[:, :2]
    columns, rows = (
        (starts[:, [at]] + sizes[:, [at]] * (np.arange(number) + 0.5) / number).astype(np.int64)
        for at, number in ((0, _ALONG), (1, _ACROSS))
    )
    shape = (len(edges), _ACROSS, _ALONG)
    places = np.broadcast_to(rows[:, :, None], shape), np.broadcast_to(columns[:, None], shape)
    shown, is_in = layout.view.at(*places)
    # A veil darkens a text together with its background.
    ranks = np.unique(layout.lids.candidates.ranks[layout.lids.candidates.worlds == 0])
    before = np.searchsorted(ranks, lines.ranks, side="right") - 1
    is_in &= layout.view.last_at(*places) <= before[:, None, None]
    colors = np.array([text.run.color or (0, 0, 0) for text in lines.runs])[:, None, None]
    own, all_shown = luminance(colors), luminance(shown)
    ratios = (np.maximum(own, all_shown) + 0.05) / (np.minimum(own, all_shown) + 0.05)
    num_seen = is_in.sum(axis=(1, 2))
    shares = ((ratios < _LEAST_CONTRAST) & is_in).sum(axis=(1, 2)) / np.maximum(num_seen, 1)
    is_known = np.array([text.run.color is not None for text in lines.runs])
    shares *= is_known & (num_seen >= _ALONG * _ACROSS / 2)
    return lines.found("unreadable", shares, _LEAST_UNREADABLE)


def _box(edges: Boxes | Integers) -> Box:
    left, top, right, bottom = (round(float(edge), 2) for edge in edges)
    return left, top, round(right - left, 2), round(bottom - top, 2)
