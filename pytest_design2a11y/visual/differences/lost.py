"""What is missing, or extra, together: a column, a row, a section, told once."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, product

import numpy as np

from pytest_design2a11y.models.geometry import Box, area, box_around
from pytest_design2a11y.models.visual import Difference, DifferenceKind
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.joining import Joint, without
from pytest_design2a11y.visual.scene.page_index import centers_of, inside
from pytest_design2a11y.visual.scene.places import Details, pixels

_SIDES = ("reference", "candidate")
#: Least number of things that are a group.
_LEAST = 3
#: Number of equal things in one row or column that are not missing there by chance.
_MANY = 4
#: px; things farther apart are not of one group.
_FARTHEST = 120.0
#: A thing that takes up this share of a group holds the rest of it.
_MOST = 0.8
#: Elements in which scripts and style sheets draw: without content, or with the name of an icon.
_EMPTY = re.compile(
    r"<((?:i|b|em|a|span|div|canvas|svg|\w+-[\w-]+)\b[^>]*)>\s*([a-z_]*)\s*</[\w-]+\s*>", re.IGNORECASE
)
#: Kinds of files that draw the style of a whole page, and its texts.
_DRAWN_BY = {"style": {"stylesheet", "script"}, "content": {"script"}}
#: Room that a thing takes up, with the space around it, as a multiple of its size.
_ROOM = 2.0


def join_undrawn(compared: Compared, differences: Sequence[Difference]) -> list[Difference]:
    """Return the differences, with those that follow from files that were not loaded as one that names them.

    Pictures follow if the page has as many elements without content; so does the space that they leave.
    """
    if not (files := [*compared.candidate.lost_files.items()]):
        return [*differences]
    differences = [_of_whole_page(one, files) for one in differences]
    lost = [
        one
        for one in differences
        if one.what == "picture" and one.kind in {"missing", "blank"} and not one.property
    ]
    things = [*chain.from_iterable(one.members or (one,) for one in lost)]
    empty = _EMPTY.findall(compared.candidate.html or "")
    if not things or len(empty) < len(things):
        return differences
    # Icons and the files that draw them often share a name: data-lucide, lucide.js.
    words = {"icon", *re.findall("[a-z]{5,}", " ".join(tag for tag, _ in empty).lower())}
    own = [(address, kind) for address, kind in files if any(word in address.lower() for word in words)]
    names = [
        one
        for one in differences
        if one.kind == "extra" and one.made.get("text") in {name for _, name in empty}
    ]
    boxes = [*(thing.boxes[0] for thing in things), *(name.boxes[1] for name in names)]
    moved = [
        one for one in differences if one.kind == "moved" and one.what != "page" and _closes_up(one, boxes)
    ]
    first = max(lost, key=lambda one: len(one.members))
    cause = replace(first, kind="missing", candidate=None, members=(*things, *names, *moved))
    return [_caused(cause, own or files), *without(differences, [(cause, [*lost, *names, *moved])])]


def _of_whole_page(difference: Difference, files: Sequence[tuple[str, str]]) -> Difference:
    """Return a difference of the whole page with the files that it may follow from: no font writes texts."""
    kinds = _DRAWN_BY.get(difference.property or "", set()) if difference.what == "page" else set()
    causes = [file for file in files if file[1] in kinds]
    return _caused(difference, causes) if causes else difference


def _caused(difference: Difference, files: Sequence[tuple[str, str]]) -> Difference:
    facts = {**_without_doubt(difference), "files": [[kind, address] for address, kind in files]}
    return replace(difference, reference=facts)


def _closes_up(move: Difference, boxes: Sequence[Box]) -> bool:
    """Return whether a thing moved no farther than where others are missing before it."""
    before, after = move.boxes
    beside = [box for box in boxes if box[1] < before[1] + before[3] and before[1] < box[1] + box[3]]
    above = [box for box in boxes if box[1] < before[1] + before[3]]
    across = _ROOM * sum(width for _, _, width, _ in beside)
    down = _ROOM * sum(height for _, _, _, height in above)
    return abs(after[0] - before[0]) <= across and abs(after[1] - before[1]) <= down


def with_known(differences: Sequence[Difference]) -> list[Difference]:
    """Return the differences; of things alike, those that are missing in a lost row or column are known.

    A column is lost if its head is missing, or many of its cells are.
    """
    gone = {
        at: one.boxes[0]
        for at, one in enumerate(differences)
        if (one.kind, one.property) == ("missing", None) and one.what != "page"
    }
    doubtful = {at for at in gone if "of" in differences[at].design}
    known = set[int]()
    for axis, (head, place) in product((0, 1), gone.items() if doubtful else ()):
        line = {at for at in doubtful if _is_in_line(gone[at], place, axis)}
        if len(line) >= (_MANY if head in doubtful else _LEAST - 1):
            known |= line
    return [
        replace(one, reference=_without_doubt(one)) if at in known else one
        for at, one in enumerate(differences)
    ]


def _without_doubt(difference: Difference) -> Details:
    """Return the facts of a thing in the design, but not of how many alike it is one."""
    return {name: fact for name, fact in difference.design.items() if name != "of"}


def _is_in_line(box: Box, head: Box, axis: int) -> bool:
    """Return whether the middle of a box lies in, or after, another one in its column (axis 0) or row (1)."""
    middle = box[axis] + box[axis + 2] / 2
    return head[axis] <= middle <= head[axis] + head[axis + 2] and box[1 - axis] >= head[1 - axis]


def join_lost(compared: Compared, differences: Sequence[Difference]) -> list[Difference]:
    """Return the differences, with things that are missing side by side, and nothing between them, as one."""
    joint = [*_groups(compared, differences, 0), *_groups(compared, differences, 1)]
    return [*_alike(cause for cause, _ in joint), *without(differences, joint)]


def _alike(groups: Iterable[Difference]) -> Iterator[Difference]:
    """Yield groups, with those that begin with the same text, and have as many things, as one."""
    alike: dict[object, list[Difference]] = {}
    for at, group in enumerate(groups):
        name = group.facts.get("text")
        key = (group.kind, group.property, name, len(group.members)) if name else at
        alike.setdefault(key, []).append(group)
    for first, *others in alike.values():
        if others:
            own = {"num_alike": len(others)}
            design, made = (side and {**side, **own} for side in (first.reference, first.candidate))
            members = tuple(member for group in (first, *others) for member in group.members)
            first = replace(first, reference=design, candidate=made, members=members)
        yield first


def _groups(compared: Compared, differences: Sequence[Difference], side: int) -> Iterator[Joint]:
    kind: DifferenceKind = "extra" if side else "missing"
    lone = [one for one in differences if one.kind == kind and one.what != "page" and one.property is None]
    lone = [one for one in lone if "of" not in one.design]
    lone.sort(key=lambda one: (one.boxes[side][1], one.boxes[side][0]))
    pairs = [pair[side].box for pair in compared.texts.pairs]
    pairs += [pair[side].box for pair in compared.pairs if pair[side].kind != "box"]
    centers = centers_of(pairs)
    left = [*lone]
    while left:
        group, rest = [left[0]], []
        hull = left[0].boxes[side]
        for one in left[1:]:
            wider = box_around([hull, one.boxes[side]])
            if not inside(centers, wider) and _gap(hull, one.boxes[side]) <= _FARTHEST:
                group.append(one)
                hull = wider
            else:
                rest.append(one)
        left = rest
        whole = max(group, key=lambda one: area(one.boxes[side]))
        is_whole = area(whole.boxes[side]) >= _MOST * area(hull)
        is_box_of_text = is_whole and len(group) > 1 and {one.what for one in group} == {"panel", "text"}
        if len(group) >= _LEAST or is_box_of_text:
            if is_whole:
                group.sort(key=lambda one: one is not whole)
                sides = whole.reference, whole.candidate
                yield claim(kind, whole.what, "whole", None, None, *sides, group), group
                continue
            named = (one.facts["text"] for one in group if one.what == "text" and _has_words(one))
            text = next(named, None)
            own = {"box": pixels(hull), **({"text": text} if text else {})}
            yield claim(kind, group[0].what, _shape(group, side), **{_SIDES[side]: own}, members=group), group


def _has_words(text: Difference) -> bool:
    """Return whether a text is more than a mark, such as the arrow of a row."""
    return sum(map(str.isalnum, text.facts.get("text", ""))) > 1


def _gap(first: Box, second: Box) -> float:
    """Return how far apart two boxes are, px, along the axis on which they are farther; of a row, down."""
    gaps = [
        max(first[at], second[at]) - min(first[at] + first[at + 2], second[at] + second[at + 2])
        for at in (0, 1)
    ]
    return gaps[1] if gaps[1] < -min(first[3], second[3]) / 2 else max(gaps)


def _shape(group: Sequence[Difference], side: int) -> str:
    """Return whether texts stand beside each other, or below each other; or several things in any way."""
    boxes = np.array([one.boxes[side] for one in group], dtype=np.float64)
    starts, ends = boxes[:, :2].max(axis=0), (boxes[:, :2] + boxes[:, 2:]).min(axis=0)
    if starts[1] < ends[1]:
        return "row"
    names = {"text" if one.what == "text" else one.facts.get("name") for one in group}
    return "column" if starts[0] < ends[0] and names <= {"text", "table cell"} else "section"
