"""How long matching takes, from 50 to 1,000 blocks a side; draws it on request.

Run: python -m benchmarks.matching [--corpus FOLDER] [--repeats 3] [--svg docs/images/matching-speed.svg]
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.visual import Block

SIZES = (50, 100, 200, 350, 500, 700, 1000)
TEXT = """
about account add all archive article back best blog book build call cart city cloud code contact
data day design digital donate edit email event feature find first free from full gallery get go
guide help home how image in info join just learn library life like list live log make map market
member menu more music my new news next of on open order our out page people photo plan play post
price privacy product project read report review search see service shop sign site social start
store story studio support team terms text the time to top travel up use video view visit watch we
web what with work world year you your
"""
WORDS = TEXT.split()


def make_page(num_blocks: int, generator: random.Random) -> list[Block]:
    """Make blocks of one to sixty words, as in menus and paragraphs."""
    blocks = []
    for index in range(num_blocks):
        text = " ".join(generator.choices(WORDS, k=generator.choice([1, 1, 2, 2, 3, 5, 8, 20, 60])))
        box = (generator.random() * 0.7, index / num_blocks, generator.random() * 0.3, 0.8 / num_blocks)
        blocks.append(Block(text, box, (generator.randrange(256), 0, 0)))
    return blocks


def imitate(blocks: Sequence[Block], generator: random.Random) -> list[Block]:
    """Change a page as models do: lose a few blocks, split some, reword some."""
    imitation = []
    for block in blocks:
        words, fate = block.text.split(), generator.random()
        if fate < 0.05:
            continue
        if fate < 0.15 and len(words) > 1:
            cut = generator.randrange(1, len(words))
            for part in (words[:cut], words[cut:]):
                imitation.append(Block(" ".join(part), block.box, block.color))
        elif fate < 0.3:
            words[generator.randrange(len(words))] = generator.choice(WORDS)
            imitation.append(Block(" ".join(words), block.box, block.color))
        else:
            imitation.append(block)
    # One box each; otherwise they would be joined before matching.
    return [Block(b.text, (b.box[0], i / 2000, *b.box[2:]), b.color) for i, b in enumerate(imitation)]


def seconds(reference: Sequence[Block], candidate: Sequence[Block], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        match_blocks(reference, candidate)
        times.append(time.perf_counter() - start)
    return min(times)


def growth(repeats: int) -> dict[str, list[tuple[int, float]]]:
    curves: dict[str, list[tuple[int, float]]] = {"imitation": [], "unrelated page": []}
    for size in SIZES:
        generator = random.Random(size)
        reference = make_page(size, generator)
        pages = {"imitation": imitate(reference, generator), "unrelated page": make_page(size, generator)}
        for name, candidate in pages.items():
            curves[name].append((size, seconds(reference, candidate, repeats)))
            print(f"{size:5d} blocks, {name:15s} {curves[name][-1][1] * 1000:9.1f} ms", flush=True)
    return curves


def corpus_times(corpus: Path, repeats: int) -> list[float]:
    def read(path: Path) -> list[Block]:
        found = json.loads(path.read_text())["blocks"]
        return [Block(block["text"], tuple(block["box"]), tuple(block["color"])) for block in found]

    return [
        seconds(read(corpus / "blocks" / "references" / path.name), read(path), repeats)
        for path in sorted(corpus.glob("blocks/*/*.json"))
        if path.parent.name != "references"
    ]


def draw(curves: dict[str, list[tuple[int, float]]]) -> str:
    """Draw time against size as an SVG, linear axes."""
    width, height, left, bottom = 640, 360, 60, 320
    most = max(value for curve in curves.values() for _, value in curve)

    def place(size: int, value: float) -> str:
        return (
            f"{left + size / SIZES[-1] * (width - left - 20):.1f},{bottom - value / most * (bottom - 30):.1f}"
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">'
    ]
    parts.append("<title>Time for matching two pages, by number of blocks on each</title>")
    parts.append(f'<rect width="{width}" height="{height}" fill="#fff"/>')
    parts.append(f'<path d="M{left},30 V{bottom} H{width - 20}" fill="none" stroke="#555"/>')
    for size in SIZES:
        x = place(size, 0).split(",")[0]
        parts.append(f'<text x="{x}" y="{bottom + 16}" font-size="11" text-anchor="middle">{size}</text>')
    for step in range(5):
        value = most * step / 4
        y = place(0, value).split(",")[1]
        parts.append(f'<text x="{left - 6}" y="{y}" font-size="11" text-anchor="end">{value:.2f} s</text>')
    for index, (color, (name, curve)) in enumerate(zip(("#1f5fa8", "#b3401c"), curves.items(), strict=True)):
        points = " ".join(place(size, value) for size, value in curve)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts.append(
            f'<text x="{left + 14}" y="{44 + 16 * index}" font-size="12" fill="{color}">{name}</text>'
        )
    parts.append(
        f'<text x="{(width + left) / 2}" y="{height - 6}" font-size="12">blocks on each page</text></svg>'
    )
    return "\n".join(parts) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=Path("../shared/corpus"))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--svg", type=Path, help="where to draw the times")
    arguments = parser.parse_args()
    if arguments.corpus.is_dir():
        times = corpus_times(arguments.corpus, arguments.repeats)
        middle, slowest = statistics.median(times) * 1000, max(times) * 1000
        print(f"{len(times)} pairs of the corpus: median {middle:.1f} ms, slowest {slowest:.1f} ms")
    curves = growth(arguments.repeats)
    if arguments.svg is not None:
        arguments.svg.write_text(draw(curves))
        print(f"wrote {arguments.svg}")


if __name__ == "__main__":
    main()
