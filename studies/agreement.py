"""How closely our blocks and components agree with the published implementation's.

    python -m studies.agreement CORPUS [--sets SET ...] [--limit N] [--pages]

The corpus has references/N.html, candidates/SET/N.html, blocks/references/N.json and blocks/SET/N.json (the
blocks that the published implementation found), and expected/SET.jsonl (its figures: `reference_run.indel`).

Three tables. "all pairs": our score of each pair against the published figure; what the published
implementation overlooks or invents counts as a difference there. "same text": likewise, but only the pairs in
which both found nearly the same blocks. "common blocks": both sides reduced to the blocks that both found,
scored by the same code: what remains is the difference of boxes and colors. `--pages` lists, page by page,
how much both found, and the blocks that only one of the two did.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from rapidfuzz.distance import Indel

from pytest_design2a11y.blocks import find_seen_text
from pytest_design2a11y.capture.renderer import Renderer, open_renderer
from pytest_design2a11y.capture.text import seen_text
from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.matching.costs import join_identical_boxes
from pytest_design2a11y.models.visual import Block
from pytest_design2a11y.source.read_document import read_document
from pytest_design2a11y.visual import score_matching

COMPONENTS = ("block_match", "text", "position", "color")
MAX_BYTES = 20_000_000
# Blocks with the same text match if their boxes begin this near, in page fractions.
NEAR = 0.15
# Two implementations found the same text from this share of common blocks, by number and by area; two blocks
# have the same text from this share of common characters.
SAME = 0.95


@dataclass(frozen=True)
class Page:
    """One page as seen by both implementations; only visible characters, identical boxes joined."""

    ours: tuple[Block, ...]
    published: tuple[Block, ...]
    common_ours: tuple[Block, ...]
    common_published: tuple[Block, ...]

    @property
    def shared(self) -> float:
        """Share of the blocks that both found, by number or by area, whichever is less."""
        both = (*self.common_ours, *self.common_published)
        either = (*self.ours, *self.published)
        return min(len(both) / len(either), text_area(both) / text_area(either)) if either else 1.0


@dataclass(frozen=True)
class Pair:
    """Components of one pair: ours and published, for all blocks and for the common ones."""

    candidate_set: str
    case: int
    ours: tuple[float, ...]
    published: tuple[float, ...]
    common_ours: tuple[float, ...]
    common_published: tuple[float, ...]
    shared: float


def text_area(blocks: Sequence[Block]) -> float:
    return sum(block.box[2] * block.box[3] for block in blocks)


def collapsed(blocks: Sequence[Block]) -> tuple[Block, ...]:
    return tuple(join_identical_boxes(replace(block, text=seen_text(block.text)) for block in blocks))


def read_published(path: Path) -> tuple[Block, ...]:
    found = json.loads(path.read_text(encoding="utf-8"))["blocks"] if path.exists() else []
    return collapsed([Block(block["text"], tuple(block["box"]), tuple(block["color"])) for block in found])


def pair_up(ours: Sequence[Block], published: Sequence[Block]) -> list[tuple[int, int]]:
    """Return (ours, published) indices of blocks with almost the same text and place, the nearest first."""
    free = set(range(len(ours)))
    pairs = []
    for theirs, block in enumerate(published):
        distances = sorted(
            (apart(ours[mine], block), mine)
            for mine in free
            if Indel.normalized_similarity(ours[mine].text, block.text) >= SAME
        )
        if distances and distances[0][0] < NEAR:
            free.remove(distances[0][1])
            pairs.append((distances[0][1], theirs))
    return sorted(pairs)


def apart(first: Block, second: Block) -> float:
    return abs(first.box[0] - second.box[0]) + abs(first.box[1] - second.box[1])


def look_at(renderer: Renderer, path: Path, blocks: Path) -> Page:
    document = read_document(str(path), max_bytes=MAX_BYTES, folders=(path.parent,))
    capture = renderer.capture(document, role="reference", audit=None)
    ours = collapsed(find_seen_text(text_runs=capture.text_runs, screenshot=capture.screenshot)[0])
    published = read_published(blocks)
    pairs = pair_up(ours, published)
    return Page(
        ours,
        published,
        tuple(ours[mine] for mine, _ in pairs),
        tuple(published[theirs] for theirs in sorted(theirs for _, theirs in pairs)),
    )


def components(reference: Sequence[Block], candidate: Sequence[Block]) -> tuple[float, ...]:
    score = score_matching(match_blocks(reference, candidate, text_ratio="indel"))
    return tuple(getattr(score, component) for component in COMPONENTS)


def expectations(corpus: Path, candidate_set: str) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Yield case and published components of each pair whose pages both have blocks."""
    for line in (corpus / "expected" / f"{candidate_set}.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        run = entry.get("reference_run")
        if run and run["num_candidate_blocks"]:
            yield entry["case"], tuple(run["indel"][component] for component in COMPONENTS)


class Corpus:
    """The corpus, with each page rendered once."""

    def __init__(self, root: Path, renderer: Renderer) -> None:
        self.root = root.resolve()
        self._renderer = renderer
        self.pages: dict[tuple[str, int], Page] = {}

    def page(self, folder: str, case: int) -> Page:
        if (folder, case) not in self.pages:
            home = self.root / (folder if folder == "references" else f"candidates/{folder}")
            blocks = self.root / "blocks" / folder / f"{case}.json"
            self.pages[folder, case] = look_at(self._renderer, home / f"{case}.html", blocks)
        return self.pages[folder, case]

    def pair(self, candidate_set: str, case: int, published: tuple[float, ...]) -> Pair:
        reference, candidate = self.page("references", case), self.page(candidate_set, case)
        return Pair(
            candidate_set,
            case,
            components(reference.ours, candidate.ours),
            published,
            components(reference.common_ours, candidate.common_ours),
            components(reference.common_published, candidate.common_published),
            min(reference.shared, candidate.shared),
        )


def measure(corpus: Corpus, sets: Sequence[str], limit: int | None) -> list[Pair]:
    pairs = []
    for candidate_set in sets:
        for case, published in list(expectations(corpus.root, candidate_set))[:limit]:
            try:
                pairs.append(corpus.pair(candidate_set, case, published))
            except Design2a11yError as error:
                print(f"{candidate_set} {case}: {error}")
    return pairs


def table(title: str, ours: Sequence[tuple[float, ...]], published: Sequence[tuple[float, ...]]) -> str:
    lines = [f"{title} ({len(ours)} pairs)", "component     median    mean     p95  pearson"]
    for column, component in enumerate(COMPONENTS):
        mine, theirs = (np.array([pair[column] for pair in side]) for side in (ours, published))
        difference = np.abs(mine - theirs)
        pearson = np.corrcoef(mine, theirs)[0, 1]
        numbers = (np.median(difference), difference.mean(), np.percentile(difference, 95), pearson)
        lines.append(f"{component:12}" + "".join(f"{number:8.4f}" for number in numbers))
    return "\n".join(lines)


def one_sided(pages: dict[tuple[str, int], Page]) -> Iterator[str]:
    for (folder, case), page in sorted(pages.items(), key=lambda item: item[1].shared):
        yield f"{folder} {case}: both found {page.shared:.1%}"
        for side, blocks, common in (
            ("ours", page.ours, page.common_ours),
            ("published", page.published, page.common_published),
        ):
            for block in blocks:
                if block not in common:
                    box = " ".join(f"{part:.4f}" for part in block.box)
                    yield f"{folder} {case} only {side}: [{box}] {block.color} {block.text[:80]}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sets", nargs="*", help="candidate sets; default: all that have blocks")
    parser.add_argument("--limit", type=int, help="pairs of each set")
    parser.add_argument("--pages", action="store_true", help="list the blocks that one side alone found")
    arguments = parser.parse_args()
    folders = sorted(path.name for path in (arguments.corpus / "blocks").iterdir())
    sets = arguments.sets or [name for name in folders if name != "references"]
    with open_renderer() as renderer:
        corpus = Corpus(arguments.corpus, renderer)
        pairs = measure(corpus, sets, arguments.limit)
    same = [pair for pair in pairs if pair.shared >= SAME]
    tables = (
        table("all pairs", [pair.ours for pair in pairs], [pair.published for pair in pairs]),
        table("same text", [pair.ours for pair in same], [pair.published for pair in same]),
        table(
            "common blocks",
            [pair.common_ours for pair in pairs],
            [pair.common_published for pair in pairs],
        ),
    )
    print(*tables, sep="\n\n")
    if arguments.pages:
        print(*one_sided(corpus.pages), sep="\n")


if __name__ == "__main__":
    main()
