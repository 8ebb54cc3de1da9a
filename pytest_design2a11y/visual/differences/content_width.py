"""Content that is wider or narrower as a whole, with what follows from that."""

from collections.abc import Sequence

import numpy as np

from pytest_design2a11y.models.geometry import Box, box_around, is_inside
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.elements import things_in_place
from pytest_design2a11y.visual.differences.joining import Joint
from pytest_design2a11y.visual.scene.places import least_shift, pixels

#: Shares that make one cause: of the widths of boxes and paragraphs, and of what is to move.
_MOST = 0.5
#: Number of things that have one cause; of those on both pages, from which their extent is the content's.
_SEVERAL, _LEAST_SHOWN = 4, 8
#: Number of places and widths that things must have at least: one is a column of a table.
_COLUMNS = 2
#: Ratio of the width of content that takes up another part of the window.
_SQUEEZED = 1.2
#: The width of content that is narrower (px), or nearly as wide as the page, is meaningless.
_LEAST_WIDTH, _WHOLE = 100.0, 0.95
#: Natural logarithm of a ratio of different widths; its share by which, or least value, ratios may differ.
_OTHER, _ALIKE, _LEAST_RATIO = 0.05, 0.2, 0.03
#: Since gaps stay the same, edges may be off by this share of the content's growth, or by this many px.
_OFF, _LEAST_OFF = 1 / 8, 8.0
#: Things that end this near to the page's right edge (px) are cut there.
_AT_END = 2.0


def other_content_width(compared: Compared, differences: Sequence[Difference]) -> Joint | None:
    """Return the cause if the content is wider or narrower, with all that moved or was lost by it."""
    return _of_boxes(compared, differences) or _of_window(compared, differences)


def _of_boxes(compared: Compared, differences: Sequence[Difference]) -> Joint | None:
    """Return the cause if the content is wider or narrower, with all that moved, grew or went missing by it.

    Most boxes and paragraphs changed by nearly the same ratio, and lie as in content that was scaled so.
    """
    width = compared.candidate.page_size[0]
    changed = [one for one in differences if one.kind in {"moved", "resized"} and one.what != "page"]
    boxes = {change.boxes for change in (*changed, *things_in_place(compared)) if change.what != "text"}
    paragraphs = [pair for pair in compared.texts.pairs if pair[0].box[3] > 1.5 * pair[0].line_height]
    boxes |= {(design.box, made.box) for design, made in paragraphs}
    wide = [pair for pair in boxes if _LEAST_WIDTH <= pair[0][2] < _WHOLE * width]
    before, after = (np.array([pair[side] for pair in wide]).reshape(-1, 4) for side in (0, 1))
    ratios = np.log(np.maximum(after[:, 2], 1.0) / before[:, 2])
    is_other = np.abs(ratios) >= _OTHER
    is_cut = is_other & (np.abs(after[:, 0] + after[:, 2] - width) <= _AT_END)
    is_alike = is_other & ~is_cut
    if is_alike.sum() < _SEVERAL:
        return None
    middle = float(np.quantile(ratios[is_alike], 0.5, method="lower"))
    is_alike &= np.abs(ratios - middle) <= max(_LEAST_RATIO, _ALIKE * abs(middle))
    whole, own = (box_around(side[is_other].tolist()) for side in (before, after))
    reference, candidate = (box_around(side[is_alike].tolist()) for side in (before, after))
    hulls, most = (reference, candidate), max(_LEAST_OFF, _OFF * abs(candidate[2] - reference[2]))
    fits = is_alike & [max(_off(pair, hulls)) <= most for pair in wide]
    if fits.sum() < _SEVERAL or before[fits, 2].sum() < _MOST * before[~is_cut, 2].sum():
        return None
    members = [change for change in changed if min(_off(change.boxes, hulls)) <= most]
    sides = {"box": pixels(whole)}, {"box": pixels(own)}
    if max(_off((whole, own), hulls)) <= most:
        if len(np.unique(np.round(before[fits][:, [0, 2]]), axis=0)) < _COLUMNS:
            return None
        sizes = str(round(whole[2])), str(round(own[2]))
        gone = (difference.boxes[0] for difference in differences if difference.kind == "missing")
        new = (difference.boxes[1] for difference in differences if difference.kind == "extra")
        beside = [box for box in gone if not is_inside(box, whole)]
        # Something that appeared or vanished beside it accounts for the room.
        for box in (*beside, *new):
            is_level = own[1] <= box[1] + box[3] / 2 <= own[1] + own[3]
            if is_level and box[2] >= _LEAST_WIDTH and not is_inside(box, own):
                return None
        property = "room" if any(is_inside(box, own) for box in beside) else "width"
        return claim("resized", "page", property, *sizes, *sides, members), members
    if not is_cut.any() or _sought(whole[0] + whole[2], hulls) <= width + most:
        return None
    lost = [cut for cut in differences if cut.kind in {"missing", "overflowing"} and cut.reference]
    members += [cut for cut in lost if _sought(cut.boxes[0][0] + cut.boxes[0][2], hulls) > width]
    return claim(
        "overflowing", "page", "cut", None, round(candidate[2] / reference[2], 2), *sides, members
    ), members


def _sought(x: float, hulls: tuple[Box, Box]) -> float:
    """Return where something that lay at `x` in content is expected in content of another width, px."""
    reference, candidate = hulls
    return candidate[0] + candidate[2] / reference[2] * (x - reference[0])


def _off(pair: tuple[Box, Box], hulls: tuple[Box, Box]) -> list[float]:
    """Return how far left edge, center and right edge of a thing are from where they are expected, px."""
    (left, _, width, _), (own_left, _, own_width, _) = pair
    return [abs(own_left + at * own_width - _sought(left + at * width, hulls)) for at in (0.0, 0.5, 1.0)]


def _of_window(compared: Compared, differences: Sequence[Difference]) -> Joint | None:
    """Return the cause if what both pages show takes up a narrower, or wider, part of the window."""
    pairs = [(design.box, made.box) for design, made in compared.texts.pairs]
    pairs += [(design.box, made.box) for design, made in compared.pairs if design.kind == "picture"]
    is_as_wide = compared.reference.page_size[0] == compared.candidate.page_size[0]
    if len(pairs) < _LEAST_SHOWN or not is_as_wide:
        return None
    hulls = whole, own = box_around([pair[0] for pair in pairs]), box_around([pair[1] for pair in pairs])
    ratio = own[2] / whole[2]
    most = max(_LEAST_OFF, _OFF * abs(own[2] - whole[2]))
    # An edge that is expected where it was says nothing, nor do things that only moved together.
    telling = [pair for pair in pairs if min(_off((pair[0], pair[0]), hulls)) > most]
    shifts = [least_shift(*pair)[0] for pair in telling if min(_off(pair, hulls)) <= most]
    if max(ratio, 1 / ratio) < _SQUEEZED or len(shifts) < max(_SEVERAL, _MOST * len(telling)):
        return None
    if max(shifts) - min(shifts) <= most:
        return None
    changed = (one for one in differences if one.what == "panel" and one.kind in {"moved", "resized"})
    members = [change for change in changed if max(_off(change.boxes, hulls)) <= most]
    sides = {"box": pixels(whole)}, {"box": pixels(own)}
    sizes = str(round(whole[2])), str(round(own[2]))
    return claim("resized", "page", "width", *sizes, *sides, members), members
