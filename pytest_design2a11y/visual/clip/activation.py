"""Whether weights and model agree on the activation function.

Weights trained with QuickGELU load into a model with the exact GELU (and the reverse) without any error, and
every embedding is then wrong by a little. open_clip warns of it; we refuse.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pytest_design2a11y.exceptions import AppearanceUnavailable
from pytest_design2a11y.visual.clip.choice import AppearanceChoice
from pytest_design2a11y.visual.clip.hub import origin_of
from pytest_design2a11y.visual.clip.libraries import clip_libraries
from pytest_design2a11y.visual.clip.names import known_pretrained, model_config

_SUFFIX = "-quickgelu"


def check_activation(choice: AppearanceChoice, *, path: Path | None = None, sha256: str = "") -> None:
    """Refuse weights that are known to be made for the other activation function.

    Named weights say it in open_clip's table. A file says it where its hash or its folder in a hub cache is
    that of named weights, or where an `open_clip_config.json` lies beside it; of any other file nothing is
    known.
    """
    is_quick = bool(model_config(choice.model).get("quick_gelu", False))
    needs_quick = _of_named(choice) if path is None else next(_evidence(path, sha256), None)
    if needs_quick is not None and needs_quick != is_quick:
        raise _refusal(choice, needs_quick)


def _of_named(choice: AppearanceChoice) -> bool:
    return bool(known_pretrained(choice.model, choice.pretrained).get("quick_gelu", False))


def _evidence(path: Path, sha256: str) -> Iterator[bool]:
    neighbour = path.with_name("open_clip_config.json")
    if neighbour.is_file():
        config = json.loads(neighbour.read_text(encoding="utf-8"))
        yield bool(config.get("model_cfg", config).get("quick_gelu", False))
    open_clip = clip_libraries().open_clip
    for model, tag in open_clip.list_pretrained():
        record = open_clip.get_pretrained_cfg(model, tag)
        if origin_of(record).is_source_of(path, sha256):
            yield bool(record.get("quick_gelu", False))


def _refusal(choice: AppearanceChoice, needs_quick: bool) -> AppearanceUnavailable:
    wanted, other = ("QuickGELU", "GELU") if needs_quick else ("GELU", "QuickGELU")
    plain = choice.model.removesuffix(_SUFFIX)
    model = plain + _SUFFIX if needs_quick else plain
    weights = f"@{choice.weights}" if choice.weights else f"/{choice.pretrained}"
    return AppearanceUnavailable(
        f"{choice} would compute wrong numbers: these weights were trained with {wanted}, and the model "
        f"{choice.model} computes {other}.",
        stage="appearance",
        advice=f"Choose clip:{model}{weights}.",
    )
