"""Whether a page's markup reaches the page: what is cut off, swallowed, doubled, repeated, quirky."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy
from numpy.typing import NDArray

from pytest_design2a11y.exceptions import EmptyDocument
from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.source.scanning import END_TAG_REQUIRED, Outline


def _refuse_empty(outline: Outline, label: str) -> None:
    if outline.has_content:
        return
    culprits = [*outline.swallowed, *([outline.open_at_end] if outline.open_at_end else [])]
    if culprits:
        if culprits[0].endswith("/>"):
            advice = f"Write {culprits[0].replace('/>', '>')}</{culprits[0][1:-2]}>."
        elif outline.is_page_lost or culprits[0] != outline.open_at_end:
            advice = "Close it where its content ends."
        else:
            advice = "The generation seems to have been cut off there: let the model write more tokens."
        raise EmptyDocument(
            f"{label} shows nothing: {_hint(culprits[0])} swallows the rest of the page.",
            advice=advice,
        )
    if outline.is_templated:
        raise EmptyDocument(
            f"{label} shows nothing: all of its content is inside <template>.",
            advice="Give the page as built, not a component's source.",
        )
    if not outline.starts[b"script"]:
        raise EmptyDocument(
            f"{label} has an empty body.",
            advice="Look whether the generation ended early, or was saved in part.",
        )


def _hint(culprit: str) -> str:
    is_self_closed = culprit.endswith("/>")
    name = culprit.removeprefix("a ")
    return f"self-closed {culprit} (HTML ignores the slash)" if is_self_closed else f"an unclosed {name}"


def soundness_warnings(outline: Outline, label: str) -> Iterator[CaptureWarning]:
    """Warn of what the parser would lose or fix; refuse a page that shows nothing."""
    _refuse_empty(outline, label)
    if outline.starts[b"html"] > 1:
        message = (
            f"The input holds {outline.starts[b'html']} <html> elements; the browser merges them into one."
        )
        yield CaptureWarning("merged_documents", message, outline.starts[b"html"])
    for culprit in dict.fromkeys(outline.swallowed):
        message = f"Part of the page is lost in {_hint(culprit)}."
        yield CaptureWarning("swallowed_content", message, outline.swallowed.count(culprit))
    if outline.open_at_end and outline.is_page_lost:
        message = f"The last {outline.num_lost:,} bytes are lost in {_hint(outline.open_at_end)}."
        yield CaptureWarning("swallowed_content", message)
    elif outline.open_at_end:
        yield CaptureWarning("truncated_html", f"The page ends inside {outline.open_at_end}.")
    elif still_open := _still_open(outline):
        yield CaptureWarning("truncated_html", f"The page ends with {still_open} still open.")


def _still_open(outline: Outline) -> str | None:
    """Name what a cut-off page leaves open: pages that end in </body> or </html> are whole, however messy."""
    if outline.ends[b"html"] or outline.ends[b"body"]:
        return None
    for name, num_starts in outline.starts.items():
        if name in END_TAG_REQUIRED and num_starts > outline.ends[name]:
            return f"<{name.decode()}>"
    has_explicit_page = outline.starts[b"html"] or outline.starts[b"body"]
    return "<body>" if has_explicit_page and outline.has_text_at_end else None


_PIECE = re.compile(rb"<[^<>\s]*|[^<\s]+")
#: Enough of a page to see a loop; a longer one is a loop or a data dump in any case.
_MOST_BYTES = 1_000_000
_FEWEST_REPEATS = 20
_SMALLEST_SHARE = 1 / 3
_FEWEST_PIECES = 200
_NUM_PERIODS_TRIED = 5


def repetition_warnings(page: bytes) -> tuple[CaptureWarning, ...]:
    """Warn if at least a third of a page is one part, written twenty times or more in a row."""
    page = page[:_MOST_BYTES]
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


def _longest_loop(pieces: NDArray[numpy.int64]) -> int:
    """Count the repeats of the loop that covers most; 0 if none covers the share that counts."""
    best = 0
    # The commonest distances from a piece to its next occurrence: a loop's length is among them.
    order = numpy.argsort(pieces, kind="stable")
    distances = numpy.diff(order)[numpy.diff(pieces[order]) == 0]
    for period, _ in Counter(distances.tolist()).most_common(_NUM_PERIODS_TRIED):
        flags = pieces[period:] == pieces[:-period]
        edges = numpy.flatnonzero(numpy.diff(numpy.concatenate(([False], flags, [False])).astype(numpy.int8)))
        length = int((edges[1::2] - edges[::2]).max(initial=0)) + period
        if length >= _SMALLEST_SHARE * len(pieces):
            best = max(best, length // period)
    return best
