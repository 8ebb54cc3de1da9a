"""Differences of texts: missing, extra, moved, recolored, other words or figures, in another font."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import groupby, product

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.geometry import Color, area, clipped, contrast, hex_color, is_inside
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import Difference, Value
from pytest_design2a11y.visual.differences.compared import Compared, claim, of_alike
from pytest_design2a11y.visual.differences.setting import beside, is_drawn
from pytest_design2a11y.visual.figures import numbers_in
from pytest_design2a11y.visual.scene.page_index import index_of
from pytest_design2a11y.visual.scene.places import LEAST_SHIFT, is_moved
from pytest_design2a11y.visual.scene.sight import STRIKING
from pytest_design2a11y.visual.scene.text_facts import (
    ground_below,
    in_colors,
    lies_on_picture,
    place_facts,
    text_facts,
)
from pytest_design2a11y.visual.scene.units import Unit

#: Colors that differ by less (CIEDE2000) look the same to most people.
LEAST_COLOR = 2.3
#: Characters without meaning, which group digits, stand between words, or end a label: no minus or plus.
_GROUPING = re.compile(r"-\s+(?=\D)|:(?!\d)|[\s.,'’_…·•|›]+")
#: The sign before the decimals of a figure.
_DECIMALS = re.compile(r"\d([.,])\d{1,2}(?!\d)")
#: Characters that can be typed in more than one way, and those that look like another.
_SIGNS = str.maketrans("‐‑‒–—‘′“”„«»″I", '-----\'\'""""""l')
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
#: Signs before or after words that style sheets often draw, such as those of links and of paths.
_DRAWN = re.compile(r"[>»›→▶▸<«‹←◀/|•·▼▾]{1,2}\s*(?=\D|$)")


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
            if not is_typed(compared, design, made) and not _reads_there(compared, design, made):
                yield _reworded(compared, design, made)
        else:
            if _came_over_picture(compared, design, made):
                yield claim("unreadable", "text", "contrast", None, 1.0, None, place_facts(made))
            elif not (_is_crossed(design, compared.reference) or _is_crossed(made, compared.candidate)):
                yield from _recolored(compared, design, made) or _unreadable(compared, design, made)
            if design.box != made.box and (change := fill_change(design, made)):
                yield claim("restyled", "text", *change, place_facts(design), place_facts(made))
            if design.text != made.text and "".join(design.text.split()) != "".join(made.text.split()):
                words, sides = (design.text, made.text), (place_facts(design), place_facts(made))
                yield claim("reworded", "text", "case", *words, *sides)


def _came_over_picture(compared: Compared, design: Unit, made: Unit) -> bool:
    """Return whether a text lies on a picture that the design has beside it, and on no box over that."""
    if not lies_on_picture(made.box, compared.candidate):
        return False
    pictures = [pair for pair in compared.pairs if pair[1].kind == "picture" and pair[0].kind == "picture"]
    boxes = [one.box for one in compared.candidate.elements or () if one.kind == "box" and one.has_fill]
    boxes = [box for box in boxes if is_inside(made.box, box)]
    return any(
        is_inside(made.box, after.box)
        and not clipped(design.box, before.box)
        and not any(clipped(after.box, box) != after.box for box in boxes)
        for before, after in pictures
    )


def _reads_there(compared: Compared, design: Unit, made: Unit) -> bool:
    """Return whether the page reads as the design where a text is, since other elements have parts of it."""
    runs = index_of(compared.candidate).runs_in(made.box)
    top, line = made.box[1], made.line_height
    boxes = sorted((round((box[1] - top) / line), box[0], run.text) for run in runs for box in run.boxes[:1])
    return "".join("".join(text.lower().split()) for *_, text in boxes) == design.key


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


def is_typed(compared: Compared, design: Unit, made: Unit) -> bool:
    """Return whether one page has typed the markers and signs that the other one draws."""
    pages = compared.pages
    return _has_markers(design, made, pages[1]) or _has_markers(made, design, pages[0])


def _has_markers(typed: Unit, other: Unit, page: Capture) -> bool:
    """Return whether a text equals another except for markers and signs, which the other's page draws."""
    rest = typed.text
    for run in other.runs:
        marker = None if _read(rest, run.text) is not None else _MARKER.match(rest)
        if run is other.runs[0]:
            marker = marker or _DRAWN.match(rest)
        if marker and not is_drawn(page, beside(run)[0]):
            return False
        left = _read(rest[marker.end() :] if marker else rest, run.text)
        if left is None:
            return False
        rest = left
    end = other.runs[-1].boxes[-1]
    line = [box for box in other.runs[-1].boxes if abs(box[1] - end[1]) < end[3] / 2]
    last = replace(other.runs[-1], boxes=(min(line),))  # What is drawn may be a box of its text.
    return not rest or bool(_DRAWN.fullmatch(rest) and is_drawn(page, beside(last)[1]))


def _read(text: str, words: str) -> str | None:
    """Return what is left of a text that begins with words, whatever their case and spaces; else None."""
    rest = iter(text.lower())
    letters = (letter for letter in words.lower() if not letter.isspace())
    if not all(letter == next((own for own in rest if not own.isspace()), None) for letter in letters):
        return None
    left = sum(1 for _ in rest)
    return text[len(text) - left :].lstrip()


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
    boxes = (element.box for element in index_of(page).elements_at(unit.box, "box") if element.has_fill)
    parts = (area(common) for box in boxes if (common := clipped(unit.box, box)))
    return any(_ACROSS < part / max(area(unit.box), 1.0) < 1 - _ACROSS for part in parts)


def _reworded(compared: Compared, design: Unit, made: Unit) -> Difference:
    sides = text_facts(design, compared.reference), text_facts(made, compared.candidate)
    old, new = ([*numbers_in(unit.text)] for unit in (design, made))
    words = ["".join(filter(str.isalpha, unit.text.lower())) for unit in (design, made)]
    if words[0] == words[1] and len(old) == len(new):
        pairs = [*zip(old, new, strict=True)]
        if wrong := [(first[1], second[1]) for first, second in pairs if first[0] != second[0]]:
            # Of several, or with another unit, the whole text tells most.
            rests = {"".join(sign for sign in unit.key if not sign.isdigit()) for unit in (design, made)}
            values = wrong[0] if len(wrong) == 1 == len(rests) else (design.text, made.text)
            return claim("figure", "text", "text", *values, *sides)
        for (_, wanted), (_, own) in pairs:
            if _notation(wanted) != _notation(own):
                return claim("figure", "text", "notation", wanted, own, *sides)
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


def _notation(figure: str) -> list[str]:
    """Return the signs before its decimals: in another language's, people read another number."""
    return _DECIMALS.findall(figure)


def _without_grouping(text: str) -> str:
    return _GROUPING.sub("", text.translate(_SIGNS).lower())


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
