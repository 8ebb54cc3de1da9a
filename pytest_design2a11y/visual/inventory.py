"""What a design consists of: its page, colors and fonts, and its texts and elements in reading order."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_design2a11y.models.geometry import hex_color
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.visual.scene.sides import details_of
from pytest_design2a11y.visual.scene.sight import color_behind, colors_of
from pytest_design2a11y.visual.scene.text_facts import text_facts
from pytest_design2a11y.visual.scene.units import read_as_words, units_of

#: Colors and fonts with a smaller share, of the page or of its text, are not listed.
_LEAST_SHARE = 0.002
_MOST = 20
#: px; tops that differ by less are in one row.
_ROW = 4


@dataclass(frozen=True, slots=True)
class Inventory:
    """What one page shows."""

    page: str  # Its name
    size: tuple[int, int]  # Width and height, px
    ground: str  # The color behind everything, "#rrggbb"
    # The colors of its pixels, with the share of the page, 0..1, the most frequent first
    colors: tuple[tuple[str, float], ...]
    # The fonts of its text with their shares of the letters, the largest first
    fonts: tuple[tuple[Mapping[str, Any], float], ...]
    # Each with "box" (left, top, width, height, px), "text", font, color and ground
    texts: tuple[Mapping[str, Any], ...]
    # Everything else that shows: pictures, controls, panels and lines; None if unknown
    elements: tuple[Mapping[str, Any], ...] | None


def inventory_of(page: Capture) -> Inventory:
    """Return what a page shows, texts and elements in reading order."""
    texts = [text_facts(unit, page) for unit in units_of(read_as_words(page.text_runs, page))]
    elements = None if page.elements is None else [details_of(element, page) for element in page.elements]
    shares = [(hex_color(color), round(share, 4)) for color, share in colors_of(page.screenshot.pixels)]
    return Inventory(
        page=page.label,
        size=page.page_size,
        ground=hex_color(color_behind(page)),
        colors=tuple((color, share) for color, share in shares if share >= _LEAST_SHARE),
        fonts=tuple(_fonts(texts)),
        texts=tuple(sorted(texts, key=_reading_order)),
        elements=None if elements is None else tuple(sorted(elements, key=_reading_order)),
    )


def _reading_order(side: Mapping[str, Any]) -> tuple[float, float]:
    left, top, *_ = side["box"]
    return top // _ROW, left


def _fonts(texts: list[Mapping[str, Any]]) -> list[tuple[Mapping[str, Any], float]]:
    letters: Counter[tuple[Any, ...]] = Counter()
    names = ("family", "font_size", "weight")
    for text in texts:
        if "font_size" in text:
            letters[tuple(text.get(name, "") for name in names)] += len(text["text"])
    total = max(1, sum(letters.values()))
    return [
        (dict(zip(names, font, strict=True)), round(count / total, 4))
        for font, count in letters.most_common(_MOST)
        if count >= _LEAST_SHARE * total
    ]
