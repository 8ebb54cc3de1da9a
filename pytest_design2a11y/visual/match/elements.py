"""Match elements of a design with those of a generated page: by name, place and look."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, box_around, hex_color
from pytest_design2a11y.visual.assignment import (
    Indices,
    assign,
    assigned,
    boxes_of,
    exchanges,
    nearness,
    unpaired,
)
from pytest_design2a11y.visual.match.tables import (
    Table,
    are_single,
    color_likenesses,
    compare_names,
    have_like_texts,
    have_words,
    lost_texts,
    overlaps,
    reaches,
    shift_near,
    side_ratios,
)
from pytest_design2a11y.visual.match.texts import UnitMatching
from pytest_design2a11y.visual.scene.element_facts import (
    PICTURES,
    is_acted_on,
    is_control,
    is_plain,
    name_of,
)
from pytest_design2a11y.visual.scene.units import Unit

#: Most elements per side that are paired regardless of place.
_MOST = 600
#: px; how far to look for an element from where the texts in it or beside it moved to.
_REACH = (240.0, 240.0)
#: Scores that make a pair: of place, size and look together; of look alone, anywhere.
_LEAST, _SAME_LOOK = 1.2, 0.9
#: Things of the same name are the same if their sizes are this similar.
_LIKE_SIZE = 0.5
#: Least similarity of single-color pictures, and of the sizes of pictures paired anywhere.
_LIKE_LOOK, _LEAST_ELSEWHERE = 0.7, 0.15
#: Least similarity in size of pictures paired nearby.
_LIKE_PICTURE = 0.3
#: Least range of a color's channels that makes it a tint; least similarity of tints.
_LEAST_TINT, _LIKE_TINT = 60, 0.1
#: Greatest value of the darkest channel of a field that is not white.
_MOST_FILL = 232
#: Pictures paired anywhere are this near, as shares of the page's width and height together, unless their
#: sides are this similar, or both have a tint.
_FARTHEST_PICTURE, _LIKE_SHAPE = 0.45, 0.6
#: px; pictures up to this size may correspond to icons.
_LARGEST_ICON = 32
#: Greatest overlap (px) of a field with the words before it, and their greatest distance.
_LINE, _FARTHEST_CAPTION = 4.0, 240.0
#: Nearness at which another name means renaming; similarity of names that makes fields maybe the same.
_SAME_SPOT, _LIKE_NAME = 0.8, 0.6
#: Bonus for a field with a similar name.
_OF_LIKE_NAME = 0.2
_FIELDS, _GAUGES = {"input", "select", "textarea"}, {"progress bar", "meter"}
#: Boxes with this share in common are in the same place.
_ONE_PLACE = 0.5
#: Edges of a box that stay where they were, and the bonus for that.
_KEPT, _OF_EDGES = 3, 0.4
#: Sizes are similar if each side is at least this share of the other's; sides count as at least this many px.
_LIKE_SIDE, _LEAST_SIDE = 0.35, 8.0
#: Boxes with sides this similar may have any colors.
_SAME_SIDE = 0.9
#: Bands that begin or end both pages are the same if their colors are this similar.
_LIKE_BAND = 0.5
_CELLS = {"td", "th"}
#: Groups of tags: elements of different groups are never the same, whatever they look like.
_SORTS = (
    PICTURES,
    {"button", "input[type=button]", "input[type=reset]", "input[type=submit]"},
    _FIELDS,
    _CELLS,
    {"table", "thead", "tbody", "tfoot", "tr"},
)
_OF_PICTURES = 1  # Number of the first group
_KINDS = {
    frozenset(("picture", "icon")): 0.8,
    frozenset(("picture", "box")): 0.6,
    frozenset(("box", "line")): 0.3,
    frozenset(("box", "icon")): 0.4,
}

# All that is seen of an element but its place.
_LOOK = attrgetter("kind", "tag", "fill", "has_fill", "has_border", "has_shadow", "thumbnail", "texture")

#: Elements of the design and of the generated page, and their names.
_Elements = tuple[Sequence[Element], Sequence[Element]]
_Names = tuple[Sequence[str], Sequence[str]]
_Pairs = list[tuple[int, int]]


def pair_elements(elements: _Elements, labels: _Names, texts: UnitMatching, time_limit: TimeLimit) -> _Pairs:
    """Return the pairs of elements of two pages, by their indices, sorted.

    What looks the same in the same place is the same; the rest is paired by name, and by place and look where
    its texts moved to.

    Raises:
        MeasurementTimeout: The time limit was reached.
    """
    reference, candidate = (_captions(*side) for side in zip(elements, labels, texts.units, strict=True))
    captions = reference, candidate
    pairs = [*_unchanged(elements, labels, texts)]
    left = unpaired(pairs, elements)
    if all(left):

        def likenesses(rows: Indices, columns: Indices) -> Table:
            ids = [left[0][at] for at in rows], [left[1][at] for at in columns]
            return _likenesses(elements, (labels, captions), *ids, texts)

        weights = np.ones(len(left[0])), np.ones(len(left[1]))
        tops = [np.array([side[at].box[1] for at in ids]) for side, ids in zip(elements, left, strict=True)]
        matched = assign(weights, (tops[0], tops[1]), likenesses, time_limit)
        pairs += [(left[0][i], left[1][j]) for i, j in matched]
    pairs += _elsewhere(elements, captions, pairs, texts)
    pairs += _in_row(elements, labels, pairs, texts)
    pairs += _cut_off(elements, pairs)
    pairs += _bands(elements, labels, pairs, texts)
    return sorted(_in_order(elements, _in_place(elements, pairs)))


def _in_order(elements: _Elements, pairs: _Pairs) -> _Pairs:
    """Return the pairs, with pictures of one color that have other sizes now paired in their order.

    They look alike, so that nothing but their order tells which is which.
    """
    alike: dict[object, list[tuple[int, int]]] = {}
    for i, j in pairs:
        both = elements[0][i], elements[1][j]
        is_resized = any(abs(both[0].box[at] - both[1].box[at]) > _LINE for at in (2, 3))
        if is_resized and all(one.tag in PICTURES and is_plain(one) for one in both):
            alike.setdefault((both[0].fill, both[1].fill), []).append((i, j))
    orders = [
        [
            sorted(ids, key=lambda at: side[at].box[1::-1])
            for side, ids in zip(elements, zip(*group, strict=True), strict=True)
        ]
        for group in alike.values()
    ]
    return [
        *({*pairs}.difference(*alike.values())),
        *chain.from_iterable(zip(*order, strict=True) for order in orders),
    ]


def _cut_off(elements: _Elements, pairs: _Pairs) -> _Pairs:
    """Return pairs of what is left of things that something cuts off, in their place."""
    reference, candidate = unpaired(pairs, elements)
    cut = {tuple(map(round, whole)): at for at in candidate if (whole := elements[1][at].whole)}
    places = {at: tuple(map(round, elements[0][at].box)) for at in reference}
    return [(at, cut[place]) for at, place in places.items() if place in cut]


def _bands(elements: _Elements, labels: _Names, pairs: _Pairs, texts: UnitMatching) -> _Pairs:
    """Return pairs of filled bands across the content that hold the same words, or begin or end their page.

    Those that begin or end it have similar colors, or one name.
    """
    hulls = [box_around([one.box for one in side] or [(0, 0, 0, 0)]) for side in elements]
    left = [
        [at for at in ids if len(side) > 1 and side[at].has_fill and _is_across(side[at], hull)]
        for side, ids, hull in zip(elements, unpaired(pairs, elements), hulls, strict=True)
    ]
    if not all(left):
        return []
    some = [elements[0][i] for i in left[0]], [elements[1][j] for j in left[1]]
    boxes = boxes_of(some[0]), boxes_of(some[1])
    has_same_words, _, _ = have_like_texts(boxes, texts)
    starts = [side[:, 1] <= _LINE for side in boxes]
    below = [hull[1] + hull[3] - side[:, 1] - side[:, 3] for side, hull in zip(boxes, hulls, strict=True)]
    ends = [far <= _LINE for far in below]
    is_one_end = np.equal.outer(*starts) & np.equal.outer(*ends) & (starts[0] | ends[0])[:, None]
    _, names = compare_names(*([side[at] for at in ids] for side, ids in zip(labels, left, strict=True)))
    is_one_end &= (color_likenesses(*some) >= _LIKE_BAND) | (names > 0)
    return [*assigned(np.where(has_same_words | is_one_end, 1.0 + has_same_words, 0.0), *left)]


def _is_across(element: Element, hull: Box) -> bool:
    left, _, width, _ = element.box
    is_part = element.kind == "box" and not element.covers and not is_acted_on(element)
    return is_part and max(left - hull[0], hull[0] + hull[2] - left - width) <= _LINE


def _unchanged(elements: _Elements, labels: _Names, texts: UnitMatching) -> Iterator[tuple[int, int]]:
    """Yield pairs of elements with one place, look and name.

    If more of one look and name are where their texts moved to, those in their places are others.
    """
    alike: tuple[dict[object, list[int]], ...] = {}, {}
    for side, names, known in zip(elements, labels, alike, strict=True):
        for at, (one, name) in enumerate(zip(side, names, strict=True)):
            known.setdefault((_LOOK(one), name.lower()), []).append(at)
    for key, here in alike[0].items():
        there = alike[1].get(key, [])
        places: dict[Box, list[int]] = {}
        for at in reversed(there):
            places.setdefault(elements[1][at].box, []).append(at)
        in_place = [(at, places[box].pop()) for at in here if places.get(box := elements[0][at].box)]
        if len(in_place) == len(here):  # No table of thousands that all look alike.
            yield from in_place
            continue
        boxes = boxes_of([elements[0][at] for at in here]), boxes_of([elements[1][at] for at in there])
        is_still = np.all(boxes[0][:, None] == boxes[1], axis=2)
        if is_still.any() and len(there) > 1:
            moved = boxes[0].copy()
            moved[:, :2] += [shift_near(elements[0][at].box, texts.pairs) for at in here]
            is_moved = np.abs(moved[:, None] - boxes[1]).max(axis=2) <= _LINE
            if is_moved.any(axis=1).sum() > is_still.any(axis=1).sum():
                is_still &= is_moved
        yield from assigned(is_still.astype(np.float64), here, there)


def _is_button_by_look(element: Element) -> bool:
    has_name = element.label or element.placeholder
    return bool(_field(element) and not has_name and element.has_fill and min(element.fill) <= _MOST_FILL)


def _captions(elements: Sequence[Element], labels: Sequence[str], units: Sequence[Unit]) -> list[str]:
    """Return the names of fields: their own, or the words before them in their line, or above them."""
    runs = [(run.text.strip(), run.boxes[-1]) for unit in units for run in unit.runs if run.text.strip()]
    are_fields = [bool(_field(element)) for element in elements]
    captions = [label if is_field else "" for is_field, label in zip(are_fields, labels, strict=True)]
    at = [number for number, is_field in enumerate(are_fields) if is_field and not labels[number]]
    if not runs or not at:
        return captions
    ends = np.array([box for _, box in runs])
    fields = boxes_of([elements[number] for number in at])[:, None]
    before, above = np.moveaxis(fields[..., :2] - ends[:, :2] - ends[:, 2:], -1, 0)
    middles = fields[..., 1] + fields[..., 3] / 2 - ends[:, 1] - ends[:, 3] / 2
    is_before = (np.abs(middles) <= fields[..., 3] / 2) & (before > -_LINE) & (before <= _FARTHEST_CAPTION)
    is_below = (ends[:, 0] < fields[..., 0] + fields[..., 2]) & (ends[:, 0] + ends[:, 2] > fields[..., 0])
    # Words before one field are not the caption of another below.
    is_above = is_below & (np.abs(above) <= fields[..., 3]) & ~is_before.any(axis=0)
    gaps = np.where(is_before, before, np.where(is_above, above, np.inf))
    for number, row in zip(at, gaps, strict=True):
        captions[number] = runs[int(row.argmin())][0] if np.isfinite(row).any() else ""
    return captions


def _elsewhere(elements: _Elements, captions: _Names, pairs: _Pairs, texts: UnitMatching) -> _Pairs:
    """Return more pairs of unpaired elements, regardless of place and size: similar pictures, and fields.

    A single-color box without words may correspond to a picture of that color, and it or a button to an
    unnamed field of that color: designs have buttons and search boxes that are fields by their tags.
    """

    def may_be_paired(element: Element) -> bool:
        is_inert_box = element.kind == "box" and not is_acted_on(element)
        return bool(_is_picture(element) or is_inert_box or _field(element) or _is_button(element))

    left = [
        [at for at in ids if may_be_paired(side[at])]
        for side, ids in zip(elements, unpaired(pairs, elements), strict=True)
    ]
    if not all(left) or max(map(len, left)) > _MOST:
        return []
    some = [elements[0][i] for i in left[0]], [elements[1][j] for j in left[1]]
    boxes = boxes_of(some[0]), boxes_of(some[1])
    pictures, drawn = _of_each(some, _is_picture), _of_each(some, _is_drawn)
    # Words may lie on a picture, but not on a box that replaces one.
    may_be = [
        drawing | ~have_words(held, units, all_of)
        for drawing, units, held, all_of in zip(pictures, texts.units, boxes, elements, strict=True)
    ]
    extents = [(side[:, :2] + side[:, 2:]).max(axis=0) for side in map(boxes_of, elements)]
    places = [
        [side[:, :2] / extent, (side[:, :2] + side[:, 2:] / 2) / extent, side[:, :2] / extents[0]]
        for side, extent in zip(boxes, extents, strict=True)
    ]
    ways = [np.abs(first[:, None] - second).sum(axis=2) for first, second in zip(*places, strict=True)]
    apart = np.min(ways, axis=0)
    size = np.sqrt(_ratios(*(side[:, 2:].prod(axis=1) for side in boxes)))
    look = color_likenesses(*some)
    tinted = _of_each(some, lambda element: max(element.fill) - min(element.fill) >= _LEAST_TINT)
    are_tinted = tinted[0][:, None] & tinted[1]
    is_like_shape = side_ratios(*boxes).min(axis=2) >= _LIKE_SHAPE
    is_plain_like = (look >= _LIKE_LOOK) | ((look >= _LIKE_TINT) & are_tinted)
    is_like = np.where(drawn[0][:, None] | drawn[1], look >= _SAME_LOOK, is_plain_like)
    is_like &= pictures[0][:, None] | pictures[1]
    is_like &= may_be[0][:, None] & may_be[1] & (drawn[0][:, None] == drawn[1]) & (size >= _LEAST_ELSEWHERE)
    fields = _of_each(some, _field)
    _, names = compare_names(*([side[at] for at in ids] for side, ids in zip(captions, left, strict=True)))
    is_like &= (apart <= _FARTHEST_PICTURE) | are_tinted | is_like_shape
    is_like |= (fields[0][:, None] != "") & (fields[0][:, None] == fields[1]) & (names >= 0)
    buttons = _of_each(some, _is_button)
    is_filled_field = (buttons[0] & may_be[0]) | [_is_button_by_look(element) for element in some[0]]
    is_filled_field &= [not captions[0][at] for at in left[0]]
    is_button_like = (size >= _LIKE_PICTURE) & (buttons[1] | may_be[1] & ~drawn[1]) & is_plain_like
    framed = _of_each(some, lambda element: element.has_border)
    is_frame = (fields[0] != "")[:, None] & framed[0][:, None] & (framed[1] & may_be[1] & ~pictures[1])
    is_like |= is_frame & is_like_shape
    is_like |= is_filled_field[:, None] & is_button_like
    shape = _ratios(*(side[:, 2] / np.maximum(side[:, 3], 1.0) for side in boxes))
    return [*assigned(np.where(is_like, 3.0 + look + (size + shape) / 2 - apart, 0.0), *left)]


def _in_row(
    elements: _Elements, labels: _Names, pairs: _Pairs, texts: UnitMatching
) -> Iterator[tuple[int, int]]:
    """Yield more pairs of unpaired icons in one row, since other icons take up other space."""

    def may_be_icon(element: Element, label: str) -> bool:
        is_drawn = _is_picture(element) or (element.kind == "box" and not label)
        return element.kind == "icon" or (is_drawn and max(element.box[2:]) <= _LARGEST_ICON)

    rows, columns = (
        [at for at in ids if may_be_icon(side[at], called[at])]
        for side, called, ids in zip(elements, labels, unpaired(pairs, elements), strict=True)
    )
    if not rows or not columns or max(len(rows), len(columns)) > _MOST:
        return
    _, names = compare_names([labels[0][i] for i in rows], [labels[1][j] for j in columns])
    boxes = boxes_of([elements[0][i] for i in rows]), boxes_of([elements[1][j] for j in columns])
    centers = [side[:, :2] + side[:, 2:] / 2 for side in boxes]
    moved = centers[0] + [shift_near(elements[0][i].box, texts.pairs) for i in rows]
    highest = np.maximum(boxes[0][:, None, 3], boxes[1][None, :, 3])
    apart = np.min([np.abs(side[:, None] - centers[1]) for side in (moved, centers[0])], axis=0)
    is_like = (names >= 0) & (apart[..., 0] <= _REACH[0]) & (apart[..., 1] <= highest / 2)
    yield from assigned(np.where(is_like, 2 * _REACH[0] - apart[..., 0], 0.0), rows, columns)


def _in_place(elements: _Elements, pairs: _Pairs) -> _Pairs:
    """Return the pairs, but if texts of similar boxes were exchanged, pair the boxes by place."""
    boxes = (boxes_of([side[pair[at]] for pair in pairs]) for at, side in enumerate(elements))
    for at, other in exchanges(*boxes):
        (i, first), (j, second) = pairs[at], pairs[other]
        alike = elements[0][i], elements[0][j]
        is_as_large = max(abs(alike[0].box[at] - alike[1].box[at]) for at in (2, 3)) <= _LINE
        has_own = any(element.value or element.placeholder for element in alike)
        if (
            {element.kind for element in alike} == {"box"}
            and not has_own
            and alike[0].tag == alike[1].tag
            and is_as_large
        ):
            pairs[at], pairs[other] = (i, second), (j, first)
    return pairs


def _likenesses(
    elements: _Elements,
    called: tuple[_Names, _Names],
    rows: Sequence[int],
    columns: Sequence[int],
    texts: UnitMatching,
) -> Table:
    """Return how well some elements match others; 0 if they are not the same thing.

    Args:
        elements: All elements of the design, and of the generated page.
        called: Their names, and the words before them.
        rows: Indices of the design's elements to compare.
        columns: Indices of the generated page's elements.
        texts: The texts of the pages.
    """
    labels, _ = called
    some = reference, candidate = [elements[0][i] for i in rows], [elements[1][j] for j in columns]
    boxes = boxes_of(reference), boxes_of(candidate)
    moved = boxes[0].copy()
    moved[:, :2] += [shift_near(element.box, texts.pairs) for element in reference]
    position = np.maximum(nearness(moved, boxes[1], _REACH), nearness(boxes[0], boxes[1], _REACH) - 0.02)
    size = np.sqrt(side_ratios(*boxes).prod(axis=2))
    kinds = [[frozenset((one.kind, other.kind)) for other in candidate] for one in reference]
    kind = np.array([[_KINDS.get(pair, float(len(pair) == 1)) for pair in row] for row in kinds])
    sorts = _of_each(
        some, lambda one: next((at for at, sort in enumerate(_SORTS, 1) if {one.tag, _bare(one)} & sort), 0)
    )
    kind[(sorts[0][:, None] * sorts[1] > 0) & (sorts[0][:, None] != sorts[1])] = 0.0
    # A control is not its own knob or dot.
    parts, owners = (_of_each(some, key) for key in (attrgetter("is_part"), attrgetter("role")))
    kind[(parts[0][:, None] != parts[1]) & (owners[0][:, None] == owners[1]) & (owners[1] != "")] = 0.0
    look = color_likenesses(reference, candidate)
    name, written = (
        compare_names([names[0][i] for i in rows], [names[1][j] for j in columns])[1] for names in called
    )
    name = np.where(name == 0, 2 * written.clip(0), name)
    # A panel is called by its first words, but known by all of its words.
    panels = _of_each(some, _is_panel)
    cells = _of_each(some, lambda one: _bare(one) in _CELLS)
    are_panels = panels[0][:, None] & panels[1]
    is_cell = (panels[0][:, None] & cells[1]) | (cells[0][:, None] & panels[1])
    has_same_words, _, holds_others = have_like_texts(boxes, texts)
    name = np.where(is_cell & ~has_same_words, np.minimum(name, 0.0), name)
    has_same_words, holds_others = are_panels & has_same_words, are_panels & holds_others
    is_known = has_same_words.any(axis=1)[:, None] | has_same_words.any(axis=0)
    name = np.where(has_same_words, np.maximum(name, 0.8), np.where(is_known, np.minimum(name, 0.0), name))
    controls = _of_each(some, is_control)
    roles = 0.2 * (controls[0][:, None] == controls[1])
    roles += 0.4 * ((sorts[0][:, None] == sorts[1]) & (sorts[1] > 0))
    score = position + 0.6 * size + 0.5 * kind + 0.4 * look + name + roles
    pictures = _of_each(some, _is_picture)
    # With another name elsewhere, it is something else.
    is_named_so = (name >= 0) | ((position >= _SAME_SPOT) & ~lost_texts(boxes, texts.pairs))
    is_here = (position > 0) & (size > 0.15) & (score >= _LEAST + 0.5) & is_named_so
    # A small picture near a large one only matches it if exactly in its place.
    is_here &= (position >= _SAME_SPOT) | (size >= _LIKE_PICTURE) | ~(pictures[0][:, None] | pictures[1])
    is_elsewhere = (size >= 0.95) & (look >= _SAME_LOOK) & (kind == 1) & (name >= 0)
    # What lies over a page, such as a banner, does not correspond to what it covers.
    covering = _of_each(some, lambda element: element.covers)
    is_here &= ~((name < 0) & ~covering[0][:, None] & covering[1])
    # If one name occurs once on each page, it is the same thing, wherever it is.
    is_alone = are_single(labels[0])[list(rows)][:, None] & are_single(labels[1])[list(columns)][None]
    score += 0.5 * (is_alone & (name > 0) & (kind == 1))
    is_elsewhere |= (is_alone | (written > 0)) & (kind == 1) & (name > 0) & (size >= _LIKE_SIZE)
    is_elsewhere |= is_alone & (name > 0) & (sorts[0][:, None] == sorts[1]) & (sorts[1] == _OF_PICTURES)
    are_pictures = pictures[0][:, None] & pictures[1] & (size >= _LIKE_PICTURE)
    is_elsewhere |= are_pictures & (name >= 0) & (look >= _SAME_LOOK)
    is_one_name = (name > 0) & (is_alone | (size >= _LIKE_SIZE))
    has_stayed = _have_stayed(some, (boxes[0], moved, boxes[1]))
    score += _OF_EDGES * has_stayed
    are_like = _are_like(some, (boxes[0], moved, boxes[1]), texts, (is_one_name, has_stayed, look))
    is_same = (kind > 0) & (is_here | is_elsewhere) & are_like & ~(holds_others & (size < _SAME_SIDE))
    return np.where(is_same, score, 0.0)


def _are_like(
    elements: _Elements,
    boxes: tuple[Table, Table, Table],
    texts: UnitMatching,
    likenesses: tuple[NDArray[np.bool_], NDArray[np.bool_], Table],
) -> NDArray[np.bool_]:
    """Return which elements are comparable; otherwise one is missing, and the other one is extra.

    They share a place, a name, or the same words in them, or are fields of one kind, or have similar sizes
    and colors, with similar words or none in both. A picture and a box are only comparable if the words are
    also similar, and they share a place, or a name and similar sizes. A single-color picture is a box.

    Args:
        elements: Elements of the design, and of the generated page.
        boxes: Of the design's elements, of the same moved as their texts did, and of the others.
        texts: The texts of the pages.
        likenesses: Which share a name, which a border and most edges, and the similarity of their looks,
            above 0 for similar colors.
    """
    wanted, moved, made = boxes
    is_one_name, has_stayed, look = likenesses
    pictures = _of_each(elements, lambda element: element.kind == "icon" or _is_picture(element))
    drawn = _of_each(elements, _is_drawn)
    are_pictures = pictures[0][:, None] & pictures[1][None]
    is_one_place = np.maximum(overlaps(wanted, made), overlaps(moved, made)) >= _ONE_PLACE
    is_one_place |= are_pictures & (reaches(wanted, made) | reaches(moved, made))
    ratios = side_ratios(wanted, made, _LEAST_SIDE)
    is_like_size = (ratios.prod(axis=2) >= _LIKE_SIZE**2) & (ratios.min(axis=2) >= _LIKE_SIDE)
    is_like_look = (look > 0) | (ratios.min(axis=2) >= _SAME_SIDE)
    is_one_text, is_like_text, _ = have_like_texts((wanted, made), texts)
    corners = [np.abs(old[:, None, :2] - made[None, :, :2]).max(axis=2) <= _LINE for old in (wanted, moved)]
    is_one_place |= (corners[0] | corners[1]) & (look >= _SAME_LOOK) & is_like_text
    is_one_place |= has_stayed
    fields = _of_each(elements, _field)
    is_one_field = (fields[0][:, None] != "") & (fields[0][:, None] == fields[1][None])
    is_like = is_one_place | is_one_name | is_one_text | is_one_field
    is_like |= is_like_text & is_like_size & is_like_look
    # A badge is not the band around it, whatever they share.
    is_like &= are_pictures | (ratios.max(axis=2) >= _LIKE_SIDE)
    is_like_box = is_like_text & (is_one_place | (is_one_name & is_like_size))
    are_alike = are_pictures | (drawn[0][:, None] == drawn[1][None])
    return np.asarray(np.where(are_alike, is_like, is_like_box))


def _have_stayed(elements: _Elements, boxes: tuple[Table, Table, Table]) -> NDArray[np.bool_]:
    """Return which boxes of one border have kept all but one of their edges, where or as their texts moved.

    A part that scrolls may be lower than in the design, and cut off what else would tell that it is the same.
    """
    ends = [np.hstack([side[:, :2], side[:, :2] + side[:, 2:]]) for side in boxes]
    kept = [(np.abs(old[:, None] - ends[2]) <= _LINE).sum(axis=2) >= _KEPT for old in ends[:2]]
    borders = _of_each(elements, lambda element: hex_color(element.border) if element.border else "")
    return np.asarray((kept[0] | kept[1]) & (borders[0][:, None] == borders[1]) & (borders[1] != ""))


def _field(element: Element) -> str:
    """Return the kind of an element with a value, and any size; "" for anything else."""
    name = name_of(element)
    has_value = name in _GAUGES or (_bare(element) in _FIELDS and name != "button")
    return name if has_value else ""


def _bare(element: Element) -> str:
    return element.tag.partition("[")[0]


def _is_picture(element: Element) -> bool:
    return element.kind == "picture" or (element.kind == "box" and element.tag in PICTURES)


def _is_panel(element: Element) -> bool:
    is_box = element.kind == "box" and not is_acted_on(element)
    return is_box and element.tag not in PICTURES | _CELLS | {"tr"}


def _is_button(element: Element) -> bool:
    return element.kind == "box" and name_of(element) == "button"


def _is_drawn(element: Element) -> bool:
    """Return whether an element is a picture or icon that is more than a single-color box."""
    return element.kind in {"picture", "icon"} and not is_plain(element)


def _of_each(elements: _Elements, read: Callable[[Element], object]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return a value for each element of both pages, neither of which is empty."""
    reference, candidate = (np.array([read(element) for element in side]) for side in elements)
    return reference, candidate


def _ratios(first: Table, second: Table) -> Table:
    """Return the smaller of every two numbers as a share of the larger."""
    return np.asarray(np.minimum(first[:, None], second) / np.maximum(first[:, None], second))
