"""Pages made by hand, in pixels and records, and in what they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.elements import Element, Font, Screenshot
from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import SEVERITIES, Block, Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.visual import (
    fidelity,
    match_pages,
    score_elements,
    score_matching,
    score_typography,
)
from pytest_design2a11y.visual.differences import Compared, find_differences
from tests.factories import ENVIRONMENT

SIZE = (1000, 1000)
WHITE, BLACK, BLUE = (255, 255, 255), (0, 0, 0), (20, 60, 200)
SANS = Font(14, 400, False, (0.222, 0.833, 0.944, 0.556, 0.556, 0.556, 0.556, 0.722))
SERIF = replace(SANS, advances=(0.278, 0.778, 0.944, 0.444, 0.5, 0.5, 0.444, 0.667))


def text(words: str, x: float, y: float, color: Color = BLACK, font: Font = SANS) -> TextRun:
    return TextRun(
        words, ((x, y, 8.0 * len(words), 20),), color, int(y * 1000 + x), font=font, paragraph=int(y)
    )


def box(x: float, y: float, width: float, height: float, **changes: Any) -> Element:
    values: dict[str, Any] = {"kind": "box", "tag": "div", "box": (x, y, width, height), "fill": BLUE}
    return Element(**values | {"has_fill": True} | changes)


def page(
    texts: Sequence[TextRun], elements: Sequence[Element] = (), ground: Color = WHITE, height: int = SIZE[1]
) -> Capture:
    size = SIZE[0], height
    pixels = np.full((height, SIZE[0], 3), ground, dtype=np.uint8)
    for element in elements:
        x, y, width, height = (int(side) for side in element.box)
        if element.has_shadow:
            pixels[y + 4 : y + height + 4, x : x + width] = (200, 200, 200)
        pixels[y : y + height, x : x + width] = (90, 90, 90) if element.has_border else element.fill
        pixels[y + 1 : y + height - 1, x + 1 : x + width - 1] = element.fill
    for run in texts:
        x, y, width, height = (int(side) for side in run.boxes[0])
        for at, letter in enumerate(run.text):
            left = x + at * width // len(run.text)
            is_bold = run.font is not None and run.font.weight > 400
            stroke = 1 + 2 * (ord(letter) % 4) + 3 * (run.font == SERIF) + 3 * is_bold
            high = round(run.font.size) if run.font else 14
            pixels[y + 3 : y + 3 + high, left + 1 : left + 1 + stroke] = run.color or BLACK
    image = Screenshot(b"")
    vars(image)["pixels"] = pixels  # Nobody reads the file, which would take most of the time.
    runs = tuple(texts)
    return Capture(
        "page", "candidate", image, size, runs, (), ENVIRONMENT, elements=tuple(elements), ground=ground
    )


def blocks(capture: Capture) -> list[Block]:
    def fractions(box: Box) -> Box:
        return (box[0] / SIZE[0], box[1] / SIZE[1], box[2] / SIZE[0], box[3] / SIZE[1])

    return [Block(run.text.lower(), fractions(run.boxes[0]), run.color or BLACK) for run in capture.text_runs]


def differences(reference: Capture, candidate: Capture) -> tuple[Difference, ...]:
    """Return them, and hold that their costs add up to what fidelity lacks."""
    score = score_matching(match_blocks(blocks(reference), blocks(candidate)))
    match = match_pages(reference, candidate)
    score = replace(score, elements=score_elements(match), typography=score_typography(match) or 1.0)
    found = find_differences(Compared(match, score))
    joined = fidelity(
        visual=score.score, elements=score.elements, typography=score.typography, differences=found
    )
    assert joined is not None
    ranks = [SEVERITIES.index(one.severity or "minor") for one in found]
    assert ranks == sorted(ranks)
    assert sum(one.cost for one in found) == pytest.approx(1 - joined, abs=0.0006)
    return found


def messages(reference: Capture, candidate: Capture) -> list[str]:
    return [in_words(one) for one in differences(reference, candidate)]


def facts(reference: Capture, candidate: Capture) -> list[tuple[str, str | None]]:
    """Return kind and property of each difference: no rewording empties them."""
    return [(one.kind, one.property) for one in differences(reference, candidate)]


WORDS = [text("welcome back", 40, 40), text("sign in to go on", 40, 100)]
