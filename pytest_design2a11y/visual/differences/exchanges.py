"""Two things in each other's place, or with each other's look: one difference, not two or four."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np

from pytest_design2a11y.models.geometry import Box, area, box_around, clipped, is_inside
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.exchanged import changed_sides, exchanged_looks
from pytest_design2a11y.visual.differences.joining import Exchange, Joint, except_for, exchange_of, without
from pytest_design2a11y.visual.scene.element_facts import details_of
from pytest_design2a11y.visual.scene.places import LEAST_SHIFT, least_shift, pixels
from pytest_design2a11y.visual.scene.sight import STRIKING, apart_at

#: Pictures look the same if less than this share of one is striking beside the other.
_SAME_PICTURE = 0.05
#: What a thing in another place also changes: a row that moved has the stripe of its new place.
_OF_PLACE = {"recolored", "restyled", "resized", "moved", "font"}
#: px; columns whose widths changed begin this near to each other's place.
_LOOSE = 24.0
#: Least number of texts in a row that have an order.
_LEAST_IN_ORDER = 3


def join_exchanges(compared: Compared, differences: Sequence[Difference]) -> list[Difference]:
    """Return the differences, with those of things that were exchanged as one for each two."""
    joint = [sides] if (sides := changed_sides(compared, differences)) else []
    joint += _orders(without(differences, joint))
    joint += _places(compared, without(differences, joint))
    joint += _pictures(compared, without(differences, joint))
    joint += exchanged_looks(without(differences, joint))
    return [*(cause for cause, _ in joint), *without(differences, joint)]


def _places(compared: Compared, differences: Sequence[Difference]) -> Iterator[Joint]:
    """Yield things that stand in each other's place; whole rows or columns with all that is in them."""
    moved = [move for move in differences if move.kind == "moved" and move.property == "place"]
    # Of columns of other widths, each begins about where the other did.
    groups = [group for group in _in_groups(_exchanged(moved, _LOOSE)) if len(group) >= _LEAST_IN_ORDER]
    left = except_for(moved, [part for group in groups for pair in group for part in pair])
    groups += _in_groups(_exchanged(left))
    for group in groups:
        group.sort(
            key=lambda pair: (not _is_worded(pair[0]), pair[0].what != "text", *pair[0].boxes[0][1::-1])
        )
        hulls = [box_around([pair[side].boxes[0] for pair in group]) for side in (0, 1)]
        parts = [part for pair in group for part in pair]
        others = [
            other
            for other in except_for(differences, parts)
            if other.kind in _OF_PLACE and other.what != "page"
            if any(is_inside(other.boxes[0], hull) for hull in hulls)
        ]
        is_whole = len(group) > 1 and not _is_separated(compared, hulls)
        # Figures without their words say something else in another column or row.
        is_reordered = len(groups) > 1 or not any(map(_is_worded, parts))
        facts = {"is_whole": is_whole, "is_reordered": is_reordered}
        yield exchange_of("places", group, others, **facts), [*parts, *others]


def _in_groups(exchanged: Iterable[Exchange]) -> list[list[Exchange]]:
    """Return exchanges by the rows or columns that they are of."""
    groups: list[list[Exchange]] = []
    for pair in exchanged:
        group = next((group for group in groups if _is_level(pair, group[0])), [])
        if not group:
            groups.append(group)
        group.append(pair)
    return groups


def _orders(differences: Sequence[Difference]) -> Iterator[Joint]:
    """Yield rows of texts whose last one stands first now, or the first last, with what moved below them.

    The week that begins on Sunday: each day of the calendar moved along by one, or back to the start.
    """
    rows: dict[tuple[float, float], list[Difference]] = {}
    for move in differences:
        if move.kind == "moved" and move.property == "place" and _is_worded(move):
            rows.setdefault((move.boxes[0][1], move.boxes[1][1]), []).append(move)
    for (before, after), row in rows.items():
        row.sort(key=lambda move: move.boxes[0])
        if len(row) < _LEAST_IN_ORDER or before != after:
            continue
        forward, back = (
            all(_is_at(move.boxes[1], other.boxes[0]) for move, other in zip(row, others, strict=True))
            for others in ([*row[1:], row[0]], [row[-1], *row[:-1]])
        )
        if forward or back:
            leader, values = (row[-1], ("last", "first")) if forward else (row[0], ("first", "last"))
            members = [leader, *(one for one in _below(differences, row) if one is not leader)]
            side = {**leader.design, "other": {}}
            yield claim("exchanged", "text", "order", *values, side, leader.candidate, members), members


def _below(differences: Sequence[Difference], row: Sequence[Difference]) -> Iterator[Difference]:
    """Yield what moved as far as one of a row's texts, in the columns of these."""
    left, top, width, _ = box_around([move.boxes[0] for move in row])
    shifts = {least_shift(*move.boxes)[0] for move in row}
    for one in (one for one in differences if one.kind in _OF_PLACE and one.what != "page"):
        x, y, across, _ = one.boxes[0]
        is_below = y >= top and left <= x + across / 2 <= left + width
        if is_below and any(abs(least_shift(*one.boxes)[0] - shift) < LEAST_SHIFT for shift in shifts):
            yield one


def _is_worded(difference: Difference) -> bool:
    return any(map(str.isalpha, str(difference.design.get("text", ""))))


def _exchanged(moved: Sequence[Difference], off: float = LEAST_SHIFT) -> Iterator[Exchange]:
    """Yield moves of which each ends where the other began, the nearest first, each once.

    `off` is how far, across the page, from there it may end, px.
    """
    before, after = (
        np.array([move.boxes[side] for move in moved], dtype=np.float64).reshape(-1, 4) for side in (0, 1)
    )
    starts, ends = before[:, :2] + before[:, 2:] / 2, after[:, :2] + after[:, 2:] / 2
    # Sorted by height, so that only those at the height of a place are tried for it.
    order = np.argsort(starts[:, 1], kind="stable")
    heights = starts[order, 1]
    across, down = off + np.maximum(before, after)[:, 2:].max(axis=0, initial=0.0) / 2
    taken: set[int] = set()
    for i, (x, y) in enumerate(ends):
        first, last = np.searchsorted(heights, (y - down, y + down))
        near = order[first:last][np.abs(starts[order[first:last], 0] - x) <= across]
        for j in sorted(near.tolist()):
            if j <= i or {i, j} & taken or moved[i].what != moved[j].what:
                continue
            is_one_in_other = clipped(moved[i].boxes[0], moved[j].boxes[0])
            is_there = _is_at(after[i], before[j], off) and _is_at(after[j], before[i], off)
            if is_there and not is_one_in_other:
                taken |= {i, j}
                pair = moved[i], moved[j]
                yield pair if tuple(starts[i][::-1]) <= tuple(starts[j][::-1]) else pair[::-1]


def _is_at(box: Sequence[float], place: Sequence[float], off: float = LEAST_SHIFT) -> bool:
    first, second = ((float(x), float(y), float(w), float(h)) for x, y, w, h in (box, place))
    across, down = map(abs, least_shift(first, second))
    return across < off and down < LEAST_SHIFT


def _is_level(pair: Exchange, other: Exchange) -> bool:
    """Return whether an exchange goes as far as another, from the same row or column.

    Words of unequal widths stand as far apart by their starts, their middles or their ends.
    """
    is_same = any(
        all(abs(a - b) <= 2 * LEAST_SHIFT for a, b in zip(*ways, strict=True))
        for ways in zip(_ways(pair), _ways(other), strict=True)
    )
    start, end = pair[0].boxes[0], other[0].boxes[0]
    far, down = least_shift(end, other[1].boxes[0])
    across = int(abs(far) < abs(down))  # The axis of the exchange: rows are exchanged down the page.
    return (
        is_same
        and start[across] < end[across] + end[across + 2]
        and end[across] < start[across] + start[across + 2]
    )


def _ways(pair: Exchange) -> list[tuple[float, float]]:
    """Return how far the second of two things stands from the first, by their starts, middles and ends."""
    (left, top, width, height), (x, y, w, h) = (one.boxes[0] for one in pair)
    return [(x - left + share * (w - width), y - top + share * (h - height)) for share in (0.0, 0.5, 1.0)]


def _is_separated(compared: Compared, hulls: Sequence[Box]) -> bool:
    """Return whether words that stay belong to what moved: beside it in its row, or above its column.

    Equal words beside both do not: nobody can see whether they moved.
    """
    across, down = least_shift(*hulls)
    find = _beside if abs(down) > abs(across) else _above
    around = [
        design.box for design, _ in compared.pairs if all(clipped(hull, design.box) == hull for hull in hulls)
    ]
    room = min(around, key=area, default=(0, 0, *compared.reference.page_size))
    still = [
        design
        for design, made in compared.texts.pairs
        if max(map(abs, least_shift(design.box, made.box))) < LEAST_SHIFT
        and is_inside(design.box, room)
        and not any(is_inside(design.box, hull) for hull in hulls)
    ]
    first, second = ({design.key for design in still if find(design.box, hull)} for hull in hulls)
    if first ^ second:
        return True
    cards = [_card_of(compared, hull, other) for hull, other in zip(hulls, hulls[::-1], strict=True)]
    first, second = (
        {design.key for design in still if card and is_inside(design.box, card)} for card in cards
    )
    return bool(first ^ second)


def _card_of(compared: Compared, hull: Box, other: Box) -> Box | None:
    """Return the largest box that holds one of two exchanged things, and not the other."""
    around = (design.box for design, _ in compared.pairs if is_inside(hull, design.box))
    return max((box for box in around if not is_inside(other, box)), key=area, default=None)


def _beside(box: Box, hull: Box) -> bool:
    return hull[1] <= box[1] + box[3] / 2 <= hull[1] + hull[3]


def _above(box: Box, hull: Box) -> bool:
    starts, ends = box[0] - hull[0], box[0] + box[2] - hull[0] - hull[2]
    is_over = (
        hull[0] <= box[0] + box[2] / 2 <= hull[0] + hull[2] or min(abs(starts), abs(ends)) <= LEAST_SHIFT
    )
    return is_over and 0 <= hull[1] - box[1] - box[3] / 2 <= 2 * box[3]


def _pictures(compared: Compared, differences: Sequence[Difference]) -> Iterator[Joint]:
    """Yield pictures that show each other's content; of drawings, with all that differs in them."""
    changed = [(one, [one]) for one in differences if one.property == "picture" and one.reference]
    changed = [(one, parts) for one, parts in changed if one.kind != "blank"]
    changed += _drawings(compared, differences)
    taken: set[int] = set()
    for (at, (first, parts)), (other, (second, others)) in combinations(enumerate(changed), 2):
        if {at, other} & taken or first.boxes[0][2:] != second.boxes[0][2:]:
            continue
        crossed = (first.boxes[0], second.boxes[1]), (second.boxes[0], first.boxes[1])
        apart = [apart_at(compared.pages, boxes) for boxes in crossed]
        if all(levels.size and (levels >= STRIKING).mean() < _SAME_PICTURE for levels in apart):
            taken |= {at, other}
            yield exchange_of("picture", [(first, second)]), [*parts, *others]


def _drawings(
    compared: Compared, differences: Sequence[Difference]
) -> Iterator[tuple[Difference, list[Difference]]]:
    """Yield a difference for each drawing of which parts differ, and these."""
    drawn: tuple[dict[tuple[int, ...], list[Difference]], ...] = {}, {}
    for change in differences:
        for side, facts in enumerate((change.design, change.made)):
            if "within_box" in facts:
                drawn[side].setdefault(tuple(facts["within_box"]), []).append(change)
    for pair in compared.pairs:
        parts = [drawn[side].get(tuple(pixels(element.box)), []) for side, element in enumerate(pair)]
        if members := [*parts[0], *except_for(parts[1], parts[0])]:
            wanted, own = (details_of(*side) for side in zip(pair, compared.pages, strict=True))
            yield claim("recolored", "picture", "picture", None, None, wanted, own), members
