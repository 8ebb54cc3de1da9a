"""Metric `typography`: sizes, families, weights and alignment of text."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, sqrt

from pytest_design2a11y.models.geometry import Box, contrast
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.visual.match import PageMatch
from pytest_design2a11y.visual.scene.text_facts import BOLD, family_distance, ground_of, longest_line
from pytest_design2a11y.visual.scene.units import Unit

#: More contrast than this, which WCAG requires of large text, makes no difference.
ENOUGH_CONTRAST = 3.0

#: Sideways shifts by at least this share of the page's width count as 1: another alignment.
FARTHEST_SHIFT = 0.2

#: Loss of similarity for another family, for bold instead of regular text, and for another alignment.
FAMILY_LOSS, BOLD_LOSS, SHIFT_LOSS = 0.4, 0.3, 0.6


@dataclass(frozen=True, slots=True)
class _Style:
    """How a text is written: means over its letters."""

    size: float  # px
    advances: tuple[float, ...]  # Signature of its fonts, em
    bold: float  # Share of bold letters, 0..1
    contrast: float  # With what is behind it, at most 3: from there on everybody can read it


def score_typography(match: PageMatch) -> float | None:
    """Compare how the texts are written that two pages share, and where they begin.

    A pair scores min/max of the font sizes x (.6 + .4 family) x (1 - .3 |difference of bold shares|) x
    min/max of the contrasts, those above 3 taken as 3, x (1 - .6 shift); family is 1 minus the mean
    difference of the letters' widths, so that font names are not needed; shift is the least sideways shift of
    left edge, center and right edge, with a fifth of the page's width as 1. A text that looks the same on
    both pages scores 1, one that only one page shows 0. The metric is the mean, weighted by the square root
    of characters.

    Returns:
        0..1, exactly 1 for a page against itself, and if neither page has text; None if a page has text, but
        no font of it is known.
    """
    pages, texts = (match.reference, match.candidate), match.texts
    for units in texts.units:
        if units and not any(run.font for unit in units for run in unit.runs):
            return None
    pairs = [(design, made) for design, made in texts.pairs if _has_font(design) and _has_font(made)]
    lone = fsum(sqrt(len(unit.key)) for unit in (*texts.missing, *texts.extra) if _has_font(unit))
    widths = pages[0].page_size[0], pages[1].page_size[0]
    total, lost = [lone], [lone]
    for design, made in pairs:
        weight = sqrt(len(design.key)) + sqrt(len(made.key))
        total.append(weight)
        if not match.looks_same(design.box, made.box):
            styles = [_style_of(unit, page) for unit, page in zip((design, made), pages, strict=True)]
            alike, shift = _similarity(*styles), _shift(design.box, made.box, widths)
            lost.append(weight * (1.0 - alike * (1.0 - SHIFT_LOSS * shift)))
    return min(1.0, max(0.0, 1.0 - fsum(lost) / fsum(total))) if any(total) else 1.0


def _has_font(unit: Unit) -> bool:
    return any(run.font is not None for run in unit.runs)


def _similarity(reference: _Style, candidate: _Style) -> float:
    """Return the similarity of how two texts are written, 0..1."""
    size = min(reference.size, candidate.size) / max(reference.size, candidate.size)
    return (
        size
        * (1.0 - FAMILY_LOSS * family_distance(reference.advances, candidate.advances))
        * (1.0 - BOLD_LOSS * abs(reference.bold - candidate.bold))
        * (min(reference.contrast, candidate.contrast) / max(reference.contrast, candidate.contrast))
    )


def _shift(reference: Box, candidate: Box, widths: tuple[int, int]) -> float:
    """Return the sideways shift of a text, 0..1, by the nearest of its edges and its center."""
    (left, _, width, _), (own_left, _, own_width, _) = reference, candidate
    least = min(
        abs((left + share * width) / widths[0] - (own_left + share * own_width) / widths[1])
        for share in (0.0, 0.5, 1.0)
    )
    return min(1.0, least / FARTHEST_SHIFT)


def _style_of(unit: Unit, page: Capture) -> _Style:
    known = [(run, run.font) for run in unit.runs if run.font is not None]
    counts = [sum(not letter.isspace() for letter in run.text) for run, _ in known]

    def mean(values: Iterable[float]) -> float:
        # A mean of equal values is that value, to the last digit.
        pairs = [*zip(counts, values, strict=True)]
        same = {value for _, value in pairs}
        return same.pop() if len(same) == 1 else fsum(count * value for count, value in pairs) / sum(counts)

    return _Style(
        size=max(mean(font.size for _, font in known), 0.1),
        advances=tuple(mean(widths) for widths in zip(*(font.advances for _, font in known), strict=True)),
        bold=mean(float(font.weight >= BOLD) for _, font in known),
        contrast=mean(_contrast(run, page) for run, _ in known),
    )


def _contrast(run: TextRun, page: Capture) -> float:
    ground = None if run.color is None else ground_of(longest_line(run), page, run.color)
    if run.color is None or ground is None:
        return ENOUGH_CONTRAST
    red, green, blue = (
        round(run.alpha * level + (1 - run.alpha) * behind)
        for level, behind in zip(run.color, ground, strict=True)
    )
    return min(ENOUGH_CONTRAST, contrast((red, green, blue), ground))
