"""Metric `elements`: similarity of everything that is not text, and of the pages' grounds."""

from collections.abc import Sequence
from math import fsum, sqrt

import numpy as np

from pytest_design2a11y.models.colors import lab_from_srgb
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import area
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.visual.assignment import Indices, Table, centers_of
from pytest_design2a11y.visual.match import PageMatch
from pytest_design2a11y.visual.scene.element_facts import is_small
from pytest_design2a11y.visual.structure import structures, windows_of

#: Colors that differ by this much (CIE76) have nothing in common.
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
# Losses from paint: up to four fifths for other colors; a fifth each for a border, shadow or fill that only
# one has; for pictures, up to seven twentieths for another structure.
_COLOR_LOSS, _MARK_LOSS, _STRUCTURE_LOSS = 0.8, 0.2, 0.35
# Number of a thumbnail's colors; a picture whose colors are all this near to its fill is a box.
_CELLS, _FLAT = 36, 2.0


def score_elements(match: PageMatch) -> float | None:
    """Score what two pages show besides their text, by the pairs of the two.

    A pair scores kind x place x size x color x marks x structure, each 0..1. An element's weight is the
    square root of its share of the page, for a box up to three times that, the more its fill stands out from
    its page's ground, for a picture up to four times, the larger it is; divided by the square root of the sum
    of its kind over both pages, so that no kind drowns the others. Small boxes (controls, badges) and icons
    count twice. A picture of one color is a box. Elements without a partner score 0; the pages' ground
    weighs 1/2, and a completely different one costs at least .15. Where both pages look the same, nothing is
    lost, whatever their elements.

    Returns:
        0..1, exactly 1 for a page against itself; None if the elements of one page are unknown.
    """
    if match.indices is None:
        return None
    pages = match.reference, match.candidate
    elements = _Elements(pages[0]), _Elements(pages[1])
    rows, columns = np.array(match.indices, dtype=np.intp).reshape(-1, 2).T
    # What nobody sees is not there: it makes nothing else count less.
    unseen = [
        [at not in known and match.looks_same(element.box) for at, element in enumerate(side.elements)]
        for side, known in zip(elements, ({*rows.tolist()}, {*columns.tolist()}), strict=True)
    ]
    weights, own_weights = _weights(elements, unseen)
    alike = _similarities(elements, rows, columns)
    for at, (design, made) in enumerate(match.pairs):
        if alike[at] < 1.0 and match.looks_same(design.box, made.box):
            alike[at] = 1.0
    ground = float(pages[0].ground == pages[1].ground)
    if pages[0].ground is not None and pages[1].ground is not None:
        difference = _distance(lab_from_srgb(pages[0].ground), lab_from_srgb(pages[1].ground))
        ground = 1.0 - min(1.0, float(difference) / FARTHEST_COLOR)
    lost = ((weights[rows] + own_weights[columns]) * (1.0 - alike)).tolist()
    lone = [*np.delete(weights, rows), *np.delete(own_weights, columns)]
    total = fsum([*weights, *own_weights, GROUND_WEIGHT])
    ground_loss = max(GROUND_WEIGHT / total, LEAST_GROUND_LOSS) * (1.0 - ground)
    return min(1.0, max(0.0, 1.0 - fsum([*lost, *lone]) / total - ground_loss))


class _Elements:
    """The elements of one page as arrays."""

    def __init__(self, page: Capture) -> None:
        elements: Sequence[Element] = page.elements or ()
        boxes = np.array([element.box for element in elements], dtype=np.float64).reshape(-1, 4)
        self.elements = elements
        self.page_size = page.page_size
        self.ground = page.ground
        self.sizes = np.maximum(boxes[:, 2:], 1.0)
        self.centers = centers_of(boxes, page.page_size)
        self.fills = lab_from_srgb(np.array([element.fill for element in elements]).reshape(-1, 3))
        marks = [(element.has_fill, element.has_border, element.has_shadow) for element in elements]
        self.marks = np.array(marks, dtype=bool).reshape(-1, 3)
        self.has_thumbnail = np.array([element.thumbnail is not None for element in elements], dtype=bool)
        pictured = np.flatnonzero(self.has_thumbnail).tolist()
        self.thumbnails = self.fills[:, None, :].repeat(_CELLS, axis=1)
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


def _weights(elements: tuple[_Elements, _Elements], unseen: Sequence[Sequence[bool]]) -> tuple[Table, Table]:
    """Return the weights of the elements of both pages; 0 for those that nobody sees."""
    sums: dict[tuple[int, bool], list[float]] = {}
    roots = []
    for side, hidden in zip(elements, unseen, strict=True):
        page = side.page_size[0] * side.page_size[1]
        areas = np.array([sqrt(max(area(element.box), 1.0) / page) for element in side.elements])
        striking = np.ones(len(areas))
        if side.ground is not None:
            apart = _distance(side.fills, lab_from_srgb(side.ground)) / FARTHEST_COLOR
            is_box = side.kinds == _KINDS.index("box")
            striking += (STRIKING_WEIGHT - 1.0) * (np.minimum(1.0, apart) * is_box)
        large = 1.0 + PICTURE_WEIGHT * np.minimum(areas, 1.0) * (side.kinds == _KINDS.index("picture"))
        roots.append(np.where(hidden, 0.0, areas * striking * large).tolist())
        for at, root in enumerate(roots[-1]):
            sums.setdefault(side.group(at), []).append(root)
    scales = {
        group: (SMALL_WEIGHT if group[1] else 1.0) / sqrt(fsum(values) or 1.0)
        for group, values in sums.items()
    }
    weights, own_weights = (
        np.array([root * scales[side.group(at)] for at, root in enumerate(own)])
        for side, own in zip(elements, roots, strict=True)
    )
    return weights, own_weights


def _similarities(elements: tuple[_Elements, _Elements], rows: Indices, columns: Indices) -> Table:
    """Return the similarity of each pair of elements, 0..1."""
    reference, candidate = elements
    kind = _ALIKE[reference.kinds[rows], candidate.kinds[columns]]
    moves = np.abs(reference.centers[rows] - candidate.centers[columns]).max(axis=1, initial=0.0)
    place = np.maximum(0.0, 1.0 - 2.0 * moves)
    sizes = reference.sizes[rows], candidate.sizes[columns]
    size = np.sqrt((np.minimum(*sizes) / np.maximum(*sizes)).prod(axis=1))
    has_pictures = reference.has_thumbnail[rows] | candidate.has_thumbnail[columns]
    difference = _distance(reference.thumbnails[rows], candidate.thumbnails[columns]).mean(axis=1)
    color = 1.0 - _COLOR_LOSS * np.minimum(1.0, difference / FARTHEST_COLOR)
    are_other = reference.marks[rows] != candidate.marks[columns]
    marks = np.where(has_pictures[:, None], 1.0, 1.0 - _MARK_LOSS * are_other).prod(axis=1)
    at, other = reference.texture_at[rows], candidate.texture_at[columns]
    structure, is_known = np.ones(len(at)), (at >= 0) & (other >= 0)
    structure[is_known] = structures(reference.textures[at[is_known]], candidate.textures[other[is_known]])
    factors = kind, place, size, color, marks, 1.0 - _STRUCTURE_LOSS * (1.0 - structure)
    return np.asarray(np.prod(factors, axis=0))


def _distance(first: Table, second: Table) -> Table:
    """Return the CIE76 differences of CIE Lab colors, which are broadcast together."""
    squares = [(first[..., channel] - second[..., channel]) ** 2 for channel in range(3)]
    return np.sqrt(squares[0] + squares[1] + squares[2])
