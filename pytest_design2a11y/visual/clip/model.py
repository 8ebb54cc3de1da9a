"""The model: its weights on this machine, their download, and pictures in, features out."""

import difflib
import hashlib
import json
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.exceptions import AppearanceUnavailable
from pytest_design2a11y.visual.clip.choice import AppearanceChoice, clip_libraries, quiet_open_clip

_PREPROCESSING = ("mean", "std", "interpolation", "resize_mode")
_QUICK = "-quickgelu"
_OFFLINE = "HF_HUB_OFFLINE is set, which keeps the hub's client off the network: unset it for this command."
_NO_DOWNLOAD = (
    "Run the command again where the network works; behind a proxy set HTTPS_PROXY, for a mirror "
    "HF_ENDPOINT. Or copy the weights file here by other means and choose clip:MODEL@/path/to/weights."
)


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights on this machine; `preprocessing` is what they require beyond the model's defaults."""

    path: Path
    sha256: str
    preprocessing: tuple[tuple[str, Any], ...] = ()


def find_weights(choice: AppearanceChoice) -> Weights:
    """Find the chosen weights on this machine, without a network.

    Raises:
        AppearanceUnavailable: They are missing, or were trained for another activation function.
    """
    record = _suitable_record(choice)
    path = choice.weights or _cached(record)
    if path is None:
        command = "design2a11y assets clip" + ("" if choice.is_published else f" --appearance {choice}")
        repository, folder = _source(record)
        raise AppearanceUnavailable(
            f"The weights of {choice} are not on this machine (looked for {repository} in {folder}).",
            advice=f"Fetch them once with: {command}. Without a network: copy the weights file here and "
            f"choose clip:{choice.model}@/path/to/weights, or copy another machine's hub cache here "
            "(HF_HUB_CACHE names its folder; HF_HUB_OFFLINE=1 keeps the hub's client off the network).",
        )
    try:
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise AppearanceUnavailable(
            f"The weights file {path} cannot be read: {error.strerror}.",
            advice="Name the weights file itself after the @, such as open_clip_model.safetensors.",
        ) from error
    asked = ((name, record.get(name)) for name in _PREPROCESSING)
    return Weights(path, sha256, tuple((name, value) for name, value in asked if value is not None))


def fetch_weights(choice: AppearanceChoice, *, say: Callable[[str], None]) -> Weights:
    """Download the chosen weights by open_clip, which checks them and shows a progress bar on a terminal.

    Weights that are already here are not downloaded again.

    Raises:
        AppearanceUnavailable: They could not be downloaded, or do not suit the model.
    """
    if choice.weights is None and _cached(record := _suitable_record(choice)) is None:
        repository, folder = _source(record)
        say(f"Fetching the weights of {choice} from {repository} to {folder}")
        try:
            clip_libraries().open_clip.download_pretrained(record)
        except Exception as error:
            from huggingface_hub import constants

            why = (str(error).strip() or type(error).__name__).splitlines()[0].strip()
            raise AppearanceUnavailable(
                f"The weights could not be downloaded from {repository}: {why}",
                advice=_OFFLINE if constants.HF_HUB_OFFLINE else _NO_DOWNLOAD,
            ) from error
    weights = find_weights(choice)
    megabytes = weights.path.stat().st_size / 1e6
    say(f"The weights of {choice} are in {weights.path} ({megabytes:.1f} MB, sha256 {weights.sha256})")
    return weights


def model_config(model: str) -> Mapping[str, Any]:
    """Return open_clip's configuration of a model.

    Raises:
        AppearanceUnavailable: open_clip does not know the model.
    """
    open_clip = clip_libraries().open_clip
    config: Mapping[str, Any] | None = None if ":" in model else open_clip.get_model_config(model)
    if config is None:
        raise _unknown("model", model, "", open_clip.list_models())
    return config


def _unknown(kind: str, name: str, where: str, known: Iterable[str]) -> AppearanceUnavailable:
    names = sorted(known)
    listed = difflib.get_close_matches(name, names, n=5) or names[:12]
    return AppearanceUnavailable(
        f'open_clip knows no {kind} "{name}"{where}.',
        advice=f"It knows {', '.join(listed)}."
        if listed
        else "Name a weights file instead: clip:MODEL@/path.",
    )


def _suitable_record(choice: AppearanceChoice) -> Mapping[str, Any]:
    """Return open_clip's record of named weights, or what is known of a file: its activation function.

    Weights made for the other activation function load but give wrong numbers, so they are refused. For named
    weights it is in open_clip's table, for a file in the configuration that the hub keeps beside it; for any
    other file it is unknown.
    """
    config = model_config(choice.model)
    if choice.weights is None:
        open_clip = clip_libraries().open_clip
        record: Mapping[str, Any] = open_clip.get_pretrained_cfg(choice.model, choice.pretrained)
        if not record:
            known = open_clip.list_pretrained_tags_by_model(choice.model)
            raise _unknown("weights", choice.pretrained, f" for the model {choice.model}", known)
    else:
        neighbor = choice.weights.with_name("open_clip_config.json")
        if not neighbor.is_file():
            return {}
        content = json.loads(neighbor.read_text(encoding="utf-8"))
        record = {"quick_gelu": content.get("model_cfg", content).get("quick_gelu")}
    needs_quick = bool(record.get("quick_gelu"))
    if needs_quick == bool(config.get("quick_gelu")):
        return record
    wanted, other = ("QuickGELU", "GELU") if needs_quick else ("GELU", "QuickGELU")
    model = choice.model.removesuffix(_QUICK) + (_QUICK if needs_quick else "")
    weights = f"@{choice.weights}" if choice.weights else f"/{choice.pretrained}"
    raise AppearanceUnavailable(
        f"{choice} would compute wrong numbers: these weights were trained with {wanted}, and the model "
        f"{choice.model} computes {other}.",
        advice=f"Choose clip:{model}{weights}.",
    )


def _source(record: Mapping[str, Any]) -> tuple[str, Path]:
    """Return a description of the source of named weights, and the folder that open_clip downloads to."""
    from huggingface_hub import constants

    return f"the model hub ({record['hf_hub'].rpartition('/')[0]})", Path(constants.HF_HUB_CACHE)


def _cached(record: Mapping[str, Any]) -> Path | None:
    """Return the file of named weights in the hub's cache, by open_clip's order of preference, if any."""
    from huggingface_hub import try_to_load_from_cache
    from open_clip.constants import HF_SAFE_WEIGHTS_NAME, HF_WEIGHTS_NAME

    if file := record.get("file"):
        return Path(file)
    # Every other record of open_clip 3 names a repository of the hub, and some a file in it.
    repository, _, filename = record["hf_hub"].rpartition("/")
    safe = f"{Path(filename).stem}.safetensors" if filename else HF_SAFE_WEIGHTS_NAME
    for name in (safe, filename or HF_WEIGHTS_NAME):
        if isinstance(found := try_to_load_from_cache(repository, name), str):
            return Path(found)
    return None


#: Values that OpenAI's archives store beside the weights.
_SIZES_OF_ARCHIVES = frozenset({"input_resolution", "context_length", "vocab_size"})


@dataclass(frozen=True, slots=True)
class Model:
    """A CLIP model in single precision, ready to embed, with open_clip's validation transform."""

    network: Any
    transform: Any
    device: str

    def features(self, images: Sequence[Image.Image]) -> NDArray[numpy.float32]:
        """Embed pictures, each by itself.

        Matrix products are summed in an order that depends on the number of pictures: in a batch of four, the
        last bits of an embedding differ from those of a single picture, so a page's score would depend on the
        others it was scored with.

        Returns:
            Shape (number of pictures, dimensions), as the model returns them: not normalized.
        """
        torch = clip_libraries().torch
        with torch.inference_mode(), _full_precision(torch):
            rows = [
                self.network.encode_image(self.transform(image)[None].to(self.device)) for image in images
            ]
            return numpy.asarray(torch.cat(rows).float().cpu().numpy())


def device_here() -> str:
    """Return the device that the backend uses: "cuda" if torch finds one."""
    return "cuda" if clip_libraries().torch.cuda.is_available() else "cpu"


@cache
def load_model(model: str, weights: Weights, device: str) -> Model:
    """Load the weights into the model, once per process; later calls return the same model."""
    try:
        network, transform = _create(model, weights, device)
    except Exception as error:
        why = " ".join(str(error).split())[:300]
        raise AppearanceUnavailable(
            f"The weights in {weights.path} do not load into the model {model}: {why}.",
            advice="Copy or fetch the whole file again, or name the model that they were made for.",
        ) from error
    return Model(network.eval(), transform, device)


def _create(model: str, weights: Weights, device: str) -> tuple[Any, Any]:
    path = weights.path
    is_archive = _is_torchscript(path)
    arguments = {f"image_{name}": value for name, value in weights.preprocessing}
    with warnings.catch_warnings(), quiet_open_clip():
        warnings.simplefilter("ignore")
        network, _, transform = clip_libraries().open_clip.create_model_and_transforms(
            model,
            pretrained=None if is_archive else str(path),
            precision="fp32",
            device=device,
            # A pickle runs code when it is loaded, unless torch loads weights only.
            weights_only=True,
            **arguments,
        )
        if is_archive:
            # open_clip itself could read such an archive only if it accepted any pickle.
            state = clip_libraries().torch.jit.load(str(path), map_location="cpu").state_dict()
            network.load_state_dict(
                {name: tensor for name, tensor in state.items() if name not in _SIZES_OF_ARCHIVES}
            )
    return network, transform


def _is_torchscript(path: Path) -> bool:
    """Return whether the file is a TorchScript archive, as OpenAI published its weights.

    The criterion is torch's: `constants.pkl` exists at its root, the folder of its first member.
    """
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    return bool(names) and f"{names[0].partition('/')[0]}/constants.pkl" in names


@contextmanager
def _full_precision(torch: Any) -> Iterator[None]:
    """Keep a GPU from rounding to TF32, which torch allows in convolutions; CPUs do not do so."""
    if not torch.cuda.is_available():
        yield
        return
    convolution, product = torch.backends.cudnn, torch.backends.cuda.matmul
    before = convolution.allow_tf32, product.allow_tf32
    convolution.allow_tf32 = product.allow_tf32 = False
    try:
        yield
    finally:
        convolution.allow_tf32, product.allow_tf32 = before
