"""Costs of matches: similarity of texts, also for whole tables; ties, bonus and least-cost assignment."""

import difflib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from math import inf
from operator import floordiv, truediv
from typing import cast
from zlib import crc32

import numpy as np
import scipy
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from pytest_design2a11y.exceptions import ConfigurationError, TimeLimit, TooMuchText
from pytest_design2a11y.models.geometry import Box, MeanColor, box_around
from pytest_design2a11y.models.option import TextRatio
from pytest_design2a11y.models.visual import Block, least_confidence

try:
    from cydifflib import SequenceMatcher
except ImportError:  # Same values, but 8 to 40 times slower.
    SequenceMatcher = difflib.SequenceMatcher

Table = NDArray[np.float64]

#: Characters of one page's texts times those of the other's, about two seconds; for difflib, those of the
#: longest text of each.
MAX_COMPARISONS = {"indel": 100_000_000_000, "difflib": 400_000_000}
#: Number of comparisons between checks of the time.
COMPARISONS_AT_ONCE = {"indel": 10_000_000_000, "difflib": 10_000_000}


def prepare_text(text: str, text_ratio: TextRatio) -> str:
    """Normalize a block's text for comparison by the ratio.

    `indel` sees the text as a reader does, white space collapsed and trimmed; `difflib` compares the
    source's white space too, as the published metric does.
    """
    return " ".join(text.split()) if text_ratio == "indel" else text


def ratio_table(references: Sequence[str], candidates: Sequence[str], *, text_ratio: TextRatio) -> Table:
    """Compare texts, 0..1: shape (candidates, references); two empty texts are equal."""
    if text_ratio not in MAX_COMPARISONS:
        raise ConfigurationError(
            f"There is no text ratio named {text_ratio!r}.",
            stage="matching",
            advice='Choose "indel" (default) or "difflib" (as the published metric).',
        )
    if not references or not candidates:
        return np.zeros((len(candidates), len(references)))
    if text_ratio == "difflib":
        known = {}
        for reference in dict.fromkeys(references):
            # The matcher indexes its second text once and keeps it; the published metric passes the
            # reference there.
            matcher = SequenceMatcher(None, "", reference)
            for candidate in dict.fromkeys(candidates):
                matcher.set_seq1(candidate)
                known[candidate, reference] = matcher.ratio()
        return np.array([[known[text, reference] for reference in references] for text in candidates])
    return cdist(candidates, references, scorer=Indel.normalized_similarity, dtype=np.float64)


class KnownRatios:
    """A table of ratios that grows with the requested texts, and never compares two texts twice."""

    def __init__(self, text_ratio: TextRatio, time_limit: TimeLimit) -> None:
        self._text_ratio: TextRatio = text_ratio
        self._time_limit = time_limit
        self._references: dict[str, int] = {}
        self._candidates: dict[str, int] = {}
        self._known = np.full((0, 0), np.nan)

    def table(self, references: Sequence[str], candidates: Sequence[str]) -> Table:
        """Return the ratios of all candidates (rows) with all references (columns)."""
        rows = _numbers(self._candidates, candidates)
        columns = _numbers(self._references, references)
        sizes = zip(self._known.shape, (len(self._candidates), len(self._references)), strict=True)
        # With room to spare, so that a table that grows often is not copied each time.
        more = [(0, needed * 5 // 4 - size if needed > size else 0) for size, needed in sizes]
        if more != [(0, 0), (0, 0)]:
            self._known = np.pad(self._known, more, constant_values=np.nan)
        is_missing = np.isnan(self._known[np.ix_(rows, columns)])
        is_new = is_missing.all(axis=1)
        self._compare(np.unique(rows[is_new]), np.unique(columns))
        self._compare(np.unique(rows[~is_new]), np.unique(columns[is_missing[~is_new].any(axis=0)]))
        return self._known[np.ix_(rows, columns)]

    def _compare(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> None:
        all_references, all_candidates = list(self._references), list(self._candidates)
        references = [all_references[column] for column in columns]
        candidates = [all_candidates[row] for row in rows]
        self._time_limit.check("matching")
        measure: Callable[[Iterable[int]], int] = max if self._text_ratio == "difflib" else sum
        lengths = [measure([0, *map(len, texts)]) for texts in (references, candidates)]
        if lengths[0] * lengths[1] > MAX_COMPARISONS.get(self._text_ratio, inf):
            raise TooMuchText(
                f"Texts of {lengths[0]:,} characters and of {lengths[1]:,} are too long to compare.",
                advice="Look for content that repeats.",
            )
        width = sum(map(len, candidates))
        cost = np.cumsum([len(text) * width for text in references], dtype=np.int64)
        steps = np.diff(cost // COMPARISONS_AT_ONCE.get(self._text_ratio, 1))
        for part in np.split(np.arange(len(references)), np.flatnonzero(steps) + 1):
            self._time_limit.check("matching")
            some = [references[index] for index in part]
            table = ratio_table(some, candidates, text_ratio=self._text_ratio)
            self._known[np.ix_(rows, columns[part])] = table


def _numbers(known: dict[str, int], texts: Sequence[str]) -> NDArray[np.intp]:
    return np.array([known.setdefault(text, len(known)) for text in texts], dtype=np.intp)


CONTEXT_BONUS = 0.1
_BONUS_BELOW = -0.5

Costs = NDArray[np.float64]
Hashes = NDArray[np.uint64]
Indices = NDArray[np.int64]

#: The greatest change that breaking ties makes to a cost.
LARGEST_CHANGE = 2.0**-29

_ROUNDED_TO = 2.0**30
_SMALLEST_STEP = 2.0**-48
_STEP_BITS = 18


def assign(costs: Costs) -> tuple[Indices, Indices]:
    """Return row and column indices of an assignment of least total cost."""
    rows, columns = scipy.optimize.linear_sum_assignment(costs)
    return rows, columns


def with_context_bonus(costs: Costs) -> Costs:
    """Lower the cost of pairs whose neighbors fit each other too: -1..0 becomes -1.2..0.

    Every pair below -0.5 gets 0.1 times the sum of the two smallest costs among its up to eight
    neighbors (row and column at most one away) in the unadjusted table.
    """
    rows, columns = costs.shape
    # Beyond the edge is padding: 0 is the largest cost, so it never displaces a neighbor.
    padded = np.zeros((rows + 2, columns + 2))
    padded[1:-1, 1:-1] = costs
    smallest = np.zeros_like(costs)
    second = np.zeros_like(costs)
    for row, column in ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)):
        neighbor = padded[row : row + rows, column : column + columns]
        second = np.minimum(second, np.maximum(smallest, neighbor))
        smallest = np.minimum(smallest, neighbor)
    return np.where(costs < _BONUS_BELOW, costs + CONTEXT_BONUS * (second + smallest), costs)


def join_identical_boxes(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Join blocks with exactly the same box, in order: texts with a space, colors as the mean."""
    by_box: dict[Box, list[Block]] = {}
    for block in blocks:
        by_box.setdefault(block.box, []).append(block)
    return tuple(
        Block(
            text=" ".join(part.text for part in parts),
            box=box,
            color=reduce(partial(_mean_color, divide=truediv), (part.color for part in parts)),
            confidence=least_confidence(part.confidence for part in parts),
            owners=tuple(owner for part in parts for owner in part.owners),
        )
        for box, parts in by_box.items()
    )


def _mean_color(first: MeanColor, second: MeanColor, divide: Callable[[float, float], float]) -> MeanColor:
    return cast("MeanColor", tuple(divide(one + other, 2) for one, other in zip(first, second, strict=True)))


def merge_neighbors(first: Block, second: Block) -> Block:
    """Merge two blocks: texts with a space, box = union, color = channel-wise integer mean."""
    return Block(
        text=f"{first.text} {second.text}",
        box=box_around((first.box, second.box)),
        color=_mean_color(first.color, second.color, divide=floordiv),
        confidence=least_confidence((first.confidence, second.confidence)),
        owners=first.owners + second.owners,
    )


def hash_texts(texts: Sequence[str]) -> Hashes:
    """Return a number for each text, the same on every machine."""
    return np.array([crc32(text.encode("utf-8", "surrogatepass")) for text in texts], dtype=np.uint64)


def break_ties(costs: Costs, rows: Hashes, columns: Hashes) -> Costs:
    """Round costs, each -1..0, and separate them by hashes of the rows' and the columns' texts.

    All are below 0 then, pairs of equal texts still equal; swapping rows and columns transposes the result.
    """
    total, product = np.add.outer(rows, columns), np.multiply.outer(rows, columns)
    # The finaliser of splitmix64; unsigned numbers wrap around.
    mixed = total * np.uint64(0x9E3779B97F4A7C15) ^ product * np.uint64(0xD1B54A32D192ED03)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed = mixed ^ (mixed >> np.uint64(31))
    steps = (mixed >> np.uint64(64 - _STEP_BITS)).astype(np.float64) + 1.0
    return np.round(costs * _ROUNDED_TO) / _ROUNDED_TO - steps * _SMALLEST_STEP


def difference_of_means(current: Iterable[float], changed: Iterable[float]) -> float:
    """Return how far the mean assigned cost falls, over those costs that differ, as the published code does.

    Costs in both lists are cancelled first. A fall of the mean counts only if the least remaining cost falls
    too; otherwise the result is 0. A rise is returned as a negative number.
    """
    before, after = Counter(current), Counter(changed)
    rest_before = sorted((before - after).elements())
    rest_after = sorted((after - before).elements())
    gain = _mean(rest_before) - _mean(rest_after)
    if gain > 0 and not min(rest_before, default=0.0) > min(rest_after, default=0.0):
        return 0.0
    return gain


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
