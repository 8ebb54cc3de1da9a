"""Metric `figures`: the numbers that a page states, compared by value, label and place."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from itertools import chain
from math import fsum

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from pytest_design2a11y.exceptions import TimeLimit, TooMuchText
from pytest_design2a11y.models.geometry import Box, box_around
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.visual.assignment import Indices, Table, assign, centers_of

#: Weights of label, place and equal value for pairing figures. The value only breaks ties: two prices that
#: were exchanged are two wrong prices.
LABEL_WEIGHT, PLACE_WEIGHT, VALUE_WEIGHT = 0.6, 0.3, 0.1
#: Equal figures with less similarity in label and place than this are not the same figure.
LEAST_LIKENESS = 0.25
#: px; size of text if unknown.
_USUAL_SIZE = 16.0
#: Characters of one page's labels times those of the other's that are compared at once, a second at most.
MAX_COMPARISONS = 10_000_000_000
# px; pieces of text in one line at most this far apart are one.
_TOUCHING = 1.0

# A number in normalized text: with digits in groups of three, or without.
_NUMBER = re.compile(
    r"(?:(?<![\w)\].])[-−–](?=[$€£¥]?\d))?[$€£¥]?"
    r"(?:\d{1,3}(?:(?: \d{3})+|(?:['’]\d{3})+)(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*)"
)

# The end of an element whose number continues, and the start of the next that continues it.
_GOES_ON, _BEGINS = re.compile(r"\d[.,]?$"), re.compile(r"[.,]?\d")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that a page states."""

    value: Decimal
    text: str  # As written
    label: str  # The words beside it, or those to its left and above it; lower-cased
    box: Box  # Of the text that contains it, px of the page
    size: float  # Of its letters, px


@dataclass(frozen=True, slots=True)
class FigureMatching:
    """The pairs of figures, and how many are right."""

    value: float  # The metric, 0..1
    # (figure of the reference, of the candidate), None if one has no counterpart
    pairs: tuple[tuple[Figure | None, Figure | None], ...]

    @property
    def wrong(self) -> tuple[tuple[Figure | None, Figure | None], ...]:
        """Return the pairs whose values differ, and the figures without a counterpart."""
        return tuple(
            (reference, candidate)
            for reference, candidate in self.pairs
            if reference is None or candidate is None or reference.value != candidate.value
        )


def numbers_in(text: str) -> Iterator[tuple[Decimal, str]]:
    """Yield the numbers in a text and how they are written, whatever separates decimals and digit groups.

    "1,234.50", "1.234,50", "1 234.50" and "1'234,50" are the same number. A single separator before exactly
    three digits groups them, unless only 0 precedes it. Dates, times and versions are several numbers.
    """
    plain = unicodedata.normalize("NFKC", text)
    if not plain.isascii():
        plain = "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in plain)
    for found in _NUMBER.finditer(plain):
        sign = "-" if found[0][0] in "-−–" else ""
        digits = re.sub(r"[^\d.,]", "", found[0])
        for part in _parts(digits):
            yield Decimal(sign + part).normalize() + 0, found[0]


def _parts(digits: str) -> list[str]:
    """Return a number of digits, points and commas with only a decimal point, or the numbers in it."""
    *groups, last = re.split(r"[.,]", digits)
    marks = re.findall(r"[.,]", digits)
    if not groups:
        return [digits]
    is_grouped = len(last) == 3 and groups[0].strip("0") != "" and len(groups[0]) <= 3
    if len(set(marks)) == 1 and is_grouped and all(len(group) in (2, 3) for group in groups[1:]):
        return ["".join((*groups, last))]
    # The last separator is for decimals if it differs from those before it, or is the only one.
    if marks[-1] not in marks[:-1] and len(set(marks[:-1])) <= 1:
        return [f"{''.join(groups)}.{last}"]
    return [*groups, last]


def figures_of(runs: Iterable[TextRun], time_limit: TimeLimit | None = None) -> tuple[Figure, ...]:
    """Find the figures in a page's visible text, in document order, with their labels.

    Raises:
        MeasurementTimeout: The time limit was reached.
    """
    time_limit = time_limit or TimeLimit()
    pieces = [*_joined(runs)]
    texts: dict[int, list[int]] = {}
    for at, (run, _) in enumerate(pieces):
        texts.setdefault(_paragraph(run), []).append(at)
    words = [" ".join(re.findall(r"[^\W\d_]{2,}", run.text.lower())) for run, _ in pieces]
    around = {key: " ".join(words[at] for at in members if words[at]) for key, members in texts.items()}
    boxes = np.array([box for _, box in pieces]).reshape(-1, 4)
    worded = np.flatnonzero([*map(bool, words)])
    found = []
    for at, (run, box) in enumerate(pieces):
        time_limit.check("figures")
        numbers = [*numbers_in(run.text)]
        if not numbers:
            continue
        label = around[_paragraph(run)] or " ".join(words[near] for near in _beside(boxes, at, worded))
        size = run.font.size if run.font is not None else _USUAL_SIZE
        found += [Figure(value, text, label, box, size) for value, text in numbers]
    return tuple(found)


def _joined(runs: Iterable[TextRun]) -> Iterator[tuple[TextRun, Box]]:
    """Yield runs with their boxes, joining those of one number in several elements."""
    waiting: tuple[TextRun, Box] | None = None
    for run in chain.from_iterable(whole.parts() for whole in runs):
        if not run.boxes:
            continue
        box = box_around(run.boxes)
        if waiting is not None:
            before, left = waiting
            is_one = (
                _paragraph(before) == _paragraph(run)
                and (before.font and before.font.size) == (run.font and run.font.size)
                and _GOES_ON.search(before.text)
                and _BEGINS.match(run.text)
                and len(run.boxes) == len(before.boxes) == 1
                and abs(left[1] - box[1]) <= _TOUCHING
                and abs(left[0] + left[2] - box[0]) <= _TOUCHING
            )
            if is_one:
                joint = box_around((left, box))
                waiting = replace(before, text=before.text + run.text, boxes=(joint,)), joint
                continue
            yield waiting
        waiting = run, box
    if waiting is not None:
        yield waiting


def _paragraph(run: TextRun) -> int:
    return -1 - run.owner if run.paragraph is None else run.paragraph


def _beside(boxes: Table, at: int, worded: Indices) -> Iterator[int]:
    """Yield the nearest text with words to the left of a box, and the nearest above it."""
    box, others = boxes[at], boxes[worded]
    ends = others[:, :2] + others[:, 2:]
    for axis in (0, 1):
        other = 1 - axis
        overlaps = (others[:, other] < box[other] + box[2 + other]) & (ends[:, other] > box[other])
        distances = np.where(overlaps, box[axis] - ends[:, axis], np.inf)
        distances[distances < -_TOUCHING] = np.inf
        if len(distances) and np.isfinite(nearest := distances.min()):
            yield int(worded[int(np.flatnonzero(distances == nearest)[0])])


def match_figures(
    reference: Sequence[Figure],
    candidate: Sequence[Figure],
    page_sizes: tuple[tuple[int, int], tuple[int, int]],
    *,
    time_limit: TimeLimit | None = None,
) -> FigureMatching | None:
    """Pair the figures of two pages by label and place, and check which have the same value.

    The metric is the share of figures of both pages whose counterpart has the same value, weighted by the
    size of their letters.

    Args:
        reference: Figures of the design.
        candidate: Figures of the generated page.
        page_sizes: Of both, px.
        time_limit: The time limit; None for no limit.

    Returns:
        None if the design shows no figures.

    Raises:
        MeasurementTimeout: The time limit was reached.
        TooMuchText: Labels are too long to be compared.
    """
    if not reference:
        return None
    time_limit = time_limit or TimeLimit()
    sides = reference, candidate
    weights = np.array([figure.size for figure in reference]), np.array([figure.size for figure in candidate])
    centers = [
        centers_of(np.array([figure.box for figure in side]).reshape(-1, 4), size)
        for side, size in zip(sides, page_sizes, strict=True)
    ]

    def likeness(labels: Table, moves: Table) -> Table:
        places = np.maximum(0.0, 1.0 - 2.0 * moves.max(axis=-1))
        return np.asarray(LABEL_WEIGHT * labels + PLACE_WEIGHT * places)

    def similarities(rows: Indices, columns: Indices) -> Table:
        labels = _label_ratios([reference[at].label for at in rows], [candidate[at].label for at in columns])
        numbers: dict[Decimal, int] = {}
        first, second = (
            np.array([numbers.setdefault(side[at].value, len(numbers)) for at in some])
            for side, some in ((reference, rows), (candidate, columns))
        )
        moves = np.abs(centers[0][rows][:, None] - centers[1][columns][None, :])
        return np.asarray(likeness(labels, moves) + VALUE_WEIGHT * (first[:, None] == second))

    heights = centers[0][:, 1], centers[1][:, 1]
    assigned = assign(weights, heights, similarities, time_limit)
    rows, columns = np.array(assigned, dtype=np.intp).reshape(-1, 2).T
    ratio = cache(lambda one, other: _label_ratios([one], [other])[0, 0])
    labels = np.array([ratio(reference[i].label, candidate[j].label) for i, j in assigned])
    is_like = likeness(labels, np.abs(centers[0][rows] - centers[1][columns])) >= LEAST_LIKENESS * (
        LABEL_WEIGHT + PLACE_WEIGHT
    )
    pairs = [pair for pair, is_kept in zip(assigned, is_like.tolist(), strict=True) if is_kept]
    lone = [sorted(set(range(len(side))) - {pair[at] for pair in pairs}) for at, side in enumerate(sides)]
    right = fsum(weights[0][i] + weights[1][j] for i, j in pairs if reference[i].value == candidate[j].value)
    return FigureMatching(
        value=min(1.0, float(right / fsum([*weights[0], *weights[1]]))),
        pairs=(
            *((reference[i], candidate[j]) for i, j in pairs),
            *((reference[i], None) for i in lone[0]),
            *((None, candidate[j]) for j in lone[1]),
        ),
    )


def _label_ratios(first: Sequence[str], second: Sequence[str]) -> Table:
    """Compare labels, 0..1, each two different ones once."""
    rows, columns = ({label: at for at, label in enumerate(dict.fromkeys(side))} for side in (first, second))
    lengths = [sum(map(len, labels)) for labels in (rows, columns)]
    if lengths[0] * lengths[1] > MAX_COMPARISONS:
        raise TooMuchText(
            f"Words beside numbers, {lengths[0]:,} and {lengths[1]:,} characters, are too long to compare.",
            stage="figures",
            advice="Look for content that repeats.",
        )
    table = cdist([*rows], [*columns], scorer=Indel.normalized_similarity, dtype=np.float64)
    return np.asarray(table[np.ix_([rows[label] for label in first], [columns[label] for label in second])])
