"""Tables of similarity between the elements of two pages: by place, size, name, colors and their texts."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, box_around
from pytest_design2a11y.visual.assignment import boxes_of, least_shifts
from pytest_design2a11y.visual.match.texts import UnitMatching
from pytest_design2a11y.visual.scene.units import CROSSES, Unit

#: Names that are this similar are the same, or may be.
_SAME_NAME, _LIKE_NAME = 0.9, 0.6
#: Share of letters in common that makes contents the same, or similar.
_ONE_CONTENT, _LIKE_CONTENT = 0.7, 0.4
#: Boxes that share less than this of what both pages have are other things.
_OTHER_CONTENT = 0.4

Table = NDArray[np.float64]


def shift_near(box: Box, texts: Sequence[tuple[Unit, Unit]]) -> tuple[float, float]:
    """Return how far the texts in a box moved, px; if it has none, the nearest one."""
    if not texts:
        return 0.0, 0.0
    before = np.array([design.box for design, _ in texts])
    shifts = least_shifts(before, np.array([made.box for _, made in texts]))
    centers = before[:, :2] + before[:, 2:] / 2
    is_in = ((centers >= box[:2]) & (centers <= (box[0] + box[2], box[1] + box[3]))).all(axis=1)
    if is_in.any():
        across, down = np.median(shifts[is_in], axis=0).tolist()
        return across, down
    apart = np.abs(centers - (box[0] + box[2] / 2, box[1] + box[3] / 2))
    across, down = shifts[(apart[:, 0] / 3 + apart[:, 1]).argmin()].tolist()
    return across, down


def have_like_texts(
    boxes: tuple[Table, Table], texts: UnitMatching
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which boxes contain the same words, and which some of the same, or none on either page.

    And which contain other things: of the words that both pages have, hardly any are in both.
    """
    paired = [[pair[side] for pair in texts.pairs] for side in (0, 1)]
    parts = [_parts_inside(own, held) for own, held in zip(paired, boxes, strict=True)]
    first, second = (
        np.array([len(unit.key) for unit in own]) @ _parts_inside(own, held)
        for own, held in zip(texts.units, boxes, strict=True)
    )
    shared = np.array([len(design.key) * design.reads_as(made) for design, made in texts.pairs])
    common = (parts[0] * shared[:, None]).T @ parts[1]
    most = np.maximum(first[:, None], second[None])
    held = [shared @ own for own in parts]
    all_held = held[0][:, None] + held[1] - common
    is_one, is_like = (most > 0) & (common >= _ONE_CONTENT * most), common >= _LIKE_CONTENT * most
    are_several = np.maximum(*np.meshgrid(*(own.sum(axis=0) for own in parts), indexing="ij")) > 1
    return is_one, is_like, are_several & (common < _OTHER_CONTENT * all_held)


def _parts_inside(units: Sequence[Unit], boxes: Table) -> Table:
    """Return how much of each text lies in each box, 0..1; each cell of a row contains its own part."""
    parts = [
        _inside([box_around(run.boxes) for run in unit.runs], boxes).T
        @ np.array([len(run.text) / sum(len(part.text) for part in unit.runs) for run in unit.runs])
        for unit in units
    ]
    return np.array(parts, dtype=np.float64).reshape(-1, len(boxes))


def reaches(first: Table, second: Table) -> NDArray[np.bool_]:
    """Return which centers are at most half of the longer side apart, along each axis."""
    centers = [side[:, :2] + side[:, 2:] / 2 for side in (first, second)]
    most = np.maximum(first[:, None, 2:], second[None, :, 2:]) / 2
    apart = np.abs(centers[0][:, None] - centers[1][None])
    return np.asarray(np.all(apart <= most, axis=2))


def side_ratios(first: Table, second: Table, least: float = 1.0) -> Table:
    """Return the ratios of widths, and of heights, 0..1; all sides count as at least `least` px long."""
    lengths = np.maximum(first[:, None, 2:], least), np.maximum(second[None, :, 2:], least)
    return np.asarray(np.minimum(*lengths) / np.maximum(*lengths))


def overlaps(first: Table, second: Table) -> Table:
    """Return the intersection of boxes as a share of their union."""
    ends = [side[:, :2] + side[:, 2:] for side in (first, second)]
    shared = np.minimum(ends[0][:, None], ends[1][None]) - np.maximum(first[:, None, :2], second[None, :, :2])
    common = shared.clip(0).prod(axis=2)
    areas = [side[:, 2:].prod(axis=1) for side in (first, second)]
    return np.asarray(common / np.maximum(areas[0][:, None] + areas[1][None] - common, 1e-9))


def are_single(labels: Sequence[str]) -> NDArray[np.bool_]:
    """Return which elements are the only ones of their page with their name."""
    counts = Counter(label.lower() for label in labels)
    return np.array([bool(label) and counts[label.lower()] == 1 for label in labels], dtype=np.bool_)


def compare_names(first: Sequence[str], second: Sequence[str]) -> tuple[Table, Table]:
    """Return the similarity of names, 0..1, and how it counts for or against two things being the same.

    If one of two things has no name, NaN and 0.
    """
    sides = [[name.lower().translate(CROSSES) for name in side] for side in (first, second)]
    ratios: Table = cdist(*sides, scorer=Indel.normalized_similarity, dtype=np.float64)
    named = [np.array([bool(name) for name in side], dtype=np.bool_) for side in (first, second)]
    ratios[~(named[0][:, None] & named[1][None])] = np.nan
    fits = np.where(ratios >= _SAME_NAME, 0.8 * ratios, np.where(ratios >= _LIKE_NAME, 0.0, -0.4))
    return ratios, np.where(np.isnan(ratios), 0.0, fits)


def lost_texts(boxes: Sequence[Table], texts: Sequence[tuple[Unit, Unit]]) -> NDArray[np.bool_]:
    """Return the elements with a text that is on the other page, but outside all of its elements."""
    pairs = [pair for pair in texts if pair[0].key == pair[1].key]
    inside = [_inside([pair[side].box for pair in pairs], own) for side, own in enumerate(boxes)]
    return np.asarray(inside[0].T @ (1 - inside[1]) > 0)


def _inside(inner: Sequence[Box], boxes: Table) -> Table:
    """Return 1 if the center of a box lies in another one, else 0, for all pairs."""
    inner_boxes = np.array(inner, dtype=np.float64).reshape(-1, 4)
    centers = inner_boxes[:, None, :2] + inner_boxes[:, None, 2:] / 2
    is_in = (centers >= boxes[None, :, :2]) & (centers <= boxes[None, :, :2] + boxes[None, :, 2:])
    return np.asarray(np.all(is_in, axis=2), dtype=np.float64)


def have_words(boxes: Table, units: Sequence[Unit], elements: Sequence[Element]) -> NDArray[np.bool_]:
    """Return which boxes have texts on them, other than texts of things across their edges."""
    centers = [unit.box for unit in units]
    others = boxes_of([element for element in elements if element.has_fill])
    # Left and top are negated, so that all four ends of a surrounding box are larger.
    first, second = (np.hstack([-side[:, :2], side[:, :2] + side[:, 2:]]) for side in (others, boxes))
    apart = first[:, None] - second[None]
    is_across = np.asarray(~(np.all(apart >= 0, axis=2) | np.all(apart <= 0, axis=2)), dtype=np.float64)
    is_theirs = _inside(centers, others) @ is_across > 0
    return np.asarray(np.any((_inside(centers, boxes) > 0) & ~is_theirs, axis=0))


def color_likenesses(first: Sequence[Element], second: Sequence[Element]) -> Table:
    """Return the similarity of colors, 0..1, cell by cell if both are pictures."""
    sides = first, second
    fills = [np.array([element.fill for element in side], dtype=np.float64).reshape(-1, 3) for side in sides]
    apart = np.abs(fills[0][:, None] - fills[1][None]).mean(axis=2)
    pictured = [[at for at, element in enumerate(side) if element.thumbnail] for side in sides]
    if all(pictured):
        cells = [
            np.array([side[at].thumbnail for at in indices], dtype=np.float64)
            for side, indices in zip(sides, pictured, strict=True)
        ]
        apart[np.ix_(*pictured)] = np.abs(cells[0][:, None] - cells[1][None]).mean(axis=(2, 3))
    return np.asarray(np.maximum(0.0, 1.0 - apart / 64.0))
