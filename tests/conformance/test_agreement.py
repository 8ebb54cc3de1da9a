"""Our extraction, one render a page, against what the published implementation found with three.

On the pages of `SAME_TEXT` both see the same text, so that boxes, colours and components must agree.
Elsewhere the published implementation overlooks what a person sees, or sees what no person does
(`studies/agreement.py --pages` lists it); there only a set as a whole is compared.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.blocks import find_seen_text
from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.matching.costs import join_identical_boxes
from pytest_design2a11y.models.visual import Block, VisualScore
from pytest_design2a11y.source.read_document import read_document
from pytest_design2a11y.visual import score_matching

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
COMPONENTS = ("block_match", "text", "position", "color")
TOLERANCE = 0.01
SETS = sorted(folder.name for folder in CORPUS.glob("blocks/*") if folder.name != "references")

needs_corpus = pytest.mark.skipif(
    not SETS, reason="no blocks of the published implementation in ../shared/corpus"
)

SAME_TEXT = [
    ("gemini-composite_naive_refine-2025-07-16-09-01", 5),
    ("gemini-few-shot-2025-06-29-09-55", 26),
    ("gemini-reason-2025-06-18-16-24", 36),
    ("gemini-reason-2025-06-18-16-24", 50),
    ("gemini-naive-2025-06-18-10-18", 50),
    ("gemini-zero-shot-2025-06-18-13-25", 21),
    ("gemini-zero-shot-2025-06-18-13-25", 41),
    ("llava-zero-shot-2025-07-12-14-14", 7),
]


def page_of(folder: str, case: int) -> Path:
    return CORPUS / (folder if folder == "references" else f"candidates/{folder}") / f"{case}.html"


@cache
def ours(renderer: Renderer, folder: str, case: int) -> tuple[Block, ...]:
    path = page_of(folder, case)
    document = read_document(str(path), max_bytes=10_000_000, folders=(path.parent,))
    capture = renderer.capture(document, role="reference", audit=None)
    return find_seen_text(text_runs=capture.text_runs, screenshot=capture.screenshot)[0]


def published(folder: str, case: int) -> tuple[Block, ...]:
    found = json.loads((CORPUS / "blocks" / folder / f"{case}.json").read_text(encoding="utf-8"))["blocks"]
    return join_identical_boxes(Block(b["text"], tuple(b["box"]), tuple(b["color"])) for b in found)


@cache
def figures(candidate_set: str) -> dict[int, dict[str, float]]:
    lines = (CORPUS / "expected" / f"{candidate_set}.jsonl").read_text(encoding="utf-8").splitlines()
    entries: list[dict[str, Any]] = [json.loads(line) for line in lines]
    runs = {entry["case"]: entry.get("reference_run") for entry in entries}
    return {case: run["indel"] for case, run in runs.items() if run and run["num_candidate_blocks"]}


def score(renderer: Renderer, candidate_set: str, case: int) -> VisualScore:
    reference, candidate = ours(renderer, "references", case), ours(renderer, candidate_set, case)
    return score_matching(match_blocks(reference, candidate, text_ratio="indel"))


def center(block: Block) -> tuple[float, float]:
    x, y, width, height = block.box
    return (x + width / 2, y + height / 2)


@needs_corpus
@pytest.mark.alike(3)
@pytest.mark.parametrize(("candidate_set", "case"), SAME_TEXT)
def test_components_agree_where_both_see_the_same_text(
    renderer: Renderer, candidate_set: str, case: int
) -> None:
    scored = score(renderer, candidate_set, case)

    expected = figures(candidate_set)[case]
    measured = {component: getattr(scored, component) for component in COMPONENTS}
    assert measured == pytest.approx({name: expected[name] for name in COMPONENTS}, abs=TOLERANCE)


@needs_corpus
@pytest.mark.parametrize("case", sorted({case for _, case in SAME_TEXT}))
def test_boxes_and_colours_are_the_published_ones(renderer: Renderer, case: int) -> None:
    """Nearly every block's center lies within half a percent of the page of the published block's."""
    found = {" ".join(block.text.split()): block for block in ours(renderer, "references", case)}
    expected = {" ".join(block.text.split()): block for block in published("references", case)}

    shared = found.keys() & expected.keys()

    assert len(shared) >= 0.9 * len(expected)
    apart = [
        max(abs(a - b) for a, b in zip(center(found[text]), center(expected[text]), strict=True))
        for text in shared
    ]
    assert median(apart) <= 0.001
    assert sum(distance <= 0.005 for distance in apart) >= 0.9 * len(apart)


@needs_corpus
@pytest.mark.slow(is_long=True)
@pytest.mark.parametrize("candidate_set", SETS)
def test_the_median_difference_of_a_set_is_small(renderer: Renderer, candidate_set: str) -> None:
    cases = figures(candidate_set)

    differences = {
        component: median(
            abs(getattr(score(renderer, candidate_set, case), component) - expected[component])
            for case, expected in cases.items()
        )
        for component in COMPONENTS
    }

    assert {name: value for name, value in differences.items() if value > 0.005} == {}
