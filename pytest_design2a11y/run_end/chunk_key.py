"""What a chunk of a corpus is called: a digest of all that its numbers depend on and that is known before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any

from pytest_design2a11y.measuring.conditions import machine_conditions
from pytest_design2a11y.measuring.pairs import Pair, file_digest
from pytest_design2a11y.measuring.sources import open_renderer
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.settings.values import RUN_FIELDS, Settings

#: Where things lie; what lies there is among the conditions of the machine.
_PLACES = frozenset(
    {"limits", "capture", "cache_folder", "picture_folder", "chromium", "axe_script", "htmlcs_script"}
)


def conditions_of_chunks(settings: Settings) -> Mapping[str, Any]:
    """Return what all chunks of a start depend on: the settings, and what the machine brings.

    Raises:
        BrowserNotFound: There is no browser, or it does not start.
        MeasurementError: The script of an engine, or the weights of a model, cannot be read.
    """
    names = [one.name for one in fields(Settings) if one.name not in RUN_FIELDS | _PLACES]
    limits = asdict(settings.capture)
    del limits["assets"]
    with open_renderer(settings) as renderer:
        machine = machine_conditions(renderer, settings)
    return {**machine, "capture": limits, **{name: getattr(settings, name) for name in names}}


def chunk_key(pairs: Iterable[Pair], *, conditions: Mapping[str, Any]) -> str:
    """Return the name of a chunk."""
    told = json.dumps([conditions, [_told(pair) for pair in pairs]], sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def _told(pair: Pair) -> list[Any]:
    facts = {"problem": str(pair.problem), "is_answer": isinstance(pair.candidate, Answer)}
    sources = (pair.reference, pair.candidate)
    return [asdict(pair) | facts, *(file_digest(pair, source) for source in sources)]
