"""What a page shows besides its text: candidates come from the layout, evidence from the screenshot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.elements.colors import Integers, Mask, as_color, difference
from pytest_design2a11y.capture.elements.evidence import FILL, Evidence, gather_evidence
from pytest_design2a11y.capture.elements.pictures import box_of, ink_element, picture_element
from pytest_design2a11y.capture.elements.same_place import distinct, is_masked, joined_lines
from pytest_design2a11y.capture.elements.view import SAME_PLACE, View, fills_page, ground_color, text_mask
from pytest_design2a11y.capture.text.candidates import CONTROL, GROUND, PICTURE, Candidates
from pytest_design2a11y.models.elements import Element
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
    """

    elements: tuple[Element, ...]
    ground: Color
    num_left_out: int


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
    view = View(pixels, text_mask(texts, pixels.shape[:2]))
    edges, is_kept = _edges(candidates, view)
    num_left_out = candidates.num_left_out + int((~is_kept).sum())
    behind = ground_color(view, edges[~fills_page(edges, view)])
    if not len(edges):
        return FoundElements((), behind, num_left_out)
    evidence = gather_evidence(view, candidates, edges)
    found = _shown(view, candidates, edges, evidence, behind, is_kept)
    elements = tuple(one for one in joined_lines(distinct(found)) if not is_masked(one.box, masks))
    boxes = np.array([one.box for one in elements], dtype=np.float64).reshape(-1, 4)
    covered = np.hstack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]]).astype(np.int64)
    # What goes from edge to edge is ground to whoever looks, whatever the markup makes of it.
    is_band = (covered[:, 0] <= SAME_PLACE) & (covered[:, 2] >= pixels.shape[1] - SAME_PLACE)
    is_band &= np.array([one.kind == "box" for one in elements], dtype=bool)
    return FoundElements(elements, ground_color(view, covered[~is_band]), num_left_out)


def _edges(candidates: Candidates, view: View) -> tuple[Integers, Mask]:
    """Return left, top, right, bottom of each candidate, whole pixels, and which are looked at."""
    ends = candidates.boxes[:, :2] + candidates.boxes[:, 2:]
    edges = np.floor(np.hstack([candidates.boxes[:, :2], ends]) + 0.5).astype(np.int64)
    edges[:, 2:] = np.maximum(edges[:, 2:], edges[:, :2] + 1)
    areas = (edges[:, 2:] - edges[:, :2]).prod(axis=1) * (candidates.looks <= GROUND)
    order = np.argsort(-areas, kind="stable")[::-1]
    is_kept = np.ones(len(edges), dtype=bool)
    is_kept[order] = np.cumsum(areas[order]) <= _MOST_AREA * view.is_text.size
    return edges, is_kept


def _shown(
    view: View,
    candidates: Candidates,
    edges: Integers,
    evidence: Evidence,
    ground: Color,
    is_kept: Mask,
) -> Iterator[Element]:
    """Return what of the candidates is there, in document order."""
    are_whole = fills_page(edges, view)
    around_of: list[tuple[int, int, NDArray[np.integer]]] = []
    for at, (look, world, end) in enumerate(
        zip(
            candidates.looks.tolist(),
            candidates.worlds.tolist(),
            candidates.spans[:, 1].tolist(),
            strict=True,
        )
    ):
        if not is_kept[at]:
            continue
        first = int(candidates.spans[at, 0])
        while around_of and not (around_of[-1][0] == world and first < around_of[-1][1]):
            around_of.pop()
        behind = around_of[-1][2] if around_of else np.array(ground)
        if look in (PICTURE, GROUND):
            element = picture_element(view, candidates, edges, evidence, at, behind)
        else:
            element = (
                None
                if are_whole[at] and not _has_rim(evidence, at)
                else _box(candidates, edges, evidence, at, behind)
            )
            if look == CONTROL and (element is None or element.kind == "line"):
                element = ink_element(view, candidates, edges, evidence, at)
        if element is None:
            continue
        yield element
        if element.kind == "box" and element.has_fill and end > first:
            around_of.append((world, end, evidence.own[at]))


def _has_rim(evidence: Evidence, at: int) -> bool:
    return bool(evidence.has_shadow[at] or evidence.is_line[at].any())


def _box(
    candidates: Candidates, edges: Integers, evidence: Evidence, at: int, behind: NDArray[np.integer]
) -> Element | None:
    """Return what is drawn at a box: a box, a line, or nothing."""
    own, is_step, is_line = evidence.own[at], evidence.is_step[at], evidence.is_line[at]
    differs = bool(own.min() >= 0 and difference(own, behind) > FILL)
    has_shadow = bool(evidence.has_shadow[at])
    if candidates.is_loose[at]:
        fill = evidence.fill[at]
        is_line, has_shadow = np.zeros(4, dtype=bool), False
        has_fill = bool(fill.min() >= 0 and difference(fill, evidence.around[at]) > FILL)
    else:
        has_fill = bool((is_step.any() and differs) or (is_step.all() and not has_shadow))
    if min(edges[at, 2:] - edges[at, :2]) <= _THIN:
        has_fill |= bool(is_step.any() and difference(evidence.fill[at], behind) > FILL)
    box = _grown(evidence.edges[at], candidates.outer[at], is_line)
    tag, fill_color = candidates.tags[at], as_color(np.maximum(evidence.fill[at], 0))
    if min(box[2:]) <= _THIN and max(box[2:]) > _THIN and (has_fill or is_line.any()):
        side = int(is_line.argmax())
        is_drawn = is_line.any() and not has_fill
        return Element("line", tag, box, as_color(evidence.line_colors[at, side]) if is_drawn else fill_color)
    if is_line.sum() == 1 and not has_fill and not has_shadow:
        side = int(is_line.argmax())
        return Element(
            "line", tag, _strip(candidates, edges[at], at, side), as_color(evidence.line_colors[at, side])
        )
    if not (has_fill or has_shadow or is_line.any()):
        return None
    return Element("box", tag, box, fill_color, has_fill, bool(is_line.any()), has_shadow)


def _grown(edges: Integers, outer: NDArray[np.float64], is_line: Mask) -> Box:
    """Return a box with the lines that are drawn around it."""
    up, right, down, left = np.where(is_line & (outer <= _THIN), np.ceil(outer), 0.0).tolist()
    return box_of((edges[0] - left, edges[1] - up, edges[2] + right, edges[3] + down))


def _strip(candidates: Candidates, edges: Integers, at: int, side: int) -> Box:
    """Return where the line at one side of a box lies."""
    left, top, right, bottom = edges.tolist()
    into, out = (float(np.ceil(reach[at, side])) for reach in (candidates.inner, candidates.outer))
    strips = (
        (left, top - out, right, top + into),
        (right - into, top, right + out, bottom),
        (left, bottom - into, right, bottom + out),
        (left - out, top, left + into, bottom),
    )
    return box_of(strips[side])
