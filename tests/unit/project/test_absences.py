"""What a test calls absent from all sentences can still be said, by the package or by that test's page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
#: What a sentence takes from a page: quoted texts, colors, numbers.
OF_THE_PAGE = re.compile(r'"[^"]*"?|#[0-9a-f]{6}|\d+')


def texts_of(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def absences(source: str) -> Iterator[str]:
    """Yield each phrase of `assert not [one for one in sentences if phrase in one]`."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Assert(test=ast.UnaryOp(op=ast.Not(), operand=ast.ListComp() as chosen)):
                for inner in ast.walk(chosen):
                    match inner:
                        case ast.Compare(left=ast.Constant(value=str(phrase)), ops=[ast.In()]):
                            yield phrase.strip()


def test_no_phrase_is_absent_because_it_was_reworded() -> None:
    package = (ROOT / "pytest_design2a11y").rglob("*.py")
    written = "\n".join(text for file in package for text in texts_of(file.read_text(encoding="utf-8")))
    reworded: list[str] = []
    number = 0
    for file in (ROOT / "tests").rglob("test_*.py"):
        source = file.read_text(encoding="utf-8")
        for phrase in absences(source):
            number += 1
            parts = OF_THE_PAGE.split(phrase)
            reworded += [phrase for part in parts if part.strip() not in written and source.count(part) < 2]

    assert number > 80
    assert list(absences("assert not [a for a in b if 'no such words' in a or ' moved' in a]")) == [
        "no such words",
        "moved",
    ]
    assert reworded == []
