"""The documentation has one spelling, which is American as CSS is."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
BRITISH = re.compile(
    r"\b\w*(?:colour|neighbour|behaviour|licence|recognis|normalis|optimis(?!t)|centred|labelled)\w*|\b(?:centre|grey)s?\b",
    re.IGNORECASE,
)


def pages() -> list[Path]:
    folders = ("docs", "studies", "examples")
    return [*ROOT.glob("*.md"), *(page for folder in folders for page in (ROOT / folder).rglob("*.md"))]


def test_no_page_is_spelled_otherwise() -> None:
    found = {(page.name, word) for page in pages() for word in BRITISH.findall(page.read_text("utf-8"))}

    assert len(pages()) > 30
    assert BRITISH.findall("a recoloured licence, centred") == ["recoloured", "licence", "centred"]
    assert found == set()
