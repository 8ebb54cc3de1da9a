"""The words of a line, by its ink: where each begins and ends, its color, and its underline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from math import ceil
from statistics import median

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.geometry import Color
from pytest_design2a11y.picture.ink import LineInk, Mask, TextLine, color_of, is_motley

# An underline lies in the lower part of its line, is inked along this share of the word, and also between its
# letters: that distinguishes it from the feet of letters.
_LOWER = 0.6
_RULED = 0.6
# Letters that reach below the line interrupt it.
_REACHING = frozenset("gjpqyQ,;()[]{}|/\\")
# Beside such letters it ends only if this share of the gap between two words is blank.
_UNTIED = 0.6
# It is longer than the foot of any letter, in heights of the ink.
_RULE = 1.1
# Within this many rows above it there is one with at most this share of ink, from letters that reach down.
_NEAR = 4
_CLEAR = 0.3
# Bullets before list items, drawn by the browser.
_BULLETS = frozenset("•◦●○■□▪▫‣·∙")
# A bullet belongs to what follows within this many of its widths.
_BULLET_REACH = 4.0
# A small picture, such as an emoji, is read as at most this many letters.
_FEW = 1
# Widths of spaces that the reader missed: shares of the line's median space, or of its ink's height.
_SPACE = 0.9
_LEAST_SPACE = 0.35
_CERTAIN_SPACE = 0.8


@dataclass(frozen=True, slots=True)
class Word:
    """One word, by its ink: from its first column to just after its last, px of the page.

    `is_tied`: its underline is joined to that of the word before; `is_behind_wall`: a border precedes it.
    """

    text: str
    left: float
    right: float
    color: Color
    is_underlined: bool = False
    is_tied: bool = False
    is_behind_wall: bool = False


def words_of(line: TextLine, ink: LineInk) -> tuple[Word, ...]:
    """Return the words of a line from left to right, leaving out those without ink."""
    mask = ink.mask
    if not mask.any():
        return ()
    rules, blank = _rules(mask), ~_columns(mask)
    gaps = _gaps(line, ink.left, _columns(mask & ~rules), _columns(rules), int(_columns(mask.T).sum()))
    letters, inked = line.text.replace(" ", ""), np.flatnonzero(~blank)
    firsts = [0, *(first for first, _, _ in gaps), len(letters)]
    lefts = [int(inked[0]), *(end for _, _, end in gaps)]
    rights = [*(start for _, start, _ in gaps), int(inked[-1]) + 1]
    words: list[Word] = []
    for (first, last), left, right in zip(pairwise(firsts), lefts, rights, strict=True):
        before = words[-1] if words else None
        word = _word(letters[first:last], left, right, before, ink, blank, rules[:, left:right])
        if word is not None:
            words.append(word)
    if words and words[0].text in _BULLETS:
        # A bullet is not text, but lies in the block of its line.
        bullet, *words = words
        if words and words[0].left - bullet.right <= _BULLET_REACH * (bullet.right - bullet.left):
            words[0] = replace(words[0], left=bullet.left)
    return tuple(words)


def _columns(mask: Mask) -> NDArray[np.bool_]:
    return np.asarray(mask.any(axis=0))


def _word(
    text: str, left: int, right: int, before: Word | None, ink: LineInk, blank: NDArray[np.bool_], rules: Mask
) -> Word | None:
    """Return a word between two columns; None if it has no ink, or is a small picture."""
    pixels, lettering = ink.pixels[:, left:right], np.where(rules, 0.0, ink.distance[:, left:right])
    color = color_of(pixels, lettering)
    if color is None or (len(text) <= _FEW and is_motley(pixels, lettering)):
        return None
    behind = left if before is None else round(before.right) - ink.left
    around = "" if before is None else before.text[-1] + text[0]
    share = float(blank[behind:left].mean()) if behind < left else 0.0
    return Word(
        text,
        ink.left + left,
        ink.left + right,
        color,
        is_underlined=bool(rules.any(axis=0).mean() >= _RULED),
        is_tied=(share < _UNTIED if _REACHING.intersection(around) else share == 0.0),
        is_behind_wall=bool(ink.walls[behind:left].any()),
    )


def _rules(mask: Mask) -> Mask:
    rows = np.flatnonzero(mask.any(axis=1))
    first, last = int(rows[0]), int(rows[-1])
    rules = np.zeros_like(mask)
    lowest = first + ceil(_LOWER * (last - first + 1))
    longest = _RULE * (last - first + 1)
    for row in range(lowest, last + 1):
        for start, end in _stretches(mask[row]):
            # An underline lies below letters, with a gap between them; the foot of a letter has none.
            above = mask[max(row - _NEAR, 0) : row, start:end].mean(axis=1)
            if end - start >= longest and above.size and float(above.min()) <= _CLEAR:
                rules[row] = mask[row]
    return rules


def _stretches(inked: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of stretches that are inked without a break."""
    steps = np.diff(np.concatenate([[False], inked, [False]]).astype(np.int8))
    yield from zip(np.flatnonzero(steps == 1).tolist(), np.flatnonzero(steps == -1).tolist(), strict=True)


def _gaps(
    line: TextLine, left: int, inked: NDArray[np.bool_], ruled: NDArray[np.bool_], height: int
) -> list[tuple[int, int, int]]:
    """Return the gaps between the words of a line: the number of the letter after it, its start and end."""
    spaces = {number - 1 for number in accumulate(map(len, line.text.split()))}
    letters = line.text.replace(" ", "")
    middles = [min(max(round(middle) - left, 0), len(inked) - 1) for middle in line.middles]
    # Between every two letters: columns without ink (start = end if there are none)
    gaps, between_rules = [], set()
    for at, (middle, following) in enumerate(pairwise(middles)):
        blank = _stretches(~inked[middle : following + 1])
        start, end = max(
            blank, key=lambda place: place[1] - place[0], default=((following - middle) // 2,) * 2
        )
        around = ruled[max(middle + start - 1, 0) : middle + end + 1]
        is_broken = start < end and around[0] and around[-1] and not around.all()
        if is_broken and not _REACHING.intersection(letters[at : at + 2]):
            between_rules.add(at)
        gaps.append((middle + start, middle + end))
    widths = [end - start for start, end in gaps]
    known = [width for at, width in enumerate(widths) if at in spaces]
    inner = [width for at, width in enumerate(widths) if at not in spaces]
    least = max(_LEAST_SPACE * height, 3 * median(inner) if inner else 0.0)
    least = max(least, _SPACE * median(known) if len(known) > 1 else _CERTAIN_SPACE * height)
    return [
        (at + 1, start, end)
        for at, (start, end) in enumerate(gaps)
        if at in spaces or end - start >= least or at in between_rules
    ]
