"""Differences of texts: missing, extra, moved, recolored, other words or figures, in another font."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import compress, groupby, pairwise, product
from statistics import fmean, median

import numpy as np

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.geometry import Color, area, clipped, contrast, hex_color, is_inside
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import Difference, Value
from pytest_design2a11y.visual.differences.compared import Compared, box_of, claim, of_alike
from pytest_design2a11y.visual.figures import numbers_in
from pytest_design2a11y.visual.scene.page_index import index_of
from pytest_design2a11y.visual.scene.places import LEAST_SHIFT, Details, is_moved
from pytest_design2a11y.visual.scene.sight import STRIKING, shown_in
from pytest_design2a11y.visual.scene.text_facts import (
    BOLD,
    family_distance,
    family_of,
    ground_below,
    in_colors,
    lies_on_picture,
    lines_on,
    place_facts,
    text_facts,
)
from pytest_design2a11y.visual.scene.units import Unit

#: Colors that differ by less (CIEDE2000) look the same to most people.
LEAST_COLOR = 2.3
#: Characters without meaning, which group digits or stand between words: no minus or plus is among them.
_GROUPING = re.compile(r"-\s+(?=\D)|[\s.,'’_…·•|›]+")
#: Characters that can be typed in more than one way.
_DECIMALS = re.compile(r"\d([.,])\d{1,2}(?!\d)")
_SIGNS = str.maketrans("‐‑‒–—‘′“”„«»″", '-----\'\'""""""')
#: The last character that all character sets share.
_ASCII = 127
#: Character sets in which a page is read that was written in UTF-8.
_CODES = ("cp1252", "latin-1")
#: Share of a text across an edge below which it is only its margin.
_ACROSS = 0.1
#: Least number of letters left of a text that is cut off.
_LEAST_PART = 3
#: The contrast that WCAG requires of large text.
LEAST_CONTRAST = 3.0
#: Text with less contrast is invisible, unless its color is striking otherwise.
_LEAST_SEEN = 1.1
#: The typed number or bullet of a list item.
_MARKER = re.compile(r"([(\[]?(\d{1,3}|[a-z]|[ivxlc]+)[.)\]]|[•◦▪‣·*–—-])\s+", re.IGNORECASE)
#: Line heights before an item within which the browser draws its marker.
_BEFORE_ITEM = 2.0
#: Least visible differences: of font sizes (ratio), shares of bold letters, distances of families, and
#: letter spacing (em).
_LEAST_SIZE, _LEAST_BOLD, _LEAST_FAMILY, _LEAST_SPACING = 1.02, 0.25, 0.15, 0.01
#: Ratios of font sizes that differ by less, as a share, are the same.
_SAME_SCALE = 0.003
#: px; texts whose rounded widths differ by at most this are set alike: with an icon they are wider.
_SAME_WIDTH = 1
#: Other emphasis of text, and the least number of letters that make it noticeable.
_STYLES, _LEAST_LETTERS = ("struck through", "underlined", "italic"), 2
#: Least change of a line height, as a share.
_LEAST_LINES = 0.03
#: Share of the page's text from which a change affects most text.
_ALL = 0.5


def text_differences(compared: Compared) -> Iterator[Difference]:
    """Yield the differences of two pages' texts."""
    texts, sight = compared.texts, compared.sight
    for unit in texts.missing:
        # What begins alike may have taken its place.
        is_gone = sight.pixels_in(unit.box) or any(
            is_moved(design.box, made.box) and clipped(unit.box, made.box) for design, made in texts.pairs
        )
        if is_gone and is_visible(unit, compared.reference):
            alike = [(design.box, made.box) for design, made in texts.pairs if design.key == unit.key]
            of = of_alike(sum(other.key == unit.key for other in texts.missing), alike)
            facts = {**text_facts(unit, compared.reference), **of}
            yield claim("missing", "text", expected=unit.text, reference=facts)
    for unit in texts.extra:
        is_there = is_visible(unit, compared.candidate) and not _lies_there(unit, compared.reference)
        if is_there and sight.pixels_in(unit.box):
            side = text_facts(unit, compared.candidate)
            yield claim("extra", "text", actual=unit.text, candidate=side)
    for design, made in texts.pairs:
        if is_moved(design.box, made.box) and design.reads_as(made):
            sides = place_facts(design), place_facts(made)
            yield claim("moved", "text", "place", None, None, *sides)
        if not (is_moved(design.box, made.box) or sight.pixels_in(design.box) or sight.pixels_in(made.box)):
            continue
        if design.key != made.key:
            pages = compared.pages
            # One page may have typed the markers that the other one draws.
            if not (_has_markers(design, made, pages[1]) or _has_markers(made, design, pages[0])):
                yield _reworded(compared, design, made)
        else:
            if not (_is_crossed(design, compared.reference) or _is_crossed(made, compared.candidate)):
                yield from _recolored(compared, design, made) or _unreadable(compared, design, made)
            if design.box != made.box and (change := fill_change(design, made)):
                yield claim("restyled", "text", *change, place_facts(design), place_facts(made))
            if design.text != made.text and "".join(design.text.split()) != "".join(made.text.split()):
                words, sides = (design.text, made.text), (place_facts(design), place_facts(made))
                yield claim("reworded", "text", "case", *words, *sides)


def is_visible(unit: Unit, page: Capture) -> bool:
    """Return whether a text stands out from its background."""
    for run in unit.runs:
        if run.color is None or lies_on_picture(run.boxes[0], page):
            return True
        ground = ground_below(run.boxes[0], page, run.color)
        is_striking = max(abs(a - b) for a, b in zip(run.color, ground, strict=True)) >= STRIKING
        if is_striking or contrast(run.color, ground) >= _LEAST_SEEN:
            return True
    return False


def _has_markers(typed: Unit, other: Unit, page: Capture) -> bool:
    """Return whether a text equals another except for markers, which the other's page draws."""
    rest = typed.text
    for run in other.runs:
        left, top, _, height = run.boxes[0]
        room = min(left, _BEFORE_ITEM * height)
        before = shown_in(page, (left - room, top, room - 1, height))
        letters = "".join(run.text.split())
        if len(letters) > len(rest):  # A pattern of millions of letters takes a minute to read.
            return False
        words = re.compile(r"\s*".join(map(re.escape, letters)), re.IGNORECASE)
        marker = None if words.match(rest) else _MARKER.match(rest)
        if marker and not (before.size and np.ptp(before, axis=(0, 1)).max() >= STRIKING):
            return False
        found = words.match(rest, marker.end() if marker else 0)
        if not found:
            return False
        rest = rest[found.end() :].lstrip()
    return not rest


def _lies_there(unit: Unit, design: Capture) -> bool:
    """Return whether a design has a text in the same place that something covers."""
    left, top, *_ = unit.box
    return any(
        max(abs(run.boxes[0][0] - left), abs(run.boxes[0][1] - top)) < LEAST_SHIFT
        for run in design.text_runs
        if run.boxes and run.text.strip() and "".join(run.text.lower().split()) in unit.key
    )


def _is_crossed(unit: Unit, page: Capture) -> bool:
    """Return whether a text lies across the edge of a box, so that its background is not one color."""
    boxes = (element.box for element in index_of(page).elements_at(unit.box, "box"))
    parts = (area(common) for box in boxes if (common := clipped(unit.box, box)))
    return any(_ACROSS < part / max(area(unit.box), 1.0) < 1 - _ACROSS for part in parts)


def _reworded(compared: Compared, design: Unit, made: Unit) -> Difference:
    sides = text_facts(design, compared.reference), text_facts(made, compared.candidate)
    old, new = ([*numbers_in(unit.text)] for unit in (design, made))
    words = ["".join(filter(str.isalpha, unit.text.lower())) for unit in (design, made)]
    if words[0] == words[1] and len(old) == len(new):
        pairs = zip(old, new, strict=True)
        for (value, old_figure), (new_value, figure) in pairs:
            if value != new_value:
                return claim("figure", "text", "text", old_figure, figure, *sides)
            if _decimal_signs(old_figure) != _decimal_signs(figure):
                return claim("figure", "text", "notation", old_figure, figure, *sides)
        if _without_grouping(design.text) == _without_grouping(made.text):
            return claim("reworded", "text", "grouping", design.text, made.text, *sides)
    if broken := _broken(design.text, made.text):
        return claim("reworded", "text", "encoding", *broken, *sides)
    part, letters = made.key, iter(design.key)
    are_in_order = len(part) >= 4 * _LEAST_PART and all(letter in letters for letter in part)
    is_part = len(part) >= _LEAST_PART and (are_in_order or design.key.startswith(part))
    clips = (trouble.box for trouble in compared.candidate.overlaps if trouble.kind == "clipped")
    if is_part and any(is_inside(clip, made.box) for clip in clips):  # Its lines, or its end, are cut off
        return claim("overflowing", "text", "cut", design.text, made.text, *sides)
    return claim("reworded", "text", "text", design.text, made.text, *sides)


def _broken(design: str, made: str) -> tuple[str, str] | None:
    """Return a character, and how its bytes show in another character set; None if none shows so."""
    for letter in sorted({*design}):
        seen = (shown for shown in _misread(letter) if len(shown) > 1 or letter not in made)
        found = [shown for shown in seen if shown in made and shown not in design]
        if found:
            return letter, max(found, key=len)
    return None


@cache
def _misread(letter: str) -> frozenset[str]:
    """Return what shows of a character whose bytes are read in another set, up to three times."""
    found = set[str]()
    for codes in product(_CODES, repeat=3) if ord(letter) > _ASCII else ():
        shown = letter
        for code in codes:
            shown = shown.encode().decode(code, "ignore")
            # Those that stand for nothing in that set are not shown.
            found.add("".join(sign for sign in shown if sign.isprintable() and not sign.isspace()))
    return frozenset(found - {""})


def _decimal_signs(figure: str) -> list[str]:
    """Return the signs before its decimals: in another language's, people read another number."""
    return _DECIMALS.findall(figure)


def _without_grouping(text: str) -> str:
    return _GROUPING.sub("", text.lower().translate(_SIGNS))


def _unreadable(compared: Compared, design: Unit, made: Unit) -> list[Difference]:
    """Return a difference if a text is now unreadable on its background."""
    wanted, own = (
        {**place_facts(unit), **in_colors(unit.runs[0], page)}
        for unit, page in zip((design, made), compared.pages, strict=True)
    )
    old, new = wanted["contrast"], own["contrast"]
    if new >= min(LEAST_CONTRAST, 0.75 * old) or lies_on_picture(made.box, compared.candidate):
        return []
    return [claim("unreadable", "text", "contrast", old, new, wanted, own)]


def _recolored(compared: Compared, design: Unit, made: Unit) -> list[Difference]:
    """Return the part of a text whose color differs most, with its background."""
    pairs = [*zip(design.key, design.colors, made.colors, strict=False)]
    parts = [
        (colors, "".join(letter for letter, *_ in part))
        for colors, part in groupby(pairs, key=lambda letter: letter[1:])
        if None not in colors and colors[0] != colors[1]
    ]
    if not parts:
        return []
    parts.sort(key=lambda part: -len(part[1]))
    (first, second), *others = dict(parts)
    difference = color_difference(first, second)
    if difference < LEAST_COLOR:
        return []
    runs = _in(design, first), _in(made, second)
    wanted, own = (
        {**place_facts(unit), **in_colors(run, page)}
        for unit, run, page in zip((design, made), runs, compared.pages, strict=True)
    )
    if others or sum(len(text) for _, text in parts) < 0.9 * len(design.key):
        wanted, own = ({**side, "part": _named_by((first, second), design, made)} for side in (wanted, own))
    changed = (colors for colors in others if color_difference(*colors) >= LEAST_COLOR)
    own["other_parts"] = [_named_by(colors, design, made) for colors in changed]
    ground = ground_below(runs[1].boxes[0], compared.candidate, second)
    own["contrast_of_design"] = round(contrast(first, ground), 2)
    own["color_difference"] = round(difference, 1)
    colors = wanted["color"], own["color"]
    return [claim("recolored", "text", "color", *colors, wanted, own)]


def _in(unit: Unit, color: Color) -> TextRun:
    """Return the first part of a text that has a color."""
    return next((run for run in unit.runs if run.color == color), unit.runs[0])


def _named_by(colors: tuple[Color, Color], *sides: Unit) -> str:
    """Return the part of a text that changed its color so, as the page with more colors has it."""
    side = int(len({*sides[1].colors}) > len({*sides[0].colors}))
    return _in(sides[side], colors[side]).text


def fill_change(design: Unit, made: Unit) -> tuple[str, Value, Value] | None:
    """Return how the color of letters changed, if it is a gradient on one page."""
    sides = design.runs[0], made.runs[0]
    if sides[0].fills == sides[1].fills:
        return None
    old, new = (_fill_of(run) for run in sides)
    return "letters", old, new


def _fill_of(run: TextRun) -> str:
    """Return the color of letters, or both ends of their gradient."""
    ends = [hex_color(color) for color in run.fills]
    return f"a gradient from {ends[0]} to {ends[-1]}" if ends else hex_color(run.color or (0, 0, 0))


@dataclass(frozen=True)
class _Written:
    """A text's style, letter by letter, or as a mean over its letters."""

    unit: Unit
    sizes: tuple[float, ...]  # Size of each letter, px
    bold_letters: tuple[bool, ...]
    parts: tuple[str, ...]  # Text of the run of each letter
    advances: tuple[float, ...]  # Signature of its family, em; empty if unknown
    page: Capture

    @cached_property
    def styles(self) -> tuple[frozenset[str], ...]:
        """For each letter, which of "italic", "underlined" and "struck through" it is."""
        runs = [(run, run.font) for run in self.unit.runs if run.font]
        styles = [lines_on(run, self.page) | ({"italic"} if font.is_italic else set()) for run, font in runs]
        texts = ("".join(run.text.split()) for run, _ in runs)
        return tuple(style for style, text in zip(styles, texts, strict=True) for _ in text)

    @cached_property
    def size(self) -> float:
        """Mean size of its letters, px."""
        return fmean(self.sizes)

    @cached_property
    def bold(self) -> float:
        """Share of bold letters, 0..1."""
        return fmean(self.bold_letters)


def _written(unit: Unit, page: Capture) -> _Written | None:
    """Return the style of a text; None if unknown."""
    runs = [(run.font, run.text) for run in unit.runs if run.font is not None]
    letters = [(font, text) for font, text in runs for _ in "".join(text.split())]
    if not letters:
        return None
    families = [font.advances for font, _ in runs]
    sizes = tuple(font.size for font, _ in letters)
    bold_letters = tuple(font.weight >= BOLD for font, _ in letters)
    parts = tuple(text for _, text in letters)
    return _Written(unit, sizes, bold_letters, parts, max(families, key=families.count), page)


def line_differences(compared: Compared) -> Iterator[Difference]:
    """Yield one difference for all texts whose lines are as much farther apart, or closer together."""
    groups: dict[tuple[float, float], list[Difference]] = {}
    changed, total = Counter[tuple[float, float]](), 0
    for design, made in compared.texts.pairs:
        heights = [_line_height(unit) for unit in (design, made)]
        if design.key != made.key or None in heights:
            continue
        total += len(design.key)
        (old, step), (new, own_step) = heights[0] or (1.0, 1.0), heights[1] or (1.0, 1.0)
        if abs(new / old - 1) >= _LEAST_LINES and abs(own_step - step) >= 1:
            sides = place_facts(design), place_facts(made)
            change = claim("font", "text", "line_height", old, new, *sides)
            groups.setdefault((old, new), []).append(change)
            changed[old, new] += len(design.key)
    for key, members in groups.items():
        first = members[0]
        is_all, is_most = changed[key] >= _ALL * total and len(members) > 1, 2 * changed[key] >= total
        extent = {"is_all": is_all, "is_whole": changed[key] == total, "is_most": is_most}
        facts = {**(first.reference or {}), **extent}
        yield replace(first, reference=facts, members=tuple(members) if len(members) > 1 else ())


def _line_height(unit: Unit) -> tuple[float, float] | None:
    """Return how far apart lines are, as a multiple of the font size and in px; None if there is but one."""
    sizes = {run.font.size for run in unit.runs if run.font}
    tops = sorted({round(box[1], 1) for run in unit.runs for box in run.boxes})
    steps = [after - before for before, after in pairwise(tops) if after - before > unit.line_height / 2]
    if len(sizes) != 1 or not steps:
        return None
    step = median(steps)
    return round(step / max(sizes.pop(), 0.1), 2), step


#: The changed property, its old value, and its new one.
_FontChange = tuple[str, Value, Value]


def font_differences(compared: Compared) -> Iterator[Difference]:
    """Yield differences of fonts, joining texts that changed alike."""
    texts = compared.texts.pairs

    @cache
    def sides(at: int) -> tuple[Details, Details]:
        """Return the facts of a text on both pages, which may have changed in several ways."""
        first, second = texts[at]
        return text_facts(first, compared.reference), text_facts(second, compared.candidate)

    groups: dict[_FontChange, list[int]] = {}
    of_all = sum(len(unit.key) for unit in compared.texts.units[0])
    totals: Counter[bool] = Counter()
    fonts = {
        at: (design, made)
        for at, (first, second) in enumerate(texts)
        if first.key == second.key
        if (design := _written(first, compared.reference)) and (made := _written(second, compared.candidate))
    }
    scale = _scale_of([*fonts.values()])
    for at, (design, made) in fonts.items():
        first, second = texts[at]
        totals[_spacing(design) > 0] += len(first.key)
        is_seen = is_moved(first.box, second.box) or compared.sight.pixels_in(first.box)
        for change in _font_changes(design, made, scale) if is_seen or scale != 1 else ():
            if is_seen or change[0] == "scale":
                groups.setdefault(change, []).append(at)
    for change, members in groups.items():
        parts = {at: _part_of(*fonts[at], change) for at in members}
        members.sort(key=lambda at: (parts[at] != "", -len(texts[at][0].key)))
        own = []
        for at in members:
            part = {"part": parts[at]} if parts[at] else {}
            wanted, there = ({**side, **part} for side in sides(at))
            own.append(claim("font", "text", *change, wanted, there))
        is_spacing = change[0] == "letter_spacing"
        if is_spacing:
            own = [text for text in own if abs(box_of(text)[2] - box_of(text, 1)[2]) > _SAME_WIDTH]
        if len(own) > 1:
            total = totals[True] if is_spacing else totals.total()
            changed = sum(len(parts[at] or texts[at][0].key) for at in members)
            least = _ALL * total / 2 if is_spacing else max(_ALL * total, of_all / 2)
            extent = {"is_all": changed >= least, "is_whole": changed == (total if is_spacing else of_all)}
            own[0] = replace(own[0], reference={**(own[0].reference or {}), **extent}, members=tuple(own))
        yield from own[:1]


def _scale_of(fonts: Sequence[tuple[_Written, _Written]]) -> float:
    """Return the factor by which all, or nearly all, sizes of a page were multiplied; 1 if there is none.

    For a single size, both values are clearer, unless the change is only noticeable by what it moved.
    """
    ratios = [made.size / max(design.size, 0.1) for design, made in fonts]
    letters = [len(design.unit.key) for design, _ in fonts]
    for scale in sorted({round(ratio, 3) for ratio in ratios}, key=lambda ratio: abs(ratio - 1)):
        alike = [at for at, ratio in enumerate(ratios) if abs(ratio / scale - 1) <= _SAME_SCALE]
        if abs(scale - 1) > 2 * _SAME_SCALE and sum(letters[at] for at in alike) >= _ALL * sum(letters):
            sizes = {round(fonts[at][0].size, 1) for at in alike}
            is_slight = max(scale, 1 / scale) < _LEAST_SIZE
            return scale if len(alike) > 1 and (len(sizes) > 1 or is_slight) else 1.0
    return 1.0


def _font_changes(design: _Written, made: _Written, scale: float) -> Iterator[_FontChange]:
    if scale != 1 and abs(made.size / max(design.size, 0.1) / scale - 1) <= _SAME_SCALE:
        yield "scale", 1.0, scale
    elif _are_other_sizes(design.size, made.size):
        # A mean of several sizes may be the size of nothing.
        sizes = zip(design.sizes, made.sizes, strict=False)
        pairs = Counter(pair for pair in sizes if _are_other_sizes(*pair))
        wanted, own = pairs.most_common(1)[0][0] if pairs else (design.size, made.size)
        yield "font_size", float(f"{wanted:.3g}"), float(f"{own:.3g}")
    is_other_weight = abs(design.bold - made.bold) >= _LEAST_BOLD
    if is_other_weight:
        yield "weight", *((400, 700) if made.bold > design.bold else (700, 400))
    other_styles = [first ^ second for first, second in zip(design.styles, made.styles, strict=False)]
    for style in _STYLES:
        if sum(style in letter for letter in other_styles) >= _LEAST_LETTERS:
            numbers = [sum(style in letter for letter in text.styles) for text in (design, made)]
            yield "style", *((style, None) if numbers[0] > numbers[1] else (None, style))
            if style == "italic":  # Its letters have other widths
                return
    if family_distance(design.advances, made.advances) >= _LEAST_FAMILY:
        old, new = family_of(design.advances), family_of(made.advances)
        if old and new and old != new:
            yield "family", old, new
            return
        if is_other_weight:  # Bold letters have other widths
            return
        ratio = fmean(made.advances) / max(fmean(design.advances), 0.01) - 1
        is_known = abs(ratio) >= 0.02 and 0.0 not in (*made.advances, *design.advances)
        yield "typeface", None, ("wider" if ratio > 0 else "narrower") if is_known else None
    else:
        first, second = _spacing(design), _spacing(made)
        # Text that is cut off, or has other spaces, is narrower too.
        set_as = {run.font.letter_spacing for text in (design, made) for run in text.unit.runs if run.font}
        is_set_otherwise = len(set_as) > 1 and design.advances == made.advances
        if is_set_otherwise and min(first, second) > 0 and abs(second - first) >= _LEAST_SPACING:
            yield "letter_spacing", None, "wider" if second > first else "narrower"


def _are_other_sizes(first: float, second: float) -> bool:
    return max(first, second) / max(min(first, second), 0.1) >= _LEAST_SIZE


def _part_of(design: _Written, made: _Written, change: _FontChange) -> str:
    """Return the part of a text whose letters alone changed in size, style or weight; "" if all did."""
    property, *values = change
    if property == "font_size":
        pairs = zip(design.sizes, made.sizes, strict=False)
        are_other = [[float(f"{size:.3g}") for size in pair] == values for pair in pairs]
    elif property == "style":
        styles = zip(design.styles, made.styles, strict=False)
        are_other = [(values[0] or values[1]) in first ^ second for first, second in styles]
    elif property == "weight":
        are_other = [a != b for a, b in zip(design.bold_letters, made.bold_letters, strict=False)]
    else:
        return ""
    parts = Counter(
        min(pair, key=len) for pair in compress(zip(design.parts, made.parts, strict=False), are_other)
    )
    if not parts or parts.total() == len(are_other):
        return ""
    return parts.most_common(1)[0][0].strip()


def _spacing(text: _Written) -> float:
    """Return the mean width per letter of a text in one line, em; 0 for others.

    A part with a box of its own makes the line wider.
    """
    lines = {(run.paragraph, round(box[1])) for run in text.unit.runs for box in run.boxes}
    return text.unit.box[2] / max(len(text.unit.text), 1) / text.size if len(lines) == 1 else 0.0
