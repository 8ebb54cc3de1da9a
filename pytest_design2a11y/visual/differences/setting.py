"""How texts are set: in which direction lines run, where they break, how far in."""

from collections.abc import Iterator, Sequence

import numpy as np

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, area, is_inside
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.joining import joined
from pytest_design2a11y.visual.scene.places import SAME_EDGE
from pytest_design2a11y.visual.scene.sight import STRIKING, shown_in
from pytest_design2a11y.visual.scene.text_facts import place_facts
from pytest_design2a11y.visual.scene.units import Unit

#: Line heights beside a text within which a marker or a sign of it is drawn.
_BESIDE_ITEM = 2.0


def setting_differences(compared: Compared) -> Iterator[Difference]:
    """Yield one difference for each text whose lines run or break otherwise, and one for other indents."""
    indented: list[Difference] = []
    boxes = [pair for pair in compared.pairs if pair[0].kind == "box"]
    for design, made in compared.texts.pairs:
        if design.key != made.key or not compared.sight.pixels_in(design.box):
            continue
        wanted, own = place_facts(design), place_facts(made)
        before, after = _direction(design), _direction(made)
        if before != after and len(design.key) > 1:
            yield claim("font", "text", "direction", before, after, wanted, own)
            continue
        num_before, num_after = (1 + len(unit.steps) for unit in (design, made))
        if num_before != num_after and _has_same_room(design, made, boxes):
            yield claim("font", "text", "lines", num_before, num_after, wanted, own)
            continue
        old, new = _indents(design, compared.reference), _indents(made, compared.candidate)
        if len(old) == len(new) and old != new:
            line = next(at for at in range(len(old)) if old[at] != new[at])
            wanted = {**wanted, "line": line + 1}
            indented.append(claim("font", "text", "indent", old[line], new[line], wanted, own))
    if indented:
        yield joined(indented)


def beside(run: TextRun) -> tuple[Box, Box]:
    """Return the room before and after the first line of a text."""
    left, top, width, height = run.boxes[0]
    reach = _BESIDE_ITEM * height
    start = max(0.0, left - reach)
    return (start, top, left - 1 - start, height), (left + width + 1, top, reach, height)


def is_drawn(page: Capture, room: Box) -> bool:
    """Return whether something is to be seen in a room, besides lines from its top to its bottom."""
    shown = shown_in(page, room)
    return bool(shown.size) and bool(np.ptp(shown, axis=0).max() >= STRIKING)


def _direction(unit: Unit) -> str:
    return "vertical" if all(run.is_vertical for run in unit.runs) else "horizontal"


def _has_same_room(design: Unit, made: Unit, boxes: Sequence[tuple[Element, Element]]) -> bool:
    """Return whether the letters, and the width of the box around them, explain no other line breaks."""
    fonts = [{run.font for run in unit.runs} for unit in (design, made)]
    around = [
        (first.box, second.box)
        for first, second in boxes
        if is_inside(design.box, first.box) and is_inside(made.box, second.box)
    ]
    first, second = min(around, key=lambda pair: area(pair[0]), default=(design.box, made.box))
    return fonts[0] == fonts[1] and abs(first[2] - second[2]) <= SAME_EDGE


def _indents(unit: Unit, page: Capture) -> list[int]:
    """Return by how many letters each line is indented in its text; empty unless letters are alike."""
    font = unit.runs[0].font
    if font is None or not font.advances[0] or font.advances[0] != font.advances[1]:  # i and m
        return []
    starts: dict[int, float] = {}
    for box in sorted((box for run in unit.runs for box in run.boxes), key=lambda box: box[1]):
        shown = shown_in(page, box)
        inked = np.flatnonzero((shown != shown[:1, :1]).any(axis=(0, 2))).tolist()
        if inked:
            line = round(box[1] / unit.line_height)
            starts[line] = min(starts.get(line, np.inf), box[0] + inked[0])
    return [round((start - unit.box[0]) / (font.advances[0] * font.size)) for start in starts.values()]
