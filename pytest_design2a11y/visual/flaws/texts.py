"""Flaws of texts and figures: words that are missing, extra or different, text that is hard to read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt

import numpy as np

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Block, Match
from pytest_design2a11y.visual.assignment import exchanges
from pytest_design2a11y.visual.figures import FigureMatching
from pytest_design2a11y.visual.flaws.flaw import Flaw
from pytest_design2a11y.visual.typography import Paragraph, TypographyMatching

#: Contrasts that differ by less than this share are the same.
LEAST_CONTRAST_LOSS = 0.1
#: A text is a different one if this share of its words differs.
OTHER_TEXT = 1 / 3
#: CIEDE2000 of text colours: below the first a difference is not noticed by itself, from the second they are
#: completely different, which costs at most the third.
LEAST_COLOR, FARTHEST_COLOR, RECOLORED = 8.0, 40.0, 0.5
#: Grade of a figure without a counterpart: it vanished with its text, or its text was read differently.
LONE_FIGURE = 0.5

# A text's weight is the root of its size, relative to the design's usual size, within these bounds.
_SMALLEST, _LARGEST = 0.5, 2.0
_WORD = re.compile(r"[^\W\d_]+|[$€£¥₹₽₩%‰°]")

Sides = tuple[tuple[Paragraph, ...], tuple[Paragraph, ...]]


def text_flaws(paragraphs: Sides, matching: TypographyMatching) -> Iterator[Flaw]:
    """Yield paragraphs whose words are missing, extra or different, and those that are hard to read.

    A paragraph is wrong by the share of its words that the other page as a whole shows less often: if markup
    splits paragraphs differently, or text is elsewhere, no word is lost.
    """
    words = [[Counter(_WORD.findall(paragraph.text)) for paragraph in side] for side in paragraphs]
    everything = [sum(side, Counter()) for side in words]
    surplus = everything[0] - everything[1], everything[1] - everything[0]
    numbers = [{id(paragraph): at for at, paragraph in enumerate(side)} for side in paragraphs]
    usual = usual_size(paragraphs[0])
    waiting = [set(range(len(side))) for side in paragraphs]
    for design, made, *_ in matching.pairs:
        i, j = numbers[0][id(design)], numbers[1][id(made)]
        if i not in waiting[0] or j not in waiting[1]:  # A part of a paragraph that is already paired
            continue
        waiting[0].remove(i)
        waiting[1].remove(j)
        boxes, weight = (design.box, made.box), _weight(max(design.size, made.size), usual)
        changed = _taken(words[0][i] - words[1][j], surplus[0])
        changed += _taken(words[1][j] - words[0][i], surplus[1])
        if changed:
            share = changed / (words[0][i].total() + words[1][j].total())
            yield Flaw("text", weight * min(1.0, share / OTHER_TEXT), boxes, (i, j))
        loss = 1.0 - made.contrast / design.contrast
        if loss >= LEAST_CONTRAST_LOSS:
            yield Flaw("contrast", weight * loss, boxes, (i, j))
    yield from _exchanged(matching, numbers, usual)
    for side, left in enumerate(waiting):
        for at in sorted(left):
            lone, own = paragraphs[side][at], words[side][at]
            if changed := _taken(own, surplus[side]):
                grade = _weight(lone.size, usual) * min(1.0, changed / own.total() / OTHER_TEXT)
                if side:
                    yield Flaw("text", grade, (None, lone.box), (None, at))
                else:
                    yield Flaw("text", grade, (lone.box, None), (at, None))


def _exchanged(
    matching: TypographyMatching, numbers: Sequence[dict[int, int]], usual: float
) -> Iterator[Flaw]:
    """Yield paragraphs in each other's places: there, each reads as the other."""
    if not matching.pairs:
        return
    designs, made, *_ = zip(*matching.pairs, strict=True)
    found = exchanges(*(np.array([paragraph.box for paragraph in side]) for side in (designs, made)))
    for i, j in [*found, *((j, i) for i, j in found)]:
        words, others = (Counter(_WORD.findall(paragraph.text)) for paragraph in (designs[i], made[j]))
        if changed := ((words - others) + (others - words)).total():
            grade = _weight(max(designs[i].size, made[j].size), usual)
            at = numbers[0][id(designs[i])], numbers[1][id(made[j])]
            share = changed / (words.total() + others.total())
            yield Flaw("text", grade * min(1.0, share / OTHER_TEXT), (designs[i].box, made[j].box), at)


def _taken(words: Counter[str], surplus: Counter[str]) -> int:
    """Return how many of some words are surplus on their page, and remove them from the surplus."""
    found = words & surplus
    surplus.subtract(found)
    return found.total()


def usual_size(paragraphs: Sequence[Paragraph]) -> float:
    """Return the font size (px) that half of a page's text does not exceed."""
    left = sum(paragraph.num_characters for paragraph in paragraphs) / 2
    for size, number in sorted((paragraph.size, paragraph.num_characters) for paragraph in paragraphs):
        left -= number
        if left <= 0:
            return size
    return 16.0


def _weight(size: float, usual: float) -> float:
    return sqrt(min(_LARGEST, max(_SMALLEST, size / usual)))


def figure_flaws(matching: FigureMatching | None, paragraphs: Sequence[Paragraph]) -> Iterator[Flaw]:
    """Yield figures that differ from the design's, are missing, or are extra."""
    if matching is None:
        return
    usual = usual_size(paragraphs)
    for design, made in matching.wrong:
        size = max(side.size for side in (design, made) if side is not None)
        is_pair = design is not None and made is not None
        boxes = None if design is None else design.box, None if made is None else made.box
        yield Flaw("figure", _weight(size, usual) * (1.0 if is_pair else LONE_FIGURE), boxes)


def color_flaws(pages: tuple[Capture, Capture], matches: Iterable[Match]) -> Iterator[Flaw]:
    """Yield texts in another colour."""
    for match in matches:
        difference = 100.0 * (1.0 - match.color)
        if difference > LEAST_COLOR:
            share = min(1.0, (difference - LEAST_COLOR) / (FARTHEST_COLOR - LEAST_COLOR))
            boxes = block_box(match.reference, pages[0]), block_box(match.candidate, pages[1])
            yield Flaw("color", RECOLORED * share, boxes)


def block_box(block: Block, page: Capture) -> Box:
    """Return the box of a block, px of its page."""
    (x, y, width, height), (across, down) = block.box, page.page_size
    return x * across, y * down, width * across, height * down
