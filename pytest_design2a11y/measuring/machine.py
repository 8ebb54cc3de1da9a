"""What the numbers of this machine depend on, whatever pages and choices come."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.measuring.caches import clip_backend
from pytest_design2a11y.measuring.sources import engines_of
from pytest_design2a11y.settings.values import Settings

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer


def machine_conditions(renderer: Renderer, settings: Settings) -> dict[str, Any]:
    """Browser, code, platform and fonts, and digests of scripts, assets and weights, wherever they lie."""
    assets = renderer.recordings
    engines = engines_of(settings) if settings.audit else ()
    return {
        **renderer.conditions(),
        # What is being recorded changes with every page.
        "assets": assets.digest if assets and not settings.capture.record_assets else None,
        "scripts": [hashlib.sha256(engine.source().encode()).hexdigest() for engine in engines],
        "model": None
        if settings.appearance == "embedded"
        else clip_backend(settings.appearance, settings.clip_batch, settings.cache_folder).identity,
    }
