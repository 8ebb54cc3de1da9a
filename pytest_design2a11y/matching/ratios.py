"""Similarity of two texts, by name of the ratio, also for whole tables."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from pytest_design2a11y.exceptions import ConfigurationError, TooMuchText
from pytest_design2a11y.models.option import TextRatio
from pytest_design2a11y.models.time_limit import TimeLimit

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
