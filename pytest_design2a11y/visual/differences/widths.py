"""Content that is wider or narrower as a whole, by which all that is in it moves and grows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.geometry import Box, is_inside
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared, Joint, box_of, joined
from pytest_design2a11y.visual.differences.elements import things_in_place
from pytest_design2a11y.visual.differences.sides import pixels
from pytest_design2a11y.visual.differences.text_pairing import UnitMatching

#: What is narrower (px), or nearly as wide as the page, says nothing of the content.
_LEAST_WIDTH, _WHOLE = 100.0, 0.95
#: So much of all widths together has to have changed by nearly one ratio; of so many things.
_MOST, _LEAST = 0.5, 4
#: The natural logarithm of the ratio of widths that differ; by so much of it ratios of one content do.
_OTHER, _ALIKE, _LEAST_ALIKE = 0.05, 0.2, 0.03
#: As gaps stay as they are, edges lie off where they are sought, by so much of what the content grew, or px.
_OFF, _LEAST_OFF = 1 / 8, 8.0
#: What ends so near to the right edge of the page (px) is cut there.
_AT_END = 2.0


def other_width(compared: Compared, found: Sequence[Difference], texts: UnitMatching) -> Joint | None:
    """Return that the content is wider or narrower, with all that moved, grew or went missing by that.

    Most boxes and paragraphs changed by nearly one ratio, and lie as they do in content that changed so.
    """
    width = compared.candidate.page_size[0]
    changed = [one for one in found if one.kind in {"moved", "resized"} and one.what != "page"]
    things = [one for one in (*changed, *things_in_place(compared)) if one.what != "text"]
    places = {(box_of(one), box_of(one, 1)) for one in things}
    places |= {(one.box, other.box) for one, other in texts.pairs if one.box[3] > 1.5 * one.line_height}
    wide = [pair for pair in places if _LEAST_WIDTH <= pair[0][2] < _WHOLE * width]
    before, after = (np.array([pair[side] for pair in wide]).reshape(-1, 4) for side in (0, 1))
    ratios = np.log(np.maximum(after[:, 2], 1.0) / before[:, 2])
    is_other = np.abs(ratios) >= _OTHER
    is_cut = is_other & (np.abs(after[:, 0] + after[:, 2] - width) <= _AT_END)
    is_alike = is_other & ~is_cut
    if is_alike.sum() < _LEAST:
        return None
    middle = float(np.quantile(ratios[is_alike], 0.5, method="lower"))
    is_alike &= np.abs(ratios - middle) <= max(_LEAST_ALIKE, _ALIKE * abs(middle))
    whole, first, second = _around(before[is_other]), _around(before[is_alike]), _around(after[is_alike])
    ratio, most = second[2] / first[2], max(_LEAST_OFF, _OFF * abs(second[2] - first[2]))

    def sought(x: float) -> float:
        """Return where something has to be, from the left, that lay at `x` in the content."""
        return second[0] + ratio * (x - first[0])

    def off(one: Box, other: Box) -> list[float]:
        """Return how far left edge, centre and right edge lie from where they are sought, px."""
        shares = (0.0, 0.5, 1.0)
        return [abs(other[0] + share * other[2] - sought(one[0] + share * one[2])) for share in shares]

    fits = is_alike & [max(off(*pair)) <= most for pair in wide]
    if fits.sum() < _LEAST or before[fits, 2].sum() < _MOST * before[~is_cut, 2].sum():
        return None
    members = [one for one in changed if min(off(box_of(one), box_of(one, 1))) <= most]
    own = _around(after[is_other])
    if max(off(whole, own)) <= most:
        sizes = {"expected": str(round(whole[2])), "actual": str(round(own[2]))}
        sides = {"reference": {"box": pixels(whole)}, "candidate": {"box": pixels(own)}}
        beside = [box_of(one) for one in found if one.kind == "missing" and not is_inside(box_of(one), whole)]
        new = [box_of(one, 1) for one in found if one.kind == "extra" and not is_inside(box_of(one, 1), own)]
        if any(_is_beside(one, own) for one in (*beside, *new)):
            return None
        property = "room" if any(is_inside(one, own) for one in beside) else "width"
        return joined(members, "resized", "page", property, **sizes, **sides), members
    if not is_cut.any() or sought(whole[0] + whole[2]) <= width + most:
        return None
    lost = [one for one in found if one.kind in {"missing", "overflowing"} and one.reference]
    members += [one for one in lost if sought(box_of(one)[0] + box_of(one)[2]) > width]
    sides = {"reference": {"box": pixels(whole)}, "candidate": {"box": pixels(own)}}
    return joined(members, "overflowing", "page", "cut", actual=round(ratio, 2), **sides), members


def _is_beside(one: Box, other: Box) -> bool:
    """Return whether a box that is wide enough lies left or right of another one."""
    is_level = other[1] <= one[1] + one[3] / 2 <= other[1] + other[3]
    return is_level and one[2] >= _LEAST_WIDTH and not is_inside(one, other)


def _around(boxes: NDArray[np.float64]) -> Box:
    """Return the box around boxes, left, top, width and height by row."""
    (left, top), (right, bottom) = boxes[:, :2].min(axis=0), (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    return float(left), float(top), float(right - left), float(bottom - top)
