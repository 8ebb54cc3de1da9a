"""Differences of texts: missing, extra, moved, recolored, other words, other figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

import numpy as np

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.geometry import area, clipped, contrast, is_inside
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import LEAST_SHIFT, SEEN, Compared, is_moved, of_alike
from pytest_design2a11y.visual.differences.sight import STRIKING, Sight, part_of
from pytest_design2a11y.visual.differences.text_facts import (
    ground_below,
    in_colors,
    lies_on_picture,
    place_facts,
    text_facts,
)
from pytest_design2a11y.visual.differences.text_pairing import UnitMatching
from pytest_design2a11y.visual.differences.units import Unit
from pytest_design2a11y.visual.figures import numbers_in

#: Colours that differ by less (CIEDE2000) look the same to most people.
LEAST_COLOR = 2.3
#: What groups the digits of a number, or stands around it, and says nothing: no sign is among it.
_GROUPING = re.compile(r"[\s.,'’_]+")
#: Signs that are typed in more than one way.
_SIGNS = str.maketrans("‐‑‒–—‘“”„«»", '-----\'"""""')
#: Of a text, less across an edge is its margin.
_ACROSS = 0.1
#: So many letters of a text that is cut off are left at least.
_LEAST_PART = 3
#: What WCAG asks of the contrast of large text.
LEAST_CONTRAST = 3.0
#: Of text with less contrast nothing is seen, unless its colour strikes the eye otherwise.
_LEAST_SEEN = 1.1
#: The number or bullet of an item of a list, typed.
_MARKER = re.compile(r"([(\[]?(\d{1,3}|[a-z]|[ivxlc]+)[.)\]]|[•◦▪‣·*–—-])\s+", re.IGNORECASE)
#: So far before an item (heights of its line) the browser draws its marker.
_BEFORE_ITEM = 2.0


def text_differences(compared: Compared, texts: UnitMatching, sight: Sight) -> Iterator[Difference]:
    """Yield in what the texts of two pages differ; what it costs is charged later."""
    for unit in texts.missing:
        if sight.pixels_in(unit.box):
            seen = SEEN if is_visible(unit, compared.reference) else None
            alike = [(one.box, other.box) for one, other in texts.pairs if one.key == unit.key]
            of = of_alike(sum(one.key == unit.key for one in texts.missing), alike)
            facts = {**text_facts(unit, compared.reference), **of}
            yield Difference("missing", "text", 0.0, seen, expected=unit.text, reference=facts)
    for unit in texts.extra:
        if sight.pixels_in(unit.box) and not _lies_there(unit, compared.reference):
            seen = SEEN if is_visible(unit, compared.candidate) else None
            side = text_facts(unit, compared.candidate)
            yield Difference("extra", "text", 0.0, seen, actual=unit.text, candidate=side)
    for design, made in texts.pairs:
        if is_moved(design.box, made.box) and design.reads_as(made):
            yield Difference(
                "moved", "text", 0.0, SEEN, "place", None, None, place_facts(design), place_facts(made)
            )
        if not (is_moved(design.box, made.box) or sight.pixels_in(design.box) or sight.pixels_in(made.box)):
            continue
        if design.key != made.key:
            if not _differ_in_markers(compared, design, made):
                yield _reworded(compared, design, made)
        else:
            if not (_is_crossed(design, compared.reference) or _is_crossed(made, compared.candidate)):
                yield from _recolored(compared, design, made) or _unreadable(compared, design, made)
            if design.text != made.text and "".join(design.text.split()) != "".join(made.text.split()):
                words = design.text, made.text
                yield Difference(
                    "reworded", "text", 0.0, SEEN, "case", *words, place_facts(design), place_facts(made)
                )


def is_visible(unit: Unit, page: Capture) -> bool:
    """Return whether a text stands out from what is behind it."""
    for run in unit.runs:
        if run.color is None or lies_on_picture(run.boxes[0], page):
            return True
        ground = ground_below(run.boxes[0], page, run.color)
        is_striking = max(abs(a - b) for a, b in zip(run.color, ground, strict=True)) >= STRIKING
        if is_striking or contrast(run.color, ground) >= _LEAST_SEEN:
            return True
    return False


def _differ_in_markers(compared: Compared, design: Unit, made: Unit) -> bool:
    """Return whether one text has typed markers and is the other one, in which they are drawn."""
    return _has_markers(design, made, compared.candidate) or _has_markers(made, design, compared.reference)


def _has_markers(typed: Unit, other: Unit, page: Capture) -> bool:
    """Return whether a text is another one but for markers, which that one's page shows before its parts."""
    rest = typed.text
    for run in other.runs:
        left, top, _, height = run.boxes[0]
        room = min(left, _BEFORE_ITEM * height)
        before = page.screenshot.pixels[part_of((left - room, top, room - 1, height))]
        words = re.compile(r"\s*".join(map(re.escape, "".join(run.text.split()))), re.IGNORECASE)
        marker = None if words.match(rest) else _MARKER.match(rest)
        if marker and not (before.size and np.ptp(before, axis=(0, 1)).max() >= STRIKING):
            return False
        found = words.match(rest, marker.end() if marker else 0)
        if not found:
            return False
        rest = rest[found.end() :].lstrip()
    return not rest


def _lies_there(unit: Unit, design: Capture) -> bool:
    """Return whether a design has a text in the same place, where something covers it."""
    own = (run for run in design.text_runs if run.boxes and "".join(run.text.lower().split()) in unit.key)
    places = [run.boxes[0] for run in own if run.text.strip()]
    return any(
        max(abs(a - b) for a, b in zip(box[:2], unit.box[:2], strict=True)) < LEAST_SHIFT for box in places
    )


def _is_crossed(unit: Unit, page: Capture) -> bool:
    """Return whether a text lies across the edge of a box, so that what is behind it is not one colour."""
    for one in page.elements or ():
        common = clipped(unit.box, one.box) if one.kind == "box" else None
        if common and _ACROSS < area(common) / max(area(unit.box), 1.0) < 1 - _ACROSS:
            return True
    return False


def _reworded(compared: Compared, design: Unit, made: Unit) -> Difference:
    sides = text_facts(design, compared.reference), text_facts(made, compared.candidate)
    old, new = ([*numbers_in(unit.text)] for unit in (design, made))
    words = [_without_numbers(unit.text) for unit in (design, made)]
    if words[0] == words[1] and len(old) == len(new):
        wrong = [(one[1], other[1]) for one, other in zip(old, new, strict=True) if one[0] != other[0]]
        if wrong:
            return Difference("figure", "text", 0.0, SEEN, "text", *wrong[0], *sides)
        if _without_grouping(design.text) == _without_grouping(made.text):
            return Difference("reworded", "text", 0.0, SEEN, "grouping", design.text, made.text, *sides)
    if _is_cut(compared, design, made):
        return Difference("overflowing", "text", 0.0, SEEN, "cut", design.text, made.text, *sides)
    return Difference("reworded", "text", 0.0, SEEN, "text", design.text, made.text, *sides)


def _is_cut(compared: Compared, design: Unit, made: Unit) -> bool:
    """Return whether a text is another one whose lines, or whose end, are cut off."""
    whole, part = design.key, made.key
    letters = iter(whole)
    is_part = whole.startswith(part) or (
        len(part) >= 4 * _LEAST_PART and all(letter in letters for letter in part)
    )
    return (
        is_part
        and len(part) >= _LEAST_PART
        and any(one.kind == "clipped" and is_inside(one.box, made.box) for one in compared.candidate.overlaps)
    )


def _without_grouping(text: str) -> str:
    return _GROUPING.sub("", text.lower().translate(_SIGNS))


def _without_numbers(text: str) -> str:
    return "".join(one for one in text.lower() if one.isalpha())


def _unreadable(compared: Compared, design: Unit, made: Unit) -> list[Difference]:
    """Return that a text cannot be read on what it lies on now."""
    wanted, own = (
        {**place_facts(unit), **in_colors(unit.runs[0], page)}
        for unit, page in ((design, compared.reference), (made, compared.candidate))
    )
    old, new = wanted["contrast"], own["contrast"]
    if new >= min(LEAST_CONTRAST, 0.75 * old) or lies_on_picture(made.box, compared.candidate):
        return []
    return [Difference("unreadable", "text", 0.0, SEEN, "contrast", old, new, wanted, own)]


def _recolored(compared: Compared, design: Unit, made: Unit) -> list[Difference]:
    """Return the part of a text whose colour differs most, with what it lies on."""
    pairs = [*zip(design.key, design.colors, made.colors, strict=False)]
    parts = [
        (colors, "".join(letter for letter, *_ in part))
        for colors, part in groupby(pairs, key=lambda one: one[1:])
        if None not in colors and colors[0] != colors[1]
    ]
    if not parts:
        return []
    first, second = max(parts, key=lambda part: len(part[1]))[0]
    difference = color_difference(first, second)
    if difference < LEAST_COLOR:
        return []
    runs = [
        next((run for run in unit.runs if run.color == color), unit.runs[0])
        for unit, color in ((design, first), (made, second))
    ]
    pages = compared.reference, compared.candidate
    wanted, own = (
        {**place_facts(unit), **in_colors(run, page)}
        for unit, run, page in zip((design, made), runs, pages, strict=True)
    )
    is_part = sum(len(text) for _, text in parts) < 0.9 * len(design.key)
    if is_part:
        wanted, own = ({**side, "part": runs[0].text} for side in (wanted, own))
    ground = ground_below(runs[1].boxes[0], compared.candidate, second)
    own["contrast_of_design"] = round(contrast(first, ground), 2)
    own["color_difference"] = round(difference, 1)
    colors = wanted["color"], own["color"]
    return [Difference("recolored", "text", 0.0, SEEN, "color", *colors, wanted, own)]
