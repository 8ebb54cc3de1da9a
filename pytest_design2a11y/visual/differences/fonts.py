"""Differences of how texts are set: size, family, weight, style, line height."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import compress
from statistics import fmean, median

from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference, Value
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.joining import joined
from pytest_design2a11y.visual.scene.places import Details, is_moved
from pytest_design2a11y.visual.scene.text_facts import (
    BOLD,
    family_distance,
    family_of,
    lines_on,
    place_facts,
    text_facts,
)
from pytest_design2a11y.visual.scene.units import Unit

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
    families = [font.advances for font, _ in letters]
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
        yield replace(joined(members), reference={**first.design, **extent})


def _line_height(unit: Unit) -> tuple[float, float] | None:
    """Return how far apart lines are, as a multiple of the font size and in px; None if there is but one."""
    sizes = {run.font.size for run in unit.runs if run.font}
    if len(sizes) != 1 or not unit.steps:
        return None
    step = median(unit.steps)
    return round(step / max(sizes.pop(), 0.1), 2), step


#: The changed property, its old value, and its new one.
_FontChange = tuple[str, Value, Value]


def font_differences(compared: Compared) -> Iterator[Difference]:
    """Yield differences of fonts, joining texts that changed alike."""
    texts = compared.texts.pairs

    @cache
    def sides(at: int) -> tuple[Details, Details]:
        """Return the facts of a text on both pages, which may have changed in several ways."""
        design, made = texts[at]
        return text_facts(design, compared.reference), text_facts(made, compared.candidate)

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
            own = [text for text in own if abs(text.boxes[0][2] - text.boxes[1][2]) > _SAME_WIDTH]
        if len(own) > 1:
            total = totals[True] if is_spacing else totals.total()
            changed = sum(len(parts[at] or texts[at][0].key) for at in members)
            least = _ALL * total / 2 if is_spacing else max(_ALL * total, of_all / 2)
            extent = {"is_all": changed >= least, "is_whole": changed == (total if is_spacing else of_all)}
            own[0] = replace(own[0], reference={**own[0].design, **extent}, members=tuple(own))
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
    other_styles = [wanted ^ own for wanted, own in zip(design.styles, made.styles, strict=False)]
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
        wanted, own = _spacing(design), _spacing(made)
        # Text that is cut off, or has other spaces, is narrower too.
        set_as = {run.font.letter_spacing for text in (design, made) for run in text.unit.runs if run.font}
        is_set_otherwise = len(set_as) > 1 and design.advances == made.advances
        if is_set_otherwise and min(wanted, own) > 0 and abs(own - wanted) >= _LEAST_SPACING:
            yield "letter_spacing", None, "wider" if own > wanted else "narrower"


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
