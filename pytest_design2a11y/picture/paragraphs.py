"""Group pieces of lines into paragraphs, and paragraphs into the text runs of a page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from math import log
from typing import TypeVar

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.picture.pieces import DESCENT, HANGING, Piece, StyleRun

# Distance between the baselines of two lines, in font sizes.
_NEAREST, _FARTHEST = 0.5, 3.2
# Centers or edges farther apart than this, in font sizes, are not aligned at all.
_UNALIGNED = 4.0
# CIEDE2000; colors that differ more are simply different, colors that differ less are the same.
_OTHER_COLOR = 30.0
_SAME_COLOR = 14.0

#: Evidence that a line continues in the next one, and its weight: a logistic regression on the pairs of
#: neighboring lines of the study's 53 designs (`studies/fit_paragraphs.py`).
WEIGHTS = {
    "any": 1.45,
    "pitch": -1.73,
    "size": -2.71,
    "small_letter": 2.23,
    "digit": 0.53,
    "ended": -1.15,
    "length": 0.92,
    "color": -1.65,
    "underline": -1.55,
    "one_line": -2.66,
    "uneven": -2.01,
    "more_below": 0.72,
    "unaligned": -0.81,
}


@dataclass
class Paragraph:
    """Pieces one below the other; `pitch`: distance between the last two baselines, px."""

    pieces: list[Piece] = field(default_factory=list)
    pitch: float | None = None

    @property
    def sides(self) -> "Sides":
        """Return its edges, px."""
        boxes = [piece.box for piece in self.pieces]
        left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
        return left, top, max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)


def group_pieces(pieces: Sequence[Piece]) -> list[Paragraph]:
    """Join pieces that continue from one line to the next."""
    ordered = sorted(pieces, key=lambda piece: (foot(piece), piece.box[0]))
    paragraphs: list[Paragraph] = []
    for piece in ordered:
        above = neighbor(piece, ordered, is_below=False)
        paragraph = next((one for one in paragraphs if one.pieces[-1] is above), None)
        if paragraph is not None:
            below = neighbor(piece, ordered, is_below=True)
            evidence = evidence_of(paragraph, piece, None if below is None else foot(below) - foot(piece))
            if sum(WEIGHTS[name] * value for name, value in evidence.items()) <= 0:
                paragraph = None
        if paragraph is None:
            paragraph = Paragraph([piece])
            paragraphs.append(paragraph)
        else:
            paragraph.pitch = foot(piece) - foot(paragraph.pieces[-1])
            paragraph.pieces.append(piece)
    return in_reading_order(paragraphs, box=lambda paragraph: paragraph.sides)


def foot(piece: Piece) -> float:
    """Return the baseline of a piece, px."""
    hangs = piece.is_underlined or HANGING.intersection(piece.text)
    return piece.box[1] + piece.box[3] - (DESCENT * piece.size if hangs else 0.0)


def neighbor(piece: Piece, pieces: Sequence[Piece], *, is_below: bool) -> Piece | None:
    """Return the nearest piece above or below another that overlaps it horizontally."""

    def distance(other: Piece) -> float:
        return (foot(other) - foot(piece)) * (1 if is_below else -1)

    near = [
        other
        for other in pieces
        if _NEAREST <= distance(other) / max(piece.size, other.size) <= _FARTHEST
        and min(_right(other), _right(piece)) > max(other.box[0], piece.box[0])
    ]
    return min(near, key=distance, default=None)


def evidence_of(paragraph: Paragraph, piece: Piece, next_pitch: float | None) -> dict[str, float]:
    """Return evidence, by the names of `WEIGHTS`, on a piece continuing a paragraph; `next_pitch` in px."""
    last = paragraph.pieces[-1]
    size, pitch = (last.size + piece.size) / 2, foot(piece) - foot(last)
    first_letter, last_letter = piece.text[0], last.text[-1]
    aside = abs(last.box[0] - piece.box[0])
    off_center = abs(last.box[0] + last.box[2] / 2 - piece.box[0] - piece.box[2] / 2)
    return {
        "any": 1.0,
        "pitch": pitch / size,
        "size": abs(log(last.size / piece.size)),
        "small_letter": float(first_letter.islower()),
        "digit": float(first_letter.isdigit()),
        "ended": float(last_letter in ".!?:;"),
        "length": log(len(last.text)),
        "color": min(color_difference(last.color, piece.color) / _OTHER_COLOR, 1.0),
        "underline": float(last.is_underlined != piece.is_underlined),
        "one_line": float(paragraph.pitch is None),
        "uneven": 0.0 if paragraph.pitch is None else min(abs(log(pitch / paragraph.pitch)), 2.0),
        "more_below": 0.0 if next_pitch is None else max(-1.0, min(log(next_pitch / pitch), 1.0)),
        "unaligned": min(min(aside, off_center) / size, _UNALIGNED) / _UNALIGNED,
    }


def _right(piece: Piece) -> float:
    return piece.box[0] + piece.box[2]


def text_runs_of(paragraphs: Sequence[Paragraph]) -> tuple[TextRun, ...]:
    """Return the runs of a page: a paragraph owns its text, a stretch in another style is its own owner."""
    runs: list[TextRun] = []
    owners = 0
    for paragraph in paragraphs:
        stretches: list[list[StyleRun]] = []
        # Split where the style changes, or where a rule under the text is interrupted.
        for run in chain.from_iterable(piece.runs for piece in paragraph.pieces):
            if stretches and _is_alike(stretches[-1][-1], run) and not run.is_apart:
                stretches[-1].append(run)
            else:
                stretches.append([run])
        main = _main_look(stretches)
        own = None
        for stretch in stretches:
            is_own = main is not None and _is_alike(stretch[0], main)
            owner = own if is_own and own is not None else owners
            own, owners = (owner if is_own else own), max(owners, owner + 1)
            runs += (TextRun(run.text, (run.box,), run.color, owner) for run in stretch)
    return tuple(runs)


def _is_alike(run: StyleRun, other: StyleRun) -> bool:
    return run.is_underlined == other.is_underlined and color_difference(run.color, other.color) < _SAME_COLOR


def _main_look(stretches: Sequence[Sequence[StyleRun]]) -> StyleRun | None:
    """Return a run in the paragraph's main style; None if all of it is links."""
    plain = [stretch for stretch in stretches if not stretch[0].is_underlined]
    if not plain:
        return None
    marks = [stretch for stretch in plain if not any(map(str.isalnum, "".join(run.text for run in stretch)))]
    # Links separated by marks: the marks belong to the paragraph.
    candidates = marks if len(marks) >= len(plain) - len(marks) - 1 and len(marks) > 1 else plain
    looks = [stretch[0] for stretch in candidates]
    return max(
        looks,
        key=lambda look: sum(
            run.box[2] for stretch in candidates if _is_alike(stretch[0], look) for run in stretch
        ),
    )


T = TypeVar("T")

#: left, top, right, bottom.
Sides = tuple[float, float, float, float]

# Columns are separated before rows only if the strip between them is wider by this factor.
_WIDER = 1.5


def in_reading_order(things: Sequence[T], *, box: Callable[[T], Sides]) -> list[T]:
    """Sort things by recursive X-Y cut: rows before columns unless the gap between columns is much wider."""
    if len(things) < 2:
        return list(things)
    (gap_down, down), (gap_across, across) = (_widest(things, box, axis) for axis in (1, 0))
    if gap_down <= 0 and gap_across <= 0:
        return sorted(things, key=lambda thing: (box(thing)[1], box(thing)[0]))
    axis, cut = (0, across) if gap_across > _WIDER * max(gap_down, 0) else (1, down)
    before = [thing for thing in things if box(thing)[axis] < cut]
    after = [thing for thing in things if box(thing)[axis] >= cut]
    return in_reading_order(before, box=box) + in_reading_order(after, box=box)


def _widest(things: Sequence[T], box: Callable[[T], Sides], axis: int) -> tuple[float, float]:
    """Return the widest empty strip across an axis, and where the part behind it begins."""
    spans = sorted((box(thing)[axis], box(thing)[axis + 2]) for thing in things)
    ends = accumulate((end for _, end in spans), max)
    gaps = [(start - end, start) for end, (start, _) in zip(ends, spans[1:], strict=False)]
    return max([(0.0, spans[0][0]), *gaps], key=lambda gap: gap[0])
