"""The model's weights: where they lie, whether they are whole, and how they get here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_design2a11y.exceptions import AppearanceUnavailable
from pytest_design2a11y.models.paths import file_path
from pytest_design2a11y.visual.clip.checkpoint import known_pretrained, model_config
from pytest_design2a11y.visual.clip.choice import AppearanceChoice
from pytest_design2a11y.visual.clip.libraries import clip_libraries

_PREPROCESSING = ("mean", "std", "interpolation", "resize_mode")

_NOT_WEIGHTS = {
    b"version https://git-lfs": "a Git LFS pointer, not the weights themselves",
    b"<!doctype html": "an HTML page, not weights",
    b"<html": "an HTML page, not weights",
}


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights on this machine; `preprocessing` is what they ask of pictures beyond the model's defaults."""

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
        _download(origin, record)
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
    offline = (
        f"Without a network: copy the weights file here and choose clip:{choice.model}@/path/to/weights, or "
        "copy another machine's hub cache here (HF_HUB_CACHE names its folder; HF_HUB_OFFLINE=1 keeps the "
        "hub's client off the network)."
    )
    place = f"{origin.repository or origin.filenames[0]} in {origin.folder}"
    return AppearanceUnavailable(
        f"The weights of {choice} are not on this machine (looked for {place}).",
        advice=f"Fetch them once with: {command}. {offline}",
    )


def _unusable(path: Path, what: str, advice: str) -> AppearanceUnavailable:
    return AppearanceUnavailable(f"The weights file {path} {what}.", advice=advice)


_SHA256_DIGITS = 64


@dataclass(frozen=True, slots=True)
class Origin:
    """Where open_clip gets weights from: a repository of the model hub, an address, or a file of its table's.

    `filenames`: names that the weights may have there, the first that exists counts.
    """

    repository: str = ""
    filenames: tuple[str, ...] = ()
    url: str = ""
    file: str = ""

    @property
    def address(self) -> str:
        """Where the weights are downloaded from."""
        return f"the model hub ({self.repository})" if self.repository else self.url

    @property
    def folder(self) -> Path:
        """The cache folder that holds the weights once they are here."""
        if not self.repository:
            return Path(self.file).parent if self.file else file_path("~/.cache/clip")
        from huggingface_hub import constants

        return Path(constants.HF_HUB_CACHE)

    def find(self) -> Path | None:
        """The weights' file, None where it is not on this machine; uses no network."""
        if not self.repository:
            path = Path(self.file) if self.file else self.folder / self.filenames[0]
            return path if path.is_file() else None
        from huggingface_hub import try_to_load_from_cache

        for filename in self.filenames:
            found = try_to_load_from_cache(self.repository, filename)
            if isinstance(found, str):
                return Path(found)
        return None

    def promised_sha256(self, path: Path) -> str:
        """The hash, or its beginning, that the file should have; "" where nothing says it.

        The hub's cache names large files by their hash; OpenAI's and open_clip's addresses contain it.
        """
        if self.repository:
            name = path.readlink().name if path.is_symlink() else ""
            return name if len(name) == _SHA256_DIGITS else ""
        return self._sha256_in_url()

    def is_source_of(self, path: Path, sha256: str) -> bool:
        """Whether the file can be told to be these weights, by its hash or its place in a hub cache."""
        promised = self._sha256_in_url()
        if promised and sha256.startswith(promised):
            return True
        folder = "models--" + self.repository.replace("/", "--")
        return bool(self.repository) and folder in path.parts and path.name in self.filenames

    def _sha256_in_url(self) -> str:
        if "openaipublic" in self.url:
            return self.url.split("/")[-2]
        if "mlfoundations" in self.url:
            return Path(self.url).stem.rpartition("-")[2]
        return ""


def origin_of(record: Mapping[str, Any]) -> Origin:
    """Read one entry of open_clip's table of weights, with open_clip's own order of preference."""
    if file := record.get("file"):
        return Origin(file=str(file), filenames=(Path(file).name,))
    url = str(record.get("url", ""))
    repository, _, filename = str(record.get("hf_hub", "")).rpartition("/")
    if not repository:
        return Origin(url=url, filenames=(Path(url).name,))
    return Origin(repository=repository, filenames=_filenames(filename), url=url)


def _filenames(filename: str) -> tuple[str, ...]:
    from open_clip.constants import HF_SAFE_WEIGHTS_NAME, HF_WEIGHTS_NAME

    filename = filename or HF_WEIGHTS_NAME
    if filename == HF_WEIGHTS_NAME:
        return HF_SAFE_WEIGHTS_NAME, filename
    path = Path(filename)
    return (path.stem + ".safetensors", filename) if path.suffix in {".bin", ".pth"} else (filename,)


def _download(origin: Origin, record: Mapping[str, Any]) -> None:
    """Download weights, as open_clip does, to the cache folder where `find` looks."""
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
            f"The weights could not be downloaded from {origin.address}: {why}", advice=advice
        ) from error


_SUFFIX = "-quickgelu"


def check_activation(choice: AppearanceChoice, *, path: Path | None = None, sha256: str = "") -> None:
    """Refuse weights made for the other activation function: they load, and give wrong numbers.

    Named weights say it in open_clip's table. A file says it where its hash or its folder in a hub cache is
    that of named weights, or where an `open_clip_config.json` lies beside it; of any other file nothing is
    known.
    """
    is_quick = _is_quick(model_config(choice.model))
    if path is None:
        needs_quick: bool | None = _is_quick(known_pretrained(choice.model, choice.pretrained))
    else:
        needs_quick = next(_evidence(path, sha256), None)
    if needs_quick is None or needs_quick == is_quick:
        return
    wanted, other = ("QuickGELU", "GELU") if needs_quick else ("GELU", "QuickGELU")
    model = choice.model.removesuffix(_SUFFIX) + (_SUFFIX if needs_quick else "")
    weights = f"@{choice.weights}" if choice.weights else f"/{choice.pretrained}"
    raise AppearanceUnavailable(
        f"{choice} would compute wrong numbers: these weights were trained with {wanted}, and the model "
        f"{choice.model} computes {other}.",
        advice=f"Choose clip:{model}{weights}.",
    )


def _is_quick(config: Mapping[str, Any]) -> bool:
    return bool(config.get("quick_gelu", False))


def _evidence(path: Path, sha256: str) -> Iterator[bool]:
    neighbour = path.with_name("open_clip_config.json")
    if neighbour.is_file():
        config = json.loads(neighbour.read_text(encoding="utf-8"))
        yield _is_quick(config.get("model_cfg", config))
    open_clip = clip_libraries().open_clip
    for model, tag in open_clip.list_pretrained():
        record = open_clip.get_pretrained_cfg(model, tag)
        if origin_of(record).is_source_of(path, sha256):
            yield _is_quick(record)
