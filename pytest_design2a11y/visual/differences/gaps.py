"""Gaps: bands of empty space that came or went, and things that stand closer all the way down."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, area, is_inside
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared, claim, screen_height
from pytest_design2a11y.visual.scene.text_facts import place_facts
from pytest_design2a11y.visual.scene.units import Unit

#: Share of the first screen that a band is high, and by which it changed, at least.
_LEAST = 1 / 8
#: px; edges of what borders on a band may lie in it by this much.
_NEAR = 4.0


def empty_space_differences(compared: Compared) -> Iterator[Difference]:
    """Yield the text below each band of empty space that is higher, or lower, on the other page.

    What lies above the band, and what lies below it, does so on both pages.
    """
    texts, lone = compared.texts.pairs, (compared.texts.missing, compared.texts.extra)
    things = [(design.box, made.box) for design, made in compared.pairs]
    for side, page in enumerate(compared.pages):
        least = _LEAST * screen_height(page)
        for top, bottom in _bands(page, compared.texts.units[side], least):
            above = [pair for pair in things if pair[side][1] + pair[side][3] <= top + _NEAR]
            below = [pair for pair in things if pair[side][1] >= bottom - _NEAR]
            # No letters are in a band: a text lies above it, or below.
            is_below = [text[side].box[1] + text[side].box[3] / 2 > top for text in texts]
            above += [(old.box, new.box) for (old, new), low in zip(texts, is_below, strict=True) if not low]
            lower = [text for text, low in zip(texts, is_below, strict=True) if low]
            below += [(old.box, new.box) for old, new in lower]
            if not above or not lower or _is_rest(page, (top, bottom), below, side):
                continue
            edges = _bottom(above, side), _top(below, side)
            if any(edges[0] - _NEAR <= text.box[1] <= edges[1] for text in lone[side]):
                continue
            gap = _top(below, 1 - side) - _bottom(above, 1 - side)
            change = round(gap - (edges[1] - edges[0])) * (1 - 2 * side)
            if gap >= -_NEAR and (change if side else -change) >= least:
                design, made = min(lower, key=lambda text: text[side].box[1])
                yield claim("moved", "text", "gap", None, change, place_facts(design), place_facts(made))


def _bands(page: Capture, texts: Sequence[Unit], least: float) -> Iterator[tuple[int, int]]:
    """Yield top and bottom of each run of equal rows of pixels that is high enough and holds nothing, px."""
    pixels = page.screenshot.pixels
    changes = np.flatnonzero((pixels[1:] != pixels[:-1]).any(axis=(1, 2))) + 1
    for top, bottom in pairwise([0, *changes.tolist(), len(pixels)]):
        if bottom - top < least:
            continue
        things = (one for one in page.elements or () if one.box[1] < bottom - _NEAR)
        things = (one for one in things if one.box[1] + one.box[3] > top + _NEAR)
        if all(_is_ground(one, page, texts) for one in things):
            yield top, bottom


def _is_ground(element: Element, page: Capture, texts: Sequence[Unit]) -> bool:
    """Return whether an element is a box around texts, or has no more than the fill of what is around it."""
    if element.kind == "box" and any(is_inside(text.box, element.box) for text in texts):
        return True
    if element.kind != "box" or element.has_border:
        return False
    around = [one for one in page.elements or () if one is not element and is_inside(element.box, one.box)]
    return element.fill == (min(around, key=lambda one: area(one.box)).fill if around else page.ground)


def _is_rest(page: Capture, band: tuple[int, int], below: Sequence[tuple[Box, Box]], side: int) -> bool:
    """Return whether a band is what the window leaves above a footer."""
    height = page.page_size[1]
    return height == screen_height(page) and height - _bottom(below, side) < band[1] - band[0]


def _top(pairs: Sequence[tuple[Box, Box]], side: int) -> float:
    return min(pair[side][1] for pair in pairs)


def _bottom(pairs: Sequence[tuple[Box, Box]], side: int) -> float:
    return max(pair[side][1] + pair[side][3] for pair in pairs)


#: Number of things whose gaps changed, and the share of them in one direction, that make one cause.
_LEAST_GAPS, _MOST = 4, 0.75
#: Share of its height by which the page changed, at least.
_LEAST_CHANGE = 0.1
#: The gaps explain the page's height if they add up to this share of its change, at least and at most.
_EXPLAINED = (0.5, 1.5)


def of_page_gaps(
    compared: Compared, differences: Sequence[Difference], gaps: Mapping[int, tuple[float, float]]
) -> list[Difference] | None:
    """Return the differences, with changed gaps as one cause if they make the page higher, or lower.

    None if they do not. What also moved sideways keeps that part.

    Args:
        compared: The pages.
        differences: The differences.
        gaps: The gaps above things that moved, by the place of their difference: on each page, px.
    """
    height, own_height = (page.page_size[1] for page in compared.pages)
    grown = own_height - height
    if abs(grown) < _LEAST_CHANGE * height:
        return None
    joint = {at: gap for at, gap in gaps.items() if (gap[1] > gap[0]) == (grown > 0)}
    explained = _total([(differences[at].boxes[0][1], *gap) for at, gap in gaps.items()]) / grown
    is_most = len(joint) >= max(_LEAST_GAPS, _MOST * len(gaps))
    if not (is_most and _EXPLAINED[0] <= explained <= _EXPLAINED[1]):
        return None
    wanted, own = ({"box": [0, 0, *page.page_size]} for page in compared.pages)
    members = [differences[at] for at in joint]
    kept = [
        replace(one, candidate={**one.made, "shift": [across, 0]})
        for one in members
        if (across := one.made["shift"][0])
    ]
    rest = [one for at, one in enumerate(differences) if at not in joint]
    rest = [one for one in rest if (one.what, one.property) != ("page", "height")]
    return [claim("moved", "page", "gap", str(height), str(own_height), wanted, own, members), *kept, *rest]


def _total(gaps: Sequence[tuple[float, float, float]]) -> float:
    """Return by how much gaps changed in all, px; of those at the same height, such as in a row, one counts.

    Each has the top of the thing below it, and its size in the design and on the page.
    """
    total, end = 0.0, float("-inf")
    for top, before, after in sorted(gaps):
        if top - max(before, 0.0) >= end:
            total += after - before
            end = top
    return total
