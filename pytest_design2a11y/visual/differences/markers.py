"""Markers of list items: the kind, number and color of each."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.geometry import Box, box_around, hex_color, is_inside, moved
from pytest_design2a11y.models.page import Marker
from pytest_design2a11y.models.thing_words import listed_all
from pytest_design2a11y.models.visual import Difference, Value
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.joining import joined
from pytest_design2a11y.visual.differences.setting import is_drawn
from pytest_design2a11y.visual.differences.texts import LEAST_COLOR
from pytest_design2a11y.visual.scene.places import pixels
from pytest_design2a11y.visual.scene.text_facts import place_facts
from pytest_design2a11y.visual.scene.units import Unit


def marker_differences(compared: Compared) -> Iterator[Difference]:
    """Yield one difference for all list items whose markers were lost, or changed, in the same way."""
    groups: dict[object, list[Difference]] = {}
    for design, made in compared.texts.pairs:
        marks = design.runs[0].marker, made.runs[0].marker
        if design.key != made.key or not (change := _change_of(*marks)):
            continue
        if change[0] == "marker_color" and all(
            mark and mark.color == unit.runs[0].color
            for mark, unit in zip(marks, (design, made), strict=True)
        ):
            continue  # It has its text's color.
        rooms = _rooms((design, made), marks)
        # A marker that is drawn by other means is one too.
        shows = [is_drawn(page, room) for page, room in zip(compared.pages, rooms, strict=True)]
        if shows == [*map(bool, marks)] and any(map(compared.sight.pixels_in, rooms)):
            wanted, own = (
                {**place_facts(unit), "box": pixels(box_around([unit.box, room]))}
                for unit, room in zip((design, made), rooms, strict=True)
            )
            difference = claim("restyled", "text", *change, wanted, own)
            groups.setdefault(_cause_of(difference), []).append(difference)
    for members in groups.values():
        if members[0].property != "number" or _are_numbered_anew(compared, members):
            yield _as_one(members)


def _cause_of(difference: Difference) -> object:
    """Return what changes of markers by one rule share: levels of a list have markers of several kinds."""
    match difference.property:
        case "number":
            return "number"
        case "marker":
            return "marker", difference.expected and str(difference.actual)
    return difference.expected, difference.actual


def _as_one(members: Sequence[Difference]) -> Difference:
    """Return changes of markers as one, with all kinds that were lost, or are new."""
    first = joined(members)
    if first.property != "marker" or len(members) == 1:
        return first
    kinds = zip(*((one.expected, one.actual) for one in members), strict=True)
    expected, actual = (
        listed_all([*dict.fromkeys(map(str, filter(None, names)))]) or None for names in kinds
    )
    return replace(first, expected=expected, actual=actual)


def _change_of(old: Marker | None, new: Marker | None) -> tuple[str, Value, Value] | None:
    """Return which property of a marker changed, from what to what; None if it is the same."""
    if old is None or new is None or old.name != new.name:
        names = old and old.name, new and new.name
        return ("marker", *names) if any(names) else None
    if old.text != new.text:
        return "number", old.text, new.text
    if color_difference(old.color, new.color) >= LEAST_COLOR:
        return "marker_color", hex_color(old.color), hex_color(new.color)
    return None


def _are_numbered_anew(compared: Compared, members: Sequence[Difference]) -> bool:
    """Return whether items of a list have other numbers though none was lost, added or moved."""
    others = (*compared.texts.missing, *compared.texts.extra)
    places = [one.boxes[1][1] for one in sorted(members, key=lambda one: one.boxes[0][1])]
    return places == sorted(places) and not any(unit.runs[0].marker for unit in others)


def _rooms(units: tuple[Unit, Unit], marks: tuple[Marker | None, Marker | None]) -> list[Box]:
    """Return where the marker of an item is on each page, or would be."""
    lines = []
    for unit, mark in zip(units, marks, strict=True):
        boxes = [box for box in unit.runs[0].boxes if mark is None or not is_inside(mark.box, box)]
        lines.append((boxes or unit.runs[0].boxes)[0])
    known = 0 if marks[0] else 1
    known_mark = marks[known]
    rooms = []
    for line, mark in zip(lines, marks, strict=True):
        offset = line[0] - lines[known][0], line[1] - lines[known][1]
        left, top, width, height = mark.box if mark else moved(known_mark.box, offset) if known_mark else line
        # Letters reach a little out of their boxes.
        rooms.append((left if left < line[0] else left + 1, top, max(width - 1, 1.0), height))
    return rooms
