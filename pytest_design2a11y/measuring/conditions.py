"""Conditions that numbers depend on: those of an evaluation, from its captures, and all of this machine."""

import hashlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.measuring.caches import clip_backend
from pytest_design2a11y.measuring.extensions import engines_of
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

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
    own = {name: value for name, value in _of(capture).items() if name not in _OF_AUDITS}
    return own | {name: getattr(capture.environment, name) for name in _SOFTWARE}


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
