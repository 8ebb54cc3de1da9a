"""Whether a picture as the design notices damage as much as the design's page does.

    python -m studies.picture_damage CORPUS [--limit N] [--first N]

Of every design of a corpus folder, a fifth of the text blocks is removed, moved, recolored or reworded in
what was captured of its page; the damaged page is scored against the page, and against a picture of it.
"""

from __future__ import annotations

import argparse
import io
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.blocks import find_seen_text
from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.measuring.sources import capture_source, open_renderer
from pytest_design2a11y.models.colors import most_frequent_color
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Block, VisualScore
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.visual import embedded_appearance, score_matching
from studies.pictures import picture_of

PERCENT = 20
OTHER_COLOR = (200, 0, 120)
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class Page:
    """The data of a page that scoring uses."""

    blocks: tuple[Block, ...]
    pixels: Pixels


def remove_blocks(page: Page, percent: int) -> Page:
    order = random.Random(1).sample(range(len(page.blocks)), len(page.blocks))
    lost = set(order[: round(len(order) * percent / 100)])
    pixels = page.pixels.copy()
    for index in lost:
        erase(pixels, page.blocks[index].box)
    return Page(tuple(block for index, block in enumerate(page.blocks) if index not in lost), pixels)


def erase(pixels: Pixels, box: Box) -> None:
    """Paint a box in the color to the left of its upper left corner."""
    rows, columns = area(pixels, box)
    pixels[rows, columns] = pixels[rows.start, max(0, columns.start - 1)]


def area(pixels: Pixels, box: Box) -> tuple[slice, slice]:
    height, width = pixels.shape[:2]
    left, top = round(box[0] * width), round(box[1] * height)
    return (
        slice(min(top, height - 1), round((box[1] + box[3]) * height)),
        slice(min(left, width - 1), round((box[0] + box[2]) * width)),
    )


def score(page: Page, damaged: Page) -> VisualScore:
    appearance = embedded_appearance(
        reference=screenshot(page.pixels),
        candidate=screenshot(damaged.pixels),
        reference_boxes=[block.box for block in page.blocks],
        candidate_boxes=[block.box for block in damaged.blocks],
    )
    return score_matching(match_blocks(page.blocks, damaged.blocks), appearance=appearance)


def screenshot(pixels: Pixels) -> Screenshot:
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG", compress_level=1)
    return Screenshot(stream.getvalue())


def move_blocks(page: Page, percent: int) -> Page:
    """Move blocks by a tenth of the width, to the side with enough space."""
    blocks, pixels = list(page.blocks), page.pixels.copy()
    for index in _chosen(page, percent):
        x, y, width, height = blocks[index].box
        box = (x + 0.1 if x + width < 0.9 else x - 0.1, y, width, height)
        if box[0] >= 0:
            moved, (rows, columns) = page.pixels[area(page.pixels, blocks[index].box)], area(pixels, box)
            erase(pixels, blocks[index].box)
            room = pixels[rows, columns]
            room[:] = moved[: room.shape[0], : room.shape[1]] if room.shape == moved.shape else room
            blocks[index] = replace(blocks[index], box=box)
    return Page(tuple(blocks), pixels)


def recolor_blocks(page: Page, percent: int) -> Page:
    blocks, pixels = list(page.blocks), page.pixels.copy()
    for index in _chosen(page, percent):
        rows, columns = area(pixels, blocks[index].box)
        pixels[rows, columns] = _recolored(pixels[rows, columns], blocks[index])
        blocks[index] = replace(blocks[index], color=OTHER_COLOR)
    return Page(tuple(blocks), pixels)


def _recolored(crop: NDArray[np.uint8], block: Block) -> NDArray[np.uint8]:
    text = np.array(block.color, dtype=np.float64)
    ground = most_frequent_color(crop, own=text)
    contrast = max(1.0, float(np.abs(text - ground).max()))
    share = np.clip(np.abs(crop - ground).max(axis=2, keepdims=True) / contrast, 0, 1)
    mixed = np.rint(ground + share * (np.array(OTHER_COLOR) - ground))
    return np.asarray(mixed, dtype=np.uint8)


def reword_blocks(page: Page, percent: int) -> Page:
    generator, chosen = random.Random(2), _chosen(page, percent)

    def other(text: str) -> str:
        return "".join(generator.choice(LETTERS) if generator.random() < 0.3 else one for one in text)

    blocks = (
        replace(block, text=other(block.text)) if index in chosen else block
        for index, block in enumerate(page.blocks)
    )
    return Page(tuple(blocks), page.pixels)


def _chosen(page: Page, percent: int) -> set[int]:
    order = random.Random(1).sample(range(len(page.blocks)), len(page.blocks))
    return set(order[: round(len(order) * percent / 100)])


DAMAGES: dict[str, Callable[[Page, int], Page]] = {
    "removed": remove_blocks,
    "moved": move_blocks,
    "recolored": recolor_blocks,
    "reworded": reword_blocks,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--limit", type=int, default=12, help="designs")
    parser.add_argument("--first", type=int, default=1, help="of the designs")
    given = parser.parse_args()
    drops: dict[str, list[tuple[float, float]]] = {name: [] for name in DAMAGES}
    for stem, page, picture in _designs(given.corpus, given.first, given.limit):
        own = score(picture, page).score
        for name, damage in DAMAGES.items():
            damaged = damage(page, PERCENT)
            drop = 1 - score(page, damaged).score, own - score(picture, damaged).score
            drops[name].append(drop)
            print(f"{stem} {name}: {drop[0]:.4f} {drop[1]:.4f}", flush=True)
    for name, found in drops.items():
        by_page, by_picture = np.array(found).T
        apart = np.abs(by_picture - by_page)
        print(
            f"{name}: {len(found)} pages, mean drop {by_page.mean():.4f} against the page, "
            f"{by_picture.mean():.4f} against the picture ({by_picture.mean() / by_page.mean():.2f} of it); "
            f"apart median {np.median(apart):.4f} p95 {np.percentile(apart, 95):.4f}"
        )


def _designs(corpus: Path, first: int, limit: int) -> Iterator[tuple[str, Page, Page]]:
    settings = Settings(audit=False)
    paths = sorted((corpus / "references").glob("*.html"), key=lambda path: int(path.stem))
    with open_renderer(settings) as renderer:
        for path in paths[first - 1 :][:limit]:
            design = capture_source(path, role="reference", renderer=renderer, settings=settings)
            yield path.stem, _page(design), _page(picture_of(design))


def _page(capture: Capture) -> Page:
    blocks = find_seen_text(text_runs=capture.text_runs, screenshot=capture.screenshot)[0]
    return Page(blocks, capture.screenshot.pixels)


if __name__ == "__main__":
    main()
