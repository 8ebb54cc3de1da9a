"""Documentation and code have one spelling, which is American as CSS is."""

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


def test_neither_is_the_package() -> None:
    suffixes = ("py", "js", "html", "json", "j2")
    files = [file for suffix in suffixes for file in (ROOT / "pytest_design2a11y").rglob(f"*.{suffix}")]
    own = [file for file in files if "vendor" not in file.parts]
    found = {(file.name, word) for file in own for word in BRITISH.findall(file.read_text("utf-8"))}

    assert len(own) > 300
    assert {one for one in found if one[1] != "labelledby"} == set()  # As ARIA spells it
