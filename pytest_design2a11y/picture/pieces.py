"""Stretches of a line that belong together, and the runs of one style in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.picture.ink import LineInk, Pixels, TextLine, line_ink
from pytest_design2a11y.picture.words import Word, words_of

# A gap without ink of this many px, or of this many heights of the line's ink, splits a line.
_WIDEST_GAP_PX = 10.0
_WIDEST_GAP = 1.0
# Neighbouring words share a run if their colors differ by less than this (CIEDE2000).
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
    """Neighbouring words of one style, in a box around their ink, over the line's height, px.

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
