"""Endless repetition: a model that wrote the same part again and again until it was stopped."""

from __future__ import annotations

import re
from collections import Counter

import numpy
from numpy.typing import NDArray

from pytest_design2a11y.models.page import CaptureWarning

_PIECE = re.compile(rb"<[^<>\s]*|[^<\s]+")
#: Enough of a page to see a loop; a longer one is a loop or a data dump in any case.
_MOST_BYTES = 1_000_000
_FEWEST_REPEATS = 20
_SMALLEST_SHARE = 1 / 3
_FEWEST_PIECES = 200
_NUM_PERIODS_TRIED = 5
_NUM_PROBES = 24
_PROBE_BYTES = 24


def repetition_warnings(page: bytes) -> tuple[CaptureWarning, ...]:
    """Warn if at least a third of a page is one part, written twenty times or more in a row."""
    page = page[:_MOST_BYTES]
    if not _may_loop(page):
        return ()
    pieces = _PIECE.findall(page)
    if len(pieces) < _FEWEST_PIECES:
        return ()
    numbers: dict[bytes, int] = {}
    repeats = _longest_loop(
        numpy.fromiter(
            (numbers.setdefault(piece, len(numbers)) for piece in pieces), numpy.int64, len(pieces)
        )
    )
    if repeats < _FEWEST_REPEATS:
        return ()
    message = f"One part of the page is repeated {repeats:,} times in a row, more than a third of the page."
    return (CaptureWarning("repeated_content", message, repeats),)


def _may_loop(page: bytes) -> bool:
    """Rule most pages out at little cost: in a loop, any short stretch comes back as often as the loop."""
    step = max(len(page) // _NUM_PROBES, _PROBE_BYTES)
    probes = [page[start : start + _PROBE_BYTES] for start in range(0, len(page) - _PROBE_BYTES, step)]
    num_common = sum(not probe.isspace() and page.count(probe) >= _FEWEST_REPEATS // 2 for probe in probes)
    return num_common >= len(probes) / 6


def _longest_loop(pieces: NDArray[numpy.int64]) -> int:
    """Count the repeats of the loop that covers most; 0 if none covers the share that counts."""
    best = 0
    for period in _likely_periods(pieces):
        flags = pieces[period:] == pieces[:-period]
        edges = numpy.flatnonzero(numpy.diff(numpy.concatenate(([False], flags, [False])).astype(numpy.int8)))
        length = int((edges[1::2] - edges[::2]).max(initial=0)) + period
        if length >= _SMALLEST_SHARE * len(pieces):
            best = max(best, length // period)
    return best


def _likely_periods(pieces: NDArray[numpy.int64]) -> list[int]:
    """Return the commonest distances from a piece to its next occurrence: a loop's length is among them."""
    order = numpy.argsort(pieces, kind="stable")
    distances = numpy.diff(order)[numpy.diff(pieces[order]) == 0]
    return [period for period, _ in Counter(distances.tolist()).most_common(_NUM_PERIODS_TRIED)]
