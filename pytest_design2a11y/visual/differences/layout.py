"""What moved together is told together: columns that became a stack, sections with their content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.geometry import Box, area, is_inside
from pytest_design2a11y.models.visual import DifferenceSubject
from pytest_design2a11y.visual.differences.fault import Fault, Joint, joined, without
from pytest_design2a11y.visual.differences.names import pixels, way
from pytest_design2a11y.wording import counted

#: Shifts that differ by less (px) are one.
_SAME_SHIFT = 4.0
#: So many things that moved alike are told as one, and so many texts that are aligned otherwise.
_LEAST, _LEAST_ALIGNED = 4, 3
#: Faults that are looked at for columns.
_MOST = 400
#: Causes of one page that are told; the rest stays single.
_MOST_GROUPS = 40

#: Edges of texts that are farther apart (px) are not one line.
_SAME_EDGE = 2.0
_ALIGNMENTS = ("left-aligned", "centred", "right-aligned")

Boxes = NDArray[np.float64]


def join_aligned(faults: Sequence[Fault]) -> list[Fault]:
    """Let the moves of texts bear what typography loses by them, so that each is told once."""
    joint = [*faults]
    moves = [at for at, fault in enumerate(faults) if fault.kind == "moved" and fault.source == "text"]
    boxes = np.array([faults[at].boxes[0] for at in moves], dtype=np.float64).reshape(-1, 4)
    centres = boxes[:, :2] + boxes[:, 2:] / 2
    borne: set[int] = set()
    for at, fault in enumerate(faults):
        if fault.kind == "moved" and fault.source == "font":
            left, top, width, height = fault.boxes[0] or (0, 0, 0, 0)
            is_in = ((centres >= (left, top)) & (centres <= (left + width, top + height))).all(axis=1)
            parts = [moves[part] for part in np.flatnonzero(is_in).tolist()]
            for part in parts:
                joint[part] = replace(joint[part], cost=joint[part].cost + fault.cost / len(parts))
            borne |= {at} if parts else set()
    return [fault for at, fault in enumerate(joint) if at not in borne]


def join_moves(faults: Sequence[Fault], in_place: Sequence[Fault]) -> list[Fault]:
    """Return the faults, with those of things that moved together as one.

    What is `in_place` did not move, and costs nothing: the first of three columns stays where it is.
    """
    seen = (one for one in faults if one.kind == "moved" and one.is_seen and one.source != "page")
    moved = sorted(seen, key=lambda one: -one.cost)
    joint = [*_realigned(moved[:_MOST])]
    moved = without(moved, joint)
    joint += _stacked([*moved[:_MOST], *in_place[:_MOST]])
    joint += _shifted(without(moved, joint))
    joint += _labelled(without(moved[:_MOST], joint))
    return [*(cause for cause, _ in joint), *without(faults, joint)]


def _realigned(moved: Sequence[Fault]) -> Iterator[Joint]:
    """Yield texts that had one edge in common, and have the centre or the other edge in common now."""
    texts = [fault for fault in moved if fault.what == "text"]
    boxes = [np.array([text.boxes[side] for text in texts]).reshape(-1, 1, 4) for side in (0, 1)]
    apart = []
    for side in boxes:
        edges = side[..., 0] + side[..., 2] * (0.0, 0.5, 1.0)
        apart.append(np.abs(edges[:, None] - edges[None]))
    before, after = apart
    for own in range(3):
        for wanted in {0, 1, 2} - {own}:
            is_new = (before[..., wanted] <= _SAME_EDGE) & (after[..., own] <= _SAME_EDGE)
            is_new &= after[..., wanted] > _SAME_SHIFT
            members = [texts[at] for at in np.flatnonzero(is_new.any(axis=1)).tolist()]
            if len(members) >= _LEAST_ALIGNED:
                number = counted(len(members), "text")
                message = f"{number} are {_ALIGNMENTS[own]} instead of {_ALIGNMENTS[wanted]}"
                yield joined(members, "moved", "text", message), members
                return


def _stacked(things: Sequence[Fault]) -> Iterator[Joint]:
    """Yield what stood side by side and stands below each other now, or the reverse."""
    if len(things) < 2:
        return
    from scipy.sparse.csgraph import connected_components

    before, after = (np.array([thing.boxes[side] for thing in things], dtype=np.float64) for side in (0, 1))
    for together, words in (
        (_side_by_side(before) & _side_by_side(after, axis=1), "columns: {} moved below each other"),
        (_side_by_side(before, axis=1) & _side_by_side(after), "rows: {} moved beside each other"),
    ):
        number, groups = connected_components(together, directed=False)
        for group in range(number):
            members = [things[at] for at in np.flatnonzero(groups == group).tolist()]
            if len(members) >= 2 and any(member.cost for member in members):
                # Of cards with their content, the cards are told.
                cards = [member for member in members if member.what in {"panel", "picture"}]
                message = words.format(_counts(cards if len(cards) >= 2 else members))
                yield joined(members, "moved", _subject(members), message), members
        if together.any():
            return


def _side_by_side(boxes: Boxes, *, axis: int = 0) -> NDArray[np.bool_]:
    """Return which boxes lie beside each other: apart along one axis, overlapping by half along the other."""
    starts, ends = boxes[:, :2], boxes[:, :2] + boxes[:, 2:]
    overlap = np.minimum(ends[:, None], ends[None]) - np.maximum(starts[:, None], starts[None])
    shorter = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    found: NDArray[np.bool_] = (overlap[..., axis] <= 1) & (
        overlap[..., 1 - axis] >= 0.5 * shorter[..., 1 - axis]
    )
    return found


def _shifted(moved: Sequence[Fault]) -> Iterator[Joint]:
    """Yield what moved by one and the same way."""
    if not moved:
        return
    shifts = np.array([fault.shift for fault in moved])
    is_left = np.ones(len(moved), dtype=bool)
    for _ in range(_MOST_GROUPS):
        if not is_left.any():
            return
        seed = int(is_left.argmax())
        is_near = is_left & (np.abs(shifts - shifts[seed]).max(axis=1) <= _SAME_SHIFT)
        is_left &= ~is_near
        members = [moved[at] for at in np.flatnonzero(is_near).tolist()]
        if len(members) >= _LEAST:
            box = _around([fault.boxes[0] for fault in members if fault.boxes[0] is not None])
            made = _around([fault.boxes[1] for fault in members if fault.boxes[1] is not None])
            shift = (float(np.median(shifts[is_near, 0])), float(np.median(shifts[is_near, 1])))
            top, bottom = round(box[1]), round(box[1] + box[3])
            message = f"{_counts(members)} between {top} and {bottom} px down the page moved {way(shift)}"
            sides = {"box": pixels(box)}, {"box": pixels(made)}
            yield joined(members, "moved", _subject(members), message, sides), members


def _labelled(moved: Sequence[Fault]) -> Iterator[Joint]:
    """Yield controls that moved, with the texts in them that moved likewise."""
    texts = [fault for fault in moved if fault.what == "text"]
    for control in (fault for fault in moved if fault.what == "control"):
        around, (across, down) = control.boxes[0] or (0, 0, 0, 0), control.shift
        inside = [
            text
            for text in texts
            if is_inside(text.boxes[0] or around, around)
            and max(abs(text.shift[0] - across), abs(text.shift[1] - down)) <= _SAME_SHIFT
        ]
        if inside:
            members = [control, *inside]
            yield replace(control, cost=sum(fault.cost for fault in members)), members


def _subject(members: Sequence[Fault]) -> DifferenceSubject:
    """Return what the largest of them is."""
    return max(members, key=lambda fault: area(fault.boxes[0] or (0, 0, 0, 0))).what


def _counts(members: Sequence[Fault]) -> str:
    numbers = Counter(fault.what for fault in members)
    order: tuple[DifferenceSubject, ...] = ("panel", "picture", "control", "text", "line")
    parts = [counted(numbers[what], what) for what in order if numbers[what]]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _around(boxes: Sequence[Box]) -> Box:
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    return left, top, right - left, bottom - top
