"""Fill text boxes with their surroundings: Telea's method, radius 3, as OpenCV computes it.

`cv2.inpaint` on a whole page is slow if there is much text. Two facts make it cheaper without changing a
pixel: its result depends only on the neighborhood of each group of boxes, so the group's surroundings are
enough; and if a group is surrounded by nothing but white, the result is white.
"""

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

import numpy
import PIL
import scipy  # It loads its parts on use
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.exceptions import AppearanceUnavailable, ConfigurationError
from pytest_design2a11y.files import CacheFolder, FileTooLarge
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.visual.clip.choice import AppearanceChoice, clip_libraries, opencv
from pytest_design2a11y.visual.clip.model import (
    Model,
    Weights,
    device_here,
    find_weights,
    load_model,
    model_config,
)

RADIUS = 3
"""As published."""

MARGIN = RADIUS + 2
"""How far from a mask a pixel can matter: OpenCV looks RADIUS away, takes gradients one pixel further, and
one is spare. Groups are more than 2 * MARGIN apart: their distance maps, RADIUS wide, never meet."""

Pixels = NDArray[numpy.uint8]
Rectangles = NDArray[numpy.int64]


def pixel_rectangles(boxes: Sequence[Box], *, width: int, height: int) -> Rectangles:
    """Return the pixels of boxes, page fractions, (n, 4): left, top, right, bottom, the last two exclusive.

    As in the published metric, x, y, width and height are each multiplied by the page's size and truncated to
    an integer, so a box may lose its last row or column. Boxes without a pixel in the picture are left out.
    """
    fractions = numpy.asarray(boxes, dtype=numpy.float64).reshape(-1, 4)
    corners = (fractions * (width, height, width, height)).astype(numpy.int64)
    corners[:, 2:] += corners[:, :2]
    corners = corners.clip(0, (width, height, width, height))
    return corners[(corners[:, 2] > corners[:, 0]) & (corners[:, 3] > corners[:, 1])]


def inpainted(pixels: Pixels, rectangles: Rectangles) -> Pixels:
    """Return a picture with the rectangles filled; equal to one call of `cv2.inpaint` on the whole picture.

    References:
        A. Telea, "An image inpainting technique based on the fast marching method", 2004.
    """
    cv2, result = opencv(), pixels.copy()
    mask = numpy.zeros(pixels.shape[:2], dtype=numpy.uint8)
    for left, top, right, bottom in rectangles:
        mask[top:bottom, left:right] = 255
    near = cv2.dilate(mask, numpy.ones((2 * MARGIN + 1, 2 * MARGIN + 1), dtype=numpy.uint8))
    groups, _ = scipy.ndimage.label(near, structure=numpy.ones((3, 3)))
    for number, window in enumerate(scipy.ndimage.find_objects(groups), 1):
        part, is_near = pixels[window], groups[window] == number
        is_masked = is_near & (mask[window] > 0)
        # OpenCV reads and writes one pixel off at the upper and left edge: masked pixels matter there.
        reads_masked = is_masked[:2].any() or is_masked[:, :2].any()
        # All white: the method adds one half before rounding, and only white's 255.5 is then cut to 255.
        if not reads_masked and (part[is_near & ~is_masked] == 255).all():
            result[window][is_masked] = 255
        else:
            whole, hole = numpy.ascontiguousarray(part), is_masked.astype(numpy.uint8)
            result[window][is_masked] = cv2.inpaint(whole, hole, RADIUS, cv2.INPAINT_TELEA)[is_masked]
    return result


@dataclass(frozen=True, slots=True)
class TextlessPicture:
    """A screenshot and the text boxes on it, page fractions."""

    screenshot: Screenshot
    boxes: tuple[Box, ...]

    def key(self) -> str:
        """Return a key of the content: pictures with the same key have the same embedding."""
        digest = hashlib.sha256(self.screenshot.png)
        digest.update(numpy.asarray(self.boxes, dtype="<f8").tobytes())
        return digest.hexdigest()

    def square(self) -> Image.Image:
        """Return the page without its text, squashed (Lanczos) to a square of its shorter side."""
        pixels = self.screenshot.pixels
        height, width = pixels.shape[:2]
        rectangles = pixel_rectangles(self.boxes, width=width, height=height)
        side = min(width, height)
        image = Image.fromarray(inpainted(pixels, rectangles))
        return image.resize((side, side), Image.Resampling.LANCZOS)


DEFAULT_BATCH_SIZE = 16

_REMEMBERED = 4096
_MOST_THREADS = 4
_DIGITS_SHOWN = 12

Embedding = NDArray[numpy.float32]


@dataclass(eq=False, repr=False)
class ClipBackend:
    """Embeds each picture once: embeddings are remembered, and kept on disk if a folder is given.

    The model is loaded with the first unknown picture, once per process.
    """

    choice: AppearanceChoice
    weights: Weights
    _: KW_ONLY
    device: str
    batch_size: int = DEFAULT_BATCH_SIZE
    cache: "EmbeddingCache | None" = None

    def __post_init__(self) -> None:
        if self.batch_size < 1:
            raise ConfigurationError(
                f"The CLIP batch size {self.batch_size} is impossible.", advice="Choose 1 or more pictures."
            )
        libraries, weights = clip_libraries(), self.weights
        modules = libraries.torch, libraries.open_clip, libraries.cv2, PIL
        versions = [module.__version__ for module in modules]
        preprocessing = str(sorted(weights.preprocessing))
        # Everything that an embedding depends on besides the picture.
        self._salt = " ".join([self.choice.model, weights.sha256, preprocessing, self.device, *versions])
        self._known: dict[str, Embedding] = {}

    @property
    def identity(self) -> str:
        """Return the computation's identity, like "clip:ViT-B-32-quickgelu/openai sha256:0123456789ab cpu".

        Results are only comparable if it is the same; the location of a weights file does not matter.
        """
        name = self.choice.model
        if self.choice.pretrained:
            name += f"/{self.choice.pretrained}"
        return f"clip:{name} sha256:{self.weights.sha256[:_DIGITS_SHOWN]} {self.device}"

    def load(self) -> Model:
        """Load the model now, or return the one that is loaded."""
        return load_model(self.choice.model, self.weights, self.device)

    def embed(self, pictures: Sequence[TextlessPicture]) -> Embedding:
        """Embed pictures; unknown ones are prepared in batches, in parallel.

        A picture's embedding does not depend on the others, to the last bit.

        Returns:
            Shape (number of pictures, dimensions), each row of length 1.
        """
        keys = [hashlib.sha256(f"{self._salt} {picture.key()}".encode()).hexdigest() for picture in pictures]
        for key in keys:
            if key not in self._known and self.cache and (kept := self.cache.get(key)) is not None:
                self._known[key] = kept
        missing = {key: pixels for key, pixels in zip(keys, pictures, strict=True) if key not in self._known}
        names = list(missing)
        for start in range(0, len(names), self.batch_size):
            batch = names[start : start + self.batch_size]
            rows = self._computed([missing[key] for key in batch])
            for key, row in zip(batch, rows, strict=True):
                self._known[key] = row
                if self.cache:
                    self.cache.put(key, row)
        embedded = [self._known[key] for key in keys]
        while len(self._known) > _REMEMBERED:
            del self._known[next(iter(self._known))]
        return numpy.stack(embedded) if keys else numpy.empty((0, 0), numpy.float32)

    def _computed(self, pictures: Sequence[TextlessPicture]) -> Embedding:
        model = self.load()
        # Decoding, filling and resizing all run outside Python's lock.
        with ThreadPoolExecutor(max_workers=min(len(pictures), os.cpu_count() or 1, _MOST_THREADS)) as pool:
            squares = list(pool.map(TextlessPicture.square, pictures))
        try:
            features = model.features(squares)
        except clip_libraries().torch.cuda.OutOfMemoryError as error:
            raise AppearanceUnavailable(
                "The GPU has no memory for the CLIP model and one picture.",
                advice="Free some, or use the CPU: CUDA_VISIBLE_DEVICES= in the environment.",
            ) from error
        lengths = numpy.linalg.norm(features.astype(numpy.float64), axis=1, keepdims=True)
        if not numpy.isfinite(lengths).all() or not lengths.all():
            raise AppearanceUnavailable(
                "The CLIP model gave no usable numbers for a picture.",
                advice="The weights are probably damaged: delete them and run: design2a11y assets clip",
            )
        return numpy.asarray((features / lengths).astype(numpy.float32))


def require_clip(
    choice: AppearanceChoice,
    *,
    batch_size: int = DEFAULT_BATCH_SIZE,
    cache_folder: Path | None = None,
    should_load: bool = True,
) -> ClipBackend:
    """Return the chosen backend, ready to use, or raise the reason why it is unusable; uses no network.

    `should_load` loads the model now, which checks that the weights fit it.
    """
    weights = find_weights(choice)
    dimensions = model_config(choice.model).get("embed_dim")
    cache = EmbeddingCache(cache_folder, dimensions=dimensions) if cache_folder else None
    backend = ClipBackend(choice, weights, device=device_here(), batch_size=batch_size, cache=cache)
    if should_load:
        backend.load()
    return backend


def clip_appearance(
    *,
    reference: Screenshot,
    candidate: Screenshot,
    reference_boxes: Sequence[Box],
    candidate_boxes: Sequence[Box],
    backend: ClipBackend,
) -> float:
    """Compare two pages without their text: the cosine of their CLIP features.

    Boxes are page fractions. A negative cosine, which pages do not have, counts as 0.

    References:
        Si et al., "Design2Code: Benchmarking Multimodal Code Generation for Automated Front-End Engineering",
        NAACL 2025 (arXiv 2403.03163), section 3.2.
    """
    rows = backend.embed(
        [
            TextlessPicture(reference, tuple(reference_boxes)),
            TextlessPicture(candidate, tuple(candidate_boxes)),
        ]
    )
    first, second = rows.astype(numpy.float64)
    cosine = (first @ second) / numpy.sqrt((first @ first) * (second @ second))
    return float(numpy.clip(cosine, 0.0, 1.0))


class EmbeddingCache:
    """Embeddings by content, in a folder."""

    def __init__(self, folder: Path, *, dimensions: int | None = None, max_bytes: int = 64 * 2**20) -> None:
        """Prepare; the folder is created with the first embedding."""
        self._files = CacheFolder(folder, max_bytes=max_bytes)
        self._dimensions = dimensions

    def get(self, key: str) -> NDArray[numpy.float32] | None:
        """Return the embedding stored under a key, or None."""
        try:
            embedding = numpy.frombuffer(self._files.read(f"{key}.f32"), dtype="<f4")
        except (OSError, FileTooLarge, ValueError):
            return None
        if embedding.size != (self._dimensions or embedding.size):
            return None
        exact = embedding.astype(numpy.float64)
        is_whole = embedding.size > 0 and abs(float(exact @ exact) - 1.0) < 1e-3
        return embedding.astype(numpy.float32) if is_whole else None

    def put(self, key: str, embedding: NDArray[numpy.float32]) -> None:
        """Store a normalized embedding; a folder that is not writable is left as it is."""
        with suppress(OSError):
            self._files.write(f"{key}.f32", embedding.astype("<f4").tobytes())
