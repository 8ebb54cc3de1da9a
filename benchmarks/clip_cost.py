"""What the fifth component costs a pair, `embedded` and `clip`, cold and warm.

    python -m benchmarks.clip_cost [--appearance clip:MODEL/PRETRAINED] [--pages N] [--folder FOLDER]

Needs the extra `clip`. Without `--appearance` the published architecture (ViT-B-32-quickgelu) is filled with
random numbers from a seed: the same work as with the real weights, but no meaningful similarity. Pages are
drawn, not rendered: 1280 pixels wide, lines of text on white or on a color. Times are medians over the
pages; "processor" is the time of all threads. Tells, too, how far `clip` is from open_clip called directly.

Cold times are those of a fresh process, from the import of the package to the first pair's value.
"""

from __future__ import annotations

import argparse
import io
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.screenshot import Screenshot
from pytest_design2a11y.visual import embedded_appearance
from pytest_design2a11y.visual.clip import (
    ClipBackend,
    TextlessPicture,
    clip_appearance,
    find_weights,
    parse_appearance,
    require_clip,
)
from pytest_design2a11y.visual.clip.backend import inpainted, pixel_rectangles
from pytest_design2a11y.visual.clip.choice import clip_libraries, quiet_open_clip
from pytest_design2a11y.visual.clip.model import Model, device_here

WIDTH = 1280
PUBLISHED = "ViT-B-32-quickgelu"


@dataclass(frozen=True, slots=True)
class Page:
    """A drawn page: the input of the backends."""

    kind: str
    screenshot: Screenshot
    boxes: tuple[Box, ...]

    @property
    def picture(self) -> TextlessPicture:
        return TextlessPicture(self.screenshot, self.boxes)


KINDS: dict[str, tuple[int, str | tuple[int, ...], int]] = {
    "short, on white": (720, "white", 12),
    "long, on white": (3600, "white", 120),
    "long, on a color": (3600, (238, 242, 247), 120),
    "long, text fills it": (3600, (250, 248, 240), 200),
}


def draw_page(kind: str, seed: int) -> Page:
    height, background, num_lines = KINDS[kind]
    random = numpy.random.default_rng(seed)
    image = Image.new("RGB", (WIDTH, height), background)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDTH, 64), fill=tuple(int(part) for part in random.integers(0, 120, 3)))
    boxes: list[Box] = []
    for line in range(num_lines):
        left, top = 40, 80 + line * (height - 100) // num_lines
        text = "lorem ipsum dolor sit amet " * int(random.integers(1, 8))
        draw.text((left, top), text, fill=(40, 44, 52), font_size=15)
        x0, y0, x1, y1 = draw.textbbox((left, top), text, font_size=15)
        boxes.append((x0 / WIDTH, y0 / height, min(x1 - x0, WIDTH - x0) / WIDTH, (y1 - y0) / height))
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return Page(kind, Screenshot(stream.getvalue()), tuple(boxes))


def timed(action: Callable[[], object]) -> tuple[float, float]:
    """Return wall and processor seconds of one call."""
    wall, processor = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - processor


def median(times: Sequence[tuple[float, float]]) -> str:
    wall, processor = (statistics.median(column) * 1000 for column in zip(*times, strict=True))
    return f"{wall:8.1f} ms {processor:9.1f} ms"


def pair(first: Page, second: Page) -> dict[str, Any]:
    return {
        "reference": Screenshot(first.screenshot.png),
        "candidate": Screenshot(second.screenshot.png),
        "reference_boxes": first.boxes,
        "candidate_boxes": second.boxes,
    }


def report_warm(new_backend: Callable[[], ClipBackend], pages: int) -> None:
    print(f"{'warm, a pair':34}{'':24}{'wall':>11}{'processor':>12}")
    for kind in KINDS:
        rows = [
            measure_pair(draw_page(kind, 2 * seed), draw_page(kind, 2 * seed + 1), new_backend)
            for seed in range(pages)
        ]
        for name in rows[0]:
            print(f"  {kind:32}{name:24}{median([row[name] for row in rows])}")


def measure_pair(
    first: Page, second: Page, new_backend: Callable[[], ClipBackend]
) -> dict[str, tuple[float, float]]:
    nothing_known, reference_known = new_backend(), new_backend()
    reference_known.embed([first.picture])

    def clip(backend: ClipBackend) -> tuple[float, float]:
        return timed(lambda: clip_appearance(**pair(first, second), backend=backend))

    return {
        "embedded": timed(lambda: embedded_appearance(**pair(first, second))),
        "clip, both new": clip(nothing_known),
        "clip, reference known": clip(reference_known),
        "clip, both known": clip(reference_known),
    }


def report_steps(backend: ClipBackend, pages: int) -> None:
    print(f"\n{'warm, steps of one picture':34}{'':24}{'wall':>11}{'processor':>12}")
    for kind in KINDS:
        whole, parts, num_different = zip(
            *(measure_inpainting(draw_page(kind, seed)) for seed in range(pages)), strict=True
        )
        print(f"  {kind:32}{'inpainting, whole page':24}{median(whole)}")
        print(f"  {'':32}{'inpainting, in parts':24}{median(parts)}   {sum(num_different)} values differ")
    squares = [draw_page("short, on white", seed).picture.square() for seed in range(16)]
    model = backend.load()
    assert isinstance(model, Model)
    model.features(squares)
    batch = clip_libraries().torch.stack([model.transform(square) for square in squares]).to(model.device)
    for name, action in (
        ("one picture", partial(model.features, squares[:1])),
        ("16, one after the other", partial(model.features, squares)),
        ("16 as one batch (unused)", partial(model.network.encode_image, batch)),
    ):
        with clip_libraries().torch.inference_mode():
            print(f"  {'model':32}{name:24}{median([timed(action) for _ in range(5)])}")


def measure_inpainting(page: Page) -> tuple[tuple[float, float], tuple[float, float], int]:
    """Return the times of one call on the page and of calls on its parts, and how many values differ."""
    pixels = page.screenshot.pixels
    rectangles = pixel_rectangles(page.boxes, width=WIDTH, height=len(pixels))
    whole = timed(partial(whole_page, pixels, rectangles))
    parts = timed(partial(inpainted, pixels, rectangles))
    return whole, parts, int((whole_page(pixels, rectangles) != inpainted(pixels, rectangles)).sum())


def whole_page(pixels: NDArray[numpy.uint8], rectangles: NDArray[numpy.int64]) -> NDArray[numpy.uint8]:
    cv2 = clip_libraries().cv2
    mask = numpy.zeros(pixels.shape[:2], dtype=numpy.uint8)
    for left, top, right, bottom in rectangles:
        mask[top:bottom, left:right] = 255
    filled: NDArray[numpy.uint8] = cv2.inpaint(pixels.copy(), mask, 3, cv2.INPAINT_TELEA)
    return filled


def report_agreement(backend: ClipBackend, model_name: str, weights: Path, pages: int) -> None:
    """Compare with open_clip called directly, on pictures prepared only by OpenCV and Pillow."""
    libraries = clip_libraries()
    model, _, validation = libraries.open_clip.create_model_and_transforms(
        model_name, pretrained=str(weights)
    )
    model.eval()
    drawn = [draw_page(kind, seed) for kind in KINDS for seed in range(pages)]
    direct = []
    for page in drawn:
        pixels = page.screenshot.pixels
        rectangles = pixel_rectangles(page.boxes, width=WIDTH, height=len(pixels))
        image = Image.fromarray(whole_page(pixels, rectangles))
        side = min(image.size)
        with libraries.torch.no_grad():
            row = model.encode_image(validation(image.resize((side, side), Image.Resampling.LANCZOS))[None])[
                0
            ]
        direct.append((row / row.norm()).numpy())
    expected, actual = numpy.stack(direct), backend.embed([page.picture for page in drawn])
    print(f"\nagreement with direct calls, {len(drawn)} pages")
    print(f"  largest difference of an embedding's number  {numpy.abs(expected - actual).max():.1e}")
    cosines = numpy.abs(expected @ expected.T - actual @ actual.T)
    print(f"  largest difference of a cosine               {cosines.max():.1e}")


def report_cold(choice: str) -> None:
    print(f"\n{'cold, a fresh process':58}{'wall':>11}")
    with tempfile.TemporaryDirectory() as folder:
        for name, argument, cache in (
            ("embedded", "embedded", ""),
            ("clip, nothing known", choice, ""),
            ("clip, embeddings on disk, first run", choice, folder),
            ("clip, embeddings on disk, second run", choice, folder),
        ):
            command = [sys.executable, __file__, "--one-pair", argument, "--cache", cache]
            wall, _ = timed(partial(subprocess.run, command, check=True))
            print(f"  {name:56}{wall:8.1f} s")


def score_one_pair(choice: str, cache: str) -> None:
    first, second = draw_page("short, on white", 0), draw_page("short, on white", 1)
    if choice == "embedded":
        embedded_appearance(**pair(first, second))
        return
    folder = Path(cache) if cache else None
    backend = require_clip(parse_appearance(choice), cache_folder=folder, should_load=False)
    clip_appearance(**pair(first, second), backend=backend)


def random_weights(folder: Path) -> Path:
    from safetensors.torch import save_file

    libraries = clip_libraries()
    libraries.torch.manual_seed(0)
    path = folder / "random.safetensors"
    with quiet_open_clip():
        save_file(libraries.open_clip.create_model(PUBLISHED).state_dict(), path)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--appearance", help="the model to measure with real weights")
    parser.add_argument("--pages", type=int, default=3, help="pages of each kind")
    parser.add_argument(
        "--folder", type=Path, help="where random weights are written (605 MB); default: temporary"
    )
    parser.add_argument("--one-pair", help=argparse.SUPPRESS)
    parser.add_argument("--cache", default="", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one_pair:
        score_one_pair(arguments.one_pair, arguments.cache)
        return
    with tempfile.TemporaryDirectory(dir=arguments.folder) as temporary:
        text = arguments.appearance or f"clip:{PUBLISHED}@{random_weights(Path(temporary))}"
        report(text, arguments.pages)


def report(text: str, pages: int) -> None:
    choice = parse_appearance(text)
    backend = require_clip(choice)
    print(f"{backend.identity}, torch threads: {clip_libraries().torch.get_num_threads()}\n")
    print(f"{'find and hash the weights file':58}{median([timed(partial(find_weights, choice))])}\n")
    weights = find_weights(choice)
    report_warm(lambda: ClipBackend(choice, weights, device=device_here()), pages)
    report_steps(backend, pages)
    report_agreement(backend, choice.model, weights.path, pages)
    report_cold(text)


if __name__ == "__main__":
    main()
