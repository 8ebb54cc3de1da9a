"""Report together what moved together: columns that became a stack, sections with their content."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.geometry import Box, area, is_inside
from pytest_design2a11y.models.thing_words import shift_of
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import claim
from pytest_design2a11y.visual.differences.joining import Joint, extent, grouped, without
from pytest_design2a11y.visual.scene.places import LEAST_SHIFT, SAME_EDGE
from pytest_design2a11y.visual.scene.sight import groups_of

#: px; so are those of a column.
_SAME_COLUMN = 12.0
#: px; things that moved as far aside, and alike, are a column, whatever is between them now.
_FAR_ASIDE = 60.0
#: Number of things moved alike that are claim, and of texts aligned differently.
_LEAST, _LEAST_ALIGNED = 4, 3
#: Most differences that are checked for columns.
_MOST = 400
#: Most causes reported for one page; other differences stay single.
_MOST_GROUPS = 40

#: Things that contain others, and move with them.
CARRIERS = {"panel", "control", "picture"}
#: A text whose width differs by more, as a share, has other line breaks.
_SAME_LINES = 0.2
#: A text that takes up this many times its former room has its lines in several places.
_MOST_ROOM = 8.0
#: Pictures of one color, of which one is this many times as large, are not confused.
_LIKE_ROOM = 4.0
_ALIGNMENTS = ("left-aligned", "centered", "right-aligned")

Boxes = NDArray[np.float64]


def join_moves(differences: Sequence[Difference], in_place: Sequence[Difference]) -> list[Difference]:
    """Return the differences, joining those of things that moved together.

    Things that moved along with what surrounds them are not reported individually. Things `in_place` did not
    move: the first of three columns stays where it is.
    """
    # If one page repeats a text more often, it is unknown which is which.
    texts = [difference for difference in differences if difference.what == "text"]
    lone = (text.facts for text in texts if text.kind in {"missing", "extra"})
    doubtful = {facts.get("text") for facts in lone}
    apart = [
        other
        for other in differences
        if other.property in {"gap", "alignment"} or other.made.get("num_covered")
    ]
    differences = _carried(without(differences, [(apart[0], apart)] if apart else []))
    moved = [move for move in differences if move.kind == "moved" and move.what != "page"]
    moved.sort(key=lambda move: -area(move.boxes[0]))
    joint: list[Joint] = []
    carriers = [thing for thing in in_place if thing.what != "control"]
    known = [move for move in moved[:_MOST] if move.design.get("text") not in doubtful]
    things = [*known, *carriers[:_MOST]]
    joint += _stacked([thing for thing in things if not _is_doubtful(thing, things)])
    joint += _shifted(without(moved, joint))
    return [*apart, *(cause for cause, _ in joint), *without(differences, joint)]


def _is_doubtful(thing: Difference, things: Sequence[Difference]) -> bool:
    """Return whether a picture of one color may be another one of that color, of nearly its size."""
    fill = thing.what == "picture" and thing.design.get("fill")
    if fill is False:
        return False
    room = area(thing.boxes[0])
    alike = (other for other in things if other is not thing and other.what == "picture")
    alike = (other for other in alike if other.design.get("fill") == fill)
    return any(room / _LIKE_ROOM <= area(other.boxes[0]) <= room * _LIKE_ROOM for other in alike)


def join_aligned(differences: Sequence[Difference], in_place: Sequence[Difference]) -> list[Difference]:
    """Return the differences, joining those of texts that are aligned otherwise."""
    moved = [one for one in differences if one.kind == "moved" and one.what != "page" and not one.members]
    joint = [*_realigned(sorted(moved, key=lambda move: -area(move.boxes[0]))[:_MOST], in_place)]
    return [*(cause for cause, _ in joint), *without(differences, joint)]


def _carried(differences: Sequence[Difference]) -> list[Difference]:
    """Return the differences, with those of things that moved with their box as part of that box's."""
    boxes = [difference.boxes for difference in differences]
    carriers = [at for at, difference in enumerate(differences) if difference.what in CARRIERS]
    carriers = [at for at in carriers if differences[at].kind in {"moved", "resized"}]
    carriers.sort(key=lambda at: (area(boxes[at][0]), differences[at].kind == "resized"))
    carrier_of: dict[int, int] = {}
    for at, difference in enumerate(differences):
        around = (other for other in carriers if carries(boxes[other], boxes[at]))
        is_moved = difference.kind == "moved" and difference.what != "page"
        if is_moved and (carrier := next(around, None)) is not None:
            carrier_of[at] = carrier
    parts: dict[int, list[Difference]] = {}
    for at, root in carrier_of.items():
        while root in carrier_of:
            root = carrier_of[root]
        parts.setdefault(root, []).append(differences[at])
    kept = []
    for at, difference in enumerate(differences):
        if inside := parts.get(at):
            kept.append(replace(difference, members=(difference, *inside)))
        elif at not in carrier_of:
            kept.append(difference)
    return kept


def carries(outer: tuple[Box, Box], inner: tuple[Box, Box]) -> bool:
    """Return whether a box contains another one on both pages, at the same position in it."""
    if area(outer[0]) <= area(inner[0]) or not all(map(is_inside, inner, outer)):
        return False
    for axis in (0, 1):
        starts = [inside[axis] - around[axis] for inside, around in zip(inner, outer, strict=True)]
        grown = [inside[axis + 2] - around[axis + 2] for inside, around in zip(inner, outer, strict=True)]
        shifts = (starts[1] + at * grown[1] - (starts[0] + at * grown[0]) for at in (0.0, 0.5, 1.0))
        if min(map(abs, shifts)) > LEAST_SHIFT:
            return False
    return True


def _realigned(moved: Sequence[Difference], in_place: Sequence[Difference]) -> Iterator[Joint]:
    """Yield texts that shared one edge, and now share the center or the other edge.

    Includes texts that changed from one edge to the other of something in its place, like labels of fields.
    """
    boxes = [thing.boxes for thing in (*moved, *in_place) if thing.what in CARRIERS]
    texts = [move for move in moved if move.what == "text"]
    texts = [text for text in texts if not any(_is_centered(text.boxes, around) for around in boxes)]
    # Other line breaks move the edges of a text without another alignment.
    widths = [(first[2], second[2]) for first, second in (text.boxes for text in texts)]
    is_alike = [abs(first - second) <= _SAME_LINES * max(first, second) for first, second in widths]
    texts = [*compress(texts, is_alike)]
    edges = [_edges(texts), _edges(texts, 1), _edges(in_place)]
    before, after = (np.abs(own[:, None] - own[None]) for own in edges[:2])
    at_start, at_end = (np.abs(own[:, None] - edges[2][None]) <= SAME_EDGE for own in edges[:2])
    for own in range(3):
        for wanted in {0, 1, 2} - {own}:
            is_new = (before[..., wanted] <= SAME_EDGE) & (after[..., own] <= SAME_EDGE)
            is_new &= (after[..., wanted] > LEAST_SHIFT) & (before[..., own] > LEAST_SHIFT)
            # Two edges may be aligned by chance.
            is_one = is_new.sum(axis=1) >= _LEAST_ALIGNED - 1
            is_one |= (at_start[..., wanted] & at_end[..., own]).any(axis=1)
            members = [texts[at] for at in np.flatnonzero(is_one).tolist()]
            # So may the centers of similar widths at few edges.
            num_edges = len(np.unique(np.round(edges[0][is_one, own] / SAME_EDGE)))
            if len(members) >= _LEAST_ALIGNED and 2 * num_edges > len(members):
                values = _ALIGNMENTS[wanted], _ALIGNMENTS[own]
                yield claim("moved", "text", "alignment", *values, members=members), members
                return


def _is_centered(text: tuple[Box, Box], around: tuple[Box, Box]) -> bool:
    """Return whether a text stands in the middle of a box on both pages, as in a button."""
    if not all(map(is_inside, text, around)):
        return False
    middles = [[box[0] + box[2] / 2 for box in pair] for pair in zip(text, around, strict=True)]
    return all(abs(first - second) <= SAME_EDGE for first, second in middles)


def _edges(things: Sequence[Difference], side: int = 0) -> Boxes:
    """Return the left edge, center and right edge of each thing, px."""
    boxes = np.array([thing.boxes[side] for thing in things], dtype=np.float64).reshape(-1, 4)
    return np.asarray(boxes[:, :1] + boxes[:, 2:3] * (0.0, 0.5, 1.0))


def _stacked(things: Sequence[Difference]) -> Iterator[Joint]:
    """Yield things that were side by side and are now stacked, or the reverse, all over the page."""
    # A text that takes up so much more room has a mostly empty box.
    areas = [(thing, area(thing.boxes[0]), area(thing.boxes[1])) for thing in things]
    things = [thing for thing, old, new in areas if thing.what != "text" or new <= _MOST_ROOM * old]
    if len(things) < 2:
        return
    before, after = (np.array([thing.boxes[side] for thing in things], dtype=np.float64) for side in (0, 1))
    for together, property in (
        (_side_by_side(before) & _side_by_side(after, axis=1), "columns"),
        (_side_by_side(before, axis=1) & _side_by_side(after), "rows"),
    ):
        groups = groups_of(len(things), np.argwhere(together).tolist())
        members: list[Difference] = []
        shown: list[Difference] = []
        for group in grouped(range(len(things)), groups.__getitem__):
            own = [things[at] for at in group]
            # Something moved by half of its own size.
            moves = (zip(shift_of(member), member.boxes[0][2:], strict=True) for member in own)
            is_far = any(abs(shift) >= size / 2 for move in moves for shift, size in move)
            if len(own) >= 2 and is_far:
                # Of cards with content, the cards are reported.
                cards = [at for at in group if things[at].what in {"panel", "picture"}]
                is_of_cards = together[np.ix_(cards, cards)].any()
                parts = cards if is_of_cards else group
                parts.sort(key=lambda at: sum(things[at].boxes[0][:2]))  # Left to right, top to bottom
                # The largest two that fit come first, of these the nearest: they are named.
                pairs = np.array(parts)[np.argwhere(np.triu(together[np.ix_(parts, parts)]))]
                apart = np.abs(before[pairs[:, 0], :2] - before[pairs[:, 1], :2]).sum(axis=1)
                room = before[:, 2:].prod(axis=1)[pairs].min(axis=1)
                pair = pairs[np.lexsort((apart, -room))[0]].tolist()
                shown += [things[at] for at in (*pair, *(at for at in parts if at not in pair))]
                members += own
        if members:
            yield replace(_together(members, property), members=tuple(shown)), members
        if together.any():
            return


def _side_by_side(boxes: Boxes, *, axis: int = 0) -> NDArray[np.bool_]:
    """Return which boxes lie beside each other: apart along one axis, overlapping by half along the other."""
    starts, ends = boxes[:, :2], boxes[:, :2] + boxes[:, 2:]
    overlap = np.minimum(ends[:, None], ends[None]) - np.maximum(starts[:, None], starts[None])
    shorter = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    is_level = overlap[..., 1 - axis] >= 0.5 * shorter[..., 1 - axis]
    return np.asarray(is_level & (overlap[..., axis] <= 1))


def _shifted(moved: Sequence[Difference]) -> Iterator[Joint]:
    """Yield things that moved by the same distance; of a column that is elsewhere, to the same side."""
    shifts = np.array([*map(shift_of, moved)])
    is_left = np.ones(len(moved), dtype=bool)
    for _ in range(_MOST_GROUPS):
        if not is_left.any():
            return
        seed = int(is_left.argmax())
        across, down = np.abs(shifts - shifts[seed]).T
        is_column = abs(shifts[seed, 0]) >= _FAR_ASIDE
        same = _SAME_COLUMN if is_column else LEAST_SHIFT
        is_near = is_left & (across <= same) & ((down <= LEAST_SHIFT) | is_column)
        is_left &= ~is_near
        members = [moved[at] for at in np.flatnonzero(is_near).tolist()]
        if len(members) >= _LEAST:
            yield _together([part for move in members for part in move.members or (move,)], "place"), members


def _together(members: Sequence[Difference], property: str) -> Difference:
    """Return one difference for what moved together: its largest part, and the extent of all."""
    what = max(members, key=lambda member: area(member.boxes[0])).what
    return claim("moved", what, property, None, None, *extent(members), members)
