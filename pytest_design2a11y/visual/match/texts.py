"""Match the texts of a design with those of a generated page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import log

import numpy as np
import scipy  # Loads its parts on first use
from numpy.typing import NDArray
from rapidfuzz.distance import Indel, LCSseq
from rapidfuzz.process import cdist

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.visual.assignment import gaps, least_shifts
from pytest_design2a11y.visual.scene.units import LEAST_RATIO, MOST_LETTERS, Unit, joined_unit

#: Texts this near to the same place replace each other, whatever they read.
_LEAST_IN_PLACE = 0.97
#: Greatest logarithms of the ratios of line heights, and of the widths of texts that did not move with their
#: surroundings, for one text to replace another.
_SAME_HEIGHT, _SAME_WIDTH = 0.2, 0.4
#: Least number of texts in rows that are compared; tops must be less than this (px) from where expected.
_LEAST_IN_ROW, _SAME_TOP = 3, 4.0
#: Texts this similar are the same, anywhere in the row.
_SAME_WORDS = 0.8
#: Equal texts are matched by equal texts among this many before and after them, each of which counts as
#: being nearer by this many px.
_AROUND, _NEIGHBOUR = 3, 400.0
#: px; equal texts that moved this differently from everything around them are not the same text.
_FARTHEST = 400.0
#: Texts in another order are the same only if this near to where they are expected.
_LEAST_OUT_OF_ORDER = 0.6
#: Texts with fewer letters must have more in common to be the same: "Login" and "Logo" share two thirds.
_SHORT, _LEAST_OF_WORDS = 12, 0.7
#: Texts with at least this many words must share this part of them to be the same.
_FEW_WORDS, _LEAST_COMMON = 5, 0.25
#: Share of letters that consecutive texts must have in common with one text to be merged into it.
_SAME_TEXT = 0.9
#: A text is split if this share of its letters is separate texts on the other page, with at least this many
#: letters in each part.
_MOST_OF_TEXT, _LEAST_PART = 0.3, 6
#: Letters at one end of a part that must occur in the whole; number of pairs above which none is tried.
_ENDS, _MOST_TRIED = 8, 100_000
#: Shorter texts occur within longer ones by chance.
_LEAST_LETTERS = 4
#: Most texts of a page that are compared: the time grows with their square.
_MOST_UNITS = 1500

Boxes = NDArray[np.float64]
_Sides = tuple[Sequence[Unit], Sequence[Unit]]
_Pairs = list[tuple[int, int]]
_UnitPairs = list[tuple[Unit, Unit]]
#: Things this far from their place (px, across and down) are not near it at all.
_FAR = (300.0, 150.0)


@dataclass(frozen=True, slots=True)
class UnitMatching:
    """The pairs of texts."""

    pairs: tuple[tuple[Unit, Unit], ...]
    missing: tuple[Unit, ...]  # Texts of the design that the generated page does not show
    extra: tuple[Unit, ...]  # Texts of the generated page that the design does not show
    units: _Sides  # All texts of both, as split or merged


def match_units(reference: Sequence[Unit], candidate: Sequence[Unit]) -> UnitMatching:
    """Pair the texts of two pages: equal ones in order, equal ones elsewhere, then similar ones.

    A text that the other page shows as a part of a longer one, or in parts, is neither missing nor extra.
    """
    sides: _Sides = reference, candidate
    for remade in (_cut, _merged):
        rows, columns = unpaired(_equal(sides), sides)
        lone = _some(sides, rows, columns)
        sides = remade(sides[0], rows, lone[1]), remade(sides[1], columns, lone[0])
    pairs = _equal(sides)
    pairs += _row_by_row(sides, pairs)
    pairs += _alike(sides, pairs)
    rows, columns = unpaired(pairs, sides)
    found = [(sides[0][i], sides[1][j]) for i, j in sorted(pairs)]
    found, taken = _with_lines(found, _some(sides, rows, columns))
    partners = {id(own): other for pair in found for own, other in (pair, pair[::-1])}
    missing = [*_unshown([i for i in rows if id(sides[0][i]) not in taken], *sides, partners)]
    extra = [*_unshown([j for j in columns if id(sides[1][j]) not in taken], *sides[::-1], partners)]
    # Lines of unpaired texts may be similar.
    lines, others = ([line for unit in side for line in _lines_of(unit)] for side in (missing, extra))
    alike = [(lines[i], others[j]) for i, j in _alike((lines, others), [])]
    alike = [pair for pair in alike if pair[0].reads_as(pair[1])]
    paired = {id(run) for pair in alike for line in pair for run in line.runs}
    whole = ([unit.runs for unit in side] for side in (missing, extra))
    rest = [[[run for run in runs if id(run) not in paired] for runs in side] for side in whole]
    missing, extra = ([joined_unit(runs) for runs in side if runs] for side in rest)
    return UnitMatching((*found, *alike), tuple(missing), tuple(extra), (reference, candidate))


def _some(sides: _Sides, rows: Sequence[int], columns: Sequence[int]) -> _Sides:
    return [sides[0][i] for i in rows], [sides[1][j] for j in columns]


def _equal(sides: _Sides) -> _Pairs:
    """Pair equal texts: in their order, or anywhere."""
    pairs: _Pairs = []
    for code in LCSseq.opcodes(*([unit.key for unit in side] for side in sides)):
        if code.tag == "equal":
            spans = range(code.src_start, code.src_end), range(code.dest_start, code.dest_end)
            pairs += zip(*spans, strict=True)
    pairs = _by_place(sides, pairs)
    pairs += _elsewhere(sides, pairs)
    return _without_strays(sides, pairs)


def _with_lines(pairs: _UnitPairs, lone: _Sides) -> tuple[_UnitPairs, set[int]]:
    """Return the pairs, plus pairs for lines of a text that are separate texts on the other page.

    Also return the `id`s of the unpaired texts that are used for these.
    """
    found: _UnitPairs = []
    taken: set[int] = set()
    tried = sum(first.key != second.key for first, second in pairs) * sum(map(len, lone))
    for pair in pairs:
        rest = [*pair]
        for side in (0, 1) if pair[0].key != pair[1].key and tried <= _MOST_TRIED else ():
            for line in _lines_of(rest[side]):
                left = (unit for unit in lone[1 - side] if id(unit) not in taken)
                long = (unit for unit in left if len(unit.key) >= _LEAST_PART)
                like = (unit for unit in long if unit.reads_as(line, _SAME_WORDS))
                if line.key != rest[side].key and (other := next(like, None)) is not None:
                    taken.add(id(other))
                    found.append((other, line) if side else (line, other))
                    own = {id(run) for run in line.runs}
                    rest[side] = joined_unit([run for run in rest[side].runs if id(run) not in own])
        found.append((rest[0], rest[1]))
    return found, taken


def _lines_of(unit: Unit) -> Iterator[Unit]:
    """Yield a text split where one of its runs begins a new line."""
    runs = [unit.runs[0]]
    for run in unit.runs[1:]:
        last, first = runs[-1].boxes[-1], run.boxes[0]
        if first[1] >= last[1] + last[3] / 2:
            yield joined_unit(runs)
            runs = []
        runs.append(run)
    yield joined_unit(runs)


def unpaired(
    pairs: Sequence[tuple[int, int]], sides: Sequence[Sequence[object]]
) -> tuple[list[int], list[int]]:
    """Return the indices that are in no pair, for the design and for the generated page."""
    taken = {i for i, _ in pairs}, {j for _, j in pairs}
    rows, columns = (sorted({*range(len(side))} - own) for side, own in zip(sides, taken, strict=True))
    return rows, columns


def assigned(table: Boxes, rows: Sequence[int], columns: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of rows and columns with the greatest sum; none where the table is not above 0."""
    for row, column in np.transpose(scipy.optimize.linear_sum_assignment(table, maximize=True)).tolist():
        if table[row, column] > 0:
            yield rows[row], columns[column]


def _by_place(sides: _Sides, pairs: _Pairs) -> _Pairs:
    """Pair repeated texts anew: by height, and by where their neighbours moved to."""
    indices: tuple[dict[str, list[int]], dict[str, list[int]]] = ({}, {})
    keys = [[unit.key for unit in side] for side in sides]
    for own, index in zip(keys, indices, strict=True):
        for at, key in enumerate(own):
            index.setdefault(key, []).append(at)
    doubtful = {key for key, rows in indices[0].items() if 0 < len(indices[1].get(key, ())) != len(rows)}
    sure = [(i, j) for i, j in pairs if keys[0][i] not in doubtful]
    known = {key for key in indices[0] if len(indices[0][key]) == len(indices[1].get(key, ())) == 1}
    for key in sorted(doubtful):
        rows, columns = indices[0][key], indices[1][key]
        some = _some(sides, rows, columns)
        wanted, boxes = map(boxes_of, some)
        wanted[:, :2] += _shifts_near(wanted, sides, sure)
        apart = np.abs(wanted[:, None, :2] - boxes[None, :, :2]).sum(axis=2)
        apart += 1000.0 * np.abs(_height_ratios(*some))
        beside = [
            [{*side[max(0, at - _AROUND) : at + _AROUND + 1]} & known for at in own]
            for side, own in zip(keys, (rows, columns), strict=True)
        ]
        apart -= [[_NEIGHBOUR * len(first & second) for second in beside[1]] for first in beside[0]]
        found = np.transpose(scipy.optimize.linear_sum_assignment(apart)).tolist()
        sure += [(rows[row], columns[column]) for row, column in found]
    return sure


def _cut(units: Sequence[Unit], rows: Sequence[int], others: Sequence[Unit]) -> list[Unit]:
    """Return texts, splitting those that mostly consist of consecutive texts of the other page."""
    keys, left = {unit.key for unit in others if len(unit.key) >= _LEAST_PART}, {*rows}
    texts: list[Unit] = []
    for at, unit in enumerate(units):
        parts: list[tuple[bool, list[TextRun]]] = []
        end = 0
        while at in left and end < len(unit.runs):
            ends = range(len(unit.runs), end, -1)
            start, end = end, next((stop for stop in ends if _letters(unit.runs[end:stop]) in keys), 0)
            is_known, end = end > 0, end or start + 1
            if not is_known and parts and not parts[-1][0]:
                parts[-1][1].append(unit.runs[start])
            else:
                parts.append((is_known, [*unit.runs[start:end]]))
        known = sum(len(_letters(runs)) for is_known, runs in parts if is_known)
        is_rest_one = sum(not is_known for is_known, _ in parts) <= 1
        is_cut = len(parts) > 1 and is_rest_one and known >= _MOST_OF_TEXT * len(unit.key)
        texts += [joined_unit(runs) for _, runs in parts] if is_cut else [unit]
    return texts


def _merged(units: Sequence[Unit], rows: Sequence[int], wholes: Sequence[Unit]) -> list[Unit]:
    """Return texts, merging consecutive ones that together read like one of the other page.

    They read exactly so, or nearly so and are close to each other.
    """
    left, starts = {*rows}, dict[str, list[int]]()
    for row in rows if len(rows) * len(wholes) <= _MOST_TRIED else ():
        starts.setdefault(units[row].key[:1], []).append(row)
    found: list[tuple[float, range, list[TextRun]]] = []
    for whole in dict.fromkeys(unit.key for unit in wholes):
        for first in starts.get(whole[:1], ()):
            letters, runs = units[first].key, [*units[first].runs]
            if not whole[:_LEAST_LETTERS].startswith(letters[:_LEAST_LETTERS]):
                continue
            end, is_close = first + 1, True
            while end in left and len(letters) < len(whole):
                before, unit = units[end - 1], units[end]
                ends = unit.key[:_LEAST_LETTERS], unit.key[-_ENDS:]
                if len(unit.key) >= _LEAST_LETTERS and not any(own in whole for own in ends):
                    break
                is_close &= unit.box[1] - before.box[1] - before.box[3] <= unit.line_height
                # A box within a text may stand between two parts of it.
                is_next = whole.startswith(letters + unit.key)
                at = len(runs) if is_next else _place_within(runs, unit, whole)
                runs[at:at] = unit.runs
                letters, end = _letters(runs), end + 1
                ratio = Indel.normalized_similarity(letters, whole)
                if ratio == 1 or (is_close and ratio >= _SAME_TEXT):
                    found.append((-ratio, range(first, end), [*runs]))
    texts: list[Unit | None] = [*units]
    for _, parts, runs in sorted(found, key=lambda merged: (merged[0], merged[1].start, merged[1].stop)):
        if left.issuperset(parts):
            left -= {*parts}
            texts[parts.start : parts.stop] = [joined_unit(runs), *[None] * (len(parts) - 1)]
    return [unit for unit in texts if unit]


def _place_within(runs: Sequence[TextRun], unit: Unit, whole: str) -> int:
    """Return the index among runs at which a text makes most of them read as another text begins."""
    tried = (_letters([*runs[:at], *unit.runs, *runs[at:]]) for at in range(1, len(runs) + 1))
    alike = (map(str.__eq__, whole, letters) for letters in tried)
    reached = [sum(takewhile(bool, same)) for same in alike]
    return len(runs) - reached[::-1].index(max(reached))


def _letters(runs: Sequence[TextRun]) -> str:
    return "".join("".join(run.text.lower().split()) for run in runs)


def _elsewhere(sides: _Sides, pairs: _Pairs) -> _Pairs:
    """Pair equal texts whose order changed, nearest first."""
    rows, columns = unpaired(pairs, sides)
    indices: dict[str, list[int]] = {}
    for j in columns:
        indices.setdefault(sides[1][j].key, []).append(j)
    equal = ((i, j) for i in rows for j in indices.get(sides[0][i].key, ()))
    near = sorted((_distance(sides[0][i].box, sides[1][j].box), i, j) for i, j in equal)
    found: dict[int, int] = {}
    taken = set[int]()
    for _, i, j in near:
        if i not in found and j not in taken:
            found[i] = j
            taken.add(j)
    return [*found.items()]


def _without_strays(sides: _Sides, pairs: _Pairs) -> _Pairs:
    """Leave out pairs of repeated texts that moved far from where their neighbours moved to."""
    if len(pairs) < 3:
        return pairs
    counts = [Counter(unit.key for unit in side) for side in sides]
    pairs = sorted(pairs)
    before, after = (boxes_of([side[pair[at]] for pair in pairs]) for at, side in enumerate(sides))
    shifts = after[:, :2] - before[:, :2]
    kept = []
    for at, (i, j) in enumerate(pairs):
        around = np.median(np.delete(shifts[max(0, at - 3) : at + 4], min(at, 3), axis=0), axis=0)
        key = sides[0][i].key
        is_many = max(count[key] for count in counts) > 1 or len(key) < 3
        if not (is_many and np.abs(shifts[at] - around).max() > _FARTHEST):
            kept.append((i, j))
    return kept


def _row_by_row(sides: _Sides, pairs: _Pairs) -> Iterator[tuple[int, int]]:
    """Pair the texts of rows in the same place with equal numbers of texts, from left to right.

    In a menu in another language, items are in other places because of their widths.
    """
    reference, candidate = sides
    partner_of, taken = dict(pairs), {j for _, j in pairs}
    others = _rows_of(candidate)
    for row in _rows_of(reference):
        first = reference[row[0]]
        down = first.box[1] + _shifts_near(boxes_of([first]), sides, pairs)[0][1]
        for other in others:
            top, height = candidate[other[0]].box[1], candidate[other[0]].line_height
            is_there = abs(top - down) < _SAME_TOP and abs(log(height / first.line_height)) < _SAME_HEIGHT
            if not is_there or len(row) != len(other):
                continue
            left = [(i, j) for i, j in zip(row, other, strict=True) if partner_of.get(i) != j]
            is_free = all(i not in partner_of and j not in taken for i, j in left)
            keys = [(reference[i].key, candidate[j].key) for i, _ in left for k, j in left if k != i]
            if is_free and all(Indel.normalized_similarity(*words) < _SAME_WORDS for words in keys):
                yield from left


def _rows_of(units: Sequence[Unit]) -> list[list[int]]:
    """Return rows of several one-line texts, each from left to right."""
    rows: dict[tuple[int, int], list[int]] = {}
    for at, unit in sorted(enumerate(units), key=lambda item: item[1].box[0]):
        if unit.box[3] < 1.5 * unit.line_height:
            rows.setdefault((round(unit.box[1]), round(unit.line_height)), []).append(at)
    return [row for row in rows.values() if len(row) >= _LEAST_IN_ROW]


def _alike(sides: _Sides, pairs: _Pairs) -> _Pairs:
    """Pair similar texts, or texts of which one is in the other's place."""
    rows, columns = (side[:_MOST_UNITS] for side in unpaired(pairs, sides))
    if not rows or not columns:
        return []
    first, second = _some(sides, rows, columns)
    keys = ([unit.key[:MOST_LETTERS] for unit in side] for side in (first, second))
    ratios = cdist(*keys, scorer=Indel.normalized_similarity, dtype=np.float64)
    lengths = [np.array([len(unit.key) for unit in side]) for side in (first, second)]
    is_word = np.maximum(lengths[0][:, None], lengths[1][None]) < _SHORT
    ratios[is_word & (ratios < _LEAST_OF_WORDS)] = 0.0
    before, own = boxes_of(first), boxes_of(second)
    wanted = before.copy()
    wanted[:, :2] += _shifts_near(before, sides, pairs)
    widths = np.log(np.maximum(before[:, None, 2], 1.0) / np.maximum(own[None, :, 2], 1.0))
    in_place = np.where(np.abs(widths) < _SAME_WIDTH, nearness(before, own), 0.0)
    place = np.maximum(nearness(wanted, own), in_place)
    # If its order among other texts changed, a few words in common do not make it the same text.
    known = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    after = np.searchsorted(known[:, 0], rows)
    ends = np.concatenate([[-1], known[:, 1], [np.iinfo(np.int64).max]])
    start, stop = ends[after][:, None], ends[after + 1][:, None]
    is_in_order = (start > stop) | ((start < columns) & (columns < stop))
    least = np.where(is_in_order, 0.2, _LEAST_OUT_OF_ORDER)
    is_alike = (ratios >= LEAST_RATIO) & ((place > least) | (ratios >= _SAME_WORDS))
    # Long texts in one language share half of their letters by chance, but few of their words.
    for row, column in np.argwhere(is_alike & (ratios < _SAME_WORDS)).tolist():
        words = [Counter(unit.text.lower().split()) for unit in (first[row], second[column])]
        fewest, common = min(count.total() for count in words), (words[0] & words[1]).total()
        is_alike[row, column] = fewest < _FEW_WORDS or common >= _LEAST_COMMON * fewest
    is_same_size = np.abs(_height_ratios(first, second)) < _SAME_HEIGHT
    score = np.where(is_alike | ((place >= _LEAST_IN_PLACE) & is_same_size), ratios + place, -1.0)
    return [*assigned(score, rows, columns)]


def boxes_of(things: Sequence[Unit | Element]) -> Boxes:
    """Return left, top, width and height of texts or elements by row, px."""
    return np.array([thing.box for thing in things], dtype=np.float64).reshape(-1, 4)


def _height_ratios(first: Sequence[Unit], second: Sequence[Unit]) -> Boxes:
    """Return the natural logarithms of the ratios of line heights of every two texts."""
    heights = [np.array([unit.line_height for unit in side]) for side in (first, second)]
    return np.asarray(np.log(heights[0][:, None] / heights[1][None]))


def _shifts_near(boxes: Boxes, sides: _Sides, pairs: _Pairs) -> Boxes:
    """Return how far the nearest paired text moved, px, for each box."""
    if not pairs:
        return np.zeros((len(boxes), 2))
    before, after = (boxes_of([side[pair[at]] for pair in pairs]) for at, side in enumerate(sides))
    return np.asarray((after - before)[gaps(boxes, before).argmin(axis=1), :2])


def nearness(wanted: Boxes, own: Boxes, reach: tuple[float, float] = _FAR) -> Boxes:
    """Return the nearness of boxes by nearest edge or centre, 0..1; 0 beyond `reach` (px, across, down)."""
    shifts = least_shifts(wanted[:, None], own[None])
    return np.asarray(np.maximum(0.0, 1.0 - shifts / reach).min(axis=-1))


def _distance(first: Box, second: Box) -> float:
    return abs(first[0] - second[0]) + abs(first[1] - second[1])


def _unshown(
    rows: Sequence[int], own: Sequence[Unit], others: Sequence[Unit], partners: Mapping[int, Unit]
) -> Iterator[Unit]:
    """Yield the texts that the other page shows less often, however its texts are split.

    If it shows a part of a text, only the lines that it does not show.
    """
    joined = []
    for side in (own, others):
        orders = side, sorted(side, key=lambda unit: (unit.box[1], unit.box[0]))
        joined.append(["".join(map(_without_signs, order)) for order in orders])
    lacking: Counter[str] = Counter()

    def is_shown(unit: Unit, around: str = "") -> bool:
        if len(unit.key) >= _LEAST_LETTERS:
            counts = [max(text.count(_without_signs(unit)) for text in side) for side in joined]
            return counts[1] >= counts[0] - lacking[unit.key]
        near = (other for other in others if _distance(other.box, unit.box) < _FARTHEST)
        is_near = any(_has_more_of(unit.key, other, partners.get(id(other))) for other in near)
        return is_near or (len(around) >= _LEAST_LETTERS and any(around in text for text in joined[1]))

    for row in rows:
        unit = own[row]
        # Alone, the next text may begin with it.
        around = "".join(map(_without_signs, own[max(0, row - 1) : row + 2]))
        if not unit.key or is_shown(unit, around):
            continue
        runs = [run for line in _lines_of(unit) if not is_shown(line) for run in line.runs]
        is_lacking = runs and not all(is_shown(joined_unit([run])) for run in unit.runs)
        lacking[unit.key] += 1
        if is_lacking:
            yield joined_unit(runs)


def _has_more_of(letters: str, unit: Unit, partner: Unit | None) -> bool:
    """Return whether a text has some letters more often than its counterpart."""
    return unit.key.count(letters) > (0 if partner is None else partner.key.count(letters))


def _without_signs(unit: Unit) -> str:
    """Return the letters of a text without punctuation, unless it has nothing else."""
    return "".join(filter(str.isalnum, unit.key)) or unit.key
