"""The documentation has one spelling, which is American as CSS is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
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


def test_no_message_and_no_name_of_the_package_says_colour() -> None:
    suffixes = ("py", "js", "html", "json")
    files = [file for suffix in suffixes for file in (ROOT / "pytest_design2a11y").rglob(f"*.{suffix}")]
    own = [file for file in files if "vendor" not in file.parts]

    assert len(own) > 300
    assert [file.name for file in own if "colour" in file.read_text("utf-8").lower()] == []


def messages_of(source: str) -> Iterator[str]:
    """Yield what stands in quotes in a module, but for its docstrings and what is a name in a script."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Expr):
            for one in ast.iter_child_nodes(node):
                if isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value != "labelled":
                    yield one.value


def test_no_message_is_spelled_otherwise() -> None:
    found = {
        (file.name, word)
        for file in (ROOT / "pytest_design2a11y").rglob("*.py")
        for message in messages_of(file.read_text("utf-8"))
        for word in BRITISH.findall(message)
    }

    assert list(messages_of("'of a docstring'\nprint(f'{one} is centred')")) == [" is centred"]
    assert found == set()
