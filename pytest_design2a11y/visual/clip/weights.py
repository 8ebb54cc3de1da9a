"""The model's weights: where they are on this machine, how they get here, and whether they suit the model."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_design2a11y.exceptions import AppearanceUnavailable
from pytest_design2a11y.files import file_path
from pytest_design2a11y.visual.clip.choice import AppearanceChoice
from pytest_design2a11y.visual.clip.libraries import clip_libraries

_PREPROCESSING = ("mean", "std", "interpolation", "resize_mode")
_QUICK = "-quickgelu"


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights on this machine; `preprocessing` is what they ask of pictures beyond the model's defaults."""

    path: Path
    sha256: str
    preprocessing: Mapping[str, Any] = field(default_factory=dict)


def find_weights(choice: AppearanceChoice) -> Weights:
    """Find the chosen weights on this machine, without a network.

    Raises:
        AppearanceUnavailable: They are not here, or were trained for another activation function.
    """
    config = model_config(choice.model)
    if choice.weights is not None:
        _check_activation(choice, config, _config_beside(choice.weights))
        return Weights(choice.weights, _sha256(choice.weights))
    record = _known_pretrained(choice)
    _check_activation(choice, config, record)
    path = _find(record)
    if path is None:
        raise _missing(choice, record)
    preprocessing = {name: record[name] for name in _PREPROCESSING if record.get(name) is not None}
    return Weights(path, _sha256(path), preprocessing)


def fetch_weights(choice: AppearanceChoice, *, say: Callable[[str], None]) -> Weights:
    """Download the chosen weights by open_clip, which checks them and shows a progress bar on a terminal.

    Weights that are here already are not fetched again.

    Raises:
        AppearanceUnavailable: They could not be downloaded, or do not suit the model.
    """
    if choice.weights is None:
        record = _known_pretrained(choice)
        _check_activation(choice, model_config(choice.model), record)
        if _find(record) is None:
            say(f"Fetching the weights of {choice} from {_address(record)} to {_folder(record)}")
            _download(record)
    weights = find_weights(choice)
    megabytes = weights.path.stat().st_size / 1e6
    say(f"The weights of {choice} are in {weights.path} ({megabytes:.1f} MB, sha256 {weights.sha256})")
    return weights


def model_config(model: str) -> Mapping[str, Any]:
    """Return open_clip's configuration of a model.

    Raises:
        AppearanceUnavailable: open_clip knows no such model.
    """
    open_clip = clip_libraries().open_clip
    config: Mapping[str, Any] | None = None if ":" in model else open_clip.get_model_config(model)
    if config is None:
        raise _unknown("model", model, "", open_clip.list_models())
    return config


def _known_pretrained(choice: AppearanceChoice) -> Mapping[str, Any]:
    """Return open_clip's record of named weights."""
    open_clip = clip_libraries().open_clip
    model_config(choice.model)
    record: Mapping[str, Any] = open_clip.get_pretrained_cfg(choice.model, choice.pretrained)
    if not record:
        known = open_clip.list_pretrained_tags_by_model(choice.model)
        raise _unknown("weights", choice.pretrained, f" for the model {choice.model}", known)
    return record


def _unknown(kind: str, name: str, where: str, known: Iterable[str]) -> AppearanceUnavailable:
    names = sorted(known)
    listed = difflib.get_close_matches(name, names, n=5) or names[:12]
    return AppearanceUnavailable(
        f'open_clip knows no {kind} "{name}"{where}.',
        advice=f"It knows {', '.join(listed)}."
        if listed
        else "Name a weights file instead: clip:MODEL@/path.",
    )


def _repository(record: Mapping[str, Any]) -> tuple[str, str]:
    """Return the repository of the model hub and the file in it; "" and "" if none."""
    name, _, filename = str(record.get("hf_hub", "")).rpartition("/")
    return name, filename


def _address(record: Mapping[str, Any]) -> str:
    repository, _ = _repository(record)
    return f"the model hub ({repository})" if repository else str(record["url"])


def _folder(record: Mapping[str, Any]) -> Path:
    """Return the cache folder that open_clip downloads to."""
    if not _repository(record)[0]:
        return file_path("~/.cache/clip")
    from huggingface_hub import constants

    return Path(constants.HF_HUB_CACHE)


def _find(record: Mapping[str, Any]) -> Path | None:
    """Return the file of named weights, in open_clip's own order of preference, if any."""
    if file := record.get("file"):
        return Path(file)
    repository, filename = _repository(record)
    if not repository:
        path = _folder(record) / Path(str(record["url"])).name
        return path if path.is_file() else None
    from huggingface_hub import try_to_load_from_cache
    from open_clip.constants import HF_SAFE_WEIGHTS_NAME, HF_WEIGHTS_NAME

    safe = f"{Path(filename).stem}.safetensors" if filename else HF_SAFE_WEIGHTS_NAME
    for name in (safe, filename or HF_WEIGHTS_NAME):
        if isinstance(found := try_to_load_from_cache(repository, name), str):
            return Path(found)
    return None


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise AppearanceUnavailable(
            f"The weights file {path} cannot be read: {error.strerror}.",
            advice="Name the weights file itself after the @, such as open_clip_model.safetensors.",
        ) from error


def _missing(choice: AppearanceChoice, record: Mapping[str, Any]) -> AppearanceUnavailable:
    command = "design2a11y fetch-clip" + ("" if choice.is_published else f" --appearance {choice}")
    return AppearanceUnavailable(
        f"The weights of {choice} are not on this machine (looked for {_address(record)} in "
        f"{_folder(record)}).",
        advice=f"Fetch them once with: {command}. Without a network: copy the weights file here and choose "
        f"clip:{choice.model}@/path/to/weights, or copy another machine's hub cache here (HF_HUB_CACHE names "
        "its folder; HF_HUB_OFFLINE=1 keeps the hub's client off the network).",
    )


def _download(record: Mapping[str, Any]) -> None:
    try:
        clip_libraries().open_clip.download_pretrained(record)
    except Exception as error:
        from huggingface_hub import constants

        advice = (
            "HF_HUB_OFFLINE is set, which keeps the hub's client off the network: unset it for this command."
        )
        if not constants.HF_HUB_OFFLINE:
            advice = (
                "Run the command again where the network works; behind a proxy set HTTPS_PROXY, for a mirror "
                "HF_ENDPOINT. Or copy the weights file here by other means and choose "
                "clip:MODEL@/path/to/weights."
            )
        why = (str(error).strip() or type(error).__name__).splitlines()[0].strip()
        raise AppearanceUnavailable(
            f"The weights could not be downloaded from {_address(record)}: {why}", advice=advice
        ) from error


def _config_beside(path: Path) -> Mapping[str, Any] | None:
    """Return the configuration that the hub keeps beside a weights file, if any."""
    neighbour = path.with_name("open_clip_config.json")
    if not neighbour.is_file():
        return None
    config: Mapping[str, Any] = json.loads(neighbour.read_text(encoding="utf-8"))
    found: Mapping[str, Any] = config.get("model_cfg", config)
    return found


def _check_activation(
    choice: AppearanceChoice, config: Mapping[str, Any], source: Mapping[str, Any] | None
) -> None:
    """Refuse weights made for the other activation function: they load, and give wrong numbers.

    Named weights say it in open_clip's table, a file by the configuration beside it; of any other file
    nothing is known.
    """
    if source is None or (needs_quick := bool(source.get("quick_gelu"))) == bool(config.get("quick_gelu")):
        return
    wanted, other = ("QuickGELU", "GELU") if needs_quick else ("GELU", "QuickGELU")
    model = choice.model.removesuffix(_QUICK) + (_QUICK if needs_quick else "")
    weights = f"@{choice.weights}" if choice.weights else f"/{choice.pretrained}"
    raise AppearanceUnavailable(
        f"{choice} would compute wrong numbers: these weights were trained with {wanted}, and the model "
        f"{choice.model} computes {other}.",
        advice=f"Choose clip:{model}{weights}.",
    )
