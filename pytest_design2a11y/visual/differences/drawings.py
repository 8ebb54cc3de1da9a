"""Differences within drawings and pictures: of their parts, of their pose, and of regions in them."""

from collections.abc import Iterator, Sequence

import numpy as np

from pytest_design2a11y.models.elements import Element, Part
from pytest_design2a11y.models.geometry import Box, clipped, hex_color, is_inside, moved
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.thing_words import name_of_part, thing_name
from pytest_design2a11y.models.visual import Difference, DifferenceKind, Value
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.joining import joined
from pytest_design2a11y.visual.drawings import Drawing, PartChange, exchanged_colors, part_changes
from pytest_design2a11y.visual.scene.element_facts import details_of, subject_of
from pytest_design2a11y.visual.scene.places import SAME_EDGE, Details, pixels
from pytest_design2a11y.visual.scene.sight import apart_at, part_of, shown_in

#: Levels of 255 by which pixels visibly differ.
_LEAST = 9
#: Share of a line by which another one is noticeably longer or shorter.
_OTHER_LENGTH = 0.1
#: px; a small part is labeled by the text that begins this near to its right, and parts that stand on a line
#: with others, are as wide and are at least so many are bars.
_KEY, _BESIDE, _LEAST_BARS, _SAME_EDGE = 24.0, 16.0, 3, 1.5

#: Kinds of differences that several parts may share.
_ALIKE = {"missing", "extra", "recolored", "resized"}
#: The kind of difference of a pose, other than "turned".
POSES: dict[str, DifferenceKind] = {"mirrored": "mirrored"}


def drawing_differences(
    compared: Compared, design: Element, made: Element, over: Sequence[Box]
) -> list[Difference]:
    """Return how the parts of two drawings differ; empty if they have none, or none differs.

    Args:
        compared: The pages.
        design: The design's drawing.
        made: The generated page's.
        over: What lies over them, px of the design.
    """
    is_one_size = all(abs(design.box[at] - made.box[at]) < SAME_EDGE for at in (2, 3))
    if not (design.parts and made.parts and is_one_size):
        return []
    sides = design, made
    reference, candidate = (
        Drawing(side.box, side.parts, shown_in(page, side.box))
        for page, side in zip(compared.pages, sides, strict=True)
    )
    differing = apart_at(compared.pages, (design.box, made.box)) >= _LEAST
    for box in over:
        differing[part_of(moved(box, (-design.box[0], -design.box[1])))] = False
    changes = part_changes(reference, candidate, differing)
    crossed = exchanged_colors(changes)
    joined = {change for pair in crossed for change in pair}
    namers = [_Names(page, side) for page, side in zip(compared.pages, sides, strict=True)]
    differences = [_difference(namers, change) for change in changes if change not in joined]
    if crossed:
        members = tuple(_difference(namers, change) for pair in crossed for change in pair)
        wanted, own = {**members[0].design, "other": members[1].design}, members[0].candidate
        differences.append(claim("exchanged", "picture", "color", None, None, wanted, own, members))
    return _joined(differences)


def _joined(differences: Sequence[Difference]) -> list[Difference]:
    """Join what is missing, extra or recolored in one color alike: dots of a map."""
    alike: dict[tuple[object, ...], list[Difference]] = {}
    for difference in differences:
        side = difference.facts
        # Columns that lost or gained height each have a value of their own.
        is_joined = difference.kind in _ALIKE and (difference.kind != "recolored" or "number" not in side)
        is_joined |= difference.property == "stroke"
        key = (difference.kind, side.get("name"), side.get("fill"), difference.expected, difference.actual)
        alike.setdefault(key if is_joined else (object(),), []).append(difference)
    return [joined(sorted(members, key=lambda one: -one.facts.get("reach", 0))) for members in alike.values()]


def _difference(namers: "Sequence[_Names]", change: PartChange) -> Difference:
    wanted, own = (
        namer.facts(side) if side else None for namer, side in zip(namers, change.parts, strict=True)
    )
    if wanted and own and "number" in wanted:
        own = {**own, "name": wanted["name"], "number": wanted["number"]}
    kind: DifferenceKind
    values: tuple[str, Value, Value] = "part", None, None
    match change.kind:
        case "missing" | "extra" | "moved" as known:
            kind = known
        case "resized":
            kind, values = "resized", _sizes(change)
        case "recolored":
            old, new = (hex_color(side[0].color) for side in change.parts)
            kind, values = "recolored", ("fill", old, new)
        case "posed":
            kind, values = POSES.get(change.pose or "", "turned"), ("pose", None, change.pose)
        case "reshaped":
            kind, values = "restyled", _shapes(change)
    return claim(kind, "picture", *values, wanted, own)


def _shapes(change: PartChange) -> tuple[str, Value, Value]:
    """Return in what way the shape of a part in its place changed."""
    reference, candidate = (side[0] for side in change.parts)
    if reference.is_dashed != candidate.is_dashed:
        old, new = ("dashed" if part.is_dashed else "solid" for part in (reference, candidate))
        return "dashes", old, new
    if reference.is_dashed:
        return "dashes", "dashed", "dashed otherwise"
    if reference.kind in {"line", "ring"} and abs(change.length - 1) >= _OTHER_LENGTH:
        return "length", 1.0, round(change.length, 2)
    if reference.kind in {"line", "ring"} and abs(change.weight - 1) >= _OTHER_LENGTH:
        return "stroke", None, "thinner" if change.weight < 1 else "thicker"
    return "shape", None, None


def _sizes(change: PartChange) -> tuple[str, Value, Value]:
    """Return which side of a part changed, and its lengths, px."""
    (_, _, *old), (_, _, *new) = (side[0].box for side in change.parts)
    is_other = [abs(a - b) > _SAME_EDGE for a, b in zip(old, new, strict=True)]
    if is_other == [False, True]:
        return "height", round(old[1]), round(new[1])
    if is_other == [True, False]:
        return "width", round(old[0]), round(new[0])
    reference, candidate = (" x ".join(str(round(side)) for side in size) for size in (old, new))
    return "size", reference, candidate


class _Names:
    """What the parts of one drawing are called."""

    def __init__(self, page: Capture, element: Element) -> None:
        self.element = element
        self.within = thing_name(details_of(element, page), subject_of(element))
        self.texts = [
            (run.text.strip(), box)
            for run in page.text_runs
            for box in run.boxes[:1]
            if clipped(box, element.box) and run.text.strip()
        ]
        self.bars = {part: place for row in _rows(element.parts) for part, place in row}

    def facts(self, parts: Sequence[Part]) -> Details:
        """Return the facts of a part, or of several that stand together."""
        part = parts[0]
        corners = np.array([(x, y, x + width, y + height) for x, y, width, height in (p.box for p in parts)])
        left, top = corners[:, :2].min(axis=0).tolist()
        right, bottom = corners[:, 2:].max(axis=0).tolist()
        reach = max(right - left, bottom - top) / max(self.element.box[2:])
        facts = {
            "box": pixels((left, top, right - left, bottom - top)),
            "name": name_of_part(part.kind, part.box[2:]),
            "within": self.within,
            "within_box": pixels(self.element.box),
            "fill": hex_color(part.color),
            "label": part.label or self._label(part),
            "reach": round(reach, 3),
        }
        if len(parts) > 1:
            facts["several"] = len(parts)
        elif place := self.bars.get(part):
            facts |= {"name": "bar", "number": list(place)}
        return {name: value for name, value in facts.items() if value != ""}

    def _label(self, part: Part) -> str:
        """Return the text beside a small part, such as a key of a legend."""
        left, top, width, height = part.box
        if max(width, height) > _KEY:
            return ""
        beside = (left + width, top - height / 2, _BESIDE, 2 * height)
        for text, (x, y, _, high) in self.texts:
            if is_inside((x, y, 0, high), beside):
                return text
        return ""


def _rows(parts: Sequence[Part]) -> Iterator[list[tuple[Part, tuple[int, int]]]]:
    """Yield the bars of each row of bars, with their numbers, from 1, and how many there are."""
    filled = [part for part in parts if part.kind in {"box", "shape"}]
    for along in (0, 1):  # Columns stand side by side, bars one below the other.
        rows: dict[tuple[int, ...], list[Part]] = {}
        for part in filled:
            ends = part.box[1 - along] + part.box[3 - along], part.box[1 - along]
            # Columns grow up from a common line, bars to the right.
            rows.setdefault((along, round(part.box[2 + along]), round(ends[along])), []).append(part)
        for row in rows.values():
            if len(row) >= _LEAST_BARS and len({round(part.box[3 - along]) for part in row}) > 1:
                row.sort(key=lambda part: part.box[along])
                yield [(part, (at + 1, len(row))) for at, part in enumerate(row)]
