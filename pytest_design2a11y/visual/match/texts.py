"""Match the texts of a design with those of a generated page."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise, takewhile
from operator import eq, itemgetter

import numpy as np
import scipy  # Loads its parts on first use
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.visual.assignment import (
    Boxes,
    assigned,
    boxes_of,
    gaps,
    least_shifts,
    nearness,
    unpaired,
)
from pytest_design2a11y.visual.scene.units import LEAST_RATIO, MOST_LETTERS, Unit, joined_unit

#: Texts this near to the same place replace each other, whatever they read; similar ones are this near, and
#: those in another order.
_LEAST_IN_PLACE, _LEAST_NEAR, _LEAST_OUT_OF_ORDER = 0.97, 0.2, 0.6
#: Greatest logarithms of the ratios of line heights, and of the widths of texts that did not move with their
#: surroundings, for one text to replace another.
_SAME_HEIGHT, _SAME_WIDTH = 0.2, 0.4
#: Least number of texts that are translated in their order, and least share of them that is near.
_LEAST_IN_ORDER, _MOST_NEAR = 3, 0.5
#: Texts this similar are the same, anywhere.
_SAME_WORDS = 0.8
#: Equal texts are matched by equal texts among this many before and after them, each of which counts as
#: being nearer by this many px.
_AROUND, _NEIGHBOR = 3, 400.0
#: px; equal texts that moved this differently from those around them are not the same text, unless each page
#: has one of at least this many letters.
_FARTHEST, _LEAST_SURE = 400.0, 3
#: Texts with fewer letters must have more in common to be the same: "Login" and "Logo" share two thirds.
_SHORT, _LEAST_OF_WORDS = 12, 0.7
#: Share of letters that a part of a text, and several texts together, must have in common with a text of the
#: other page; with this many letters at their beginning.
_SAME_PART, _SAME_TEXT = 0.8, 0.9
#: A text is split if this share of its letters is separate texts on the other page, with at least this many
#: letters in each part.
_MOST_OF_TEXT, _LEAST_PART = 0.3, 6
#: Letters at the end of a part that may occur in the whole; number of pairs above which none is tried.
_ENDS, _MOST_TRIED = 8, 400_000
#: Shorter texts occur within longer ones by chance.
_LEAST_LETTERS = 4
#: Most texts of a page that are compared: the time grows with their square.
_MOST_UNITS = 1500

#: Texts of the design, and of the generated page.
_Units = tuple[Sequence[Unit], Sequence[Unit]]
_Pairs = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class UnitMatching:
    """The pairs of texts."""

    pairs: tuple[tuple[Unit, Unit], ...]
    missing: tuple[Unit, ...]  # Texts of the design that the generated page does not show
    extra: tuple[Unit, ...]  # Texts of the generated page that the design does not show
    units: _Units  # All texts of both, as split or merged


def match_units(reference: Sequence[Unit], candidate: Sequence[Unit]) -> UnitMatching:
    """Pair the texts of two pages: equal ones by place, translated ones by their order, then similar ones.

    A text that the other page shows as a part of a longer one, or in parts, is neither missing nor extra.
    """
    units: _Units = reference, candidate
    pairs = _equal(units)
    for remade in (_cut, _merged):
        rows, columns = unpaired(pairs, units)
        if 0 < len(rows) * len(columns) <= _MOST_TRIED:
            lone = _some(units, rows, columns)
            units = remade(units[0], rows, lone[1]), remade(units[1], columns, lone[0])
            pairs = _equal(units)
    pairs += _translated(units, pairs)
    pairs += _alike(units, pairs)
    rows, columns = unpaired(pairs, units)
    paired = tuple((units[0][i], units[1][j]) for i, j in sorted(pairs))
    partners = {one: other for pair in paired for one, other in (pair, pair[::-1])}
    missing, extra = _unshown(rows, *units, partners), _unshown(columns, *units[::-1], partners)
    return UnitMatching(paired, tuple(missing), tuple(extra), (reference, candidate))


def _some(units: _Units, rows: Sequence[int], columns: Sequence[int]) -> _Units:
    return [units[0][i] for i in rows], [units[1][j] for j in columns]


def _equal(units: _Units) -> _Pairs:
    """Pair equal texts: those that each page has once, and then the others, the rarest first, by place."""
    reference, candidate = (_places(side) for side in units)
    shared = [(rows, candidate[key]) for key, rows in reference.items() if key in candidate]
    # Texts of few letters are on a page by chance.
    partners = {
        rows[0]: columns[0]
        for rows, columns in shared
        if len(rows) == len(columns) == 1 and len(units[0][rows[0]].key) >= _LEAST_SURE
    }
    left = (one for one in shared if one[0][0] not in partners)
    for rows, columns in sorted(
        left, key=lambda one: (len(one[0]) != len(one[1]), len(one[0]) + len(one[1]))
    ):
        partners |= _by_place(units, rows, columns, partners)
    return [*partners.items()]


def _places(units: Sequence[Unit]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for at, unit in enumerate(units):
        places[unit.key].append(at)
    return places


def _by_place(
    units: _Units, rows: Sequence[int], columns: Sequence[int], partners: Mapping[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield pairs of equal texts by where the texts around them moved to; none that are far from there."""
    some = _some(units, rows[:_MOST_UNITS], columns[:_MOST_UNITS])
    wanted, boxes = map(boxes_of, some)
    wanted[:, :2] += _shifts_near(wanted, units, [*partners.items()])
    shifts = np.abs(least_shifts(wanted[:, None], boxes[None]))
    # Squares keep the order of a row and of a column.
    apart = (shifts**2).sum(axis=2) / _NEIGHBOR + _NEIGHBOR * np.abs(_height_ratios(*some))
    numbers = {column: at for at, column in enumerate(columns[:_MOST_UNITS])}
    for at, row in enumerate(rows[:_MOST_UNITS]):
        beside = (partners.get(near) for near in range(row - _AROUND, row + _AROUND + 1))
        spans = (range(near - _AROUND, near + _AROUND + 1) for near in beside if near is not None)
        for column in chain.from_iterable(spans):
            if column in numbers:
                apart[at, numbers[column]] -= _NEIGHBOR
    for at, other in np.transpose(scipy.optimize.linear_sum_assignment(apart)).tolist():
        if shifts[at, other].max() <= _FARTHEST:
            yield rows[at], columns[other]


def _cut(units: Sequence[Unit], rows: Sequence[int], others: Sequence[Unit]) -> list[Unit]:
    """Return texts, splitting those that mostly consist of texts of the other page."""
    keys: dict[str, list[str]] = defaultdict(list)
    for key in {unit.key for unit in others if len(unit.key) >= _LEAST_PART}:
        keys[key[0]].append(key)
    left = {*rows}
    return [part for at, unit in enumerate(units) for part in (_parts(unit, keys) if at in left else [unit])]


def _parts(unit: Unit, keys: Mapping[str, Sequence[str]]) -> list[Unit]:
    """Return a text in parts, all but one of which are texts of the other page; or as it is.

    One part is exactly such a text; several together nearly are.
    """
    places = _places_of(unit.runs)
    read = (
        (
            at,
            max(
                (_read(unit, places, at, key) for key in keys.get(unit.key[place : place + 1], ())),
                default=(0.0, 0),
            ),
        )
        for at, place in enumerate(places[:-1])
    )
    known: dict[tuple[int, int], float] = {}  # How alike parts are, by where they begin and end
    for at, (alike, end) in sorted(read, key=lambda one: (-one[1][0], one[0])):
        if alike and all(end <= start or at >= stop for start, stop in known):
            known[at, end] = alike
    ends = sorted({*chain.from_iterable(known), len(unit.runs)} - {0})
    length = sum(places[end] - places[start] for start, end in known)
    is_known = (len(known) > 1 or 1.0 in known.values()) and length >= _MOST_OF_TEXT * len(unit.key)
    if not is_known or len(ends) > len(known) + 1:
        return [unit]
    return [joined_unit(unit.runs[at:end]) for at, end in pairwise([0, *ends])]


def _read(unit: Unit, places: Sequence[int], start: int, key: str) -> tuple[float, int]:
    """Return how much of a text can be read from one of the runs of another one, 0..1, and where it ends."""
    end = min(range(start + 1, len(places)), key=lambda end: abs(places[end] - places[start] - len(key)))
    least = 1.0 if len(key) < _SHORT else _SAME_PART
    return Indel.normalized_similarity(unit.key[places[start] : places[end]], key, score_cutoff=least), end


def _merged(units: Sequence[Unit], rows: Sequence[int], wholes: Sequence[Unit]) -> list[Unit]:
    """Return texts, merging consecutive ones that together read like one of the other page.

    They read exactly so, or nearly so and are close to each other.
    """
    left, starts = {*rows}, dict[str, list[int]]()
    for row in rows:
        starts.setdefault(units[row].key[:1], []).append(row)
    merged: list[tuple[float, int, int, Unit]] = []
    for whole in dict.fromkeys(unit.key for unit in wholes):
        for first in starts.get(whole[:1], ()):
            text, end, is_close = units[first], first + 1, True
            while end in left and len(text.key) < len(whole):
                before, unit = units[end - 1], units[end]
                ends = unit.key[:_LEAST_LETTERS], unit.key[-_ENDS:]
                if len(unit.key) >= _LEAST_LETTERS and not any(part_end in whole for part_end in ends):
                    break
                is_close &= unit.box[1] - before.box[1] - before.box[3] <= unit.line_height
                text, end = _with_part(text, unit, whole), end + 1
                alike = Indel.normalized_similarity(text.key, whole, score_cutoff=_SAME_TEXT)
                if alike == 1 or (is_close and alike):
                    merged.append((-alike, first, end, text))
    texts: list[Unit | None] = [*units]
    for _, first, end, text in sorted(merged, key=itemgetter(0, 1, 2)):
        if left.issuperset(range(first, end)):
            left -= {*range(first, end)}
            texts[first:end] = [text, *[None] * (end - first - 1)]
    return [unit for unit in texts if unit]


def _with_part(text: Unit, part: Unit, whole: str) -> Unit:
    """Return two texts as one: one after the other, or as in a whole, which may have a box between words."""
    reach = sum(takewhile(bool, map(eq, text.key, whole)))
    places = [place for place in _places_of(text.runs) if place <= reach]
    at = len(places) - 1 if whole.startswith(part.key, places[-1]) else len(text.runs)
    return joined_unit([*text.runs[:at], *part.runs, *text.runs[at:]])


def _places_of(runs: Sequence[TextRun]) -> list[int]:
    """Return where runs begin among their letters, and where the last one ends."""
    return [0, *accumulate(len("".join(run.text.split())) for run in runs)]


def _translated(units: _Units, pairs: _Pairs) -> Iterator[tuple[int, int]]:
    """Yield pairs of the texts between two that both pages share, as many and as high: a menu, for example.

    In another language, they have other widths, and so are in other places.
    """
    taken = {j for _, j in pairs}
    for before, after in pairwise([(-1, -1), *sorted(pairs), (len(units[0]), len(units[1]))]):
        rows, columns = (range(start + 1, end) for start, end in zip(before, after, strict=True))
        is_free = len(rows) == len(columns) and taken.isdisjoint(columns)
        if is_free and _LEAST_IN_ORDER <= len(rows) <= _MOST_UNITS:
            reference, candidate = _some(units, rows, columns)
            keys = ([unit.key for unit in side] for side in (reference, candidate))
            ratios = cdist(*keys, scorer=Indel.normalized_similarity)
            is_exchanged = (ratios >= _SAME_WORDS) & (ratios > np.diagonal(ratios)[:, None])
            is_as_high = np.abs(np.diagonal(_height_ratios(reference, candidate))) < _SAME_HEIGHT
            is_near = np.diagonal(nearness(boxes_of(reference), boxes_of(candidate))) > 0
            if is_as_high.all() and is_near.mean() > _MOST_NEAR and not is_exchanged.any():
                yield from zip(rows, columns, strict=True)


def _alike(units: _Units, pairs: _Pairs) -> _Pairs:
    """Pair similar texts, or texts of which one is in the other's place."""
    rows, columns = (side[:_MOST_UNITS] for side in unpaired(pairs, units))
    if not rows or not columns:
        return []
    reference, candidate = _some(units, rows, columns)
    keys = ([unit.key[:MOST_LETTERS] for unit in side] for side in (reference, candidate))
    ratios = cdist(*keys, scorer=Indel.normalized_similarity, dtype=np.float64)
    lengths = [np.array([len(unit.key) for unit in side]) for side in (reference, candidate)]
    is_word = np.maximum(lengths[0][:, None], lengths[1][None]) < _SHORT
    ratios[is_word & (ratios < _LEAST_OF_WORDS)] = 0.0
    before, made = boxes_of(reference), boxes_of(candidate)
    wanted = before.copy()
    wanted[:, :2] += _shifts_near(before, units, pairs)
    widths = np.log(np.maximum(before[:, None, 2], 1.0) / np.maximum(made[None, :, 2], 1.0))
    in_place = np.where(np.abs(widths) < _SAME_WIDTH, nearness(before, made), 0.0)
    position = np.maximum(nearness(wanted, made), in_place)
    # If its order among other texts changed, a few words in common do not make it the same text.
    known = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    after = np.searchsorted(known[:, 0], rows)
    ends = np.concatenate([[-1], known[:, 1], [np.iinfo(np.int64).max]])
    start, stop = ends[after][:, None], ends[after + 1][:, None]
    is_in_order = (start > stop) | ((start < columns) & (columns < stop))
    least = np.where(is_in_order, _LEAST_NEAR, _LEAST_OUT_OF_ORDER)
    is_alike = (ratios >= LEAST_RATIO) & ((position > least) | (ratios >= _SAME_WORDS))
    is_same_size = np.abs(_height_ratios(reference, candidate)) < _SAME_HEIGHT
    score = np.where(is_alike | ((position >= _LEAST_IN_PLACE) & is_same_size), ratios + position, -1.0)
    return [*assigned(score, rows, columns)]


def _height_ratios(reference: Sequence[Unit], candidate: Sequence[Unit]) -> Boxes:
    """Return the natural logarithms of the ratios of line heights of every two texts."""
    heights = [np.array([unit.line_height for unit in side]) for side in (reference, candidate)]
    return np.asarray(np.log(heights[0][:, None] / heights[1][None]))


def _shifts_near(boxes: Boxes, units: _Units, pairs: _Pairs) -> Boxes:
    """Return how far the nearest paired text moved, px, for each box."""
    before, after = map(boxes_of, _some(units, *zip(*pairs, strict=True))) if pairs else (boxes, boxes)
    return np.asarray(least_shifts(before, after)[gaps(boxes, before).argmin(axis=1)])


def _unshown(
    rows: Sequence[int], units: Sequence[Unit], others: Sequence[Unit], partners: Mapping[Unit, Unit]
) -> Iterator[Unit]:
    """Yield the texts that the other page shows less often, however its texts are split."""
    joined = []
    for side in (units, others):
        orders = side, sorted(side, key=lambda unit: (unit.box[1], unit.box[0]))
        joined.append(["".join(map(_without_signs, order)) for order in orders])
    lacking: Counter[str] = Counter()
    for row in rows:
        unit = units[row]
        if len(unit.key) >= _LEAST_LETTERS:
            counts = [max(text.count(_without_signs(unit)) for text in side) for side in joined]
            is_shown = counts[1] >= counts[0] - lacking[unit.key]
        else:
            # Alone, the next text may begin with it.
            around = "".join(map(_without_signs, units[max(0, row - 1) : row + 2]))
            is_shown = any(_has_more_of(unit, other, partners.get(other)) for other in others)
            is_shown |= len(around) >= _LEAST_LETTERS and any(around in text for text in joined[1])
        if unit.key and not is_shown:
            lacking[unit.key] += 1
            yield unit


def _has_more_of(unit: Unit, other: Unit, partner: Unit | None) -> bool:
    """Return whether a text near another one has its letters more often than its counterpart."""
    apart = sum(abs(unit.box[axis] - other.box[axis]) for axis in (0, 1))
    return apart < _FARTHEST and other.key.count(unit.key) > (partner.key.count(unit.key) if partner else 0)


def _without_signs(unit: Unit) -> str:
    """Return the letters of a text without punctuation, unless it has nothing else."""
    return "".join(filter(str.isalnum, unit.key)) or unit.key
