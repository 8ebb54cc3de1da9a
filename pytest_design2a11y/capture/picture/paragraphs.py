"""Pieces of lines that make a paragraph, and the text runs of a page made of paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pytest_design2a11y.capture.picture.ink import Piece, Run, color_difference
from pytest_design2a11y.capture.picture.reading_order import in_reading_order
from pytest_design2a11y.models.page import TextRun

# Height of letters in an upright box as read.
_LETTERS = 0.72
# From centre to centre, in heights of letters.
_NEAREST, _FARTHEST = 0.5, 2.0
_HEIGHT_RATIO = 1.45
# How far left edges, or centres, may lie apart, in heights of letters.
_ALIGNED = 0.8
_SAME_COLOR = 14.0
_PITCH_RATIO = 1.3
# A shorter line is a heading, a menu's entry, a list's: nothing goes on below it.
_LEAST_CHARACTERS = 18
# Letters are so wide, in their heights: a space.
_SPACE = 0.35


@dataclass
class Paragraph:
    """Pieces, one below the other.

    Attributes:
        pieces: From top to bottom.
        pitch: From one line's centre to the next one's, px; None while there is one line.
    """

    pieces: list[Piece] = field(default_factory=list)
    pitch: float | None = None


def group_pieces(pieces: Sequence[Piece]) -> list[Paragraph]:
    """Join pieces that go on from one line to the next.

    Args:
        pieces: In any order.

    Returns:
        Paragraphs in reading order.
    """
    paragraphs: list[Paragraph] = []
    for piece in sorted(pieces, key=lambda piece: (piece.box[1] + piece.box[3] / 2, piece.box[0])):
        above = min(
            (one for one in paragraphs if _goes_on(one, piece)),
            key=lambda one: _centre(piece) - _centre(one.pieces[-1]),
            default=None,
        )
        if above is None:
            paragraphs.append(Paragraph([piece]))
        else:
            above.pitch = _centre(piece) - _centre(above.pieces[-1])
            above.pieces.append(piece)
    return in_reading_order(paragraphs, box=lambda one: _hull(one.pieces))


def _goes_on(paragraph: Paragraph, piece: Piece) -> bool:
    last = paragraph.pieces[-1]
    height, pitch = _height(last), _centre(piece) - _centre(last)
    return (
        _NEAREST * height <= pitch <= _FARTHEST * height
        and max(height, _height(piece)) <= _HEIGHT_RATIO * min(height, _height(piece))
        and (paragraph.pitch is None or pitch <= _PITCH_RATIO * paragraph.pitch)
        and len(last.text) >= _LEAST_CHARACTERS
        and _is_aligned(last, piece, height)
        and not _would_have_fitted(paragraph, piece, height)
        and color_difference(last.color, piece.color) < _SAME_COLOR
    )


def _is_aligned(above: Piece, below: Piece, height: float) -> bool:
    left = abs(above.box[0] - below.box[0])
    centre = abs(above.box[0] + above.box[2] / 2 - below.box[0] - below.box[2] / 2)
    return min(left, centre) <= _ALIGNED * height


def _would_have_fitted(paragraph: Paragraph, piece: Piece, height: float) -> bool:
    """Tell whether the next line's first word had room on the line above: then that line was ended."""
    last = paragraph.pieces[-1]
    width = max(one.box[2] for one in (*paragraph.pieces, piece))
    return last.box[2] + _SPACE * height + piece.first_word <= width


def _centre(piece: Piece) -> float:
    return piece.box[1] + piece.box[3] / 2


def _height(piece: Piece) -> float:
    return _LETTERS * piece.box[3]


def _hull(pieces: Sequence[Piece]) -> tuple[float, float, float, float]:
    left, top = min(piece.box[0] for piece in pieces), min(piece.box[1] for piece in pieces)
    right = max(piece.box[0] + piece.box[2] for piece in pieces)
    bottom = max(piece.box[1] + piece.box[3] for piece in pieces)
    return left, top, right, bottom


def text_runs_of(paragraphs: Sequence[Paragraph]) -> tuple[TextRun, ...]:
    """Give the runs of a page: a paragraph owns its text, a stretch of another colour in it its own."""
    runs: list[TextRun] = []
    for paragraph in paragraphs:
        owners = 1 + max((run.owner for run in runs), default=-1)
        runs.extend(_owned(paragraph, owners))
    return tuple(runs)


def _owned(paragraph: Paragraph, owners: int) -> Iterator[TextRun]:
    main = _main_color(paragraph)
    own, others, is_inside = None, owners, False
    for run in (run for piece in paragraph.pieces for run in piece.runs):
        if color_difference(run.color, main) < _SAME_COLOR:
            if own is None:
                own, others = others, others + 1
            yield _text_run(run, own)
            is_inside = False
        else:
            if not is_inside:
                others += 1
            yield _text_run(run, others - 1)
            is_inside = True


def _main_color(paragraph: Paragraph) -> tuple[int, int, int]:
    return max(paragraph.pieces, key=lambda piece: piece.box[2]).color


def _text_run(run: Run, owner: int) -> TextRun:
    return TextRun(text=run.text, boxes=(run.box,), color=run.color, owner=owner)
