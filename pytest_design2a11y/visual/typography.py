"""Metric `typography`: sizes, families, weights and alignment of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from pytest_design2a11y.models.colors import most_frequent_color
from pytest_design2a11y.models.geometry import Box, Color, box_around, contrast
from pytest_design2a11y.models.page import Screenshot, TextRun, read_apart
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.visual.assignment import Indices, Table, assign, centres_of

#: Families whose mean advance widths differ by this much of an em have nothing in common.
FARTHEST_FAMILY = 0.08
#: Text is bold from this weight.
BOLD = 600
#: More contrast than this, which WCAG requires of large text, makes no difference.
ENOUGH_CONTRAST = 3.0

#: Sideways shifts by at least this share of the page's width count as 1: another alignment.
FARTHEST_SHIFT = 0.2

#: Loss of similarity for another family, for bold instead of regular text, and for another alignment.
FAMILY_LOSS, BOLD_LOSS, SHIFT_LOSS = 0.4, 0.3, 0.6
# Paragraphs with a lower text ratio have different words.
_LEAST_TEXT = 0.5
# The weight of place relative to words when paragraphs are paired.
_PLACE_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class Paragraph:
    """The text of the nearest element that is not inline, and its style."""

    text: str  # Lower-cased
    box: Box  # Around all of it, px of the page
    num_characters: int  # Without white space
    size: float  # Mean of its letters, px
    advances: tuple[float, ...]  # Mean signature of its fonts, em
    bold: float  # Share of bold letters, 0..1
    contrast: float  # Of its letters with their background, at most 3: from there on everybody can read it


@dataclass(frozen=True, slots=True)
class TypographyMatching:
    """The pairs of paragraphs, and the scores of their fonts."""

    value: float  # The metric, 0..1
    # (paragraph of the reference, of the candidate, similarity of fonts, sideways shift of the text, 0..1,
    # weight as a share of all)
    pairs: tuple[tuple[Paragraph, Paragraph, float, float, float], ...]
    # Weights of the text that only the reference has, and only the candidate, as shares of all
    alone: tuple[float, float] = (0.0, 0.0)


def paragraphs_of(runs: Iterable[TextRun], screenshot: Screenshot) -> tuple[Paragraph, ...] | None:
    """Group runs in document order into paragraphs; None if there is text, but no font is known."""
    groups: dict[tuple[bool, int], list[TextRun]] = {}
    runs = tuple(runs)
    for run in runs:
        if run.font is not None and run.boxes and _letters(run):
            key = (False, run.owner) if run.paragraph is None else (True, run.paragraph)
            groups.setdefault(key, []).append(run)
    if runs and not groups:
        return None
    return tuple(_paragraph(part, screenshot) for group in groups.values() for part in read_apart(group))


def match_paragraphs(
    reference: Sequence[Paragraph],
    candidate: Sequence[Paragraph],
    page_sizes: tuple[tuple[int, int], tuple[int, int]],
    *,
    looks_same: Callable[[Box], bool] | None = None,
    time_limit: TimeLimit | None = None,
) -> TypographyMatching:
    """Pair the paragraphs of two pages by words and place, and compare their fonts and alignment.

    A pair scores min/max of the font sizes x (.6 + .4 family) x (1 - .3 |difference of bold shares|) x
    min/max of the contrasts, those above 3 taken as 3, x (1 - .6 shift); family is 1 minus the mean
    difference of the letters' widths, so that font names are not needed; shift is the least sideways shift of
    left edge, centre and right edge, with a fifth of the page's width as 1. A paragraph left over is compared
    with the one that contains its text; without one, it scores 0. The metric is the mean, weighted by the
    square root of characters; 1 if neither page has text.

    Args:
        reference: Paragraphs of the design.
        candidate: Paragraphs of the generated page.
        page_sizes: Of both, px.
        looks_same: Whether both pages show the same in a box, px. Pairs of paragraphs there are alike,
            however markup splits them; None: by their fonts only.
        time_limit: The time limit; None for no limit.

    Raises:
        MeasurementTimeout: The time limit was reached.
    """
    if not reference and not candidate:
        return TypographyMatching(1.0, ())
    sides = (reference, page_sizes[0]), (candidate, page_sizes[1])
    # One order for both directions, so that ties are broken alike whichever page is the reference.
    is_swapped = _order(*sides[1]) < _order(*sides[0])
    pairs = _assign(*(sides[::-1] if is_swapped else sides), time_limit or TimeLimit())
    widths = page_sizes[0][0], page_sizes[1][0]
    # Of both pages, with the weight and the shift
    weighted = [
        (design, made, sqrt(design.num_characters) + sqrt(made.num_characters), _shift(design, made, widths))
        for design, made in (pair[::-1] if is_swapped else pair for pair in pairs)
    ]
    alone = [0.0, 0.0]
    for side, (own, others) in enumerate(((reference, candidate), (candidate, reference))):
        taken = {id(pair[side]) for pair in weighted}
        for left in own:
            if id(left) in taken:
                continue
            weight = sqrt(left.num_characters)
            around = _containing(left, others)
            if around is None:
                alone[side] += weight
            else:
                # A part of a paragraph may be anywhere in it.
                weighted.append((around, left, weight, 0.0) if side else (left, around, weight, 0.0))
    total = fsum([*(weight for _, _, weight, _ in weighted), *alone])
    matched, lost = [], []
    for design, made, weight, shift in weighted:
        alike = similarity(design, made)
        is_unlike = alike < 1.0 or shift > 0.0
        if is_unlike and looks_same is not None and looks_same(design.box) and looks_same(made.box):
            alike, shift = 1.0, 0.0
        matched.append((design, made, alike, shift, weight / total))
        lost.append(weight * (1.0 - alike * (1.0 - SHIFT_LOSS * shift)))
    return TypographyMatching(
        value=min(1.0, max(0.0, 1.0 - fsum([*lost, *alone]) / total)),
        pairs=tuple(matched),
        alone=(alone[0] / total, alone[1] / total),
    )


def _containing(part: Paragraph, others: Iterable[Paragraph]) -> Paragraph | None:
    """Return the shortest paragraph that contains the text of another, and the nearest of those."""
    (left, top, *_) = part.box
    return min(
        (other for other in others if part.text in other.text),
        key=lambda other: (len(other.text), abs(other.box[1] - top) + abs(other.box[0] - left)),
        default=None,
    )


def similarity(first: Paragraph, second: Paragraph) -> float:
    """Return the similarity of two paragraphs' fonts, 0..1."""
    size = min(first.size, second.size) / max(first.size, second.size)
    return (
        size
        * (1.0 - FAMILY_LOSS * family_distance(first.advances, second.advances))
        * (1.0 - BOLD_LOSS * abs(first.bold - second.bold))
        * (min(first.contrast, second.contrast) / max(first.contrast, second.contrast))
    )


def reads_alike(first: Paragraph, second: Paragraph) -> bool:
    """Return whether two paired paragraphs share their words, and not just their place."""
    is_part = first.text in second.text or second.text in first.text
    return is_part or Indel.normalized_similarity(first.text, second.text) >= _LEAST_TEXT


def _shift(first: Paragraph, second: Paragraph, widths: tuple[int, int]) -> float:
    """Return the sideways shift of a paragraph, 0..1, by the nearest of its edges and its centre."""
    (left, _, width, _), (own_left, _, own_width, _) = first.box, second.box
    least = min(
        abs((left + share * width) / widths[0] - (own_left + share * own_width) / widths[1])
        for share in (0.0, 0.5, 1.0)
    )
    return min(1.0, least / FARTHEST_SHIFT)


def family_distance(first: Sequence[float], second: Sequence[float]) -> float:
    """Return how different two families are by their widths, 0..1; 0 if one has none."""
    if not (first and second):
        return 0.0
    differences = [abs(own - other) for own, other in zip(first, second, strict=True)]
    return min(1.0, fsum(differences) / len(differences) / FARTHEST_FAMILY)


def _paragraph(runs: Sequence[TextRun], screenshot: Screenshot) -> Paragraph:
    counts = [_letters(run) for run in runs]
    fonts = [run.font for run in runs if run.font is not None]
    number = sum(counts)

    def mean(values: Iterable[float]) -> float:
        pairs = [*zip(counts, values, strict=True)]
        # A mean of equal values is that value, to the last digit.
        same = {value for _, value in pairs}
        return same.pop() if len(same) == 1 else fsum(count * value for count, value in pairs) / number

    return Paragraph(
        text=" ".join(" ".join(run.text for run in runs).lower().split()),
        box=box_around([box for run in runs for box in run.boxes]),
        num_characters=number,
        size=max(mean(font.size for font in fonts), 0.1),
        advances=tuple(mean(widths) for widths in zip(*(font.advances for font in fonts), strict=True)),
        bold=mean(float(font.weight >= BOLD) for font in fonts),
        contrast=mean(_contrast(run, screenshot) for run in runs),
    )


def _contrast(run: TextRun, screenshot: Screenshot) -> float:
    if run.color is None:
        return ENOUGH_CONTRAST
    ground = ground_of(run.boxes[0], screenshot, run.color)
    if ground is None:
        return ENOUGH_CONTRAST
    red, green, blue = (
        round(run.alpha * own + (1 - run.alpha) * behind)
        for own, behind in zip(run.color, ground, strict=True)
    )
    return min(ENOUGH_CONTRAST, contrast((red, green, blue), ground))


def _letters(run: TextRun) -> int:
    return sum(not character.isspace() for character in run.text)


def _order(paragraphs: Sequence[Paragraph], page_size: tuple[int, int]) -> tuple[object, ...]:
    return page_size, tuple((part.text, part.box, part.size, part.advances) for part in paragraphs)


def _assign(
    first: tuple[Sequence[Paragraph], tuple[int, int]],
    second: tuple[Sequence[Paragraph], tuple[int, int]],
    time_limit: TimeLimit,
) -> list[tuple[Paragraph, Paragraph]]:
    """Pair the paragraphs of two pages, each given with its size, by their words and places."""
    centres, others = (
        centres_of(np.array([paragraph.box for paragraph in side]).reshape(-1, 4), size)
        for side, size in (first, second)
    )

    def similarities(rows: Indices, columns: Indices) -> Table:
        texts = [[side[at].text for at in part] for (side, _), part in ((first, rows), (second, columns))]
        ratios = cdist(*texts, scorer=Indel.normalized_similarity, dtype=np.float64)
        distances = np.abs(centres[rows][:, None] - others[columns][None, :]).max(axis=-1)
        return np.asarray((ratios + _PLACE_WEIGHT * (1.0 - distances)) / (1.0 + _PLACE_WEIGHT))

    weights, heights = (np.ones(len(centres)), np.ones(len(others))), (centres[:, 1], others[:, 1])
    found = assign(weights, heights, similarities, time_limit)
    return [(first[0][i], second[0][j]) for i, j in found]


def ground_of(box: Box, screenshot: Screenshot, color: Color) -> Color | None:
    """Return the most frequent colour around a text (px), without its own; None outside the screenshot."""
    left, top, right, bottom = (
        round(edge) for edge in (box[0] - 1, box[1] - 1, box[0] + box[2] + 1, box[1] + box[3] + 1)
    )
    crop = screenshot.pixels[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    if not crop.size:
        return None
    red, green, blue = (round(channel) for channel in most_frequent_color(crop, own=color).tolist())
    return red, green, blue
