"""The four text components against the published implementation's figures, from the same blocks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.option import TextRatio
from pytest_design2a11y.models.visual import Block, VisualScore
from pytest_design2a11y.visual import score_matching

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
SETS = sorted(folder.name for folder in CORPUS.glob("blocks/*") if folder.name != "references")
TOLERANCES = {"block_match": 1e-9, "text": 1e-9, "position": 1e-9, "color": 1e-6}

needs_corpus = pytest.mark.skipif(
    not SETS, reason="no blocks of the published implementation in ../shared/corpus"
)


def read_blocks(path: Path) -> list[Block]:
    found = json.loads(path.read_text())["blocks"] if path.exists() else []
    return [Block(block["text"], tuple(block["box"]), tuple(block["color"])) for block in found]


def reference_runs(candidate_set: str) -> list[dict[str, Any]]:
    lines = (CORPUS / "expected" / f"{candidate_set}.jsonl").read_text().splitlines()
    return [line for line in map(json.loads, lines) if "reference_run" in line]


def score(candidate_set: str, case: int, text_ratio: TextRatio) -> VisualScore:
    reference = read_blocks(CORPUS / "blocks" / "references" / f"{case}.json")
    candidate = read_blocks(CORPUS / "blocks" / candidate_set / f"{case}.json")
    return score_matching(match_blocks(reference, candidate, text_ratio=text_ratio))


# difflib takes several seconds for a set, but for the last one with its short pages.
BOTH_RATIOS = [
    *((one, "difflib") for one in SETS[-1:]),
    *((one, "indel") for one in (*SETS[-1:], *SETS[:-1])),
    *((one, "difflib") for one in SETS[:-1]),
]


@needs_corpus
@pytest.mark.alike(3)
@pytest.mark.parametrize(("candidate_set", "text_ratio"), BOTH_RATIOS)
def test_every_pair_equals_the_published_implementation(candidate_set: str, text_ratio: TextRatio) -> None:
    """block_match, text and position to 1e-9, color to 1e-6, on each of the set's pairs."""
    lines = reference_runs(candidate_set)

    differences = {}
    for line in lines:
        scored = score(candidate_set, line["case"], text_ratio)
        for component, expected in line["reference_run"][text_ratio].items():
            differences[line["case"], component] = abs(getattr(scored, component) - expected)

    assert len(lines) == 53
    assert {key: value for key, value in differences.items() if value > TOLERANCES[key[1]]} == {}


@needs_corpus
def test_there_are_318_pairs() -> None:
    """The figures cover six candidate sets."""
    assert sum(len(reference_runs(candidate_set)) for candidate_set in SETS) == 318
