"""What a chunk of a corpus is called: a digest of all that its numbers depend on and that is known before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any

from pytest_design2a11y.capture.audit.axe_script import read_axe_script
from pytest_design2a11y.capture.audit.htmlcs.script import read_htmlcs_script
from pytest_design2a11y.measuring.caches import clip_backend
from pytest_design2a11y.measuring.pairs import Pair, file_digest
from pytest_design2a11y.measuring.sources import open_renderer
from pytest_design2a11y.models.engines import HTMLCS
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.settings.values import RUN_FIELDS, Settings

#: Where things lie; what lies there is told by digests.
_PLACES = frozenset(
    {"limits", "capture", "cache_folder", "picture_folder", "chromium", "axe_script", "htmlcs_script"}
)


def conditions_of_chunks(settings: Settings) -> Mapping[str, Any]:
    """Give what all chunks of a start depend on: settings, browser, code, platform, fonts, scripts, assets.

    Raises:
        BrowserNotFound: There is no browser, or it does not start.
        MeasurementError: The script of an engine, or the weights of a model, cannot be read.
    """
    names = [one.name for one in fields(Settings) if one.name not in RUN_FIELDS | _PLACES]
    limits = asdict(settings.capture)
    del limits["assets"]
    with open_renderer(settings) as renderer:
        assets = renderer.recordings
        return {
            **renderer.conditions(),
            "capture": limits,
            # What is being recorded changes with every page.
            "assets": assets.digest if assets and not settings.capture.record_assets else None,
            "scripts": _scripts(settings),
            "model": None if settings.appearance == "embedded" else _model(settings),
            **{name: getattr(settings, name) for name in names},
        }


def chunk_key(pairs: Iterable[Pair], *, conditions: Mapping[str, Any]) -> str:
    """Give the name of a chunk."""
    told = json.dumps([conditions, [_told(pair) for pair in pairs]], sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def _scripts(settings: Settings) -> list[str]:
    if not settings.audit:
        return []
    scripts = [read_axe_script(settings.axe_script)]
    if HTMLCS in settings.engines.split(","):
        scripts.append(read_htmlcs_script(settings.htmlcs_script)[0])
    return [hashlib.sha256(script.encode()).hexdigest() for script in scripts]


def _model(settings: Settings) -> str:
    return clip_backend(settings.appearance, settings.clip_batch, settings.cache_folder).identity


def _told(pair: Pair) -> list[Any]:
    facts = {"problem": str(pair.problem), "is_answer": isinstance(pair.candidate, Answer)}
    sources = (pair.reference, pair.candidate)
    return [asdict(pair) | facts, *(file_digest(pair, source) for source in sources)]
