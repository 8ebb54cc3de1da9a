"""The model's weights: where they lie, whether they are whole, and how they get here."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_design2a11y.exceptions import AppearanceUnavailable
from pytest_design2a11y.visual.clip.activation import check_activation
from pytest_design2a11y.visual.clip.choice import AppearanceChoice
from pytest_design2a11y.visual.clip.hub import Origin, download, origin_of
from pytest_design2a11y.visual.clip.names import known_pretrained, model_config

_PREPROCESSING = ("mean", "std", "interpolation", "resize_mode")

_NOT_WEIGHTS = {
    b"version https://git-lfs": "a Git LFS pointer, not the weights themselves",
    b"<!doctype html": "an HTML page, not weights",
    b"<html": "an HTML page, not weights",
}


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights on this machine.

    Attributes:
        path: The file.
        sha256: Of the whole file, hexadecimal.
        preprocessing: What these weights ask of the pictures beyond the model's defaults.
    """

    path: Path
    sha256: str
    preprocessing: Mapping[str, Any] = field(default_factory=dict)


def find_weights(choice: AppearanceChoice) -> Weights:
    """Find the chosen weights on this machine, without a network, and check that they are whole."""
    if choice.weights is not None:
        return _from_file(choice, choice.weights)
    record = known_pretrained(choice.model, choice.pretrained)
    check_activation(choice)
    origin = origin_of(record)
    path = origin.find()
    if path is None:
        raise _missing(choice, origin)
    sha256 = _sha256(path)
    promised = origin.promised_sha256(path)
    if promised and not sha256.startswith(promised):
        what = f"is damaged: its sha256 is {sha256[:12]}..., not {promised[:12]}..."
        raise _unusable(path, what, "Delete it and run: design2a11y fetch-clip")
    return Weights(
        path, sha256, {name: record[name] for name in _PREPROCESSING if record.get(name) is not None}
    )


def fetch_weights(choice: AppearanceChoice, *, say: Callable[[str], None]) -> Weights:
    """Download the chosen weights with the hub's own client, which shows a progress bar on a terminal.

    Weights that are here already are checked, not fetched again.
    """
    if choice.weights is not None:
        return _from_file(choice, choice.weights)
    record = known_pretrained(choice.model, choice.pretrained)
    check_activation(choice)
    origin = origin_of(record)
    if origin.find() is None:
        say(f"Fetching the weights of {choice} from {origin.address} to {origin.folder}")
        download(origin)
    weights = find_weights(choice)
    megabytes = weights.path.stat().st_size / 1e6
    say(f"The weights of {choice} lie at {weights.path} ({megabytes:.1f} MB, sha256 {weights.sha256})")
    return weights


def _from_file(choice: AppearanceChoice, path: Path) -> Weights:
    if path.is_dir():
        raise _unusable(
            path, "is a folder", "Name the weights file in it, such as open_clip_model.safetensors."
        )
    if not path.is_file():
        raise _unusable(path, "does not exist", "Check the path after the @.")
    model_config(choice.model)
    sha256 = _sha256(path)
    check_activation(choice, path=path, sha256=sha256)
    return Weights(path, sha256)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(64).lstrip().lower()
        if not start:
            raise _unusable(path, "is empty", "Copy or fetch it again.")
        for mark, meaning in _NOT_WEIGHTS.items():
            if start.startswith(mark):
                raise _unusable(path, f"is {meaning}", "Download the file itself.")
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()


def _missing(choice: AppearanceChoice, origin: Origin) -> AppearanceUnavailable:
    command = "design2a11y fetch-clip" + ("" if choice.is_published else f" --appearance {choice}")
    broken_off = origin.bytes_broken_off()
    rest = f"; a download was broken off after {broken_off / 1e6:.1f} MB" if broken_off else ""
    offline = (
        f"Without a network: copy the weights file here and choose clip:{choice.model}@/path/to/weights, or "
        "copy another machine's hub cache here (HF_HUB_CACHE names its folder; HF_HUB_OFFLINE=1 keeps the "
        "hub's client off the network)."
    )
    return AppearanceUnavailable(
        f"The weights of {choice} are not on this machine "
        f"(looked for {origin.name} in {origin.folder}{rest}).",
        stage="appearance",
        advice=f"Fetch them once with: {command}. {offline}",
    )


def _unusable(path: Path, what: str, advice: str) -> AppearanceUnavailable:
    return AppearanceUnavailable(f"The weights file {path} {what}.", stage="appearance", advice=advice)
