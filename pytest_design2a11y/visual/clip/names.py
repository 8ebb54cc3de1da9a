"""What open_clip calls its models and their weights."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from pytest_design2a11y.exceptions import AppearanceUnavailable
from pytest_design2a11y.visual.clip.libraries import clip_libraries


def model_config(model: str) -> Mapping[str, Any]:
    """The architecture that open_clip knows by that name."""
    open_clip = clip_libraries().open_clip
    config: Mapping[str, Any] | None = None if ":" in model else open_clip.get_model_config(model)
    if config is None:
        raise _unknown("model", model, "", open_clip.list_models())
    return config


def known_pretrained(model: str, pretrained: str) -> Mapping[str, Any]:
    """open_clip's record of the weights of that name for that model."""
    open_clip = clip_libraries().open_clip
    model_config(model)
    record: Mapping[str, Any] = open_clip.get_pretrained_cfg(model, pretrained)
    if not record:
        raise _unknown(
            "weights", pretrained, f" for the model {model}", open_clip.list_pretrained_tags_by_model(model)
        )
    return record


def _unknown(kind: str, name: str, where: str, known: Iterable[str]) -> AppearanceUnavailable:
    names = sorted(known)
    listed = difflib.get_close_matches(name, names, n=5) or names[:12]
    return AppearanceUnavailable(
        f'open_clip knows no {kind} "{name}"{where}.',
        stage="appearance",
        advice=f"It knows {', '.join(listed)}."
        if listed
        else "Name a weights file instead: clip:MODEL@/path.",
    )
