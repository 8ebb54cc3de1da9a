"""Which element of a design is which on a generated page: by name, place and look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, area, box_around, clipped
from pytest_design2a11y.visual.assignment import exchanges
from pytest_design2a11y.visual.differences.sides import PICTURES, is_acted_on, is_control, is_plain, name_of
from pytest_design2a11y.visual.differences.text_pairing import UnitMatching, assigned, nearness, unpaired
from pytest_design2a11y.visual.differences.units import CROSSES, Unit
from pytest_design2a11y.visual.elements import ElementMatching

#: Pairs so alike are not paired anew.
_SAME = 0.9999
#: What is paired anew, at most, on a side.
_MOST = 600
#: An element is sought so far (px) from where the texts in it or beside it went.
_REACH = (240.0, 240.0)
#: Likenesses that make a pair: of place, size and look together; of look alone, wherever it is.
_LEAST, _SAME_LOOK = 1.2, 0.9
#: Things with one name whose sizes are so alike are one.
_LIKE_SIZE = 0.5
#: Pictures of one colour are so alike; and those that stand for one another anywhere, in size.
_LIKE_LOOK, _LEAST_ELSEWHERE = 0.7, 0.15
#: So alike are the sizes of pictures that stand for one another near by.
_LIKE_PICTURE = 0.3
#: Colours of which one channel is so much above another one are tints; like ones are so alike.
_LEAST_TINT, _LIKE_TINT = 60, 0.1
#: The darkest channel of a field that is not white.
_MOST_FILL = 232
#: They stand so near to each other, as shares of the page's width and height together, unless their sides
#: are so alike, or both have a tint.
_FARTHEST_PICTURE, _LIKE_SHAPE = 0.45, 0.6
#: Pictures that are no larger (px) may stand for icons.
_LARGEST_ICON = 32
#: The words before a field overlap it by so much (px) at most, and are so near to it.
_LINE, _FARTHEST_CAPTION = 4.0, 240.0
#: So near to its place, what has another name was renamed; names that read alike so much are one; of fields,
#: they may be.
_SAME_SPOT, _SAME_NAME, _LIKE_NAME = 0.8, 0.9, 0.6
#: What the like name of a field adds to a likeness.
_OF_LIKE_NAME = 0.2
_FIELDS, _GAUGES = {"input", "select", "textarea"}, {"progress bar", "meter"}
#: Boxes lie in one place that have so much of what they cover in common.
_ONE_PLACE = 0.5
#: So much of their letters in common makes contents the same, or like ones.
_ONE_CONTENT, _LIKE_CONTENT = 0.7, 0.4
#: Sizes are like ones where neither side (px, at least) is shorter than so much of the other one's.
_LIKE_SIDE, _LEAST_SIDE = 0.35, 8.0
#: Those whose sides are so alike may have any colours.
_SAME_SIDE = 0.9
#: Tags of what is never one thing, such as a picture and a field, whatever it looks like.
_SORTS = (
    PICTURES,
    {"button", "input[type=button]", "input[type=reset]", "input[type=submit]"},
    _FIELDS,
    {"td", "th"},
    {"table", "thead", "tbody", "tfoot", "tr"},
)
_OF_PICTURES = 1  # The first of them.
_KINDS = {
    frozenset(("picture", "icon")): 0.8,
    frozenset(("picture", "box")): 0.6,
    frozenset(("box", "line")): 0.3,
    frozenset(("box", "icon")): 0.4,
}

Table = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ElementPair:
    """An element of the design and its counterpart, by index, if any."""

    reference: int | None
    candidate: int | None
    cost: float  # What the two lack of being alike, as part of all elements


def pair_elements(
    sides: tuple[Sequence[Element], Sequence[Element]],
    labels: tuple[Sequence[str], Sequence[str]],
    matching: ElementMatching,
    texts: UnitMatching,
) -> list[ElementPair]:
    """Return each element of two pages once.

    The matching that scores takes what fits best in sum, so that of a list that lacks an item each stands for
    its neighbour. Here, what is not equal is paired anew: by its name, and by where the texts in it went.
    """
    sides = _as_seen(sides[0]), _as_seen(sides[1])
    captions = [_captions(*side) for side in zip(sides, labels, texts.units, strict=True)]
    costs = [dict(enumerate(weights)) for weights in matching.weights]
    pairs: list[tuple[int, int]] = []
    old: list[tuple[int, int]] = []
    for i, j, likeness in matching.pairs:
        loss = 1.0 - likeness.similarity
        costs[0][i], costs[1][j] = costs[0][i] * loss, costs[1][j] * loss
        is_same = likeness.similarity >= _SAME and _names([labels[0][i]], [labels[1][j]])[0, 0] >= 0
        (pairs if is_same else old).append((i, j))
    rows, columns = unpaired(pairs, sides)
    if len(rows) > _MOST or len(columns) > _MOST:
        pairs += old
    elif rows and columns:
        table = _likenesses(sides, (labels, captions), rows, columns, texts)
        pairs += assigned(table, rows, columns)
    pairs += _elsewhere(sides, pairs, texts.units, captions)
    pairs += _in_row(sides, labels, pairs, texts)
    pairs = _in_place(sides, pairs)
    rows, columns = unpaired(pairs, sides)
    return [
        *(ElementPair(i, j, costs[0][i] + costs[1][j]) for i, j in sorted(pairs)),
        *(ElementPair(i, None, costs[0][i]) for i in rows),
        *(ElementPair(None, j, costs[1][j]) for j in columns),
    ]


def _as_seen(elements: Sequence[Element]) -> list[Element]:
    """Return elements, with fields that look like buttons as such: filled, without a name, beside a field."""
    fields = [one.box for one in elements if _field(one)]

    def is_beside(one: Element) -> bool:
        return any(box != one.box and abs(box[1] - one.box[1]) <= _LINE for box in fields)

    return [
        replace(one, tag="button", role="button") if _is_button_by_look(one) and is_beside(one) else one
        for one in elements
    ]


def _is_button_by_look(element: Element) -> bool:
    has_name = element.label or element.placeholder
    return bool(_field(element) and not has_name and element.has_fill and min(element.fill) <= _MOST_FILL)


def _captions(elements: Sequence[Element], labels: Sequence[str], units: Sequence[Unit]) -> list[str]:
    """Return what fields are called: their names, or the words before them in their line, or above them."""
    runs = [(run.text.strip(), run.boxes[-1]) for unit in units for run in unit.runs if run.text.strip()]
    found = [label if _field(one) else "" for one, label in zip(elements, labels, strict=True)]
    at = [number for number, one in enumerate(elements) if _field(one) and not labels[number]]
    if not runs or not at:
        return found
    ends = np.array([box for _, box in runs], dtype=np.float64)
    fields = np.array([elements[number].box for number in at], dtype=np.float64)[:, None]
    before, above = np.moveaxis(fields[..., :2] - ends[:, :2] - ends[:, 2:], -1, 0)
    middles = fields[..., 1] + fields[..., 3] / 2 - ends[:, 1] - ends[:, 3] / 2
    is_before = (np.abs(middles) <= fields[..., 3] / 2) & (before > -_LINE) & (before <= _FARTHEST_CAPTION)
    is_below = (ends[:, 0] < fields[..., 0] + fields[..., 2]) & (ends[:, 0] + ends[:, 2] > fields[..., 0])
    # What stands before one field is not written above another one.
    is_above = is_below & (np.abs(above) <= fields[..., 3]) & ~is_before.any(axis=0)
    gaps = np.where(is_before, before, np.where(is_above, above, np.inf))
    for number, row in zip(at, gaps, strict=True):
        found[number] = runs[int(row.argmin())][0] if np.isfinite(row).any() else ""
    return found


def _elsewhere(
    sides: tuple[Sequence[Element], Sequence[Element]],
    pairs: Sequence[tuple[int, int]],
    units: Sequence[Sequence[Unit]],
    captions: Sequence[Sequence[str]],
) -> list[tuple[int, int]]:
    """Return more pairs, of what has no counterpart, whatever places and sizes: like pictures, and fields.

    A box of one colour without words stands for a picture of that colour, and it or a button for a field of
    that colour without a name: designs have buttons and search boxes that are fields by their tags.
    """
    left = [
        [at for at in own if _may_be_picture(side[at]) or _field(side[at]) or _is_button(side[at])]
        for side, own in zip(sides, unpaired(pairs, sides), strict=True)
    ]
    if not all(left) or max(map(len, left)) > _MOST:
        return []
    elements = [[side[at] for at in own] for side, own in zip(sides, left, strict=True)]
    boxes = [np.array([one.box for one in side], dtype=np.float64) for side in elements]
    pictures, drawn = (
        [np.array([test(one) for one in side]) for side in elements] for test in (_is_picture, _is_drawn)
    )
    # Words may lie on a picture, and not on a box that stands for one.
    may_be = [
        drawing | ~_have_words(held, own, all_of)
        for drawing, own, held, all_of in zip(pictures, units, boxes, sides, strict=True)
    ]
    ends = [np.array([one.box for one in side]) for side in sides]
    extents = [(one[:, :2] + one[:, 2:]).max(axis=0) for one in ends]
    places = [
        [one[:, :2] / extent, (one[:, :2] + one[:, 2:] / 2) / extent, one[:, :2] / extents[0]]
        for one, extent in zip(boxes, extents, strict=True)
    ]
    apart = np.min(
        [np.abs(one[:, None] - other).sum(axis=2) for one, other in zip(*places, strict=True)], axis=0
    )
    areas = [one[:, 2:].prod(axis=1) for one in boxes]
    size = np.sqrt(np.minimum(areas[0][:, None], areas[1]) / np.maximum(areas[0][:, None], areas[1]))
    look = _looks(*elements)
    fills = [np.array([one.fill for one in side]) for side in elements]
    tinted = [np.ptp(one, axis=1) >= _LEAST_TINT for one in fills]
    is_plain_like = (look >= _LIKE_LOOK) | ((look >= _LIKE_TINT) & tinted[0][:, None] & tinted[1])
    is_like = np.where(drawn[0][:, None] | drawn[1], look >= _SAME_LOOK, is_plain_like)
    is_like &= pictures[0][:, None] | pictures[1]
    is_like &= may_be[0][:, None] & may_be[1] & (drawn[0][:, None] == drawn[1]) & (size >= _LEAST_ELSEWHERE)
    fields = [np.array([_field(one) for one in side], dtype=np.str_) for side in elements]
    names = _names(*([side[at] for at in own] for side, own in zip(captions, left, strict=True)))
    is_anywhere = (tinted[0][:, None] & tinted[1]) | (_sides(boxes[0], boxes[1]).min(axis=2) >= _LIKE_SHAPE)
    is_like &= (apart <= _FARTHEST_PICTURE) | is_anywhere
    is_like |= (fields[0][:, None] != "") & (fields[0][:, None] == fields[1]) & (names >= 0)
    buttons = [np.array([_is_button(one) for one in side]) for side in elements]
    is_filled_field = (buttons[0] & may_be[0]) | [_is_button_by_look(one) for one in elements[0]]
    is_filled_field &= [not captions[0][at] for at in left[0]]
    framed = [np.array([one.has_border for one in side]) for side in elements]
    is_frame = (fields[0] != "")[:, None] & framed[0][:, None] & (framed[1] & may_be[1] & ~pictures[1])
    is_like |= is_frame & (_sides(boxes[0], boxes[1]).min(axis=2) >= _LIKE_SHAPE)
    is_like |= is_filled_field[:, None] & (buttons[1] | may_be[1] & ~drawn[1]) & is_plain_like
    ratios = [one[:, 2] / np.maximum(one[:, 3], 1.0) for one in boxes]
    shape = np.minimum(ratios[0][:, None], ratios[1]) / np.maximum(ratios[0][:, None], ratios[1])
    return [*assigned(np.where(is_like, 3.0 + look + (size + shape) / 2 - apart, 0.0), *left)]


def _in_row(
    sides: tuple[Sequence[Element], Sequence[Element]],
    labels: tuple[Sequence[str], Sequence[str]],
    pairs: Sequence[tuple[int, int]],
    texts: UnitMatching,
) -> Iterator[tuple[int, int]]:
    """Yield more pairs, of icons in one row that have no counterparts: others take other room."""
    rows, columns = (
        [at for at in own if side[at].kind == "icon" or _may_be_icon(side[at], labels[number][at])]
        for number, (side, own) in enumerate(zip(sides, unpaired(pairs, sides), strict=True))
    )
    if not rows or not columns or max(len(rows), len(columns)) > _MOST:
        return
    names = _names([labels[0][i] for i in rows], [labels[1][j] for j in columns])
    boxes = [np.array([side[at].box for at in own]) for side, own in zip(sides, (rows, columns), strict=True)]
    centres = [one[:, :2] + one[:, 2:] / 2 for one in boxes]
    moved = centres[0] + [shift_near(sides[0][i].box, texts.pairs) for i in rows]
    highest = np.maximum(boxes[0][:, None, 3], boxes[1][None, :, 3])
    apart = np.min([np.abs(one[:, None] - centres[1]) for one in (moved, centres[0])], axis=0)
    is_like = (names >= 0) & (apart[..., 0] <= _REACH[0]) & (apart[..., 1] <= highest / 2)
    yield from assigned(np.where(is_like, 2 * _REACH[0] - apart[..., 0], 0.0), rows, columns)


def _in_place(
    sides: tuple[Sequence[Element], Sequence[Element]], pairs: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the pairs, with like boxes whose texts were exchanged paired with what stands in their place."""
    boxes = [
        np.array([side[pair[at]].box for pair in pairs], dtype=np.float64).reshape(-1, 4)
        for at, side in enumerate(sides)
    ]
    for at, other in exchanges(boxes[0], boxes[1]):
        (i, first), (j, second) = pairs[at], pairs[other]
        alike = sides[0][i], sides[0][j]
        is_as_large = max(abs(alike[0].box[at] - alike[1].box[at]) for at in (2, 3)) <= _LINE
        if {one.kind for one in alike} == {"box"} and alike[0].tag == alike[1].tag and is_as_large:
            pairs[at], pairs[other] = (i, second), (j, first)
    return pairs


def _likenesses(
    sides: tuple[Sequence[Element], Sequence[Element]],
    called: tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]],
    rows: Sequence[int],
    columns: Sequence[int],
    texts: UnitMatching,
) -> Table:
    """Return how well each of some elements fits each of others; 0 where they are not the same thing.

    Args:
        sides: All elements of the design, and of the generated page.
        called: Their names, and what is written before them.
        rows: Which of the design's to look at.
        columns: Which of the generated page's.
        texts: The texts of the pages.
    """
    labels, captions = called
    first, second = [sides[0][i] for i in rows], [sides[1][j] for j in columns]
    boxes = [np.array([one.box for one in side], dtype=np.float64).reshape(-1, 4) for side in (first, second)]
    shifts = np.array([shift_near(one.box, texts.pairs) for one in first]).reshape(-1, 2)
    moved = boxes[0].copy()
    moved[:, :2] += shifts
    place = np.maximum(nearness(moved, boxes[1], _REACH), nearness(boxes[0], boxes[1], _REACH) - 0.02)
    size = np.sqrt(_sides(boxes[0], boxes[1]).prod(axis=2))
    kind = np.array([[_kind(one.kind, other.kind) for other in second] for one in first])
    sorts = [np.array([_sort_of(one) for one in side]) for side in (first, second)]
    kind[(sorts[0][:, None] * sorts[1] > 0) & (sorts[0][:, None] != sorts[1])] = 0.0
    frames = [_frames(one) for one in sides]
    kind[frames[0][list(rows)][:, None] != frames[1][list(columns)][None]] = 0.0
    look = _looks(first, second)
    ratios, of_captions = (
        _name_ratios([one[0][i] for i in rows], [one[1][j] for j in columns]) for one in (labels, captions)
    )
    name, written = _speaking(ratios), _speaking(of_captions)
    fields = [np.array([_field(one) for one in side], dtype=np.str_) for side in (first, second)]
    is_like = (np.nan_to_num(ratios) >= _LIKE_NAME) & (fields[0][:, None] == fields[1]) & (fields[1] != "")
    name = np.where(is_like & (name < 0), _OF_LIKE_NAME, np.where(name == 0, 2 * written.clip(0), name))
    roles = np.array([[0.2 * (is_control(one) == is_control(other)) for other in second] for one in first])
    roles += 0.4 * ((sorts[0][:, None] == sorts[1]) & (sorts[1] > 0))
    score = place + 0.6 * size + 0.5 * kind + 0.4 * look + name + roles
    pictures = [np.array([_is_picture(one) for one in side]) for side in (first, second)]
    # What has another name elsewhere is something else.
    is_named_so = (name >= 0) | ((place >= _SAME_SPOT) & ~_lost_texts(boxes, texts.pairs))
    is_here = (place > 0) & (size > 0.15) & (score >= _LEAST + 0.5) & is_named_so
    # A small picture near to a large one stands for that one only in its very place.
    is_here &= (place >= _SAME_SPOT) | (size >= _LIKE_PICTURE) | ~(pictures[0][:, None] | pictures[1])
    is_elsewhere = (size >= 0.95) & (look >= _SAME_LOOK) & (kind == 1) & (name >= 0)
    # What lies over a page, as a banner does, does not stand for what it covers.
    covering = [np.array([one.covers for one in side]) for side in (first, second)]
    is_here &= ~((name < 0) & ~covering[0][:, None] & covering[1])
    # What alone of its kind has a name on each page is the same thing, wherever it is.
    is_alone = _are_single(labels[0])[list(rows)][:, None] & _are_single(labels[1])[list(columns)][None]
    is_elsewhere |= (is_alone | (written > 0)) & (kind == 1) & (name > 0) & (size >= _LIKE_SIZE)
    is_elsewhere |= is_alone & (name > 0) & (sorts[0][:, None] == sorts[1]) & (sorts[1] == _OF_PICTURES)
    are_pictures = pictures[0][:, None] & pictures[1] & (size >= _LIKE_PICTURE)
    down = np.abs(moved[:, None, 1] - boxes[1][None, :, 1])
    score += np.where(are_pictures, 0.5 * (1 - down / _REACH[1]).clip(0), 0.0)
    is_elsewhere |= are_pictures & (name >= 0) & (look >= _SAME_LOOK)
    is_one_name = (name > 0) & (is_alone | (size >= _LIKE_SIZE))
    are_like = _are_like((first, second), (boxes[0], moved, boxes[1]), texts, (is_one_name, look))
    fits: Table = np.where((kind > 0) & (is_here | is_elsewhere) & are_like, score, 0.0)
    return fits


def _are_like(
    sides: tuple[Sequence[Element], Sequence[Element]],
    boxes: tuple[Table, Table, Table],
    texts: UnitMatching,
    likenesses: tuple[NDArray[np.bool_], Table],
) -> NDArray[np.bool_]:
    """Return which elements can be compared; of others, one is missing, and the other one is extra.

    They lie in one place, or have one name, or the same words in them, or are fields of one kind, or they are
    of like sizes and colours, with like words or none in both. A picture is compared with a box only if the
    words are like ones, too, in one place, or with one name and like sizes. One of a single colour is a box.

    Args:
        sides: Elements of the design, and of the generated page.
        boxes: Where the design's lie, where they lie if they moved as their texts did, and where others lie.
        texts: The texts of the pages.
        likenesses: Which have one name, and how alike their looks are, above 0 for like colours.
    """
    wanted, moved, own = boxes
    is_one_name, look = likenesses
    pictures, drawn = (
        [np.array([test(one) for one in side], dtype=np.bool_) for side in sides]
        for test in (_is_picture_or_icon, _is_drawn)
    )
    are_pictures = pictures[0][:, None] & pictures[1][None]
    is_one_place = np.maximum(_overlap(wanted, own), _overlap(moved, own)) >= _ONE_PLACE
    is_one_place |= are_pictures & (_reaches(wanted, own) | _reaches(moved, own))
    ratios = _sides(wanted, own, _LEAST_SIDE)
    is_like_size = (ratios.prod(axis=2) >= _LIKE_SIZE**2) & (ratios.min(axis=2) >= _LIKE_SIDE)
    is_like_look = (look > 0) | (ratios.min(axis=2) >= _SAME_SIDE)
    is_one_text, is_like_text = _have_like_texts((wanted, own), texts)
    corners = [np.abs(one[:, None, :2] - own[None, :, :2]).max(axis=2) <= _LINE for one in (wanted, moved)]
    is_one_place |= (corners[0] | corners[1]) & (look >= _SAME_LOOK) & is_like_text
    fields = [np.array([_field(one) for one in side], dtype=np.str_) for side in sides]
    is_one_field = (fields[0][:, None] != "") & (fields[0][:, None] == fields[1][None])
    like: NDArray[np.bool_] = np.where(
        are_pictures | (drawn[0][:, None] == drawn[1][None]),
        is_one_place
        | is_one_name
        | is_one_text
        | is_one_field
        | (is_like_text & is_like_size & is_like_look),
        is_like_text & (is_one_place | (is_one_name & is_like_size)),
    )
    return like


def _have_like_texts(
    boxes: tuple[Table, Table], texts: UnitMatching
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which boxes have the same words in them, and which have some of them, or none on either page."""
    paired = [[pair[side] for pair in texts.pairs] for side in (0, 1)]
    parts = [_parts_inside(own, held) for own, held in zip(paired, boxes, strict=True)]
    first, second = (
        _letters(own) @ _parts_inside(own, held) for own, held in zip(texts.units, boxes, strict=True)
    )
    shared = _letters(paired[0]) * [one.reads_as(other) for one, other in texts.pairs]
    common = (parts[0] * shared[:, None]).T @ parts[1]
    most = np.maximum(first[:, None], second[None])
    return (most > 0) & (common >= _ONE_CONTENT * most), common >= _LIKE_CONTENT * most


def _letters(units: Sequence[Unit]) -> Table:
    return np.array([len(one.key) for one in units], dtype=np.float64)


def _parts_inside(units: Sequence[Unit], boxes: Table) -> Table:
    """Return how much of each text lies in each box, 0..1: of cells in one row, each holds its own part."""
    parts = [
        _inside([box_around(run.boxes) for run in unit.runs], boxes).T
        @ np.array([len(run.text) / sum(len(one.text) for one in unit.runs) for run in unit.runs])
        for unit in units
    ]
    return np.array(parts, dtype=np.float64).reshape(-1, len(boxes))


def _reaches(first: Table, second: Table) -> NDArray[np.bool_]:
    """Return which centres are apart by half of the longer side at most, along each axis."""
    centres = [one[:, :2] + one[:, 2:] / 2 for one in (first, second)]
    most = np.maximum(first[:, None, 2:], second[None, :, 2:]) / 2
    reaches: NDArray[np.bool_] = np.all(np.abs(centres[0][:, None] - centres[1][None]) <= most, axis=2)
    return reaches


def _sides(first: Table, second: Table, least: float = 1.0) -> Table:
    """Return how alike the widths, and the heights, of boxes are, 0..1; all are `least` px long at least."""
    lengths = np.maximum(first[:, None, 2:], least), np.maximum(second[None, :, 2:], least)
    ratios: Table = np.minimum(*lengths) / np.maximum(*lengths)
    return ratios


def _overlap(first: Table, second: Table) -> Table:
    """Return what boxes have in common, as a share of all that either covers."""
    ends = [one[:, :2] + one[:, 2:] for one in (first, second)]
    shared = np.minimum(ends[0][:, None], ends[1][None]) - np.maximum(first[:, None, :2], second[None, :, :2])
    common = shared.clip(0).prod(axis=2)
    areas = [one[:, 2:].prod(axis=1) for one in (first, second)]
    shares: Table = common / np.maximum(areas[0][:, None] + areas[1][None] - common, 1e-9)
    return shares


def shift_near(box: Box, texts: Sequence[tuple[Unit, Unit]]) -> tuple[float, float]:
    """Return how far the texts in a box moved, px; of the nearest one if it has none."""
    if not texts:
        return 0.0, 0.0
    before = np.array([one.box for one, _ in texts])
    shifts = np.array([other.box for _, other in texts])[:, :2] - before[:, :2]
    centres = before[:, :2] + before[:, 2:] / 2
    is_in = ((centres >= box[:2]) & (centres <= (box[0] + box[2], box[1] + box[3]))).all(axis=1)
    if is_in.any():
        across, down = np.median(shifts[is_in], axis=0).tolist()
        return across, down
    apart = np.abs(centres - (box[0] + box[2] / 2, box[1] + box[3] / 2))
    across, down = shifts[(apart[:, 0] / 3 + apart[:, 1]).argmin()].tolist()
    return across, down


def _kind(first: str, second: str) -> float:
    return 1.0 if first == second else _KINDS.get(frozenset((first, second)), 0.0)


def _sort_of(element: Element) -> int:
    """Return which of `_SORTS` an element is of, from 1 on; 0 of none."""
    tags = {element.tag, _bare(element)}
    return next((at for at, sort in enumerate(_SORTS, 1) if tags & sort), 0)


def _field(element: Element) -> str:
    """Return what something is called that has a value, and any size; "" for anything else."""
    name = name_of(element)
    has_value = name in _GAUGES or (_bare(element) in _FIELDS and name != "button")
    return name if has_value else ""


def _bare(element: Element) -> str:
    return element.tag.partition("[")[0]


def _is_picture(element: Element) -> bool:
    return element.kind == "picture" or (element.kind == "box" and element.tag in PICTURES)


def _may_be_picture(element: Element) -> bool:
    """Return whether an element is a picture, or a box in place of one."""
    return _is_picture(element) or (element.kind == "box" and not is_acted_on(element))


def _may_be_icon(element: Element, label: str) -> bool:
    """Return whether an element is a small picture, or a small box without words."""
    is_drawn = _is_picture(element) or (element.kind == "box" and not label)
    return is_drawn and max(element.box[2:]) <= _LARGEST_ICON


def _frames(elements: Sequence[Element]) -> NDArray[np.bool_]:
    """Return which elements are boxes that show nothing but a picture in them, by its colour."""
    found = np.zeros(len(elements), dtype=np.bool_)
    pictures = [one for one in elements if one.tag in PICTURES and one.kind == "box"]
    for at, one in enumerate(elements):
        if one.kind == "box" and one.tag not in PICTURES and not is_control(one):
            common = [clipped(one.box, other.box) for other in pictures if other.fill == one.fill]
            found[at] = any(area(box) >= area(one.box) / 2 for box in common if box)
    return found


def _is_button(element: Element) -> bool:
    return element.kind == "box" and name_of(element) == "button"


def _is_picture_or_icon(element: Element) -> bool:
    return element.kind == "icon" or _is_picture(element)


def _is_drawn(element: Element) -> bool:
    """Return whether an element is a picture or icon that is more than a box of one colour."""
    return element.kind in {"picture", "icon"} and not is_plain(element)


def _are_single(labels: Sequence[str]) -> NDArray[np.bool_]:
    """Return of which elements no other one of the page has the name."""
    counts = Counter(label.lower() for label in labels)
    return np.array([bool(label) and counts[label.lower()] == 1 for label in labels], dtype=np.bool_)


def _names(first: Sequence[str], second: Sequence[str]) -> Table:
    """Return what names speak for or against two things being one; 0 where one of them has none."""
    return _speaking(_name_ratios(first, second))


def _speaking(ratios: Table) -> Table:
    fits = np.where(ratios >= _SAME_NAME, 0.8 * ratios, -0.4)
    names: Table = np.where(np.isnan(ratios), 0.0, fits)
    return names


def _name_ratios(first: Sequence[str], second: Sequence[str]) -> Table:
    """Return how alike names read, 0..1; NaN where one of two things has none."""
    sides = [[name.lower().translate(CROSSES) for name in side] for side in (first, second)]
    ratios: Table = cdist(*sides, scorer=Indel.normalized_similarity, dtype=np.float64)
    are_named = [np.array([bool(name) for name in side], dtype=np.bool_) for side in sides]
    ratios[~(are_named[0][:, None] & are_named[1][None])] = np.nan
    return ratios


def _lost_texts(boxes: Sequence[Table], texts: Sequence[tuple[Unit, Unit]]) -> NDArray[np.bool_]:
    """Return of which elements a text stands on the other page, and outside each of its elements."""
    pairs = [pair for pair in texts if pair[0].key == pair[1].key]
    inside = [_inside([pair[side].box for pair in pairs], own) for side, own in enumerate(boxes)]
    lost: NDArray[np.bool_] = inside[0].T @ (1 - inside[1]) > 0
    return lost


def _inside(inner: Sequence[Box], boxes: Table) -> Table:
    """Return 1 where the centre of a box lies in another one, and 0 elsewhere."""
    places = np.array(inner, dtype=np.float64).reshape(-1, 4)
    centres = places[:, None, :2] + places[:, None, 2:] / 2
    is_in = (centres >= boxes[None, :, :2]) & (centres <= boxes[None, :, :2] + boxes[None, :, 2:])
    inside: Table = np.all(is_in, axis=2).astype(np.float64)
    return inside


def _have_words(boxes: Table, units: Sequence[Unit], elements: Sequence[Element]) -> NDArray[np.bool_]:
    """Return on which boxes texts lie that are not those of something across their edges."""
    centres = [unit.box for unit in units]
    others = np.array([one.box for one in elements if one.has_fill], dtype=np.float64).reshape(-1, 4)
    # Left and top count down, so that all four ends of what is around something are larger.
    first, second = (np.hstack([-one[:, :2], one[:, :2] + one[:, 2:]]) for one in (others, boxes))
    apart = first[:, None] - second[None]
    is_across = np.asarray(~(np.all(apart >= 0, axis=2) | np.all(apart <= 0, axis=2)), dtype=np.float64)
    is_theirs = _inside(centres, others) @ is_across > 0
    have: NDArray[np.bool_] = np.any((_inside(centres, boxes) > 0) & ~is_theirs, axis=0)
    return have


def _looks(first: Sequence[Element], second: Sequence[Element]) -> Table:
    """Return how alike colours are, 0..1, cell by cell where both are pictures."""
    fills = [
        np.array([one.fill for one in side], dtype=np.float64).reshape(-1, 3) for side in (first, second)
    ]
    apart = np.abs(fills[0][:, None] - fills[1][None]).mean(axis=2)
    pictured = [[at for at, one in enumerate(side) if one.thumbnail] for side in (first, second)]
    if all(pictured):
        cells = [
            np.array([side[at].thumbnail for at in own], dtype=np.float64)
            for side, own in zip((first, second), pictured, strict=True)
        ]
        apart[np.ix_(*pictured)] = np.abs(cells[0][:, None] - cells[1][None]).mean(axis=(2, 3))
    alike: Table = np.maximum(0.0, 1.0 - apart / 64.0)
    return alike
