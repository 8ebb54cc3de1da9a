"""Differences of what text is written in: size, family, weight, spacing, contrast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from statistics import fmean

from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference, Value
from pytest_design2a11y.visual.differences.compared import SEEN, Compared, Details, box_of, is_moved
from pytest_design2a11y.visual.differences.sight import Sight
from pytest_design2a11y.visual.differences.text_facts import family_of, lines_on, text_facts
from pytest_design2a11y.visual.differences.text_pairing import UnitMatching
from pytest_design2a11y.visual.differences.units import Unit
from pytest_design2a11y.visual.typography import BOLD, FARTHEST_FAMILY

#: Font sizes (as a ratio), shares of bold letters, distances of families and letter spacing (em) that differ
#: by less are not seen.
_LEAST_SIZE, _LEAST_BOLD, _LEAST_FAMILY, _LEAST_SPACING = 1.02, 0.25, 0.15, 0.01
#: Ratios of font sizes that differ by less, as a share, are one.
_SAME_SCALE = 0.003
#: Letters that take as many px (rounded) in both are set alike: an icon beside them is wider.
_SAME_WIDTH = 1
#: How text may be set off besides, and how many letters make it seen.
_STYLES, _LEAST_LETTERS = ("italic", "underlined", "struck through"), 2
#: From this share of the page's text on, a change is one of most text.
_ALL = 0.8


@dataclass(frozen=True)
class Written:
    """What a text is written in, letter by letter, or as a mean over its letters."""

    unit: Unit
    sizes: tuple[float, ...]  # Of each letter, px
    bold_letters: tuple[bool, ...]
    advances: tuple[float, ...]  # Signature of its family, em; none where it is not known
    page: Capture

    @cached_property
    def size(self) -> float:
        """Mean size of its letters, px."""
        return fmean(self.sizes)

    @cached_property
    def bold(self) -> float:
        """Share of bold letters, 0..1."""
        return fmean(self.bold_letters)

    @cached_property
    def styles(self) -> tuple[frozenset[str], ...]:
        """Of each letter, which of "italic", "underlined" and "struck through" it is."""
        return tuple(
            styles
            for run in self.unit.runs
            if run.font
            for styles in [lines_on(run, self.page) | ({"italic"} if run.font.is_italic else set())]
            for _ in "".join(run.text.split())
        )

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Text of the run of each letter."""
        return tuple(run.text for run in self.unit.runs if run.font for _ in "".join(run.text.split()))


def written(unit: Unit, page: Capture) -> Written | None:
    """Return what a text is written in; None where that is not known."""
    fonts = [(run.font, len("".join(run.text.split()))) for run in unit.runs if run.font is not None]
    if not fonts:
        return None
    families = [font.advances for font, _ in fonts]
    return Written(
        unit,
        tuple(font.size for font, letters in fonts for _ in range(letters)),
        tuple(font.weight >= BOLD for font, letters in fonts for _ in range(letters)),
        max(families, key=families.count),
        page,
    )


#: What changed, from what, and to what.
_Change = tuple[str, Value, Value]


def font_differences(compared: Compared, matching: UnitMatching, sight: Sight) -> Iterator[Difference]:
    """Yield what is wrong with fonts, texts that changed alike as one; what it costs is charged later."""
    texts = matching.pairs

    @cache
    def sides(at: int) -> tuple[Details, Details]:
        """Return the facts of a text on both pages, which may have changed in several ways."""
        first, second = texts[at]
        return text_facts(first, compared.reference), text_facts(second, compared.candidate)

    def stated(change: _Change, at: int, part: str) -> Difference:
        wanted, own = sides(at)
        if part:
            wanted, own = {**wanted, "part": part}, {**own, "part": part}
        return Difference("font", "text", 0.0, SEEN, *change, wanted, own)

    groups: dict[_Change, list[int]] = {}
    of_all = sum(len(unit.key) for unit in matching.units[0])
    totals: Counter[bool] = Counter()
    fonts = {
        at: (design, made)
        for at, (first, second) in enumerate(texts)
        if first.key == second.key
        and (design := written(first, compared.reference))
        and (made := written(second, compared.candidate))
    }
    scale = _scale_of([*fonts.values()])
    for at, (design, made) in fonts.items():
        first, second = texts[at]
        totals[_spacing(design) > 0] += len(first.key)
        is_seen = is_moved(first.box, second.box) or sight.pixels_in(first.box)
        for change in _changes(design, made, scale) if is_seen or scale != 1 else ():
            if is_seen or change[0] == "scale":
                groups.setdefault(change, []).append(at)
    for change, members in groups.items():
        parts = {at: _part_of(*fonts[at], change) for at in members}
        members.sort(key=lambda at: (parts[at] != "", -len(texts[at][0].key)))
        own = [stated(change, at, parts[at]) for at in members]
        if change[0] == "letter_spacing":
            own = [one for one in own if abs(box_of(one)[2] - box_of(one, 1)[2]) > _SAME_WIDTH]
        if not own:
            continue
        if len(own) > 1:
            is_spacing = change[0] == "letter_spacing"
            total = totals[True] if is_spacing else totals.total()
            changed = sum(len(parts[at] or texts[at][0].key) for at in members)
            least = _ALL * total / 2 if is_spacing else max(_ALL * total, of_all / 2)
            extent = {"is_all": changed >= least, "is_whole": changed == (total if is_spacing else of_all)}
            own[0] = replace(own[0], reference={**(own[0].reference or {}), **extent}, members=tuple(own))
        yield own[0]


def _scale_of(fonts: Sequence[tuple[Written, Written]]) -> float:
    """Return by which factor all sizes of a page were multiplied, or nearly all; 1 where there is none.

    Of one size by itself, both values say more, unless it is seen only in what is moved by it.
    """
    ratios = [made.size / max(design.size, 0.1) for design, made in fonts]
    letters = [len(design.unit.key) for design, _ in fonts]
    for scale in sorted({round(one, 3) for one in ratios}, key=lambda one: abs(one - 1)):
        alike = [at for at, one in enumerate(ratios) if abs(one / scale - 1) <= _SAME_SCALE]
        if abs(scale - 1) > 2 * _SAME_SCALE and sum(letters[at] for at in alike) >= _ALL * sum(letters):
            sizes = {round(fonts[at][0].size, 1) for at in alike}
            is_slight = max(scale, 1 / scale) < _LEAST_SIZE
            return scale if len(alike) > 1 and (len(sizes) > 1 or is_slight) else 1.0
    return 1.0


def _changes(design: Written, made: Written, scale: float) -> Iterator[_Change]:
    if scale != 1 and abs(made.size / max(design.size, 0.1) / scale - 1) <= _SAME_SCALE:
        yield "scale", 1.0, scale
    elif _are_other_sizes(design.size, made.size):
        # A mean of several sizes is none of them.
        pairs = Counter(
            pair for pair in zip(design.sizes, made.sizes, strict=False) if _are_other_sizes(*pair)
        )
        wanted, own = pairs.most_common(1)[0][0] if pairs else (design.size, made.size)
        yield "font_size", float(f"{wanted:.3g}"), float(f"{own:.3g}")
    if abs(design.bold - made.bold) >= _LEAST_BOLD:
        yield "weight", *((400, 700) if made.bold > design.bold else (700, 400))
    others = Counter(
        style for pair in zip(design.styles, made.styles, strict=False) for style in pair[0] ^ pair[1]
    )
    for style in (style for style in _STYLES if others[style] >= _LEAST_LETTERS):
        is_lost = sum(style in letter for letter in design.styles) > sum(
            style in letter for letter in made.styles
        )
        yield "style", *((style, None) if is_lost else (None, style))
    if others["italic"] >= _LEAST_LETTERS:  # Its letters have other widths.
        return
    if family_distance(design, made) >= _LEAST_FAMILY:
        old, new = family_of(design.advances), family_of(made.advances)
        if old and new and old != new:
            yield "family", old, new
            return
        ratio = fmean(made.advances) / max(fmean(design.advances), 0.01) - 1
        is_known = abs(ratio) >= 0.02 and 0.0 not in (*made.advances, *design.advances)
        yield "typeface", None, ("wider" if ratio > 0 else "narrower") if is_known else None
    else:
        spacing = _spacing(made) - _spacing(design)
        is_one_line = _spacing(made) > 0 and _spacing(design) > 0
        # What is cut off, or has other spaces, is narrower, too.
        is_set_otherwise = (
            len({run.font.letter_spacing for text in (design, made) for run in text.unit.runs if run.font})
            > 1
        )
        if (
            is_one_line
            and is_set_otherwise
            and abs(spacing) >= _LEAST_SPACING
            and design.advances == made.advances
        ):
            yield "letter_spacing", None, "wider" if spacing > 0 else "narrower"


def _are_other_sizes(first: float, second: float) -> bool:
    return max(first, second) / max(min(first, second), 0.1) >= _LEAST_SIZE


def _part_of(design: Written, made: Written, change: _Change) -> str:
    """Return the part of a text whose letters alone have another size or weight; "" where all have."""
    property, *values = change
    if property == "font_size":
        pairs = zip(design.sizes, made.sizes, strict=False)
        are_other = [[float(f"{size:.3g}") for size in pair] == values for pair in pairs]
    elif property == "style":
        style = values[0] or values[1]
        are_other = [style in a ^ b for a, b in zip(design.styles, made.styles, strict=False)]
    elif property == "weight":
        are_other = [a != b for a, b in zip(design.bold_letters, made.bold_letters, strict=False)]
    else:
        return ""
    parts = Counter(
        min(pair, key=len)
        for pair, is_other in zip(zip(design.parts, made.parts, strict=False), are_other, strict=False)
        if is_other
    )
    if not parts or parts.total() == len(are_other):
        return ""
    return parts.most_common(1)[0][0].strip()


def _spacing(text: Written) -> float:
    """Return the width of a letter of a text that stands in one line, em; 0 of others.

    What has a box of its own within a line makes that wider.
    """
    lines = {(run.paragraph, round(box[1])) for run in text.unit.runs for box in run.boxes}
    return text.unit.box[2] / max(len(text.unit.text), 1) / text.size if len(lines) == 1 else 0.0


def family_distance(first: Written, second: Written) -> float:
    """Return how different two families are, 0..1; 0 where one does not have known widths."""
    if not (first.advances and second.advances):
        return 0.0
    differences = [abs(one - other) for one, other in zip(first.advances, second.advances, strict=True)]
    return min(1.0, fmean(differences) / FARTHEST_FAMILY)
