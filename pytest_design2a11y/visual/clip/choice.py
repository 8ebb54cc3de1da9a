"""The chosen appearance backend, as text and as a record."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pytest_design2a11y.exceptions import ConfigurationError
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
