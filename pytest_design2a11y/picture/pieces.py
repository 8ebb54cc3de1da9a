"""Words of a line, stretches of it that belong together, and the runs of one style in them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from math import ceil
from statistics import median

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.picture.ink import LineInk, Mask, Pixels, TextLine, color_of, is_motley, line_ink

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
        start, end = max(blank, key=lambda span: span[1] - span[0], default=((following - middle) // 2,) * 2)
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


# A gap without ink of this many px, or of this many heights of the line's ink, splits a line.
_WIDEST_GAP_PX = 10.0
_WIDEST_GAP = 1.0
# Neighboring words share a run if their colors differ by less than this (CIEDE2000).
_SAME_COLOR = 18.0
# Thin strokes look paler than they are: the same color, blended with up to this share of the ground.
_MIXED = 0.6
_PARALLEL = 0.98
_FEW_LETTERS = 3
# Heights of letters, in font sizes.
_CAPITAL, _X_HEIGHT, DESCENT, _FULL = 0.72, 0.52, 0.21, 0.92
_RISING = frozenset("bdfhijklt!?()[]{}|/\\&%$#@\"'")
#: Letters that hang below the line, as far as `DESCENT`.
HANGING = frozenset("gjpqyQ,;()[]{}|/\\$@")
_IDEOGRAPHS = 0x2E80
# Alone these are not text: parts of small pictures, of borders, of dust.
_STRAY = frozenset(".,:;·'`~^_-–")


@dataclass(frozen=True, slots=True)
class StyleRun:
    """Neighboring words of one style, in a box around their ink, over the line's height, px.

    `is_apart`: both it and what precedes it on its line are underlined, but by separate rules.
    """

    text: str
    box: Box
    color: Color
    is_underlined: bool = False
    is_apart: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a line without a wide gap: px around its ink, runs from left to right, the font size."""

    box: Box
    runs: tuple[StyleRun, ...]
    size: float

    @property
    def text(self) -> str:
        """Return all its words."""
        return " ".join(run.text for run in self.runs)

    @property
    def color(self) -> Color:
        """Return the color of most of its width."""
        widths: dict[Color, float] = {}
        for run in self.runs:
            widths[run.color] = widths.get(run.color, 0.0) + run.box[2]
        return max(widths, key=lambda color: widths[color])

    @property
    def is_underlined(self) -> bool:
        """Return whether all of it is underlined."""
        return all(run.is_underlined for run in self.runs)


def pieces_of(line: TextLine, pixels: Pixels) -> Iterator[Piece]:
    """Split a line at wide gaps, and its words by their style; nothing without contrast with its ground."""
    ink = line_ink(line, pixels)
    if ink is None:
        return
    rows = np.flatnonzero(ink.mask.any(axis=1))
    top, height = ink.top + float(rows[0]), float(rows[-1] - rows[0] + 1)
    words = words_of(line, ink)
    size = _font_size(line.text, height, is_underlined=any(word.is_underlined for word in words))
    widest = max(_WIDEST_GAP_PX, _WIDEST_GAP * height)
    stretches: list[list[Word]] = []
    for word in words:
        if not stretches or word.left - stretches[-1][-1].right > widest or word.is_behind_wall:
            stretches.append([])
        stretches[-1].append(word)
    for stretch in stretches:
        if not _STRAY.issuperset("".join(word.text for word in stretch)):
            yield _piece(stretch, ink, top, height, size)


def _font_size(text: str, height: float, *, is_underlined: bool) -> float:
    """Estimate a font size from the ink's height, by whether letters rise above x-height and hang below."""
    if any(ord(letter) >= _IDEOGRAPHS for letter in text):
        return height / _FULL
    rises = any(letter.isupper() or letter.isdigit() or letter in _RISING for letter in text)
    hangs = is_underlined or any(letter in HANGING for letter in text)
    return height / ((_CAPITAL if rises else _X_HEIGHT) + (DESCENT if hangs else 0.0))


def _piece(words: Sequence[Word], ink: LineInk, top: float, height: float, size: float) -> Piece:
    runs: list[StyleRun] = []
    for word, following in zip(words, [*words[1:], None], strict=True):
        last = runs[-1] if runs else None
        if last is not None and _goes_on(last, word, following, ink):
            stronger = max(
                last.color, word.color, key=lambda color: float(np.abs(np.array(color) - ink.ground).max())
            )
            box = (last.box[0], top, word.right - last.box[0], height)
            runs[-1] = replace(last, text=f"{last.text} {word.text}", box=box, color=stronger)
        else:
            box = (word.left, top, word.right - word.left, height)
            are_underlined = last is not None and last.is_underlined and word.is_underlined
            is_apart = are_underlined and not word.is_tied
            runs.append(StyleRun(word.text, box, word.color, word.is_underlined, is_apart))
    left, right = words[0].left, words[-1].right
    return Piece((left, top, right - left, height), tuple(runs), size)


def _goes_on(run: StyleRun, word: Word, following: Word | None, ink: LineInk) -> bool:
    if run.is_underlined != word.is_underlined or (word.is_underlined and not word.is_tied):
        return False
    if run.color == word.color or color_difference(run.color, word.color) < _SAME_COLOR:
        return True
    if min(len(word.text), len(run.text)) > _FEW_LETTERS:
        return False
    # One color can be the other blended with the ground if both lie in the same direction from it.
    first, second = np.array(run.color) - ink.ground, np.array(word.color) - ink.ground
    lengths = float(np.linalg.norm(first)), float(np.linalg.norm(second))
    if min(lengths) < _MIXED * max(lengths) or first @ second < _PARALLEL * lengths[0] * lengths[1]:
        return False
    return following is None or color_difference(following.color, word.color) >= _SAME_COLOR
