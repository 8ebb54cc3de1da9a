"""The CLIP model of a cluster: one actor holds it for all workers, on a GPU if requested."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.exceptions import (
    AppearanceUnavailable,
    BrowserLost,
    ConfigurationError,
    Design2a11yError,
    NodeDiffers,
)
from pytest_design2a11y.measuring.caches import clip_backend
from pytest_design2a11y.settings.values import Settings
from pytest_design2a11y.visual.clip import clip_libraries

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray
    from PIL import Image

#: Seconds for placing the actor and loading the model.
_PATIENCE = 600.0


class ModelActor:
    """Holds the model; after a restart, it is loaded with the first picture."""

    def __init__(self, settings: Settings, folder: str) -> None:
        """Prepare; the model is loaded when first needed."""
        self._settings = settings
        self._folder = folder

    def start(self) -> str | Design2a11yError:
        """Load the model, and return its identity, or the error."""
        try:
            self._model()
        except OSError:
            what = "The node of the CLIP model does not have the working directory."
            return NodeDiffers(what, stage="launch")
        except Design2a11yError as error:
            return error
        identity: str = self._backend().identity
        return identity

    def transform(self) -> Any:
        """Return the transform applied to pictures before they are embedded."""
        return self._model().transform

    def encode(self, prepared: Sequence[NDArray[numpy.float32]]) -> NDArray[numpy.float32]:
        """Embed transformed pictures; see `Model.encoded`."""
        features: NDArray[numpy.float32] = self._model().encoded(prepared)
        return features

    def _backend(self) -> Any:
        os.chdir(self._folder)
        settings = self._settings
        return clip_backend(settings.appearance, settings.clip_batch, settings.cache_folder)

    def _model(self) -> Any:
        return self._backend().load()


@dataclass(frozen=True)
class SharedModel:
    """The model as seen by a worker, which prepares pictures itself; `identity` is `ClipBackend.identity`."""

    actor: Any
    identity: str

    @property
    def device(self) -> str:
        """Where the actor computes: "cpu" or "cuda"."""
        return self.identity.rpartition(" ")[2]

    def features(self, images: Sequence[Image.Image]) -> NDArray[numpy.float32]:
        """Embed pictures; see `Model.features`."""
        import ray

        try:
            prepared = [self._transform(image).numpy() for image in images]
            features: NDArray[numpy.float32] = ray.get(self.actor.encode.remote(prepared))
        except ray.exceptions.RayTaskError as error:
            what = type(error.cause).__name__
            raise AppearanceUnavailable(
                f"The CLIP model failed on its node: {what}.",
                advice="Look for memory that is missing there, or score without -o design2a11y_clip_gpus.",
            ) from None
        except ray.exceptions.RayError as error:
            raise BrowserLost(
                f"The worker with the CLIP model ended ({type(error).__name__}).", stage="appearance"
            ) from None
        return features

    @cached_property
    def _transform(self) -> Any:
        import ray

        # The libraries that it is made of must be imported first, and in order.
        clip_libraries()
        return ray.get(self.actor.transform.remote())


@contextmanager
def shared_model(ray: Any, settings: Settings, *, gpus: float, expected: str) -> Iterator[SharedModel]:
    """Start the actor that holds the model, on `gpus` GPUs, which may be a fraction; 0: on a processor.

    `expected` is the driver's own `ClipBackend.identity`, which must match except for the device.
    """
    if ray.cluster_resources().get("GPU", 0.0) < gpus:
        raise ConfigurationError(
            f"The cluster does not have {gpus:g} GPUs.",
            advice="Give -o design2a11y_clip_gpus=0, or leave it out.",
        )
    # Embedding is a pure function: Ray itself may retry it, wherever there is room.
    remote = ray.remote(num_cpus=1, num_gpus=gpus, max_restarts=-1, max_task_retries=-1)(ModelActor)
    actor = remote.remote(settings, str(Path.cwd()))
    try:
        yield _started(ray, actor, expected)
    finally:
        ray.kill(actor)


def _started(ray: Any, actor: Any, expected: str) -> SharedModel:
    try:
        started = ray.get(actor.start.remote(), timeout=_PATIENCE)
    except ray.exceptions.RayError as error:
        raise ConfigurationError(
            f"The actor for the CLIP model did not start ({type(error).__name__}).",
            advice="Ask for less with -o design2a11y_clip_gpus, or leave it out.",
        ) from None
    if isinstance(started, Design2a11yError):
        raise started
    if started.rpartition(" ")[0] != expected.rpartition(" ")[0]:
        raise NodeDiffers("The CLIP model's node has other weights than this machine.", stage="launch")
    return SharedModel(actor, started)
