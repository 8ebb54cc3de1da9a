"""Lines of pairs, as they are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pytest_design2a11y.measuring.pairs import Pair, read_pairs
from pytest_design2a11y.models.page import Answer


def read(folder: Path, **line: Any) -> Pair:
    path = folder / "pairs.jsonl"
    path.write_text(json.dumps({"id": "1", "reference": "a.html", **line}))
    (pair,) = read_pairs(path)
    return pair


def test_a_line_may_name_the_root_of_its_site(tmp_path: Path) -> None:
    assert read(tmp_path, candidate="dist/index.html", root="dist").root == "dist"
    assert read(tmp_path, candidate="dist/index.html").root is None


def test_a_line_may_hold_the_answer_itself(tmp_path: Path) -> None:
    pair = read(tmp_path, candidate_html="a.html")

    assert pair.candidate == "a.html"
    assert isinstance(pair.candidate, Answer)
    assert not isinstance(read(tmp_path, candidate="a.html").candidate, Answer)


def test_an_answer_that_is_not_text_is_a_problem(tmp_path: Path) -> None:
    assert "candidate_html is not text" in str(read(tmp_path, candidate_html=3).problem)
    assert "KeyError: 'candidate'" in str(read(tmp_path).problem)
