"""What a page shows besides its text: candidates come from the layout, evidence from the screenshot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.elements.evidence import FILL, Evidence, gather_evidence
from pytest_design2a11y.capture.elements.layers import (
    distinct,
    is_masked,
    joined_lines,
    last_ranks,
    lids_of,
    painted_ranks,
)
from pytest_design2a11y.capture.elements.pictures import (
    box_of,
    icon_element,
    ink_element,
    mark_in,
    picture_element,
)
from pytest_design2a11y.capture.elements.troubles import Layout
from pytest_design2a11y.capture.elements.view import (
    SAME_PLACE,
    Integers,
    Mask,
    View,
    as_color,
    differs,
    fills_page,
    ground_color,
    text_mask,
)
from pytest_design2a11y.capture.text.candidates import (
    CONTROL,
    GROUND,
    ICON,
    PICTURE,
    Candidates,
    candidates_of_shapes,
)
from pytest_design2a11y.models.elements import DesignShape, Element
from pytest_design2a11y.models.geometry import Box, Color

# px; what is thinner is a line.
_THIN = 4
# Pages that all pictures together may cover.
_MOST_AREA = 20


@dataclass(frozen=True, slots=True)
class FoundElements:
    """What a page shows besides its text.

    Attributes:
        elements: In document order.
        ground: The colour of the page behind everything, or of most of the bands that go across it.
        num_left_out: Candidates that were too many to be looked at.
        layout: How they lie on each other.
    """

    elements: tuple[Element, ...]
    ground: Color
    num_left_out: int
    layout: Layout


def find_elements(
    pixels: NDArray[np.uint8],
    candidates: Candidates,
    texts: Iterable[Box],
    *,
    masks: Sequence[Box] = (),
) -> FoundElements:
    """Find what a page shows besides its text, and the colour of its ground.

    Args:
        pixels: Of its screenshot, shape (height, width, 3), sRGB.
        candidates: Where to look.
        texts: Where its texts lie, px.
        masks: What does not count, px.
    """
    is_text = text_mask(texts, pixels.shape[:2])
    edges, is_kept = _edges(candidates, is_text.size)
    ranks = painted_ranks(candidates)
    last, is_on_picture = last_ranks(candidates, edges, ranks, is_text.shape)
    view = View(pixels, is_text, last)
    num_left_out = candidates.num_left_out + int((~is_kept).sum())
    behind = ground_color(view, edges[~fills_page(edges, view)])
    lids = lids_of(candidates, edges, is_text.shape)
    if not len(edges):
        return FoundElements((), behind, num_left_out, Layout(view, lids, (), ()))
    covered, by = lids.over(edges, candidates.ranks, candidates.spans)
    covered[candidates.worlds > 0] = 0
    evidence = gather_evidence(view, candidates, edges, ranks, is_on_picture, 1 - covered, behind)
    limited = zip(evidence, is_kept.tolist(), fills_page(edges, view).tolist(), strict=True)
    drawn = list(_shown(view, candidates, limited, behind))
    found = joined_lines(distinct(element for _, element in drawn))
    elements = tuple(one for one in found if not is_masked(one.box, masks))
    boxes = np.array([one.box for one in elements], dtype=np.float64).reshape(-1, 4)
    places = np.hstack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]]).astype(np.int64)
    # What spans the page from edge to edge looks like its ground, whatever the markup.
    is_band = (places[:, 0] <= SAME_PLACE) & (places[:, 2] >= pixels.shape[1] - SAME_PLACE)
    is_band &= np.array([one.kind == "box" for one in elements], dtype=bool)
    ground = ground_color(view, places[~is_band])
    return FoundElements(elements, ground, num_left_out, Layout(view, lids, tuple(by.tolist()), tuple(drawn)))


def _edges(candidates: Candidates, page: int) -> tuple[Integers, Mask]:
    """Return left, top, right, bottom of each candidate, whole pixels, and which are looked at."""
    ends = candidates.boxes[:, :2] + candidates.boxes[:, 2:]
    edges = np.floor(np.hstack([candidates.boxes[:, :2], ends]) + 0.5).astype(np.int64)
    edges[:, 2:] = np.maximum(edges[:, 2:], edges[:, :2] + 1)
    areas = (edges[:, 2:] - edges[:, :2]).prod(axis=1) * (candidates.looks <= GROUND)
    order = np.argsort(-areas, kind="stable")[::-1]
    is_kept = np.ones(len(edges), dtype=bool)
    is_kept[order] = np.cumsum(areas[order]) <= _MOST_AREA * page
    return edges, is_kept


def _shown(
    view: View, candidates: Candidates, found: Iterable[tuple[Evidence, bool, bool]], ground: Color
) -> Iterator[tuple[int, Element]]:
    """Return what of the candidates is there, with its index, in document order."""
    places = zip(candidates.worlds.tolist(), candidates.spans.tolist(), strict=True)
    around_of: list[tuple[int, int, Sequence[int]]] = []
    for at, ((world, (first, end)), (one, is_kept, is_whole)) in enumerate(zip(places, found, strict=True)):
        if not (is_kept and one.shown):
            continue
        while around_of and not (around_of[-1][0] == world and first < around_of[-1][1]):
            around_of.pop()
        behind = around_of[-1][2] if around_of else ground
        for element in _elements(view, one, behind, is_whole):
            radius = round(min(one.radius, *(side / 2 for side in element.box[2:])), 1)
            yield at, replace(element, shown=one.shown, radius=radius, **one.about._asdict())
            if element.kind == "box" and element.has_fill and end > first:
                around_of.append((world, end, one.own))


def _elements(view: View, one: Evidence, behind: Sequence[int], is_whole: bool) -> Iterator[Element]:
    """Return what a candidate shows; `is_whole`: it fills the page."""
    if one.look == ICON:
        yield from icon_element(view, one, one.edges)
    elif one.look == GROUND and one.tint[3] > 0 and (mark := mark_in(view, one)):
        if (box := _box(one, behind)) is not None:
            yield box
        yield from icon_element(view, one, mark)
    elif one.look in (PICTURE, GROUND):
        yield from picture_element(view, one, behind)
    else:
        has_rim = one.has_shadow or any(one.is_line)
        element = None if is_whole and not has_rim else _box(one, behind)
        if one.look == CONTROL and (element is None or element.kind == "line"):
            element = ink_element(view, one)
        if element is not None:
            yield element


def _box(one: Evidence, behind: Sequence[int]) -> Element | None:
    """Return what is drawn at a box: a box, a line, or nothing."""
    is_line, has_shadow = one.is_line, one.has_shadow
    if one.is_loose:
        is_line, has_shadow = [False] * 4, False
        has_fill = min(one.fill) >= 0 and differs(one.fill, one.around) > FILL
    else:
        is_other = min(one.own) >= 0 and differs(one.own, behind) > FILL
        has_fill = (any(one.is_step) and is_other) or (all(one.is_step) and not has_shadow)
    left, top, right, bottom = one.edges
    if min(right - left, bottom - top) <= _THIN:
        has_fill |= any(one.is_step) and differs(one.fill, behind) > FILL
    has_line, fill = any(is_line), as_color(one.fill)
    side = is_line.index(True) if has_line else 0
    box = _grown(one, is_line)
    if min(box[2:]) <= _THIN < max(box[2:]) and (has_fill or has_line):
        return Element("line", one.tag, box, fill if has_fill else as_color(one.line_colors[side]))
    if sum(is_line) == 1 and not has_fill and not has_shadow:
        return Element("line", one.tag, _strip(one, side), as_color(one.line_colors[side]))
    if not (has_fill or has_shadow or has_line):
        return None
    marks = (has_fill, has_line, has_shadow)
    return Element(
        *("box", one.tag, box, fill, *marks),
        border=as_color(one.line_colors[side]) if has_line else None,
        border_width=max(one.inner[side], one.outer[side]) if has_line else 0.0,
        is_fill_seen=one.is_fill_seen,
        fills=tuple(one.fills),
    )


def _grown(one: Evidence, is_line: list[bool]) -> Box:
    """Return a box with the lines that are drawn around it."""
    up, right, down, left = (
        ceil(reach) if has_line and reach <= _THIN else 0
        for has_line, reach in zip(is_line, one.outer, strict=True)
    )
    start = one.seen
    return box_of((start[0] - left, start[1] - up, start[2] + right, start[3] + down))


def _strip(one: Evidence, side: int) -> Box:
    """Return where the line at one side of a box lies."""
    left, top, right, bottom = one.edges
    into, out = ceil(one.inner[side]), ceil(one.outer[side])
    strips = (
        (left, top - out, right, top + into),
        (right - into, top, right + out, bottom),
        (left, bottom - into, right, bottom + out),
        (left - out, top, left + into, bottom),
    )
    return box_of(strips[side])


def elements_of_shapes(
    pixels: NDArray[np.uint8], shapes: Sequence[DesignShape], texts: Iterable[Box]
) -> FoundElements:
    """Find in a picture what its design's own tool says that it shows besides its texts."""
    return find_elements(pixels, candidates_of_shapes(shapes), texts)
