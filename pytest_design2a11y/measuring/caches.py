"""Caches between measurements: a page's blocks while it is in memory, scores of recent pairs, CLIP."""

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from pytest_design2a11y.blocks import find_seen_text
from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import Block, VisualScore

if TYPE_CHECKING:
    from pytest_design2a11y.visual.clip import ClipBackend

#: Number of pairs of pages whose scores are kept for equal pairs.
_MAX_SCORES = 100

_scores: dict[str, VisualScore] = {}
_texts: WeakKeyDictionary[Capture, tuple[tuple[Block, ...], tuple[TextRun, ...]]] = WeakKeyDictionary()


def text_of(capture: Capture, time_limit: TimeLimit) -> tuple[tuple[Block, ...], tuple[TextRun, ...]]:
    """Find a page's blocks and its runs of text that have ink, once as long as the page is in memory."""
    if capture not in _texts:
        _texts[capture] = find_seen_text(
            text_runs=capture.text_runs, screenshot=capture.screenshot, time_limit=time_limit
        )
    return _texts[capture]


def pair_key(reference: Capture, candidate: Capture, how: tuple[object, ...]) -> str:
    """Return a key of two pages and how they are scored: equal pairs have the same score."""
    digest = hashlib.blake2b(repr(how).encode())
    for capture in (reference, candidate):
        shown = (capture.text_runs, capture.elements, capture.ground, capture.overlaps, capture.unseen)
        seen = (capture.page_size, shown, capture.viewport, dict(capture.conditions))
        digest.update(repr(seen).encode("utf-8", "surrogatepass") + capture.screenshot.png)
    return digest.hexdigest()


def known_score(key: str) -> VisualScore | None:
    """Return the score of a recently measured pair."""
    return _scores.get(key)


def keep_score(key: str, score: VisualScore) -> None:
    """Keep the score of a pair, dropping the oldest one."""
    _scores[key] = score
    if len(_scores) > _MAX_SCORES:
        _scores.pop(next(iter(_scores)), None)


@cache
def clip_backend(appearance: str, batch_size: int, cache_folder: Path | None) -> "ClipBackend":
    """Return the CLIP backend, prepared once per process."""
    from pytest_design2a11y.visual.clip import parse_appearance, require_clip

    folder = None if cache_folder is None else cache_folder / "clip"
    return require_clip(
        parse_appearance(appearance), batch_size=batch_size, cache_folder=folder, should_load=False
    )
