"""Texts as people read them: a paragraph, a label, a cell."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from unicodedata import category

from rapidfuzz.distance import Indel

from pytest_design2a11y.models.geometry import Box, Color, box_around, is_inside
from pytest_design2a11y.models.page import Capture, TextRun, read_apart
from pytest_design2a11y.visual.scene.page_index import index_of
from pytest_design2a11y.visual.scene.sight import shown_in

#: Texts with a lower ratio have different words.
LEAST_RATIO = 0.5
#: Most letters of a text that are compared: the time grows with their square.
MOST_LETTERS = 4000

#: Letters fill a larger share of a line's width than this; a bullet fills less of the space before it.
_LEAST_INK = 0.4

#: Closing punctuation, which follows a link or the like without a space.
_BEFORE_SIGN = re.compile(r" ([,.;:!?)\]…’”%])(?=\s|$)")
#: The name of a glyph, which a font draws in its place.
_LIGATURE = re.compile(r"\s*[a-z][a-z0-9_]{2,}\s*")
#: Characters used as a cross, for closing things.
CROSSES = str.maketrans("×✕✖✗✘", "xxxxx")


@dataclass(frozen=True, eq=False)
class Unit:
    """A paragraph, a label, a cell: text that is read in one go."""

    text: str  # As shown, case kept
    box: Box  # Around all of it, px of the page
    runs: tuple[TextRun, ...]  # The runs that it consists of

    @cached_property
    def key(self) -> str:
        """Its letters in lower case, without white space; a cross by itself is an x."""
        letters = "".join(self.text.lower().split())
        return letters.translate(CROSSES) if len(letters) == 1 else letters

    @cached_property
    def colors(self) -> list[Color | None]:
        """The color of each letter of its key, by its style."""
        return [color for run in self.runs for color in [run.color] * len("".join(run.text.lower().split()))]

    @property
    def line_height(self) -> float:
        """Height of its first line, px."""
        return max(self.runs[0].boxes[0][3], 1.0)

    @cached_property
    def steps(self) -> list[float]:
        """How far apart the tops of its lines are, px."""
        tops = sorted({round(box[1], 1) for run in self.runs for box in run.boxes})
        return [after - before for before, after in pairwise(tops) if after - before > self.line_height / 2]

    def reads_as(self, other: "Unit", least: float = LEAST_RATIO) -> bool:
        """Return whether two texts share most letters: at least this part of them, 0..1."""
        return Indel.normalized_similarity(self.key[:MOST_LETTERS], other.key[:MOST_LETTERS]) >= least


def read_as_words(runs: Iterable[TextRun], page: Capture) -> Iterator[TextRun]:
    """Return text that is read, without the names of icons, which fonts draw as glyphs."""
    cleaned = (_without_blanks(run, page) for run in runs)
    return (run for run in cleaned if not is_glyph(run, page))


def is_glyph(run: TextRun, page: Capture) -> bool:
    """Return whether a text is drawn as an icon: it is the name of one, or has no letters of its own."""
    is_name = len(run.boxes) == 1 and _LIGATURE.fullmatch(run.text)
    icons = index_of(page).elements_at(run.boxes[0], "icon") if is_name else ()
    is_drawn = any(is_inside(icon.box, run.boxes[0]) for icon in icons)
    return is_drawn or {category(letter) for letter in run.text.strip()} == {"Co"}


def _without_blanks(run: TextRun, page: Capture) -> TextRun:
    """Return a run without the boxes of its bullet, and of white space kept before, between, after words."""
    if len(run.boxes) < 2 or run.gaps:
        return run
    parts = [shown_in(page, box) for box in run.boxes]
    inks = [
        float((part != part[:1, :1]).any(axis=0).any(axis=1).mean()) if part.size else 0.0 for part in parts
    ]
    (left, top, width, height), second = run.boxes[:2]
    is_before = left + width <= second[0] + 1 and top <= second[1] + second[3] / 2 <= top + height
    if is_before and inks[0] < _LEAST_INK:
        inks[0] = 0.0
    inked = tuple(box for box, ink in zip(run.boxes, inks, strict=True) if ink)
    return replace(run, boxes=inked) if 0 < len(inked) < len(run.boxes) else run


def units_of(runs: Iterable[TextRun]) -> list[Unit]:
    """Return the texts of a page in reading order: each paragraph, split where its parts are far apart."""
    groups: dict[tuple[bool, int], list[TextRun]] = {}
    for run in runs:
        if run.boxes and run.text.strip():
            key = (False, run.owner) if run.paragraph is None else (True, run.paragraph)
            groups.setdefault(key, []).append(run)
    parts: list[list[TextRun]] = []
    for beside in (beside for group in groups.values() for beside in read_apart(group)):
        parts.append([beside[0]])
        for before, run in pairwise(beside):
            last, first = before.boxes[-1], run.boxes[0]
            is_below = first[1] - last[1] - last[3] > 2 * max(last[3], first[3])
            if is_below or first[0] < 0 > last[0]:
                parts.append([])
            parts[-1].append(run)
    return [joined_unit(part) for part in parts]


def joined_unit(runs: Sequence[TextRun]) -> Unit:
    """Return runs that are read in one go as one text."""
    text = _BEFORE_SIGN.sub(r"\1", " ".join(" ".join(run.text for run in runs).split()))
    return Unit(text, box_around([box for run in runs for box in run.boxes]), tuple(runs))
