"""Which text of a design stands where on a generated page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel, LCSseq
from rapidfuzz.process import cdist

from pytest_design2a11y.models.assignment import linear_sum_assignment
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.visual.assignment import exchanges, gaps, least_shifts
from pytest_design2a11y.visual.differences.units import LEAST_RATIO, MOST_LETTERS, Unit, joined_unit

#: Texts that stand so near to one place were replaced, whatever they read.
_LEAST_IN_PLACE = 0.97
#: Natural logarithms of the ratios of the heights of lines, and of the widths of what did not move with what
#: is around it, up to which one text may replace another.
_SAME_HEIGHT, _SAME_WIDTH = 0.2, 0.4
#: Rows of so many texts are compared, whose tops differ by less (px) from where they are sought.
_LEAST_IN_ROW, _SAME_TOP = 3, 4.0
#: Texts that read alike so much are one, wherever in the row they stand.
_SAME_WORDS = 0.8
#: Of equal texts those are one that have the same texts among so many before and after them, as if nearer by
#: so much (px) for each.
_AROUND, _NEIGHBOUR = 3, 400.0
#: Equal texts that moved otherwise than all around them by so much (px) are not the same text.
_FARTHEST = 400.0
#: Texts in another order are one only so near to where they are sought.
_LEAST_OUT_OF_ORDER = 0.6
#: Texts of fewer letters are other words unless they have more in common: "Login" and "Logo" have two thirds.
_SHORT, _LEAST_OF_WORDS = 12, 0.7
#: Texts of so many words have so much of them in common, if they are one.
_FEW_WORDS, _LEAST_COMMON = 5, 0.25
#: Texts that follow each other are one that has so many letters in common with all of them.
_SAME_TEXT = 0.9
#: A text is cut of which so much, as a share of its letters, stands by itself on the other page, and so many
#: letters at least in each part.
_MOST_OF_TEXT, _LEAST_PART = 0.3, 6
#: Of a part of a text, so many letters at one end stand in it; and of so many pairs, none is sought.
_ENDS, _MOST_TRIED = 8, 100_000
#: Shorter texts stand within longer ones by chance.
_LEAST_LETTERS = 4
#: Texts of a page that are compared at most: the time grows with their square.
_MOST_UNITS = 1500

Boxes = NDArray[np.float64]
#: What lies so far from its place (px, aside and down) is not near it at all.
_FAR = (300.0, 150.0)


@dataclass(frozen=True, slots=True)
class UnitMatching:
    """The pairs of texts."""

    pairs: tuple[tuple[Unit, Unit], ...]
    missing: tuple[Unit, ...]  # Texts of the design that the generated page does not show
    extra: tuple[Unit, ...]  # Texts of the generated page that the design does not show
    units: tuple[Sequence[Unit], Sequence[Unit]]  # All texts of both, as each is made up


def match_units(reference: Sequence[Unit], candidate: Sequence[Unit]) -> UnitMatching:
    """Pair the texts of two pages: equal ones in their order, equal ones elsewhere, then what reads alike.

    A text that the other page shows as a part of a longer one, or in several, is neither missing nor extra.
    """
    units = reference, candidate
    rows, columns = unpaired(_equal(reference, candidate), units)
    lone = [reference[i] for i in rows], [candidate[j] for j in columns]
    reference, candidate = _cut(reference, rows, lone[1]), _cut(candidate, columns, lone[0])
    rows, columns = unpaired(_equal(reference, candidate), (reference, candidate))
    lone = [reference[i] for i in rows], [candidate[j] for j in columns]
    reference, candidate = _merged(reference, rows, lone[1]), _merged(candidate, columns, lone[0])
    pairs = _equal(reference, candidate)
    pairs += _row_by_row(reference, candidate, pairs)
    pairs += _alike(reference, candidate, *unpaired(pairs, (reference, candidate)), pairs)
    rows, columns = unpaired(pairs, (reference, candidate))
    lone = [reference[i] for i in rows], [candidate[j] for j in columns]
    found, taken = _with_lines([(reference[i], candidate[j]) for i, j in sorted(pairs)], lone)
    rows, columns = (
        [i for i in rows if id(reference[i]) not in taken],
        [j for j in columns if id(candidate[j]) not in taken],
    )
    missing, extra = _unshown(rows, reference, candidate), _unshown(columns, candidate, reference)
    found = _in_place(found)
    return _line_by_line(found, ([*missing], [*extra]), units)


def _equal(reference: Sequence[Unit], candidate: Sequence[Unit]) -> list[tuple[int, int]]:
    """Pair texts that read the same: in their order, or wherever they are."""
    pairs = _by_place(reference, candidate, _in_order(reference, candidate))
    pairs += _elsewhere(reference, candidate, *unpaired(pairs, (reference, candidate)))
    return _without_strays(reference, candidate, pairs)


def _in_place(pairs: list[tuple[Unit, Unit]]) -> list[tuple[Unit, Unit]]:
    """Return the pairs, with two texts that stand in each other's place paired with what stands in theirs."""
    for i, j in exchanges(*(_boxes(side) for side in zip(*pairs, strict=True))) if pairs else ():
        (first, second), (other, another) = pairs[i], pairs[j]
        if abs(log(first.line_height / other.line_height)) < _SAME_HEIGHT:
            pairs[i], pairs[j] = (first, another), (other, second)
    return pairs


def _with_lines(
    pairs: Sequence[tuple[Unit, Unit]], lone: tuple[Sequence[Unit], Sequence[Unit]]
) -> tuple[list[tuple[Unit, Unit]], set[int]]:
    """Return the pairs, with a line of a text that stands by itself on the other page as one of its own.

    And which texts of those without counterparts they are, by their `id`.
    """
    found: list[tuple[Unit, Unit]] = []
    taken: set[int] = set()
    tried = sum(first.key != second.key for first, second in pairs) * sum(map(len, lone))
    for pair in pairs:
        rest = [*pair]
        for side in (0, 1) if pair[0].key != pair[1].key and tried <= _MOST_TRIED else ():
            for line in _lines_of(rest[side]):
                others = (
                    one for one in lone[1 - side] if id(one) not in taken and len(one.key) >= _LEAST_PART
                )
                like = (one for one in others if one.reads_as(line, _SAME_WORDS))
                if line.key != rest[side].key and (other := next(like, None)) is not None:
                    taken.add(id(other))
                    found.append((other, line) if side else (line, other))
                    own = {id(run) for run in line.runs}
                    rest[side] = joined_unit([run for run in rest[side].runs if id(run) not in own])
        found.append((rest[0], rest[1]))
    return found, taken


def _line_by_line(
    pairs: Sequence[tuple[Unit, Unit]],
    lone: tuple[Sequence[Unit], Sequence[Unit]],
    units: tuple[Sequence[Unit], Sequence[Unit]],
) -> UnitMatching:
    """Return the pairs, with those of the lines that read alike of texts that one page alone has."""
    first, second = ([line for unit in side for line in _lines_of(unit)] for side in lone)
    alike = [
        (first[i], second[j])
        for i, j in _alike(first, second, range(len(first)), range(len(second)), ())
        if first[i].reads_as(second[j])
    ]
    paired = {id(run) for pair in alike for line in pair for run in line.runs}
    missing, extra = (
        tuple(
            joined_unit(runs)
            for unit in side
            if (runs := [run for run in unit.runs if id(run) not in paired])
        )
        for side in lone
    )
    return UnitMatching((*pairs, *alike), missing, extra, units)


def _lines_of(unit: Unit) -> Iterator[Unit]:
    """Yield a text cut where what it is made of begins a new line."""
    runs = [unit.runs[0]]
    for run in unit.runs[1:]:
        last, first = runs[-1].boxes[-1], run.boxes[0]
        if first[1] >= last[1] + last[3] / 2:
            yield joined_unit(runs)
            runs = []
        runs.append(run)
    yield joined_unit(runs)


def unpaired(
    pairs: Sequence[tuple[int, int]], sides: tuple[Sequence[object], Sequence[object]]
) -> tuple[list[int], list[int]]:
    """Return what is in no pair, by index, of the design and of the generated page."""
    taken = {i for i, _ in pairs}, {j for _, j in pairs}
    rows, columns = ([*{*range(len(side))} - own] for side, own in zip(sides, taken, strict=True))
    return sorted(rows), sorted(columns)


def assigned(table: Boxes, rows: Sequence[int], columns: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of rows and columns that fit best in sum; none where the table is not above 0."""
    for row, column in zip(
        *(one.tolist() for one in linear_sum_assignment(table, maximize=True)), strict=True
    ):
        if table[row, column] > 0:
            yield rows[row], columns[column]


def _in_order(reference: Sequence[Unit], candidate: Sequence[Unit]) -> list[tuple[int, int]]:
    keys = [one.key for one in reference], [one.key for one in candidate]
    pairs: list[tuple[int, int]] = []
    for code in LCSseq.opcodes(*keys):
        if code.tag == "equal":
            spans = range(code.src_start, code.src_end), range(code.dest_start, code.dest_end)
            pairs += zip(*spans, strict=True)
    return pairs


def _by_place(
    reference: Sequence[Unit], candidate: Sequence[Unit], pairs: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Pair texts that one page has more often anew: by their height, and by where what is near them went."""
    places: tuple[dict[str, list[int]], dict[str, list[int]]] = ({}, {})
    for side, units in enumerate((reference, candidate)):
        for at, unit in enumerate(units):
            places[side].setdefault(unit.key, []).append(at)
    doubtful = {key for key, rows in places[0].items() if 0 < len(places[1].get(key, ())) != len(rows)}
    sure = [(i, j) for i, j in pairs if reference[i].key not in doubtful]
    known = {key for key in places[0] if len(places[0][key]) == len(places[1].get(key, ())) == 1}
    for key in sorted(doubtful):
        rows, columns = places[0][key], places[1][key]
        first, second = [reference[i] for i in rows], [candidate[j] for j in columns]
        wanted, own = _boxes(first), _boxes(second)
        wanted[:, :2] += _shifts_near(wanted, reference, candidate, sure)
        heights = [np.array([one.line_height for one in side]) for side in (first, second)]
        apart = np.abs(wanted[:, None, :2] - own[None, :, :2]).sum(axis=2)
        apart += 1000.0 * np.abs(np.log(heights[0][:, None] / heights[1][None]))
        beside = [
            [{*keys[max(0, at - _AROUND) : at + _AROUND + 1]} & known for at in own]
            for keys, own in (
                ([one.key for one in reference], rows),
                ([one.key for one in candidate], columns),
            )
        ]
        apart -= [[_NEIGHBOUR * len(one & other) for other in beside[1]] for one in beside[0]]
        found = linear_sum_assignment(apart)
        sure += [
            (rows[row], columns[column]) for row, column in zip(*(one.tolist() for one in found), strict=True)
        ]
    return sure


def _cut(units: Sequence[Unit], rows: Sequence[int], others: Sequence[Unit]) -> list[Unit]:
    """Return texts, with those cut that are for the most part texts of the other page, in a row."""
    keys, left = {one.key for one in others if len(one.key) >= _LEAST_PART}, {*rows}
    texts: list[Unit] = []
    for at, unit in enumerate(units):
        parts: list[tuple[bool, list[TextRun]]] = []
        end = 0
        while at in left and end < len(unit.runs):
            ends = range(len(unit.runs), end, -1)
            start, end = end, next((one for one in ends if _letters(unit.runs[end:one]) in keys), 0)
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
    """Return texts, with those that follow each other as one that read as one of the other page.

    They read exactly so, or nearly, and stand close to each other.
    """
    left, starts = {*rows}, dict[str, list[int]]()
    for row in rows if len(rows) * len(wholes) <= _MOST_TRIED else ():
        starts.setdefault(units[row].key[:1], []).append(row)
    found: list[tuple[float, range, list[TextRun]]] = []
    for whole in {one.key for one in wholes}:
        for first in starts.get(whole[:1], ()):
            letters, runs = units[first].key, [*units[first].runs]
            if not whole[:_LEAST_LETTERS].startswith(letters[:_LEAST_LETTERS]):
                continue
            end, is_close = first + 1, True
            while end in left and len(letters) < len(whole):
                before, one = units[end - 1], units[end]
                ends = one.key[:_LEAST_LETTERS], one.key[-_ENDS:]
                if len(one.key) >= _LEAST_LETTERS and not any(own in whole for own in ends):
                    break
                is_close &= one.box[1] - before.box[1] - before.box[3] <= one.line_height
                # A box within a text stands between two parts of it.
                places = () if whole.startswith(letters + one.key) else range(1, len(runs))
                fits = (at for at in places if whole.startswith(_letters([*runs[:at], *one.runs])))
                at = next(fits, len(runs))
                runs[at:at] = one.runs
                letters, end = _letters(runs), end + 1
                ratio = Indel.normalized_similarity(letters, whole)
                if ratio == 1 or (is_close and ratio >= _SAME_TEXT):
                    found.append((-ratio, range(first, end), [*runs]))
    texts: list[Unit | None] = [*units]
    for _, parts, runs in sorted(found, key=lambda one: (one[0], one[1].start, one[1].stop)):
        if left.issuperset(parts):
            left -= {*parts}
            texts[parts.start : parts.stop] = [joined_unit(runs), *[None] * (len(parts) - 1)]
    return [one for one in texts if one]


def _letters(runs: Sequence[TextRun]) -> str:
    return "".join("".join(run.text.lower().split()) for run in runs)


def _elsewhere(
    reference: Sequence[Unit], candidate: Sequence[Unit], rows: Sequence[int], columns: Sequence[int]
) -> list[tuple[int, int]]:
    """Pair equal texts whose order changed, the nearest first."""
    places: dict[str, list[int]] = {}
    for j in columns:
        places.setdefault(candidate[j].key, []).append(j)
    near = sorted(
        (_distance(reference[i].box, candidate[j].box), i, j)
        for i in rows
        for j in places.get(reference[i].key, ())
    )
    return _greedy(near)


def _greedy(ranked: Iterable[tuple[float, int, int]]) -> list[tuple[int, int]]:
    taken: tuple[set[int], set[int]] = (set(), set())
    pairs = []
    for _, i, j in ranked:
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            pairs.append((i, j))
    return pairs


def _without_strays(
    reference: Sequence[Unit], candidate: Sequence[Unit], pairs: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Leave out pairs of texts that stand several times and moved far from where their neighbours went."""
    if len(pairs) < 3:
        return pairs
    counts = [Counter(one.key for one in side) for side in (reference, candidate)]
    pairs = sorted(pairs)
    shifts = np.array(
        [[candidate[j].box[axis] - reference[i].box[axis] for axis in (0, 1)] for i, j in pairs]
    )
    kept = []
    for at, (i, j) in enumerate(pairs):
        around = np.median(np.delete(shifts[max(0, at - 3) : at + 4], min(at, 3), axis=0), axis=0)
        is_many = max(count[reference[i].key] for count in counts) > 1 or len(reference[i].key) < 3
        if not (is_many and np.abs(shifts[at] - around).max() > _FARTHEST):
            kept.append((i, j))
    return kept


def _row_by_row(
    reference: Sequence[Unit], candidate: Sequence[Unit], pairs: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the texts of rows in one place that have as many texts on both pages, from left to right.

    The items of a menu that is in another language stand where others stood, for their widths.
    """
    partner_of, taken = dict(pairs), {j for _, j in pairs}
    others = _rows_of(candidate)
    for row in _rows_of(reference):
        first = reference[row[0]]
        down = first.box[1] + _shifts_near(_boxes([first]), reference, candidate, pairs)[0][1]
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
    """Return the rows of several texts of one line, each from left to right."""
    rows: dict[tuple[int, int], list[int]] = {}
    for at, unit in sorted(enumerate(units), key=lambda one: one[1].box[0]):
        if unit.box[3] < 1.5 * unit.line_height:
            rows.setdefault((round(unit.box[1]), round(unit.line_height)), []).append(at)
    return [row for row in rows.values() if len(row) >= _LEAST_IN_ROW]


def _alike(
    reference: Sequence[Unit],
    candidate: Sequence[Unit],
    rows: Sequence[int],
    columns: Sequence[int],
    pairs: Sequence[tuple[int, int]],
) -> list[tuple[int, int]]:
    """Pair texts that read alike, or of which one stands in the other's place."""
    if not rows or not columns:
        return []
    rows, columns = rows[:_MOST_UNITS], columns[:_MOST_UNITS]
    first, second = [reference[i] for i in rows], [candidate[j] for j in columns]
    ratios = cdist(
        [one.key[:MOST_LETTERS] for one in first],
        [one.key[:MOST_LETTERS] for one in second],
        scorer=Indel.normalized_similarity,
        dtype=np.float64,
    )
    lengths = [np.array([len(one.key) for one in side]) for side in (first, second)]
    is_word = np.maximum(lengths[0][:, None], lengths[1][None]) < _SHORT
    ratios[is_word & (ratios < _LEAST_OF_WORDS)] = 0.0
    before, own = _boxes(first), _boxes(second)
    wanted = before.copy()
    wanted[:, :2] += _shifts_near(before, reference, candidate, pairs)
    widths = np.log(np.maximum(before[:, None, 2], 1.0) / np.maximum(own[None, :, 2], 1.0))
    in_place = np.where(np.abs(widths) < _SAME_WIDTH, nearness(before, own), 0.0)
    place = np.maximum(nearness(wanted, own), in_place)
    # What stands before another text than it did is not the same text for a few words in common.
    least = np.where(_keep_order(rows, columns, pairs), 0.2, _LEAST_OUT_OF_ORDER)
    is_alike = (ratios >= LEAST_RATIO) & ((place > least) | (ratios >= _SAME_WORDS))
    # Long texts of one language have half of their letters in common by chance.
    for row, column in np.argwhere(is_alike & (ratios < _SAME_WORDS)).tolist():
        is_alike[row, column] = _share_words(first[row], second[column])
    heights = [np.array([one.line_height for one in side]) for side in (first, second)]
    is_same_size = np.abs(np.log(heights[0][:, None] / heights[1][None])) < _SAME_HEIGHT
    score = np.where(is_alike | ((place >= _LEAST_IN_PLACE) & is_same_size), ratios + place, -1.0)
    return [*assigned(score, rows, columns)]


def _share_words(first: Unit, second: Unit) -> bool:
    """Return whether two texts have some of their words in common; of few words, whether or not."""
    words = [Counter(one.text.lower().split()) for one in (first, second)]
    fewest = min(one.total() for one in words)
    return fewest < _FEW_WORDS or (words[0] & words[1]).total() >= _LEAST_COMMON * fewest


def _keep_order(
    rows: Sequence[int], columns: Sequence[int], pairs: Sequence[tuple[int, int]]
) -> NDArray[np.bool_]:
    """Return which texts stand between the same texts in the order of both pages."""
    known = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    after = np.searchsorted(known[:, 0], rows)
    ends = np.concatenate([[-1], known[:, 1], [np.iinfo(np.int64).max]])
    start, stop, own = ends[after][:, None], ends[after + 1][:, None], np.array(columns)[None]
    keep: NDArray[np.bool_] = (start > stop) | ((start < own) & (own < stop))
    return keep


def _boxes(units: Sequence[Unit]) -> Boxes:
    return np.array([one.box for one in units], dtype=np.float64).reshape(-1, 4)


def _shifts_near(
    boxes: Boxes, reference: Sequence[Unit], candidate: Sequence[Unit], pairs: Sequence[tuple[int, int]]
) -> Boxes:
    """Return how far the nearest text that was paired moved, px, for each box."""
    if not pairs:
        return np.zeros((len(boxes), 2))
    known = _boxes([reference[i] for i, _ in pairs])
    shifts = _boxes([candidate[j] for _, j in pairs])[:, :2] - known[:, :2]
    nearest = gaps(boxes, known).argmin(axis=1)
    found: Boxes = shifts[nearest]
    return found


def nearness(wanted: Boxes, own: Boxes, reach: tuple[float, float] = _FAR) -> Boxes:
    """Return how near the nearest edge or centre of boxes is, 0..1; 0 beyond `reach` (px, aside and down)."""
    shifts = least_shifts(wanted[:, None], own[None])
    return np.asarray(np.maximum(0.0, 1.0 - shifts / reach).min(axis=-1))


def _distance(first: Box, second: Box) -> float:
    return abs(first[0] - second[0]) + abs(first[1] - second[1])


def _unshown(rows: Sequence[int], own: Sequence[Unit], others: Sequence[Unit]) -> Iterator[Unit]:
    """Yield the texts that the other page shows less often, whatever parts its texts are cut into.

    Of a text that it shows in part, the lines that it does not show.
    """
    joined = [
        ["".join(_without_signs(one) for one in order) for order in (side, sorted(side, key=_order))]
        for side in (own, others)
    ]
    lacking: Counter[str] = Counter()

    def is_shown(unit: Unit, around: Sequence[str] = ()) -> bool:
        if len(unit.key) >= _LEAST_LETTERS:
            counts = [max(text.count(_without_signs(unit)) for text in side) for side in joined]
            return counts[1] >= counts[0] - lacking[unit.key]
        is_near = any(unit.key in one.key and _distance(one.box, unit.box) < _FARTHEST for one in others)
        return is_near or any(words in text for words in around for text in joined[1])

    for row in rows:
        unit = own[row]
        rows_of = (own[max(0, at) : at + 4] for at in range(row - 3, row + 1))
        around = ["".join(map(_without_signs, several)) for several in rows_of]
        if not unit.key or is_shown(unit, [words for words in around if len(words) >= _LEAST_LETTERS]):
            continue
        lines = [line for line in _lines_of(unit) if not is_shown(line)]
        parts = [joined_unit([run]) for run in unit.runs]
        is_lacking = lines and not all(is_shown(part) for part in parts)
        lacking[unit.key] += 1
        if is_lacking:
            yield joined_unit([run for line in lines for run in line.runs])


def _without_signs(unit: Unit) -> str:
    """Return the letters of a text without the signs between them, if it has others."""
    return "".join(filter(str.isalnum, unit.key)) or unit.key


def _order(unit: Unit) -> tuple[float, float]:
    return unit.box[1], unit.box[0]
