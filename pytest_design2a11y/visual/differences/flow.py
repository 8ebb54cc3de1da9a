"""What hangs on what: a thing that keeps its distance from its box, or from what is before it, follows that.

Along a page, boxes are as high as their content, and content begins below what precedes it; across a page,
content is as wide as its box. So a cause is the first thing whose distance changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.geometry import Box, area, box_around, clipped
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.gaps import of_page_gaps
from pytest_design2a11y.visual.differences.joining import extent, grouped
from pytest_design2a11y.visual.scene.places import LEAST_SHIFT, SAME_EDGE, PixelBoxes, in_pixels, least_shift

#: Share of the shorter side by which one thing must overlap another across the flow to lie in its way.
_IN_WAY = 0.3
#: Number of things whose gaps changed alike that make one difference.
_LEAST = 2
#: Number of things in a row whose gaps changed alike, each by too little to be told, that are seen to; px by
#: which these changes may differ.
_LEAST_STEPS, _EVEN = 3, 1.0

Boxes = NDArray[np.float64]


@dataclass(eq=False)
class _Node:
    """A thing that both pages have; its place along each axis may follow that of others."""

    boxes: tuple[Box, Box]
    parent: "_Node | None" = None
    children: "list[_Node]" = field(default_factory=list)
    # By axis: whether its place, and its size, follows from others; the leader that it follows; how its gap
    # to what lies before it changed, px
    follows: list[bool] = field(default_factory=lambda: [False, False])
    is_filled: list[bool] = field(default_factory=lambda: [False, False])
    leaves: bool = False  # Whether it lies outside the box that holds it in the design
    is_wrapped: bool = False  # Whether it is as high as its content
    is_next: bool = False  # Whether the same thing lies before it, down both pages
    leader: "list[_Node | None]" = field(default_factory=lambda: [None, None])
    gap: list[tuple[float, float] | None] = field(default_factory=lambda: [None, None])
    step: float = 0.0  # How its gap changed, px, if too little to be told by itself
    num_steps: int = 0  # Number of such changes in a row, with those of things before it

    def start(self, axis: int, side: int) -> float:
        return self.boxes[side][axis]

    def end(self, axis: int, side: int) -> float:
        return self.boxes[side][axis] + self.boxes[side][axis + 2]

    def grown(self, axis: int) -> float:
        return self.boxes[1][axis + 2] - self.boxes[0][axis + 2]

    def shift(self, axis: int) -> float:
        """How far it moved, px: by the edge or center that moved least."""
        return least_shift(*self.boxes)[axis]


def follow_flow(
    compared: Compared, differences: Sequence[Difference]
) -> tuple[list[Difference], list[Difference]]:
    """Return the differences of things that moved or grew by themselves, and those that follow from others.

    Of a thing that moved by itself along one axis only, that shift alone is kept.
    """
    nodes = _nodes(compared)
    kinds = ("missing", "extra")
    lone = [[one.boxes[side] for one in differences if one.kind == kind] for side, kind in enumerate(kinds)]
    columns = [
        [part.design["box"] for part in one.members if "box" in part.design]
        for one in differences
        if one.property == "column" and one.kind == "missing"
    ]
    for axis in (1, 0):
        _find_filled(nodes, axis, lone)
        _find_followers(nodes, axis, lone)
    for thing in nodes[1:]:  # The other columns of a table share the room of a lost one.
        thing.follows[0] |= any(_is_in_table(thing, column) for column in columns)
    known: dict[PixelBoxes, _Node] = {}
    for thing in nodes:
        known.setdefault(in_pixels(*thing.boxes), thing)
    kept: list[Difference] = []
    caused: list[Difference] = []
    leads: dict[_Node, list[Difference]] = {}
    movers: dict[_Node, int] = {}
    for difference in differences:
        is_single = difference.what != "page" and not difference.members
        node = known.get(in_pixels(*difference.boxes)) if is_single else None
        if node is None:
            kept.append(difference)
        elif difference.kind == "moved" and difference.property == "place":
            own = [axis for axis in (0, 1) if not node.follows[axis] and abs(node.shift(axis)) >= LEAST_SHIFT]
            leaders = [lead for lead in node.leader if lead is not None]
            if own:
                movers[node] = len(kept)
                starts = [node.start(axis, 1) - node.start(axis, 0) for axis in (0, 1)]
                shift = [round(start) if axis in own else 0 for axis, start in enumerate(starts)]
                facts = {"shift": shift, **({"leaves": True} if node.leaves else {})}
                kept.append(replace(difference, candidate={**difference.made, **facts}))
            elif leaders:
                leads.setdefault(leaders[0], []).append(difference)
            else:
                caused.append(difference)
        elif difference.kind == "resized" and difference.property == "size":
            own = [
                axis for axis in (0, 1) if not node.is_filled[axis] and abs(node.grown(axis)) >= LEAST_SHIFT
            ]
            if own:
                kept.append(replace(difference, candidate={**difference.made, "axes": own}))
            else:
                caused.append(difference)
        else:
            kept.append(difference)
    for leader, followers in leads.items():
        if leader in movers:
            at = movers[leader]
            kept[at] = _leading(kept[at], followers)
        else:
            caused += followers
    own_gaps = [(at, node) for node, at in movers.items() if not node.follows[1]]
    gaps = {at: gap for at, node in own_gaps if (gap := node.gap[1]) is not None}
    of_next = {at: gaps[at] for at, node in own_gaps if at in gaps and node.is_next}
    kept = of_page_gaps(compared, kept, of_next) or _with_gaps(kept, gaps)
    lines = (one for one in kept if one.property == "line_height" and one.design.get("is_most"))
    if (of_lines := next(lines, None)) is not None:
        caused += [one for one in kept if _follows_lines(one, of_lines)]
        kept = [one for one in kept if not _follows_lines(one, of_lines)]
    return kept, caused


def _leading(leader: Difference, followers: Sequence[Difference]) -> Difference:
    """Return what moved with all that follows it; what has no name is told by where they all are."""
    members = (leader, *followers)
    if "name" in leader.design:
        return replace(leader, members=members)
    wanted, own = extent(members)
    wanted, own = {**leader.design, **wanted}, {**leader.made, **own}
    return replace(leader, members=members, reference=wanted, candidate=own)


def _nodes(compared: Compared) -> list[_Node]:
    """Return the page and the things that both pages have, each in the smallest box that holds it on both."""
    sizes = [capture.page_size for capture in compared.pages]
    page = _Node(((0.0, 0.0, *sizes[0]), (0.0, 0.0, *sizes[1])))
    boxes = [
        _Node((design.box, made.box)) for design, made in compared.pairs if design.kind in {"box", "picture"}
    ]
    others = [
        _Node((design.box, made.box))
        for design, made in compared.pairs
        if design.kind not in {"box", "picture"}
    ]
    texts = [_Node((design.box, made.box)) for design, made in compared.texts.pairs]
    nodes = [*boxes, *others, *texts]
    if not nodes:
        return []
    edges = [_edges([node.boxes[side] for node in nodes]) for side in (0, 1)]
    holders = [own[: len(boxes)] for own in edges]
    areas = np.array([area(node.boxes[0]) for node in boxes])
    smallest = np.argsort(areas, kind="stable")
    areas, holders = areas[smallest], [own[smallest] for own in holders]
    for at, node in enumerate(nodes):
        node.parent = page
        first = int(np.searchsorted(areas, area(node.boxes[0]), side="right"))
        before, after = (_holders(own[at], outer[first:]) for own, outer in zip(edges, holders, strict=True))
        if (holds := before & after).any():
            node.parent = boxes[smallest[first + int(holds.argmax())]]
        if before.any():
            node.leaves = not after[int(before.argmax())]
        node.parent.children.append(node)
    return [page, *nodes]


def _holders(edges: Boxes, others: Boxes) -> NDArray[np.bool_]:
    """Return which boxes, by their edges, hold another one."""
    starts = np.all(others[:, :2] <= edges[:2] + SAME_EDGE, axis=1)
    return np.asarray(starts & np.all(others[:, 2:] >= edges[2:] - SAME_EDGE, axis=1))


def _edges(boxes: Sequence[Box]) -> Boxes:
    """Return left, top, right, bottom by row."""
    own = np.array(boxes, dtype=np.float64).reshape(-1, 4)
    return np.hstack([own[:, :2], own[:, :2] + own[:, 2:]])


def _find_followers(nodes: Sequence[_Node], axis: int, lone: Sequence[Sequence[Box]]) -> None:
    """Find the things whose place along an axis follows from their box, or from what lies before them."""
    rows = [(side, box) for side in (0, 1) for box in lone[side]]
    for parent in (node for node in nodes if node.children):
        inside = sorted(parent.children, key=lambda node: node.start(axis, 0))
        before, after = (_edges([node.boxes[side] for node in inside]) for side in (0, 1))
        for at, node in enumerate(inside):
            node.follows[axis] = abs(node.shift(axis)) < LEAST_SHIFT or _keeps_distance(node, parent, axis)
            ahead = _ahead(before, at, axis)
            if ahead is None:
                node.follows[axis] = node.follows[axis] or _takes_place(node, axis, lone)
                continue
            other = inside[ahead]
            gaps = tuple(node.start(axis, side) - other.end(axis, side) for side in (0, 1))
            if abs(step := gaps[1] - gaps[0]) < LEAST_SHIFT:
                if axis == 1 and abs(node.shift(0)) < LEAST_SHIFT and abs(step) > SAME_EDGE:
                    is_even = abs(step - other.step) <= _EVEN
                    node.step, node.num_steps = step, 1 + other.num_steps * is_even
                if axis == 1 and node.num_steps >= _LEAST_STEPS and abs(node.shift(1)) >= LEAST_SHIFT:
                    node.gap[axis] = gaps[0], gaps[1]
                elif not node.follows[axis]:
                    node.follows[axis] = True
                    node.leader[axis] = other.leader[axis] or (None if other.follows[axis] else other)
            elif _has_between(node, other, axis, lone):
                node.follows[axis] = True
            elif node.end(axis, 1) > other.start(axis, 1) + SAME_EDGE:  # It still lies behind the other
                node.is_next |= axis == 1 and _ahead(after, at, axis) == ahead
                node.gap[axis] = gaps[0], gaps[1]
        shifts = np.array([node.shift(axis) for node in inside])
        is_still = np.array([node.follows[axis] for node in inside], dtype=np.bool_)
        for at, node in enumerate(inside):
            if not is_still[at]:
                near = is_still & (np.abs(shifts - shifts[at]) < LEAST_SHIFT)
                node.follows[axis] = bool(
                    (near & _is_level(before, at, axis) & _is_level(after, at, axis)).any()
                )
            if axis == 0 and parent.parent is not None:  # What is left of a row shares the room.
                node.follows[axis] |= any(_is_in_row(box, node, parent, side) for side, box in rows)


def _keeps_distance(node: _Node, parent: _Node, axis: int) -> bool:
    """Return whether a thing keeps its distance from an edge or the center of its box.

    Along the page, a box ends where its content does: what keeps its distance from there need not follow it.
    """
    starts = [node.start(axis, side) - parent.start(axis, side) for side in (0, 1)]
    ends = [parent.end(axis, side) - node.end(axis, side) for side in (0, 1)]
    middles = [(start - end) / 2 for start, end in zip(starts, ends, strict=True)]
    kept = (
        [starts, ends, middles] if axis == 0 or not (parent.parent is None or parent.is_wrapped) else [starts]
    )
    return min(abs(after - before) for before, after in kept) < LEAST_SHIFT


def _ahead(edges: Boxes, at: int, axis: int) -> int | None:
    """Return the nearest thing that lies before another in the flow along an axis, in its way."""
    own, others, across = edges[at], edges, 1 - axis
    common = np.minimum(others[:, across + 2], own[across + 2]) - np.maximum(others[:, across], own[across])
    shorter = np.minimum(others[:, across + 2] - others[:, across], own[across + 2] - own[across])
    is_ahead = (others[:, axis + 2] <= own[axis] + SAME_EDGE) & (common >= _IN_WAY * np.maximum(shorter, 1.0))
    is_ahead[at] = False
    if not is_ahead.any():
        return None
    return int(np.where(is_ahead, others[:, axis + 2], -np.inf).argmax())


def _has_between(node: _Node, other: _Node, axis: int, lone: Sequence[Sequence[Box]]) -> bool:
    """Return whether something that only one page has lies between two things there."""
    for side in (0, 1):
        start, end = other.end(axis, side), node.start(axis, side)
        hull = box_around([other.boxes[side], node.boxes[side]])
        for box in lone[side]:
            middle = box[axis] + box[axis + 2] / 2
            if start - SAME_EDGE <= middle <= end + SAME_EDGE and clipped(box, hull):
                return True
    return False


def _is_in_row(box: Box, node: _Node, parent: _Node, side: int) -> bool:
    """Return whether something that only one page has lies in the row of a thing, in its box."""
    (_, top, _, height), own = box, node.boxes[side]
    common = min(top + height, own[1] + own[3]) - max(top, own[1])
    is_level = 2 * common >= max(height, own[3]) and _holds(parent.boxes[side], box)
    return is_level and not any(clipped(child.boxes[side], box) for child in parent.children)


def _is_in_table(node: _Node, column: Sequence[Box]) -> bool:
    """Return whether a thing stands in a row of a column that got lost, and still does."""
    middle = node.start(1, 0) + node.boxes[0][3] / 2
    rows = (abs(top + height / 2 - middle) for _, top, _, height in column)
    return min(rows, default=np.inf) <= SAME_EDGE and abs(node.shift(1)) < LEAST_SHIFT


def _takes_place(node: _Node, axis: int, lone: Sequence[Sequence[Box]]) -> bool:
    """Return whether a thing begins, or ends, where something before or after it does on the other page."""
    across = 1 - axis
    for side in (0, 1):
        own, there = node.boxes[side], node.boxes[1 - side]
        for box in lone[side]:
            common = min(own[across] + own[across + 2], box[across] + box[across + 2])
            common -= max(own[across], box[across])
            if common < _IN_WAY * max(min(own[across + 2], box[across + 2]), 1.0):
                continue
            ends = [each[axis] + each[axis + 2] for each in (box, own, there)]
            is_before = ends[0] <= own[axis] + SAME_EDGE and abs(box[axis] - there[axis]) < LEAST_SHIFT
            is_after = box[axis] >= ends[1] - SAME_EDGE and abs(ends[0] - ends[2]) < LEAST_SHIFT
            if is_before or is_after:
                return True
    return False


def _is_level(edges: Boxes, at: int, axis: int) -> NDArray[np.bool_]:
    """Return which things overlap another along an axis, as in one row."""
    own = edges[at]
    return np.asarray((edges[:, axis] < own[axis + 2]) & (edges[:, axis + 2] > own[axis]))


def _find_filled(nodes: Sequence[_Node], axis: int, lone: Sequence[Sequence[Box]]) -> None:
    """Find the boxes whose size along an axis follows from what is in them, around them, or beside them."""
    for node in nodes[1:]:
        wraps = _wraps(node, axis, lone)
        node.is_wrapped |= axis == 1 and wraps
        is_wide = axis == 0 and _is_stretched(node, axis)
        node.is_filled[axis] = abs(node.grown(axis)) < LEAST_SHIFT or wraps or is_wide
    for node in nodes[1:]:
        if not node.is_filled[axis] and node.parent is not None:
            beside = (other for other in node.parent.children if other.is_filled[axis] and other is not node)
            node.is_filled[axis] = any(_is_as_long(node, other, axis) for other in beside)


def _is_stretched(node: _Node, axis: int) -> bool:
    """Return whether a thing keeps its distance from both edges of the box around it."""
    parent = node.parent
    if parent is None:
        return False
    starts = [node.start(axis, side) - parent.start(axis, side) for side in (0, 1)]
    ends = [parent.end(axis, side) - node.end(axis, side) for side in (0, 1)]
    return max(abs(starts[1] - starts[0]), abs(ends[1] - ends[0])) < LEAST_SHIFT


def _wraps(node: _Node, axis: int, lone: Sequence[Sequence[Box]]) -> bool:
    """Return whether a box keeps its distance from what is in it, at both ends."""
    paddings = []
    for side in (0, 1):
        inside = [child.boxes[side] for child in node.children]
        inside += [box for box in lone[side] if _holds(node.boxes[side], box)]
        if not inside:
            return False
        around = box_around(inside)
        start = around[axis] - node.start(axis, side)
        paddings.append((start, node.end(axis, side) - around[axis] - around[axis + 2]))
    return all(abs(after - before) < LEAST_SHIFT for before, after in zip(*paddings, strict=True))


def _holds(outer: Box, inner: Box) -> bool:
    is_larger = bool(area(inner) < area(outer))
    return is_larger and all(
        outer[at] <= inner[at] + SAME_EDGE
        and outer[at] + outer[at + 2] >= inner[at] + inner[at + 2] - SAME_EDGE
        for at in (0, 1)
    )


def _is_as_long(node: _Node, other: _Node, axis: int) -> bool:
    """Return whether two things begin and end alike along an axis on both pages, like cards in a row."""
    return all(
        abs(node.start(axis, side) - other.start(axis, side)) <= SAME_EDGE
        and abs(node.end(axis, side) - other.end(axis, side)) <= SAME_EDGE
        for side in (0, 1)
    )


def _with_gaps(kept: list[Difference], gaps: Mapping[int, tuple[float, float]]) -> list[Difference]:
    """Return the differences, with those of things whose gaps changed alike as one."""
    causes: list[Difference] = []
    taken = set[int]()
    for group in grouped(gaps, lambda at: round((gaps[at][1] - gaps[at][0]) / LEAST_SHIFT)):
        if len(group) >= _LEAST:
            members = [kept[at] for at in group]
            change = round(median(gaps[at][1] - gaps[at][0] for at in group))
            causes.append(claim("moved", members[0].what, "gap", None, change, *extent(members), members))
            taken |= {*group}
    return [*causes, *(difference for at, difference in enumerate(kept) if at not in taken)]


def _follows_lines(difference: Difference, lines: Difference) -> bool:
    """Return whether something only moved down or up, or became higher or lower, as other line heights do.

    What holds lines grows, or shrinks, by no more than they do.
    """
    made = difference.made
    if difference.what == "page" and difference.property in {"gap", "height"}:
        return _is_by_lines(lines, float(difference.expected or 1), float(difference.actual or 1))
    if difference.property == "gap":
        return True
    if difference.kind == "moved" and difference.property == "place" and "shift" in made:
        return bool(made["shift"][0] == 0)
    is_higher = difference.kind == "resized" and made.get("axes") == [1]
    return bool(is_higher and _is_by_lines(lines, *(box[3] for box in difference.boxes)))


def _is_by_lines(lines: Difference, before: float, after: float) -> bool:
    """Return whether a height changed as that of lines did, and by no more."""
    by_lines = np.log(float(lines.actual or 1) / float(lines.expected or 1))
    own = np.log(max(after, 1.0) / max(before, 1.0))
    return bool(own * by_lines >= 0 and abs(own) <= abs(by_lines))
