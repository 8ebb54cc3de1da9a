"""Damages pages by degrees and shows what each component makes of it; writes studies/damage.md.

Run: python -m studies.damage [--corpus ../shared/corpus] [--pages 20] [--chromium PATH]

Each page is rendered once; the damage is done to what was captured (text blocks and picture), so that it has
exactly the degree named, and the damaged capture is scored against the page itself.
"""

from __future__ import annotations

import argparse
import io
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.blocks import find_blocks
from pytest_design2a11y.capture.renderer import open_renderer
from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Screenshot
from pytest_design2a11y.models.visual import Block, VisualScore
from pytest_design2a11y.source import read_document
from pytest_design2a11y.visual import embedded_appearance, score_matching

ROOT = Path(__file__).parents[1]
COMPONENTS = ("block_match", "text", "position", "color", "appearance", "score")
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class Page:
    """What scoring sees of a page."""

    blocks: tuple[Block, ...]
    pixels: Pixels


@dataclass(frozen=True)
class Damage:
    """One kind of damage.

    Attributes:
        name: As the table names it.
        degrees: From little to much.
        unit: What stands behind a degree.
        moves: The components that it is meant to move.
        apply: Damages a page.
    """

    name: str
    degrees: tuple[int, ...]
    unit: str
    moves: tuple[str, ...]
    apply: Callable[[Page, int], Page]


def remove_blocks(page: Page, percent: int) -> Page:
    order = random.Random(1).sample(range(len(page.blocks)), len(page.blocks))
    lost = set(order[: round(len(order) * percent / 100)])
    pixels = page.pixels.copy()
    for index in lost:
        erase(pixels, page.blocks[index].box)
    return Page(tuple(block for index, block in enumerate(page.blocks) if index not in lost), pixels)


def erase(pixels: Pixels, box: Box) -> None:
    """Paint a box in the colour left of its upper left corner."""
    rows, columns = area(pixels, box)
    pixels[rows, columns] = pixels[rows.start, max(0, columns.start - 1)]


def area(pixels: Pixels, box: Box) -> tuple[slice, slice]:
    height, width = pixels.shape[:2]
    left, top = round(box[0] * width), round(box[1] * height)
    return (
        slice(min(top, height - 1), round((box[1] + box[3]) * height)),
        slice(min(left, width - 1), round((box[0] + box[2]) * width)),
    )


def shift(page: Page, percent: int) -> Page:
    width = page.pixels.shape[1]
    pixels = np.full_like(page.pixels, 255)
    pixels[:, width * percent // 100 :] = page.pixels[:, : width - width * percent // 100]
    moved = [
        replace(block, box=(block.box[0] + percent / 100, *block.box[1:]))
        for block in page.blocks
        if block.box[0] + block.box[2] / 2 + percent / 100 < 1
    ]
    return Page(tuple(moved), pixels)


def rotate_hues(page: Page, degrees: int) -> Page:
    angle = np.radians(degrees)
    axis = np.full((3, 3), (1 - np.cos(angle)) / 3) + np.cos(angle) * np.eye(3)
    cross = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]) * np.sin(angle) / np.sqrt(3)
    return recolored(page, lambda colors: colors @ (axis + cross).T)


def invert(page: Page, _: int) -> Page:
    return recolored(page, lambda colors: 255 - colors)


def recolored(page: Page, change: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Page:
    def rounded(colors: NDArray[np.float64]) -> Pixels:
        return np.clip(np.round(change(colors)), 0, 255).astype(np.uint8)

    blocks = []
    for block in page.blocks:
        red, green, blue = rounded(np.array(block.color, dtype=np.float64)).tolist()
        blocks.append(replace(block, color=(red, green, blue)))
    return Page(tuple(blocks), rounded(page.pixels.astype(np.float64)))


def scramble(page: Page, percent: int) -> Page:
    generator = random.Random(1)

    def scrambled(text: str) -> str:
        return "".join(generator.choice(LETTERS) if generator.random() < percent / 100 else c for c in text)

    return Page(tuple(replace(block, text=scrambled(block.text)) for block in page.blocks), page.pixels)


def drop_pictures(page: Page, percent: int) -> Page:
    """Whiten the upper part of the page except its text."""
    pixels = page.pixels.copy()
    pixels[: round(len(pixels) * percent / 100)] = 255
    for block in page.blocks:
        rows, columns = area(pixels, block.box)
        pixels[rows, columns] = page.pixels[rows, columns]
    return Page(page.blocks, pixels)


def cut(page: Page, percent: int) -> Page:
    """Lose the lower part of the page."""
    kept = 1 - percent / 100
    blocks = [
        replace(block, box=(block.box[0], block.box[1] / kept, block.box[2], block.box[3] / kept))
        for block in page.blocks
        if block.box[1] + block.box[3] <= kept
    ]
    return Page(tuple(blocks), page.pixels[: round(len(page.pixels) * kept)])


DAMAGES = (
    Damage("remove text blocks", (10, 30, 50, 70, 90), "%", ("block_match",), remove_blocks),
    Damage("shift to the right", (5, 10, 25, 50), "% of the width", ("position",), shift),
    Damage("rotate hues", (30, 90, 180), "°", ("color",), rotate_hues),
    Damage("scramble characters", (10, 30, 50, 70, 90), "%", ("text",), scramble),
    Damage("whiten all but the text", (25, 50, 75, 100), "% from the top", ("appearance",), drop_pictures),
    Damage("swap light and dark", (100,), "%", ("color", "appearance"), invert),
    Damage("cut off the lower part", (25, 50, 75), "%", ("block_match",), cut),
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


def render(paths: Sequence[Path], chromium: str | None) -> Iterator[Page]:
    with open_renderer(chromium=chromium) as renderer:
        for path in paths:
            document = read_document(path, max_bytes=50_000_000)
            capture = renderer.capture(document, role="reference", audit=None)
            blocks = find_blocks(text_runs=capture.text_runs, screenshot=capture.screenshot)
            yield Page(blocks, capture.screenshot.pixels)


def report(pages: Sequence[Page]) -> Iterator[str]:
    """Return the table's lines, then how steadily each component falls."""
    yield "| damage | degree | " + " | ".join(COMPONENTS) + " |"
    yield "|---" * (len(COMPONENTS) + 2) + "|"
    yield from (row("none", "", [score(page, page) for page in pages]),)
    steadiness = []
    for damage in DAMAGES:
        falls: list[list[VisualScore]] = []
        for degree in damage.degrees:
            falls.append([score(page, damage.apply(page, degree)) for page in pages])
            yield row(damage.name, f"{degree} {damage.unit}", falls[-1], damage.moves)
        steadiness.append(f"- {damage.name}: {monotone(falls, [*damage.moves, 'score'])}")
        print(steadiness[-1], flush=True)
    yield from ("", "From one degree to the next:", "", *steadiness)


def row(name: str, degree: str, scores: Sequence[VisualScore], moves: Sequence[str] = ()) -> str:
    cells = []
    for component in COMPONENTS:
        mean = f"{fmean(getattr(one, component) for one in scores):.3f}"
        cells.append(f"**{mean}**" if component in moves else mean)
    return f"| {name} | {degree} | " + " | ".join(cells) + " |"


def monotone(falls: Sequence[Sequence[VisualScore]], moves: Sequence[str]) -> str:
    """Say on how many pages each of these components never rises from one degree to the next."""
    said = []
    for component in moves:
        curves = [[1.0, *(getattr(one, component) for one in curve)] for curve in zip(*falls, strict=True)]
        steady = sum(all(after <= before + 1e-9 for before, after in pairwise(curve)) for curve in curves)
        said.append(f"{component} never rises on {steady} of {len(curves)} pages")
    return "; ".join(said)


HEADING = """# What each component makes of damage

Means over {number} pages ({origin}), each scored against itself after damage; the
components that a kind of damage is meant to move stand in bold. Made by `studies/damage.py`: pages
are rendered once, and the damage is done to what was captured, so that it has exactly the degree named. Where
text is removed, the text, position and color of what still matches stay at 1: `block_match` says how much
that is. Where characters are scrambled, pairs fall under the ratio of 0.5 one by one and are dropped: then
`block_match` falls, and `text` is the mean of those that are left. A page that is cut off is shorter, so that
what remains of it is larger as a share of the page.

"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=None, help="also take reference pages from here")
    parser.add_argument("--pages", type=int, default=20, help="how many of them")
    parser.add_argument("--chromium", default=None)
    parser.add_argument("--output", type=Path, default=ROOT / "studies" / "damage.md")
    arguments = parser.parse_args()
    paths = sorted((ROOT / "examples").glob("designs/*.html"))
    origin = f"{len(paths)} designs of examples/"
    if arguments.corpus is not None:
        found = sorted(arguments.corpus.glob("references/*.html"), key=lambda path: int(path.stem))
        paths += found[: arguments.pages]
        origin += f" and {len(found[: arguments.pages])} real pages of Design2Code's test set"
    pages = [page for page in render(paths, arguments.chromium) if page.blocks]
    lines = HEADING.format(number=len(pages), origin=origin) + "\n".join(report(pages)) + "\n"
    arguments.output.write_text(lines)
    print(f"wrote {arguments.output}")


if __name__ == "__main__":
    main()
