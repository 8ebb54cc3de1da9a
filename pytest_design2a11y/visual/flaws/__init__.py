"""Single faults of a page that a reviewer would point out, and the fidelity lost to the worst of them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from math import isqrt, sqrt

import numpy as np

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Match
from pytest_design2a11y.visual.elements import ElementMatching
from pytest_design2a11y.visual.figures import FigureMatching
from pytest_design2a11y.visual.flaws.elements import covered_by_content, element_flaws
from pytest_design2a11y.visual.flaws.flaw import Flaw, flaw_costs
from pytest_design2a11y.visual.flaws.texts import color_flaws, figure_flaws, text_flaws
from pytest_design2a11y.visual.typography import Paragraph, TypographyMatching

__all__ = ["Flaw", "differs", "find_flaws", "flaw_costs"]

#: Levels of 255 below which changes are invisible; number of pixels that are checked, or up to four times
#: as many.
LEAST_CHANGE, MOST_PIXELS = 16, 20_000
#: px; troubles of both pages without text are the same if they begin at most this far apart.
NEAR = 40.0


def find_flaws(
    pages: tuple[Capture, Capture],
    *,
    elements: ElementMatching,
    figures: FigureMatching | None,
    typography: TypographyMatching,
    matches: Sequence[Match],
    paragraphs: tuple[tuple[Paragraph, ...], tuple[Paragraph, ...]],
) -> tuple[Flaw, ...]:
    """Return the flaws of single texts, figures and elements of a page, wherever they lie.

    A mean shows how much of a page is right; one wrong price, lost button or blank chart drowns in it.
    Positions, sizes and fonts are left to the means: a property of the whole page is not a single flaw.

    Args:
        pages: The design and the generated page.
        elements: Their elements as matched.
        figures: Their figures as matched; None if the design shows none.
        typography: Their paragraphs as matched.
        matches: Their matched text blocks.
        paragraphs: Of both.
    """
    content = covered_by_content(pages, elements)
    found = (
        *text_flaws(paragraphs, typography),
        *color_flaws(pages, matches),
        *figure_flaws(figures, paragraphs[0]),
        *element_flaws(pages, elements, bearing={*content.values()}),
        *trouble_flaws(pages, content),
    )
    # The pages must visibly differ where a flaw is, whatever their markup says.
    return tuple(flaw for flaw in found if any(box and differs(pages, box) for box in flaw.boxes))


def differs(pages: tuple[Capture, Capture], box: Box) -> bool:
    """Return whether two pages look different in a box, px; large boxes are sampled."""
    left, top = (max(0, round(side)) for side in box[:2])
    width, height = (max(1, round(side)) for side in box[2:])
    step = 1 + isqrt(width * height // MOST_PIXELS)
    first, second = (
        page.screenshot.pixels[top : top + height : step, left : left + width : step] for page in pages
    )
    if first.shape != second.shape:
        return True
    changes = np.maximum(first, second) - np.minimum(first, second)
    return int(changes.max(initial=0)) > LEAST_CHANGE


def trouble_flaws(pages: tuple[Capture, Capture], content: Container[int]) -> Iterator[Flaw]:
    """Yield troubles of the generated page that its design does not have, without those in `content`."""
    known = [*pages[0].overlaps]
    for at, trouble in enumerate(pages[1].overlaps):
        if at in content:
            continue
        alike = (other for other in known if other.kind == trouble.kind and other.text == trouble.text)
        left, top, *_ = trouble.box
        near = (other for other in alike if max(abs(other.box[0] - left), abs(other.box[1] - top)) <= NEAR)
        own = next(alike if trouble.text else near, None)
        if own is not None:
            known.remove(own)
        else:
            yield Flaw("trouble", sqrt(trouble.share), (None, trouble.box), (None, at))
