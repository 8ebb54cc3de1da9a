"""What a page shows besides its text: candidates come from the layout, evidence from the screenshot."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from math import ceil, prod

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.elements import pictures
from pytest_design2a11y.capture.elements.evidence import FILL, Evidence, gather_evidence, parts_of
from pytest_design2a11y.capture.elements.joined import corners, distinct, joined_lines, with_controls
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
    last_ranks,
    lids_of,
    painted_ranks,
    text_mask,
    veils_of,
    without_veils,
)
from pytest_design2a11y.capture.text.candidates import (
    CONTROL,
    GROUND,
    ICON,
    PICTURE,
    Candidates,
    candidates_of_shapes,
)
from pytest_design2a11y.models.elements import DesignShape, Element, Veil
from pytest_design2a11y.models.geometry import Box, Color, clipped, grown

# px; anything thinner is a line.
_THIN = 4
# Number of page areas that all pictures together may cover.
_MOST_AREA = 20
# Share of an element in a mask above which it does not count.
_MASKED = 0.5


@dataclass(frozen=True, slots=True)
class FoundElements:
    """What a page shows besides its text."""

    elements: tuple[Element, ...]  # In document order
    ground: Color  # Of the page behind everything, or of most full-width bands
    num_left_out: int  # Candidates skipped because there were too many
    veils: tuple[Veil, ...]  # Over the page, the topmost last
    layout: Layout  # How they overlap


def find_elements(
    pixels: NDArray[np.uint8],
    candidates: Candidates,
    texts: Iterable[Box],
    *,
    masks: Sequence[Box] = (),
) -> FoundElements:
    """Find what a page shows besides its text, and the color of its ground.

    Args:
        pixels: The screenshot, shape (height, width, 3), sRGB.
        candidates: Where to look.
        texts: Where the page's texts lie, px.
        masks: Areas that do not count, px.
    """
    is_text = text_mask(texts, pixels.shape[:2])
    edges, is_kept = _edges(candidates, is_text.shape)
    ranks = painted_ranks(candidates)
    last, is_on_picture = last_ranks(candidates, edges, ranks, is_text.shape)
    view = View(pixels, is_text, last)
    num_left_out = candidates.num_left_out + int((~is_kept).sum())
    behind = ground_color(view, edges[~fills_page(edges, view)])
    lids = lids_of(candidates, edges, is_text.shape)
    if not len(edges):
        return FoundElements((), behind, num_left_out, (), Layout(view, lids, (), ()))
    covered, by = lids.over(edges, candidates.ranks, candidates.spans)
    covered[candidates.worlds > 0] = 0
    evidence = gather_evidence(view, candidates, edges, ranks, is_on_picture, 1 - covered, behind)
    is_veil = veils_of(candidates, edges, view)
    limited = zip(evidence, is_kept.tolist(), (fills_page(edges, view) | is_veil).tolist(), strict=True)
    drawn = with_controls(_shown(view, candidates, limited, behind), candidates.controls.tolist())
    found = joined_lines(distinct(element for _, element in drawn))
    elements = tuple(element for element in found if not is_masked(element.box, masks))
    seen = np.array([corners(element.box) for element in elements]).reshape(-1, 4).astype(np.int64)
    # A band from edge to edge looks like the page's ground, whatever the markup.
    is_band = (seen[:, 0] <= SAME_PLACE) & (seen[:, 2] >= pixels.shape[1] - SAME_PLACE)
    is_band &= np.array([element.kind == "box" and not element.covers for element in elements], dtype=bool)
    veils = tuple(
        Veil(
            pictures.box_of(edges[at].tolist()),
            as_color(candidates.tints[at, :3].astype(int).tolist()),
            float(candidates.tints[at, 3]),
        )
        for at in np.flatnonzero(is_veil)
    )
    is_over_all = fills_page(edges[is_veil], view)
    taken = np.vstack([seen[~is_band], edges[is_veil][~is_over_all]])
    ground = without_veils(ground_color(view, taken), compress(veils, is_over_all))
    layout = Layout(view, lids, tuple(by.tolist()), tuple(drawn))
    return FoundElements(elements, ground, num_left_out, veils, layout)


def _edges(candidates: Candidates, page: tuple[int, ...]) -> tuple[Integers, Mask]:
    """Return left, top, right, bottom of each candidate in the page's pixels, and which are checked."""
    ends = candidates.boxes[:, :2] + candidates.boxes[:, 2:]
    edges = np.floor(np.hstack([candidates.boxes[:, :2], ends]) + 0.5).astype(np.int64)
    # Of a box at the end of the page less than half a pixel may be left.
    edges[:, :2] = np.minimum(edges[:, :2], np.array(page[::-1]) - 1)
    edges[:, 2:] = np.maximum(edges[:, 2:], edges[:, :2] + 1)
    areas = (edges[:, 2:] - edges[:, :2]).prod(axis=1) * (candidates.kinds <= GROUND)
    order = np.argsort(-areas, kind="stable")[::-1]
    is_kept = np.ones(len(edges), dtype=bool)
    is_kept[order] = np.cumsum(areas[order]) <= _MOST_AREA * prod(page)
    return edges, is_kept


def _shown(
    view: View, candidates: Candidates, found: Iterable[tuple[Evidence, bool, bool]], ground: Color
) -> Iterator[tuple[int, Element]]:
    """Yield the visible elements of the candidates, each with its candidate's index, in document order."""
    places = zip(candidates.worlds.tolist(), candidates.spans.tolist(), strict=True)
    around_of: list[tuple[int, int, Sequence[int]]] = []
    for at, ((world, (first, end)), (evidence, is_kept, is_whole)) in enumerate(
        zip(places, found, strict=True)
    ):
        if not (is_kept and evidence.shown):
            continue
        while around_of and not (around_of[-1][0] == world and first < around_of[-1][1]):
            around_of.pop()
        behind = around_of[-1][2] if around_of else ground
        for element in _elements(view, evidence, behind, is_whole):
            radius = round(min(evidence.radius, *(side / 2 for side in element.box[2:])), 1)
            parts = tuple(parts_of(view, candidates.shapes[at], evidence.rank))
            yield (
                at,
                replace(
                    element,
                    shown=evidence.shown,
                    radius=radius,
                    angle=round((float(candidates.angles[at]) + 180) % 360 - 180, 1),
                    opacity=round(float(candidates.opacities[at]), 3),
                    whole=candidates.wholes[at],
                    parts=parts,
                    ring=element.ring or evidence.ring,
                    **evidence.about,
                ),
            )
            if element.kind == "box" and element.has_fill and end > first:
                # Without a background, its edges show what it contains.
                is_clear = evidence.tint[3] == 0 and evidence.is_fill_seen
                around_of.append((world, end, evidence.fill if is_clear else evidence.own))


def _elements(view: View, evidence: Evidence, behind: Sequence[int], is_whole: bool) -> Iterator[Element]:
    """Yield what a candidate shows; `is_whole` means that it fills the page."""
    if evidence.kind == ICON:
        yield from pictures.icon_element(view, evidence, evidence.edges)
    elif evidence.kind == GROUND and evidence.tint[3] > 0 and (mark := pictures.mark_in(view, evidence)):
        if (box := _box(evidence, behind)) is not None:
            yield box
        yield from pictures.icon_element(view, evidence, mark)
    elif evidence.kind in (PICTURE, GROUND):
        yield from pictures.picture_element(view, evidence, behind)
    else:
        has_rim = evidence.has_shadow or any(evidence.is_line)
        element = None if is_whole and not has_rim else _box(evidence, behind)
        if evidence.kind == CONTROL and (element is None or element.kind == "line"):
            element = pictures.ink_element(view, evidence)
        elif element is None and evidence.is_loose and any(evidence.inner):
            # The border of a turned box lies within the box around it.
            drawn = pictures.ink_element(view, evidence)
            element = drawn and replace(drawn, has_fill=False, has_border=True, border=drawn.fill)
        if element is not None:
            yield element


def _box(evidence: Evidence, behind: Sequence[int]) -> Element | None:
    """Return what is drawn for a box: a box, a line, or nothing."""
    is_line, has_shadow = evidence.is_line, evidence.has_shadow
    if evidence.is_loose:
        is_line, has_shadow = [False] * 4, False
        has_fill = min(evidence.fill) >= 0 and differs(evidence.fill, evidence.around) > FILL
    else:
        is_other = min(evidence.own) >= 0 and differs(evidence.own, behind) > FILL
        has_fill = (any(evidence.is_step) and is_other) or (all(evidence.is_step) and not has_shadow)
    left, top, right, bottom = evidence.edges
    if min(right - left, bottom - top) <= _THIN:
        has_fill |= any(evidence.is_step) and differs(evidence.fill, behind) > FILL
    has_line, fill = any(is_line), as_color(evidence.fill)
    # At round ends, a border mixes with what is beside it: the least mixed of both shows its color.
    mixed = {at: at % 2 and differs(evidence.line_colors[at], fill) for at in range(4) if is_line[at]}
    side = min(mixed, key=mixed.__getitem__, default=0)
    # Including the lines drawn around it.
    up, right, down, left = (
        ceil(reach) if is_drawn and reach <= _THIN else 0
        for is_drawn, reach in zip(is_line, evidence.outer, strict=True)
    )
    box = pictures.box_of(np.add(evidence.seen, (-left, -up, right, down)))
    if min(box[2:]) <= _THIN < max(box[2:]) and (has_fill or has_line):
        return Element("line", evidence.tag, box, fill if has_fill else as_color(evidence.line_colors[side]))
    if sum(is_line) == 1 and not has_fill and not has_shadow:
        return Element("line", evidence.tag, _strip(evidence, side), as_color(evidence.line_colors[side]))
    is_bare, ring = not (has_fill or has_shadow or has_line), evidence.ring
    element = Element(
        *("box", evidence.tag, box, fill, has_fill, has_line, has_shadow),
        border=as_color(evidence.line_colors[side]) if has_line else None,
        border_width=max(evidence.inner[side], evidence.outer[side]) if has_line else 0.0,
        lines=_lines(evidence) if has_line else (),
        is_fill_seen=evidence.is_fill_seen,
        fills=tuple(evidence.fills),
    )
    if ring and not has_line and (is_bare or ring.gap < 1 <= ring.gap + ring.width + 1):
        return replace(
            element,
            box=grown(box, ring.gap + ring.width),
            has_border=True,
            border=ring.color,
            border_width=ring.width,
            lines=(ring.color,) * 4,
            ring=replace(ring, is_border=True),
        )
    return None if is_bare else element


def _lines(evidence: Evidence) -> tuple[Color | None, ...]:
    sides = zip(evidence.is_line, evidence.line_colors, strict=True)
    return tuple(as_color(color) if is_line else None for is_line, color in sides)


def _strip(evidence: Evidence, side: int) -> Box:
    """Return the box of the line at one side of a box."""
    left, top, right, bottom = evidence.edges
    into, out = ceil(evidence.inner[side]), ceil(evidence.outer[side])
    strips = (
        (left, top - out, right, top + into),
        (right - into, top, right + out, bottom),
        (left, bottom - into, right, bottom + out),
        (left - out, top, left + into, bottom),
    )
    return pictures.box_of(strips[side])


def elements_of_shapes(
    pixels: NDArray[np.uint8], shapes: Sequence[DesignShape], texts: Iterable[Box]
) -> FoundElements:
    """Find in a picture the elements, other than texts, that its design tool lists."""
    return find_elements(pixels, candidates_of_shapes(shapes), texts)


def is_masked(box: Box, masks: Sequence[Box]) -> bool:
    """Return whether most of a box lies in a mask."""
    parts = (clipped(box, mask) for mask in masks)
    return any(part is not None and part[2] * part[3] > _MASKED * box[2] * box[3] for part in parts)
