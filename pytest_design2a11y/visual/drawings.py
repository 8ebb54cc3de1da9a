"""Two drawings of one thing, part by part: layout tells which parts there are, pixels whether they differ."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy  # Loads its parts on first use
from numpy.typing import NDArray

from pytest_design2a11y.models.colors import ciede2000, color_difference, lab_from_srgb, largest_channel
from pytest_design2a11y.models.elements import Part
from pytest_design2a11y.models.geometry import Box, Color, box_around
from pytest_design2a11y.visual.poses import LEAST_OF_PART, Pose, pose_of

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]

ChangeKind = Literal["missing", "extra", "moved", "resized", "recolored", "posed", "reshaped"]

#: px; parts whose edges are this near to each other have one place and size; one that lies farther moved.
_SAME_EDGE, _LEAST_SHIFT = 1.5, 3.0
#: CIEDE2000; colors that differ by less are one color.
_SAME_COLOR = 5.0
#: CIEDE2000; colors that differ by more have nothing in common.
_FARTHEST = 50.0
#: Levels of 255 by which the pixels of a part, and of a part too thin to have its color, may differ from it.
_OWN, _OWN_THIN = 24, 110
#: px; a straight line is no thicker. Share of its pixels that have its color, unless it is thinner.
_THIN, _MOST_OF_LINE = 3.0, 0.5
#: Share of a part's pixels that differ if it differs; if it is not there; and if it differs at an end only.
_DIFFERS, _GONE, _AT_END = 0.25, 0.5, 0.02
#: px on each side by which a stroke may be thicker.
_THICKER = 2
#: Least likeness of two parts that are one; px over which nearness falls, as a share of the drawing's size.
#: And the likeness of two of one kind, place and size, whatever their colors.
_LEAST_LIKENESS, _NEAR, _IN_PLACE = 0.3, 0.25, 0.97
#: Share of an element's parts that differ if it differs as a whole; a larger share of all is the drawing.
_MOST_OF_GROUP, _WHOLE = 0.6, 0.8


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing on one page."""

    box: Box  # px of the page
    parts: Sequence[Part]
    pixels: Pixels  # Of its box, shape (height, width, 3)

    def place(self, part: Part) -> tuple[slice, slice]:
        """Return the rows and columns of its pixels in which a part lies."""
        left, top = part.box[0] - self.box[0], part.box[1] - self.box[1]
        bottom, right = np.ceil((top + part.box[3], left + part.box[2])).astype(int).tolist()
        rows = slice(max(0, int(top)), max(1, bottom))
        return rows, slice(max(0, int(left)), max(1, right))

    def ink(self, part: Part) -> Mask:
        """Return where in its place a part has its color, as far as it is not too thin to have it."""
        shown = self.pixels[self.place(part)].astype(np.int16)
        apart = largest_channel(np.abs(shown - np.array(part.color, dtype=np.int16)))
        inked: Mask = apart <= _OWN
        # Where lines cross, a line that is thinner than a pixel may have its color.
        is_seen = inked.mean() >= _MOST_OF_LINE if min(part.box[2:]) <= _THIN else inked.any()
        return inked if is_seen else apart <= _OWN_THIN


@dataclass(frozen=True, slots=True)
class PartChange:
    """How one part, or several that stand together, differ."""

    kind: ChangeKind
    design: tuple[Part, ...]  # Empty if they are extra
    made: tuple[Part, ...]  # Empty if they are missing
    pose: Pose | None = None  # In what way they are turned or mirrored, if "posed"
    length: float = 1.0  # Of what shows of a part in its place, as a multiple of the design's
    weight: float = 1.0  # Of its stroke, likewise, if it is as long as in the design

    @property
    def boxes(self) -> tuple[Box | None, Box | None]:
        """The box around them in each drawing, px of its page; None where they are not."""
        first, second = (box_around([part.box for part in side]) if side else None for side in self.parts)
        return first, second

    @property
    def parts(self) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """The parts in the design and in the generated page."""
        return self.design, self.made


def part_changes(design: Drawing, made: Drawing, differing: Mask) -> list[PartChange]:
    """Return how the parts of two drawings of one size differ.

    Parts that lie in the same places in the same colors are the same, however the markup names them; others
    are paired by likeness. Nothing is returned where the pixels do not differ.

    Args:
        design: The design's drawing.
        made: The generated page's.
        differing: Where their pixels differ, laid over each other, without what lies over them.
    """
    drawings = design, made
    lost = [[_lost(drawing, part, differing) for part in drawing.parts] for drawing in drawings]
    if not any(map(any, lost)):
        return []
    same = _in_place(design, made)
    rest = [
        [at for at in range(len(drawing.parts)) if at not in {pair[side] for pair in same}]
        for side, drawing in enumerate(drawings)
    ]
    pairs = _paired(design, made, rest)
    changes = [
        PartChange(_change(design, made, i, j), (design.parts[i],), (made.parts[j],))
        for i, j in pairs
        if max(lost[0][i], lost[1][j]) >= _AT_END
    ]
    alone = [[at for at in rest[side] if at not in {pair[side] for pair in pairs}] for side in (0, 1)]
    changes += [PartChange("missing", (design.parts[i],), ()) for i in alone[0] if lost[0][i] >= _GONE]
    changes += [PartChange("extra", (), (made.parts[j],)) for j in alone[1] if lost[1][j] >= _GONE]
    left = _unexplained(drawings, changes, differing)
    for i, j in same:
        if max(_lost(design, design.parts[i], left), _lost(made, made.parts[j], left)) >= _DIFFERS:
            kind: ChangeKind = "recolored" if _is_shaded(drawings, (i, j)) else "reshaped"
            parts = (design.parts[i],), (made.parts[j],)
            changes.append(PartChange(kind, *parts, None, *_stroke(drawings, (i, j))))
    return [change for group in _grouped(drawings, changes) for change in _told(drawings, group)]


def _unexplained(drawings: Sequence[Drawing], changes: Iterable[PartChange], differing: Mask) -> Mask:
    """Return where drawings differ, without the places of parts that differ: they cover others."""
    left = differing.copy()
    for change in changes:
        for drawing, parts in zip(drawings, change.parts, strict=True):
            for part in parts:
                left[drawing.place(part)] = False
    return left


def _lost(drawing: Drawing, part: Part, differing: Mask) -> float:
    """Return the share of a part's pixels that differ, 0..1."""
    there = differing[drawing.place(part)]
    if not there.any():
        return 0.0
    ink = drawing.ink(part)[: there.shape[0], : there.shape[1]]
    return float(there[: ink.shape[0], : ink.shape[1]][ink].mean()) if ink.any() else 0.0


def _is_shaded(drawings: Sequence[Drawing], pair: Sequence[int]) -> bool:
    """Return whether a part has another color wherever it had its own, so that it kept its shape."""
    parts = [drawing.parts[at] for drawing, at in zip(drawings, pair, strict=True)]
    first, second = (drawing.ink(part) for drawing, part in zip(drawings, parts, strict=True))
    is_one_size = parts[0].color != parts[1].color and first.shape == second.shape
    return is_one_size and bool(first.any() and second[first].mean() >= 1 - _AT_END)


def _stroke(drawings: Sequence[Drawing], pair: Sequence[int]) -> tuple[float, float]:
    """Return length and weight of a part in its place in the second drawing, as multiples of the first.

    If each shows near all of the other, its weight is another one, else its length. Of a thin line, which is
    paler where it is thinner, the layout tells the weight.
    """
    thickness = [min(drawing.parts[at].box[2:]) for drawing, at in zip(drawings, pair, strict=True)]
    inks = [drawing.ink(drawing.parts[at]) for drawing, at in zip(drawings, pair, strict=True)]
    ratio = int(inks[1].sum()) / max(int(inks[0].sum()), 1)
    height, width = np.minimum(*(ink.shape for ink in inks)).tolist()
    first, second = (ink[:height, :width] for ink in inks)
    far = [
        ink & ~scipy.ndimage.binary_dilation(other, iterations=_THICKER)
        for ink, other in ((first, second), (second, first))
    ]
    is_along = all(lone.sum() <= _AT_END * ink.sum() for lone, ink in zip(far, (first, second), strict=True))
    if is_along and min(thickness) > 0 and max(thickness) <= _THIN:
        ratio = thickness[1] / thickness[0]
    return (1.0, ratio) if is_along else (ratio, 1.0)


def _offset(part: Part, drawing: Drawing) -> NDArray[np.float64]:
    """Return left, top, right, bottom of a part within its drawing, px."""
    left, top, width, height = part.box
    x, y = left - drawing.box[0], top - drawing.box[1]
    return np.array([x, y, x + width, y + height])


def _in_place(design: Drawing, made: Drawing) -> list[tuple[int, int]]:
    """Return parts that have the same place, size and color in both, by their indices."""
    pairs, taken = [], set[int]()
    offsets = np.array([_offset(part, made) for part in made.parts]).reshape(-1, 4)
    for i, part in enumerate(design.parts):
        near = np.abs(offsets - _offset(part, design)).max(axis=1) <= _SAME_EDGE
        for j in np.flatnonzero(near).tolist():
            if j not in taken and color_difference(part.color, made.parts[j].color) < _SAME_COLOR:
                pairs.append((i, j))
                taken.add(j)
                break
    return pairs


def _paired(design: Drawing, made: Drawing, rest: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return the best pairs of the parts that are left, by likeness in kind, color, size and place."""
    if not all(rest):
        return []
    sides = [[drawing.parts[at] for at in left] for drawing, left in zip((design, made), rest, strict=True)]
    first, second = (
        np.array([_offset(part, drawing) for part in side])
        for side, drawing in zip(sides, (design, made), strict=True)
    )
    kinds = np.array([[1.0 if a.kind == b.kind else 0.5 for b in sides[1]] for a in sides[0]])
    labs = [lab_from_srgb(np.array([part.color for part in side])) for side in sides]
    colors = 1.0 - np.minimum(ciede2000(labs[0][:, None], labs[1][None]) / _FARTHEST, 1.0)
    lengths = [np.maximum(side[:, 2:] - side[:, :2], 1.0) for side in (first, second)]
    ratios = np.minimum(lengths[0][:, None] / lengths[1], lengths[1] / lengths[0][:, None]).min(axis=2)
    edges = first[:, None] - second[None]
    middles = (edges[..., :2] + edges[..., 2:]) / 2
    # Along each axis the edge or the middle that moved least: a bar that has grown stands where it stood.
    shifts = np.abs([edges[..., :2], middles, edges[..., 2:]]).min(axis=0).sum(axis=2)
    near = np.exp(-shifts / (_NEAR * max(design.box[2:])))
    likeness = kinds * (0.4 + 0.6 * colors) * (0.3 + 0.7 * ratios) * near
    is_in_place = (np.abs(edges).max(axis=2) <= _SAME_EDGE) & (kinds == 1.0)
    is_alike = np.abs(lengths[0][:, None] - lengths[1]).max(axis=2) <= _SAME_EDGE
    is_alike &= (kinds == 1.0) & (colors > 1.0 - _SAME_COLOR / _FARTHEST)
    # What looks like one part only, and that like no other, is it, however far it went.
    is_only = is_alike & (is_alike.sum(axis=0) == 1) & (is_alike.sum(axis=1) == 1)[:, None]
    likeness = np.where(is_in_place | is_only, np.maximum(likeness, _IN_PLACE), likeness)
    chosen = zip(*scipy.optimize.linear_sum_assignment(likeness, maximize=True), strict=True)
    return [(rest[0][i], rest[1][j]) for i, j in chosen if likeness[i, j] >= _LEAST_LIKENESS]


def _change(design: Drawing, made: Drawing, i: int, j: int) -> ChangeKind:
    """Return in what way two parts differ most: their size, their place, their color or their form."""
    first, second = design.parts[i], made.parts[j]
    edges = _offset(second, made) - _offset(first, design)
    grown = np.abs(edges[2:] - edges[:2]).max()
    if grown >= _LEAST_SHIFT:
        return "resized"
    if np.abs(edges).max() >= _LEAST_SHIFT:
        return "moved"
    return "recolored" if first.color != second.color else "reshaped"


def _grouped(drawings: Sequence[Drawing], changes: Iterable[PartChange]) -> Iterator[list[PartChange]]:
    """Yield the changes that concern most of one element of a drawing together, and all others one by one."""
    by_group: dict[tuple[int, ...], list[PartChange]] = {}
    for change in changes:
        key = tuple(side[0].group if side else -1 for side in change.parts)
        by_group.setdefault(key, []).append(change)
    sizes = [Counter(part.group for part in drawing.parts) for drawing in drawings]
    for key, members in by_group.items():
        of = [
            (size[group], len(drawing.parts))
            for group, size, drawing in zip(key, sizes, drawings, strict=True)
            if group >= 0
        ]
        is_group = len(members) > 1 and all(
            len(members) >= _MOST_OF_GROUP * number and number < _WHOLE * whole for number, whole in of
        )
        yield from [members] if is_group else ([change] for change in members)


def _told(drawings: Sequence[Drawing], changes: Sequence[PartChange]) -> Iterator[PartChange]:
    """Yield changes of one element as one, if they are one; and what was turned or mirrored as that."""
    design, made = (tuple(part for change in changes for part in change.parts[side]) for side in (0, 1))
    kinds = {change.kind for change in changes}
    if design and made and kinds & {"reshaped", "moved", "resized"}:
        first, second = (_crop(each, parts) for each, parts in zip(drawings, (design, made), strict=True))
        if pose := pose_of(first, second, LEAST_OF_PART):
            yield PartChange("posed", design, made, pose)
            return
    if len(changes) > 1 and len(kinds) == 1 and (kinds <= {"missing", "extra"} or _move_together(changes)):
        yield PartChange(changes[0].kind, design, made)
    else:
        yield from changes


def _move_together(changes: Iterable[PartChange]) -> bool:
    shifts = [
        np.subtract(change.made[0].box[:2], change.design[0].box[:2])
        for change in changes
        if change.kind == "moved"
    ]
    return bool(shifts) and float(np.ptp(shifts, axis=0).max()) < _LEAST_SHIFT


def _crop(drawing: Drawing, parts: Sequence[Part]) -> Pixels:
    """Return the pixels of some parts."""
    box = box_around([part.box for part in parts])
    return drawing.pixels[drawing.place(Part("shape", box, (0, 0, 0), 0))]


def exchanged_colors(changes: Sequence[PartChange]) -> list[tuple[PartChange, PartChange]]:
    """Return pairs of recolored parts that have each other's color, such as two keys of a legend."""
    crossed: list[tuple[PartChange, PartChange]] = []
    rest = [change for change in changes if change.kind == "recolored"]
    while rest:
        first = rest.pop(0)
        other = next((change for change in rest if _are_crossed(_colors(first), _colors(change))), None)
        if other is not None:
            rest.remove(other)
            crossed.append((first, other))
    return crossed


def _colors(change: PartChange) -> tuple[Color, Color]:
    return change.design[0].color, change.made[0].color


def _are_crossed(first: tuple[Color, Color], second: tuple[Color, Color]) -> bool:
    ends = zip(first, reversed(second), strict=True)
    return color_difference(*first) >= _SAME_COLOR and all(
        color_difference(one, other) < _SAME_COLOR for one, other in ends
    )
