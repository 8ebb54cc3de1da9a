"""Metric `elements`: similarity of everything that is not text, and of the pages' grounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import fsum, sqrt
from operator import attrgetter

import numpy as np

from pytest_design2a11y.models.colors import lab_from_srgb
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import area
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.visual.assignment import Indices, Table, assign, centres_of
from pytest_design2a11y.visual.structure import structures, structures_of_pairs, windows_of

#: Boxes up to this width and height (px) are small: controls, buttons, badges. Others are panels.
SMALL = (480, 72)
#: Colours that differ by this much (CIE76) have nothing in common.
FARTHEST_COLOR = 40.0
#: Small boxes are what people act on: they count twice.
SMALL_WEIGHT = 2.0
#: Factor for a box whose fill stands out completely from the page's ground.
STRIKING_WEIGHT = 3.0
#: Added to the factor 1 for a picture as large as the page; smaller ones get a part of it.
PICTURE_WEIGHT = 3.0
#: The weight of the pages' ground relative to the elements.
GROUND_WEIGHT = 0.5
#: The least loss from a completely different ground, however many elements there are: it is seen first.
LEAST_GROUND_LOSS = 0.15

# Similarity of different kinds; equal kinds have 1.
_KINDS = ("picture", "box", "line", "icon")
_ALIKE = np.array([[1.0, 0.4, 0.0, 1.0], [0.4, 1.0, 0.5, 0.4], [0.0, 0.5, 1.0, 0.0], [1.0, 0.4, 0.0, 1.0]])
# Losses from paint: up to four fifths for other colours; a fifth each for a border, shadow or fill that only
# one has; for pictures, up to seven twentieths for another structure.
_COLOR_LOSS, _MARK_LOSS, _STRUCTURE_LOSS = 0.8, 0.2, 0.35
# Number of a thumbnail's colours; a picture whose colours are all this near to its fill is a box.
_CELLS, _FLAT = 36, 2.0
# Everything that is compared of an element: equal ones in one place are paired first.
_LOOK = attrgetter("kind", "box", "fill", "has_fill", "has_border", "has_shadow", "thumbnail", "texture")


@dataclass(frozen=True, slots=True)
class Likeness:
    """The similarity of two elements, 0..1 in each respect; the total is the product."""

    kind: float  # Of a picture, box or line
    place: float  # Of the centres, as fractions of the pages
    size: float  # In px
    color: float  # Of fills, or of two pictures
    marks: float  # Borders, shadows and fills of their own
    structure: float  # Of two pictures

    @property
    def similarity(self) -> float:
        """Return the product, 0..1, limiting the loss from another structure."""
        structure = 1.0 - _STRUCTURE_LOSS * (1.0 - self.structure)
        return self.kind * self.place * self.size * self.color * self.marks * structure


@dataclass(frozen=True, slots=True)
class ElementMatching:
    """The pairs of elements, and their score."""

    value: float  # The metric, 0..1
    # (index in the reference, index in the candidate, likeness), in the reference's order
    pairs: tuple[tuple[int, int, Likeness], ...]
    # The weight of each element of the reference, and of the candidate, as a share of all, 0..1
    weights: tuple[tuple[float, ...], tuple[float, ...]]
    ground: float  # Similarity of the two pages' grounds, 0..1
    ground_loss: float  # Loss of the value from another ground, 0..1


def match_elements(
    reference: Capture, candidate: Capture, *, time_limit: TimeLimit | None = None
) -> ElementMatching | None:
    """Match what two pages show besides their text.

    The best one-to-one assignment, each pair weighted by both of its elements together. An element's weight
    is the square root of its share of the page, for a box up to three times that, the more its fill stands
    out from its page's ground, for a picture up to four times, the larger it is; divided by the square root
    of the sum of its kind over both pages, so that no kind drowns the others. Small boxes (controls, badges)
    and icons count twice. A picture of one colour is a box. Elements without a partner score 0; the pages'
    ground weighs 1/2, and a completely different one costs at least .15.

    Returns:
        None if the elements of one of them are unknown. The order of the two does not matter, and a
        page against itself scores exactly 1.

    Raises:
        MeasurementTimeout: The time limit was reached.
    """
    if reference.elements is None or candidate.elements is None:
        return None
    sides = _Side(reference), _Side(candidate)
    first, second = _weights(sides)
    rows, columns = _assign(sides, (first, second), time_limit or TimeLimit())
    pairs = tuple(zip(rows.tolist(), columns.tolist(), _likenesses(sides, rows, columns), strict=True))
    total = fsum([*first, *second, GROUND_WEIGHT])
    ground = float(reference.ground == candidate.ground)
    if reference.ground is not None and candidate.ground is not None:
        difference = _distance(lab_from_srgb(reference.ground), lab_from_srgb(candidate.ground))
        ground = 1.0 - min(1.0, float(difference) / FARTHEST_COLOR)
    lost = [(first[i] + second[j]) * (1.0 - likeness.similarity) for i, j, likeness in pairs]
    lone = [*np.delete(first, rows), *np.delete(second, columns)]
    without_ground = fsum([*lost, *lone]) / total
    ground_loss = max(GROUND_WEIGHT / total, LEAST_GROUND_LOSS) * (1.0 - ground)
    return ElementMatching(
        value=min(1.0, max(0.0, 1.0 - (without_ground + ground_loss))),
        pairs=pairs,
        weights=(tuple((first / total).tolist()), tuple((second / total).tolist())),
        ground=ground,
        ground_loss=max(0.0, min(ground_loss, 1.0 - without_ground)),
    )


def _likenesses(sides: tuple[_Side, _Side], rows: Indices, columns: Indices) -> list[Likeness]:
    factors = _factors(sides, rows, columns)
    return [Likeness(*values) for values in zip(*(factor.tolist() for factor in factors), strict=True)]


def _structured(structure: Table) -> Table:
    """Return the factor that another structure leaves of similarities."""
    return 1.0 - _STRUCTURE_LOSS * (1.0 - structure)


def is_small(element: Element) -> bool:
    """Return whether a box has the size of a control, button or badge."""
    return element.box[2] <= SMALL[0] and element.box[3] <= SMALL[1]


class _Side:
    """The elements of one page as arrays."""

    def __init__(self, page: Capture) -> None:
        elements: Sequence[Element] = page.elements or ()
        boxes = np.array([element.box for element in elements], dtype=np.float64).reshape(-1, 4)
        self.elements = elements
        self.page_size = page.page_size
        self.ground = page.ground
        self.sizes = np.maximum(boxes[:, 2:], 1.0)
        self.centres = centres_of(boxes, page.page_size)
        self.fills = lab_from_srgb(np.array([element.fill for element in elements]).reshape(-1, 3))
        marks = [(element.has_fill, element.has_border, element.has_shadow) for element in elements]
        self.marks = np.array(marks, dtype=bool).reshape(-1, 3)
        self.has_thumbnail = np.array([element.thumbnail is not None for element in elements], dtype=bool)
        pictured = np.flatnonzero(self.has_thumbnail).tolist()
        self.thumbnails = self.fills[:, None, :].repeat(_CELLS if pictured else 1, axis=1)
        if pictured:
            self.thumbnails[pictured] = lab_from_srgb(np.array([elements[at].thumbnail for at in pictured]))
        kinds = np.array([_KINDS.index(element.kind) for element in elements], dtype=np.intp)
        spread = _distance(self.thumbnails, self.fills[:, None, :]).max(axis=1, initial=0.0)
        is_flat = (kinds == _KINDS.index("picture")) & self.has_thumbnail & (spread < _FLAT)
        self.kinds = np.where(is_flat, _KINDS.index("box"), kinds)
        textured = [at for at in pictured if elements[at].texture is not None]
        #: The index of each element's texture among those of the page; -1 if it has none.
        self.texture_at = np.full(len(elements), -1, dtype=np.intp)
        self.texture_at[textured] = np.arange(len(textured))
        self.textures = windows_of([elements[at].texture or () for at in textured])

    def group(self, at: int) -> tuple[int, bool]:
        """Return the group within which an element is weighted: its kind, and whether it is a small box."""
        kind = int(self.kinds[at])
        return kind, _KINDS[kind] == "icon" or (_KINDS[kind] == "box" and is_small(self.elements[at]))


def _weights(sides: tuple[_Side, _Side]) -> tuple[Table, Table]:
    sums: dict[tuple[int, bool], list[float]] = {}
    roots = []
    for side in sides:
        page = side.page_size[0] * side.page_size[1]
        areas = np.array([sqrt(max(area(element.box), 1.0) / page) for element in side.elements])
        striking = np.ones(len(areas))
        if side.ground is not None:
            apart = _distance(side.fills, lab_from_srgb(side.ground)) / FARTHEST_COLOR
            is_box = side.kinds == _KINDS.index("box")
            striking += (STRIKING_WEIGHT - 1.0) * (np.minimum(1.0, apart) * is_box)
        large = 1.0 + PICTURE_WEIGHT * np.minimum(areas, 1.0) * (side.kinds == _KINDS.index("picture"))
        roots.append((areas * striking * large).tolist())
        for at, root in enumerate(roots[-1]):
            sums.setdefault(side.group(at), []).append(root)
    scales = {
        group: (SMALL_WEIGHT if group[1] else 1.0) / sqrt(fsum(values)) for group, values in sums.items()
    }
    first, second = (
        np.array([root * scales[side.group(at)] for at, root in enumerate(own)])
        for side, own in zip(sides, roots, strict=True)
    )
    return first, second


def _assign(
    sides: tuple[_Side, _Side], weights: tuple[Table, Table], time_limit: TimeLimit
) -> tuple[Indices, Indices]:
    """Pair equal elements in the same place, and then the rest as well as possible."""
    # One order for both directions, so that ties are broken alike whichever page is the reference.
    is_swapped = _order(sides[1]) < _order(sides[0])
    if is_swapped:
        sides, weights = sides[::-1], weights[::-1]
    first, second = sides
    pairs: list[tuple[int, int]] = []
    if first.page_size == second.page_size:
        waiting: dict[tuple[object, ...], list[int]] = {}
        for at, element in reversed([*enumerate(second.elements)]):
            waiting.setdefault(_LOOK(element), []).append(at)
        looks = enumerate(map(_LOOK, first.elements))
        pairs = [(at, waiting[look].pop()) for at, look in looks if waiting.get(look)]
    rows, columns = (
        np.setdiff1d(np.arange(len(own)), [pair[at] for pair in pairs]) for at, own in enumerate(weights)
    )

    def similarities(some: Indices, others: Indices) -> Table:
        factors = _factors(sides, rows[some][:, None], columns[others][None, :])
        return reduce(np.multiply, (*factors[:-1], _structured(factors[-1])))

    rest = weights[0][rows], weights[1][columns]
    heights = first.centres[rows, 1], second.centres[columns, 1]
    pairs += [(int(rows[i]), int(columns[j])) for i, j in assign(rest, heights, similarities, time_limit)]
    ordered = sorted(pair[::-1] if is_swapped else pair for pair in pairs)
    references, candidates = np.array(ordered, dtype=np.intp).reshape(-1, 2).T
    return references, candidates


def _order(side: _Side) -> tuple[object, ...]:
    return side.page_size, tuple((element.box, element.fill, element.tag) for element in side.elements)


def _factors(sides: tuple[_Side, _Side], rows: Indices, columns: Indices) -> tuple[Table, ...]:
    """Return the six factors of a likeness, for indices of both sides, which are broadcast together."""
    first, second = sides
    kind = _ALIKE[first.kinds[rows], second.kinds[columns]]
    moves = [np.abs(first.centres[rows, axis] - second.centres[columns, axis]) for axis in (0, 1)]
    place = np.maximum(0.0, 1.0 - 2.0 * np.maximum(*moves))
    widths, heights = ((first.sizes[rows, axis], second.sizes[columns, axis]) for axis in (0, 1))
    size = np.sqrt(np.minimum(*widths) / np.maximum(*widths) * np.minimum(*heights) / np.maximum(*heights))
    has_pictures = first.has_thumbnail[rows] | second.has_thumbnail[columns]
    difference = _distance(first.fills[rows], second.fills[columns])
    if has_pictures.any():
        colors = [side.thumbnails.repeat(_CELLS // side.thumbnails.shape[1], axis=1) for side in sides]
        cells = [_distance(colors[0][rows, at], colors[1][columns, at]) for at in range(_CELLS)]
        difference = np.where(has_pictures, reduce(np.add, cells) / _CELLS, difference)
    color = 1.0 - _COLOR_LOSS * np.minimum(1.0, difference / FARTHEST_COLOR)
    changes = (first.marks[rows, mark] != second.marks[columns, mark] for mark in range(3))
    marks = reduce(np.multiply, (1.0 - _MARK_LOSS * change for change in changes))
    at, other = first.texture_at[rows], second.texture_at[columns]
    structure = np.ones(np.broadcast_shapes(at.shape, other.shape))
    has_textures = (at >= 0) & (other >= 0)
    if rows.ndim == 1:
        structure[has_textures] = structures_of_pairs(
            first.textures[at[has_textures]], second.textures[other[has_textures]]
        )
    elif has_textures.any():
        known = np.flatnonzero(at.ravel() >= 0), np.flatnonzero(other.ravel() >= 0)
        structure[np.ix_(*known)] = structures(
            first.textures[at.ravel()[known[0]]], second.textures[other.ravel()[known[1]]]
        )
    return kind, place, size, color, np.where(has_pictures, 1.0, marks), structure


def _distance(first: Table, second: Table) -> Table:
    """Return the CIE76 differences of CIE Lab colours, which are broadcast together."""
    squares = [(first[..., channel] - second[..., channel]) ** 2 for channel in range(3)]
    return np.sqrt(squares[0] + squares[1] + squares[2])
