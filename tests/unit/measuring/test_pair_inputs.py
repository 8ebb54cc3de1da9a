"""What `--pairs` takes: JSON lines and patterns beside designs give the same pairs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring import pair_files
from pytest_design2a11y.measuring.pair_files import open_pairs
from pytest_design2a11y.models.page import Answer

RECORDS: list[dict[str, Any]] = [
    {"id": "1", "reference": "a.html", "candidate": "b.html", "model": "large", "axes": {"scheme": "dark"}},
    {"id": "2", "reference": "a.html", "candidate_html": "<p>text", "case": "login", "sample": "3"},
    {"id": "3", "candidate": "b.html"},
]


def test_a_pattern_gives_the_pairs_of_page_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("designs/login.html", "designs/help.html", "made/v1/login-1.html", "made/v1/login-2.html"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).touch()

    num_pairs, pairs = open_pairs("made/{prompt}/{case}-{sample}.html", "designs")
    found = [(p.subject.id, p.subject.case, p.subject.sample, p.subject.axes, p.reference) for p in pairs]

    assert num_pairs == 3
    # The last one has no page: its file is missing, which its evaluation says.
    assert found == [
        ("made/v1/help-1.html", "", "1", {"prompt": "v1"}, "designs/help.html"),
        ("made/v1/login-1.html", "", "1", {"prompt": "v1"}, "designs/login.html"),
        ("made/v1/login-2.html", "", "2", {"prompt": "v1"}, "designs/login.html"),
    ]


@pytest.mark.parametrize(
    ("named", "designs", "message"),
    [
        ("made/{case}.html", None, "needs the designs to pair its pages with"),
        (".", None, "design2a11y score DESIGNS --pairs PATTERN"),
        ("made/{case}.html", "designs", "There is no candidate folder"),
        ("none.parquet", None, "Cannot read the pairs in none.parquet"),
        ("bad.parquet", None, "Cannot read the pairs in bad.parquet"),
        ("empty.parquet", None, "There are no pairs in empty.parquet"),
    ],
)
def test_what_cannot_be_opened_says_what_to_give(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, designs: str | None, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("designs").mkdir()
    Path("designs/a.html").touch()
    Path("bad.parquet").write_bytes(b"not Parquet")
    if named.endswith(".parquet"):
        pyarrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(
            pyarrow.table({"id": [""]}).slice(1), "empty.parquet"
        )

    with pytest.raises(ConfigurationError, match=message.replace(".", r"\.")):
        open_pairs(named, designs)


def test_parquet_without_pyarrow_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(ConfigurationError, match=r"needs pyarrow, which is not installed.*\[parquet\]"):
        open_pairs("pairs.parquet", None)
