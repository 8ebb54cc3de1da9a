"""Conditions that numbers depend on, and what is kept between measurements under equal ones."""

import hashlib
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from pytest_design2a11y.blocks import find_seen_text
from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.measuring.extensions import engines_of
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import Block, VisualScore
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer
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


#: Software conditions that may differ between the two pages of one evaluation.
_SOFTWARE = ("chromium", "package", "playwright", "platform")

#: Conditions of audits, which references have on request only, and of probes.
_OF_AUDITS = ("audit", "engines", "probes")
#: Fields of a viewport that follow from "viewport", or from the device's name.
_DETERMINED = ("width", "height", "user_agent")


def conditions_of(reference: Capture | None, candidate: Capture) -> dict[str, Any]:
    """Return the conditions of an evaluation: the candidate's, by name, as JSON values.

    "reference" contains those that differ for the reference, null if one did not apply to it.
    """
    conditions = _of(candidate)
    if reference is not None:
        design, page = _with_software(reference), _with_software(candidate)
        differing = [name for name in dict.fromkeys([*design, *page]) if design.get(name) != page.get(name)]
        conditions["reference"] = {name: design.get(name) for name in differing}
    return conditions


def _of(capture: Capture) -> dict[str, Any]:
    viewport = capture.viewport
    if viewport is None:
        return dict(capture.conditions)
    more = {name: value for name, value in asdict(viewport).items() if name not in _DETERMINED}
    return {"viewport": f"{viewport.width}x{viewport.height}", **more, **capture.conditions}


def _with_software(capture: Capture) -> dict[str, Any]:
    conditions = {name: value for name, value in _of(capture).items() if name not in _OF_AUDITS}
    return conditions | {name: getattr(capture.environment, name) for name in _SOFTWARE}


def machine_conditions(renderer: "Renderer", settings: Settings) -> dict[str, Any]:
    """Return browser, code, platform, fonts, and digests of scripts, assets, weights, wherever they lie."""
    assets = renderer.recordings
    engines = engines_of(settings) if settings.audit else ()
    return {
        **renderer.conditions(),
        # Assets being recorded change with every page.
        "assets": assets.digest if assets and not settings.capture.record_assets else None,
        "scripts": [hashlib.sha256(engine.source().encode()).hexdigest() for engine in engines],
        "model": None
        if settings.appearance == "embedded"
        else clip_backend(settings.appearance, settings.clip_batch, settings.cache_folder).identity,
    }
