"""The loaded model: pictures in, features out."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.exceptions import AppearanceUnavailable
from pytest_design2a11y.visual.clip.libraries import clip_libraries, quiet_open_clip
from pytest_design2a11y.visual.clip.weights import Weights

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
            Shape (number of pictures, dimensions), as the model returns them: not normalised.
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
