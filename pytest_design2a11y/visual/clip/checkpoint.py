"""Whether a file holds weights, and those of the chosen model, as far as its table of contents tells."""

from __future__ import annotations

import difflib
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pytest_design2a11y.exceptions import AppearanceUnavailable
from pytest_design2a11y.visual.clip.libraries import clip_libraries

Shape = tuple[int, ...]


def check_checkpoint(model: str, path: Path) -> None:
    """Refuse a file that is damaged, or made for another architecture or picture size; loads no weights.

    open_clip itself stretches weights for another picture size without a word. Architectures other than
    vision transformers are checked only when they are loaded, as is a TorchScript archive.
    """
    try:
        stored = _stored_shapes(path)
    except Exception as error:
        raise unusable(error, model, path) from error
    for name, expected in _expected_shapes(model_config(model)).items():
        if name in stored and stored[name] != expected:
            difference = f"{name} has the shape {stored[name]} there and {expected} in the model"
            raise _other_model(model, path, difference)


def is_torchscript(path: Path) -> bool:
    """Whether the file is a TorchScript archive, as OpenAI published its weights.

    As torch tells: such an archive has the file `constants.pkl` at its root, the folder of its first member.
    """
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    return bool(names) and f"{names[0].partition('/')[0]}/constants.pkl" in names


def unusable(error: Exception, model: str, path: Path) -> AppearanceUnavailable:
    """The error for weights that could not be read or loaded."""
    text = " ".join(str(error).split())
    if "Error(s) in loading state_dict" in text:
        return _other_model(model, path, text[:300])
    return AppearanceUnavailable(
        f"The file {path} is not a weights file, or is damaged or half downloaded: {text[:300]}.",
        advice="Copy or fetch the whole file again.",
    )


def _other_model(model: str, path: Path, difference: str) -> AppearanceUnavailable:
    return AppearanceUnavailable(
        f"The weights in {path} are not those of the model {model}: {difference}.",
        advice="Name the model that they were made for, picture size included.",
    )


def _stored_shapes(path: Path) -> dict[str, Shape]:
    if path.suffix == ".safetensors":
        from safetensors import safe_open

        with safe_open(path, framework="pt") as file:
            return {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
    if is_torchscript(path):
        return {}
    stored = clip_libraries().torch.load(
        path, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(path)
    )
    tensors: Mapping[str, Any] = stored.get("state_dict", stored)
    return {name.removeprefix("module."): tuple(tensor.shape) for name, tensor in tensors.items()}


def _expected_shapes(config: Mapping[str, Any]) -> dict[str, Shape]:
    """What the configuration says of a vision transformer's first layers; nothing for other models."""
    sizes = [config["vision_cfg"].get(name) for name in ("layers", "width", "patch_size", "image_size")]
    if not all(isinstance(size, int) for size in sizes):
        return {}
    _, width, patch, side = sizes
    return {
        "visual.conv1.weight": (width, 3, patch, patch),
        "visual.positional_embedding": ((side // patch) ** 2 + 1, width),
    }


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
        advice=f"It knows {', '.join(listed)}."
        if listed
        else "Name a weights file instead: clip:MODEL@/path.",
    )
