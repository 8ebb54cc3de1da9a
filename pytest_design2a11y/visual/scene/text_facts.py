"""Facts of a page's text: its words, place, lines, font, color and background."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import fsum
from statistics import fmean, median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.colors import largest_channel, most_frequent_color
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import (
    Box,
    Color,
    area,
    box_around,
    clipped,
    contrast,
    hex_color,
    is_inside,
)
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.visual.scene.page_index import index_of
from pytest_design2a11y.visual.scene.places import Details, pixels
from pytest_design2a11y.visual.scene.sight import SAME_FILL, STRIKING, Pixels, is_near, shown_in
from pytest_design2a11y.visual.scene.units import Unit

#: Families whose mean advance widths differ by this much of an em have nothing in common.
FARTHEST_FAMILY = 0.08
#: Text is bold from this weight.
BOLD = 600
#: Colors whose channels differ by less from a text's are its own, mixed with the background.
_INK = 48
#: Number of pixels in their color that letters have if they are thick enough to show it.
_LEAST_FULL = 3
#: Share of a box, covered by an icon, above which it is not letters.
_OF_ICON = 0.5
#: Share of a card that shows its fill, besides text: at least this; through a sheet of glass a picture shows.
_LEAST_OF_CARD = 0.5
#: A gap between words wider than this many line heights is more than a space.
_WIDE = 0.6
#: px; boxes that are no farther from each other are parts of one line.
_ADJOINING = 1.0
#: Lines of a text, as shares of its height: underlines start here; the middle, and the range around it, for
#: lines through it; the share of the width in one color for each; the greatest share of the height they take.
_BELOW_LETTERS, _MIDDLE, _LEAST_UNDER, _LEAST_THROUGH, _MOST_FULL = 0.8, (0.58, 0.17), 0.7, 0.96, 0.25
#: Least number of letters and digits of a text that may have such lines.
_LEAST_LETTERS = 2
#: A part with this many times the letters of the text's beginning is most of it.
_FAR_MORE = 2

# Widths of "imWag0eR", em, in well-known families, by which others are recognized.
_FAMILIES = (
    ("sans-serif", (0.222, 0.833, 0.944, 0.556, 0.556, 0.556, 0.556, 0.722)),
    ("sans-serif", (0.278, 0.974, 0.989, 0.613, 0.635, 0.636, 0.615, 0.695)),
    ("sans-serif", (0.258, 0.932, 0.931, 0.561, 0.615, 0.572, 0.564, 0.622)),
    ("sans-serif", (0.243, 0.876, 0.887, 0.544, 0.561, 0.562, 0.530, 0.616)),
    ("serif", (0.278, 0.778, 0.944, 0.444, 0.500, 0.500, 0.444, 0.667)),
    ("serif", (0.320, 0.948, 1.028, 0.596, 0.640, 0.636, 0.592, 0.753)),
    ("serif", (0.292, 0.880, 0.977, 0.504, 0.509, 0.613, 0.483, 0.702)),
    ("serif", (0.320, 0.944, 1.000, 0.562, 0.560, 0.559, 0.535, 0.660)),
    ("monospace", (0.600,) * 8),
    ("monospace", (0.550,) * 8),
)


def place_facts(unit: Unit) -> dict[str, Any]:
    """Return a text's place, and its font without the color."""
    font = _style_of(unit).font
    known = {"font_size": round(font.size, 2), "weight": font.weight} if font else {}
    return {"box": pixels(unit.box), "text": unit.text, **known}


def text_facts(unit: Unit, page: Capture) -> Details:
    """Return the facts of a text: its words, place, lines and font, its color and its background.

    Parts that are elements themselves, such as links, or have a style of their own, are in "parts".
    """
    facts = {"text": unit.text, **_facts_of(_style_of(unit), page)}
    owners = [run.owner for run in unit.runs]
    last = {owner: at for at, owner in enumerate(owners)}
    runs = unit.runs if len(owners) > 1 else ()
    parts = ((at, {"text": run.text, **_facts_of(run, page)}) for at, run in enumerate(runs))
    others = [
        {name: value for name, value in part.items() if name == "text" or value != facts.get(name)}
        for at, part in parts
        # Text of another element continues around it.
        if any(last[owner] > last[owners[at]] for owner in owners[:at] if owner != owners[at])
        or any(part[name] != facts[name] for name in _OF_PARTS if name in part and name in facts)
    ]
    boxes = boxes_of_words([box for run in unit.runs for box in run.boxes], page)
    tops = sorted({round(box[1], 1) for box in boxes})
    steps = [after - before for before, after in pairwise(tops) if after - before > boxes[0][3] / 2]
    rest = {
        "parts": others,
        "lines": _lines(unit),
        "line_height": round(median(steps), 1) if steps else None,
        "align": _align(boxes),
        "starts": _starts(unit),
        "marker": (marker := unit.runs[0].marker) and f"{marker.name} {hex_color(marker.color)}",
    }
    return {
        "box": pixels(box_around(boxes)),
        **{name: value for name, value in {**facts, **rest}.items() if value},
    }


def boxes_of_words(boxes: Sequence[Box], page: Capture) -> Sequence[Box]:
    """Return boxes of a text without those of icons before or after it, unless it has no others."""
    icons = [element.box for element in index_of(page).elements_at(box_around(boxes), "icon")]
    no_area = (0.0, 0.0, 0.0, 0.0)
    words = [
        box
        for box in boxes
        if all(area(clipped(box, icon) or no_area) < _OF_ICON * area(box) for icon in icons)
    ]
    return words or boxes


#: Ways in which a part of a text may differ from the rest.
_OF_PARTS = ("font_size", "weight", "family", "is_italic", "is_underlined", "is_link", "color")


def _style_of(unit: Unit) -> TextRun:
    """Return the run whose style a text has: its first, unless most of it is in another style."""
    first, letters = unit.runs[0], Counter[Any]()
    for run in unit.runs:
        letters[run.font, run.color] += len(run.text)
    style, count = letters.most_common(1)[0]
    if count <= _FAR_MORE * letters[first.font, first.color]:
        return first
    return next(run for run in unit.runs if (run.font, run.color) == style)


def _facts_of(run: TextRun, page: Capture) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if run.font is not None:
        facts = {
            "font_size": round(run.font.size, 2),
            "weight": run.font.weight,
            "is_italic": run.font.is_italic,
            "letter_spacing": run.font.letter_spacing or "",
            "family": family_of(run.font.advances),
        }
    facts |= {"is_underlined": run.is_underlined, "is_link": run.is_link}
    return {**{name: value for name, value in facts.items() if value != ""}, **in_colors(run, page)}


def _lines(unit: Unit) -> list[str]:
    """Return a text line by line if it breaks lines before they are full; empty if it does not."""
    right = unit.box[0] + unit.box[2]
    lines = [unit.runs[0].text]
    for before, run in pairwise(unit.runs):
        last, first = before.boxes[-1], run.boxes[0]
        is_new = first[1] >= last[1] + last[3] / 2
        letter = sum(box[2] for box in run.boxes) / max(len(run.text), 1)
        word = letter * (1 + len(run.text.split()[0]))
        if is_new and last[0] + last[2] + word < right:
            lines.append(run.text)
        else:
            lines[-1] += f" {run.text}"
    return [" ".join(line.split()) for line in lines] if len(lines) > 1 else []


def _starts(unit: Unit) -> list[list[Any]]:
    """Return where the parts of one line begin that are farther apart than words, px; empty if none are."""
    starts: list[list[Any]] = []
    for before, run in zip((None, *unit.runs), unit.runs, strict=False):
        if len(run.boxes) > 1 or run.boxes[0][1] != unit.runs[0].boxes[0][1]:
            return []
        (left, _, _, height) = run.boxes[0]
        if before is None or left - before.boxes[0][0] - before.boxes[0][2] > _WIDE * height:
            starts.append([run.text, round(left)])
        else:
            starts[-1][0] += f" {run.text}"
    return starts if len(starts) > 1 else []


def _align(boxes: Sequence[Box]) -> str | None:
    """Return whether lines are centered or end at one edge; None if they begin at one."""
    rows: dict[float, tuple[float, float]] = {}
    for box in boxes:
        left, right = rows.get(round(box[1]), (box[0], 0.0))
        rows[round(box[1])] = min(left, box[0]), max(right, box[0] + box[2])
    for name, share in (("left", 0.0), ("centered", 0.5), ("right", 1.0)):
        edges = [left + share * (right - left) for left, right in rows.values()]
        if max(edges) - min(edges) <= 2:
            return name if share and len(rows) > 1 else None
    return None


def in_colors(run: TextRun, page: Capture) -> Details:
    """Return the color of a text, that of its background, and their contrast."""
    color = run.color or (0, 0, 0)
    longest = longest_line(run)
    ground, on_picture = ground_below(longest, page, color), lies_on_picture(longest, page)
    if run.alpha < 1.0:
        red, green, blue = (round(b + run.alpha * (a - b)) for a, b in zip(color, ground, strict=True))
        color = (None if on_picture else _full_color(run, page, color, ground)) or (red, green, blue)
    colors = {"color": hex_color(color), "ground": hex_color(ground)}
    ratio = round(contrast(color, ground), 2)
    return {**colors, "contrast": ratio, **({"on_picture": True} if on_picture else {})}


def _full_color(run: TextRun, page: Capture, color: Color, ground: Color) -> Color | None:
    """Return the color that thick letters show, which may also be mixed with what is behind their ground."""
    shown = shown_in(page, longest_line(run)).reshape(-1, 3).astype(np.int64)
    way = np.subtract(color, ground)
    reach = (shown - ground) @ way / max(int(way @ way), 1)
    if not reach.size:
        return None
    red, green, blue = shown[reach.argmax()].tolist()
    return (red, green, blue) if (shown == (red, green, blue)).all(axis=1).sum() >= _LEAST_FULL else None


def ground_below(box: Box, page: Capture, color: Color) -> Color:
    """Return the color behind a text: for a picture, which has many, their mean."""
    left, top = (max(0, round(side)) for side in box[:2])
    behind = page.screenshot.pixels[top : round(box[1] + box[3]), left : round(box[0] + box[2])]
    if behind.size and lies_on_picture(box, page):
        apart = largest_channel(np.abs(behind.astype(np.int64) - color))
        if (others := behind[apart > _INK]).size:
            red, green, blue = (round(level) for level in others.mean(axis=0).tolist())
            return red, green, blue
    return ground_of(box, page, color) or page.ground or (255, 255, 255)


def longest_line(run: TextRun) -> Box:
    """Return the longest of a text's lines; the first may be a list's marker or a word in its own box.

    Words of two directions, and glyphs beside each other, are boxes of one line.
    """
    lines: list[Box] = []
    for box in sorted(run.boxes, key=lambda box: (box[1], box[0])):
        x, y, width, _ = lines[-1] if lines else (0.0, 0.0, 0.0, 0.0)
        if lines and abs(box[1] - y) <= _ADJOINING and abs(box[0] - x - width) <= _ADJOINING:
            lines[-1] = box_around([lines[-1], box])
        else:
            lines.append(box)
    return max(lines, key=lambda box: box[2])


def lines_on(run: TextRun, page: Capture) -> frozenset[str]:
    """Return whether a text is "underlined" and "struck through", by the pixels of its longest line."""
    box = longest_line(run)
    shown = shown_in(page, box)[:, 1:-1]
    # A dash or an equals sign is a line itself.
    if not shown.size or sum(map(str.isalnum, run.text)) < _LEAST_LETTERS:
        return frozenset()
    ground = ground_below(box, page, run.color or (0, 0, 0))
    places = (np.arange(len(shown)) + 0.5) / len(shown)
    low, middle = shown[places >= _BELOW_LETTERS], shown[abs(places - _MIDDLE[0]) <= _MIDDLE[1]]
    lines = {
        "underlined": run.is_underlined and (_in_one_color(low, ground) >= _LEAST_UNDER).any(),
        # More of it is a box over or behind the text.
        # In a drawing, lines of it lie behind its texts.
        "struck through": not lies_on_picture(box, page)
        and (_in_one_color(middle, ground) >= _LEAST_THROUGH).any()
        and (_in_one_color(shown, ground) >= _LEAST_THROUGH).mean() <= _MOST_FULL,
    }
    return frozenset(name for name, is_there in lines.items() if is_there)


def _in_one_color(shown: Pixels, ground: Color) -> NDArray[np.float64]:
    """Return the share of each row in one color, 0..1, 0 if that is the ground's; letters have gaps."""
    rows = np.median(shown, axis=1).astype(np.int16)
    shares = (largest_channel(np.abs(shown - rows[:, None])) < STRIKING).mean(axis=1)
    return np.where(largest_channel(np.abs(rows - ground)) < STRIKING, 0.0, shares)


def lies_on_picture(box: Box, page: Capture) -> bool:
    """Return whether a picture lies behind a box, and no card between them that shows a fill of its own."""
    around = [other for other in index_of(page).elements_at(box) if is_inside(box, other.box)]
    larger = [other for other in around if area(other.box) > area(box)]
    pictures = [picture.box for picture in larger if picture.kind == "picture"]
    cards = [card for card in larger if card.kind == "box" and card.has_fill] if pictures else []
    return any(
        not any(area(card.box) < area(picture) and _shows_fill(card, page) for card in cards)
        for picture in pictures
    )


def _shows_fill(card: Element, page: Capture) -> bool:
    shown = shown_in(page, card.box)
    return bool(shown.size and is_near(shown, card.fill, SAME_FILL).mean() >= _LEAST_OF_CARD)


@lru_cache(maxsize=1024)
def family_of(advances: tuple[float, ...]) -> str:
    """Return "serif", "sans-serif" or "monospace", by the widths of letters; "" if unlike all known."""

    def distance(widths: tuple[float, ...]) -> float:
        return fmean(abs(width - known) for width, known in zip(advances, widths, strict=True))

    if len(advances) != len(_FAMILIES[0][1]):
        return ""
    name, widths = min(_FAMILIES, key=lambda family: distance(family[1]))
    return name if distance(widths) < FARTHEST_FAMILY / 2 else ""


def family_distance(first: Sequence[float], second: Sequence[float]) -> float:
    """Return how different two families are by their widths, 0..1; 0 if one has none."""
    if not (first and second):
        return 0.0
    differences = [abs(one - other) for one, other in zip(first, second, strict=True)]
    return min(1.0, fsum(differences) / len(differences) / FARTHEST_FAMILY)


def ground_of(box: Box, page: Capture, color: Color) -> Color | None:
    """Return the most frequent color around a text (px), without its own; None outside the screenshot."""
    known = index_of(page).grounds
    if (box, color) not in known:
        edges = (box[0] - 1, box[1] - 1, box[0] + box[2] + 1, box[1] + box[3] + 1)
        left, top, right, bottom = (max(0, round(edge)) for edge in edges)
        crop = page.screenshot.pixels[top:bottom, left:right]
        most = most_frequent_color(crop, own=color).tolist() if crop.size else None
        known[box, color] = most and (round(most[0]), round(most[1]), round(most[2]))
    return known[box, color]
