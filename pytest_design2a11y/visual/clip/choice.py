"""The chosen appearance backend, as text and as a record; the libraries of `clip`, imported on use."""

import importlib
import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pytest_design2a11y.exceptions import AppearanceUnavailable, ConfigurationError
from pytest_design2a11y.files import file_path

PUBLISHED_MODEL = "ViT-B-32-quickgelu"
PUBLISHED_PRETRAINED = "openai"

_FORMS = "embedded, clip, clip:MODEL/PRETRAINED or clip:MODEL@/path/to/weights"


@dataclass(frozen=True, slots=True)
class AppearanceChoice:
    """The method for the fifth component; "clip" needs the extra of that name, and weights."""

    backend: Literal["embedded", "clip"]
    model: str = ""  # open_clip's name, like the next one, or ""
    pretrained: str = ""
    weights: Path | None = None  # A file instead

    def __str__(self) -> str:
        """Return the choice as written on a command line."""
        if self.backend == "embedded":
            return self.backend
        return f"clip:{self.model}@{self.weights}" if self.weights else f"clip:{self.model}/{self.pretrained}"

    @property
    def is_published(self) -> bool:
        """Return whether it is the model and the weights of the published metric."""
        return (self.model, self.pretrained) == (PUBLISHED_MODEL, PUBLISHED_PRETRAINED)


def parse_appearance(text: str, *, base: Path | None = None) -> AppearanceChoice:
    """Parse the name of an appearance backend, without heavy imports or looking at files.

    It is "embedded", "clip" (the published model), "clip:MODEL/PRETRAINED" or "clip:MODEL@/path/to/weights";
    a relative path starts from `base`, or the working directory.

    Raises:
        ConfigurationError: The backend does not exist.
    """
    name, colon, rest = text.strip().partition(":")
    if name == "embedded" and not colon:
        return AppearanceChoice("embedded")
    if name != "clip":
        raise _unknown(text, f"Choose {_FORMS}.")
    if not colon:
        return AppearanceChoice("clip", PUBLISHED_MODEL, PUBLISHED_PRETRAINED)
    model, at, path = rest.partition("@")
    if at:
        if not model or not path:
            raise _unknown(text, "Name both, as in clip:ViT-B-32-quickgelu@/path/to/weights.safetensors.")
        return AppearanceChoice("clip", model, weights=(base or Path()).joinpath(file_path(path)).absolute())
    model, _, pretrained = rest.rpartition("/")
    if not model or not pretrained or "/" in model or ":" in model:
        raise _unknown(
            text,
            "Name a model and its weights, as in clip:ViT-B-32-quickgelu/openai, "
            "or a weights file on this machine, as in clip:ViT-B-32-quickgelu@/path/to/weights.safetensors.",
        )
    return AppearanceChoice("clip", model, pretrained)


def _unknown(text: str, advice: str) -> ConfigurationError:
    return ConfigurationError(f'There is no appearance backend "{text}".', advice=advice)


_PACKAGES = {"torch": "torch", "open_clip": "open_clip_torch", "cv2": "opencv-python-headless"}
_INSTALL = 'Install them with: pip install "pytest-design2a11y[clip]"; or choose the appearance "embedded".'

# torchvision registers shape functions for these two operators when it is imported. They live in its
# compiled part, which is built for CUDA and does not load beside a CPU build of torch.
_MISSING_SCHEMAS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
)
_kept_alive: list[Any] = []  # torch forgets the declarations when their library object goes


@dataclass(frozen=True, slots=True)
class Libraries:
    """The modules torch, open_clip and cv2."""

    torch: Any
    open_clip: Any
    cv2: Any


@cache
def clip_libraries() -> Libraries:
    """Import the backend's libraries, which takes seconds the first time."""
    with warnings.catch_warnings(), quiet_open_clip():
        warnings.simplefilter("ignore")
        torch = _import("torch")
        _fix_torchvision(torch)
        return Libraries(torch=torch, open_clip=_import("open_clip"), cv2=opencv())


@cache
def opencv() -> Any:
    """Import OpenCV alone."""
    return _import("cv2")


@contextmanager
def quiet_open_clip() -> Iterator[None]:
    """Drop what open_clip logs on the root logger; everything else passes, and nothing remains changed."""
    root = logging.getLogger()
    # Without a handler, logging.info() would install one on standard error for the whole process.
    handler = logging.NullHandler()
    root.addHandler(handler)
    root.addFilter(_is_not_from_open_clip)
    try:
        yield
    finally:
        root.removeFilter(_is_not_from_open_clip)
        root.removeHandler(handler)


def _is_not_from_open_clip(record: logging.LogRecord) -> bool:
    return "open_clip" not in record.pathname.replace("\\", "/").split("/")


def _import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = _PACKAGES.get(error.name or "", error.name)
        what = f"The appearance backend clip needs the package {missing}, which is not installed."
        raise AppearanceUnavailable(what, advice=_INSTALL) from error
    except Exception as error:
        what = f"The package {_PACKAGES[name]}, which the backend clip needs, cannot be imported: {error}."
        raise AppearanceUnavailable(what, advice=_REINSTALL) from error


_REINSTALL = "Install torch, torchvision and open_clip_torch anew, from one index and for the same platform."


def _fix_torchvision(torch: Any) -> None:
    """Make torchvision importable if its compiled part does not load; only its transforms are needed."""
    try:
        importlib.import_module("torchvision")
    except RuntimeError as error:
        if torch.version.cuda is not None or "torchvision::" not in str(error):
            raise AppearanceUnavailable(
                f"The package torchvision, which open_clip needs, cannot be imported: {error}.",
                advice=_REINSTALL,
            ) from error
        for name in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
            del sys.modules[name]
        library = torch.library.Library("torchvision", "FRAGMENT")
        for schema in _MISSING_SCHEMAS:
            library.define(schema)
        _kept_alive.append(library)
    except ImportError:
        return  # open_clip's own import reports what is missing
