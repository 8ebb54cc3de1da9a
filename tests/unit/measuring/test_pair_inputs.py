"""What `--pairs` takes: JSON lines, Parquet, and patterns beside designs give the same pairs."""

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


def test_parquet_gives_the_pairs_of_json_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(pair_files, "_BATCH", 2)
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in RECORDS))
    columns = list(dict.fromkeys(name for one in RECORDS for name in one))
    rows_of_all = [{name: one.get(name) for name in columns} for one in RECORDS]
    parquet.write_table(pyarrow.Table.from_pylist(rows_of_all), tmp_path / "pairs.parquet")
    kind = pyarrow.map_(pyarrow.string(), pyarrow.string())
    table = pyarrow.table(
        {"id": ["1"], "reference": ["a.html"], "candidate": ["b.html"], "axes": [[("scheme", "dark")]]},
        schema=pyarrow.schema(
            [*((n, pyarrow.string()) for n in ("id", "reference", "candidate")), ("axes", kind)]
        ),
    )
    parquet.write_table(table, tmp_path / "map.parquet")

    num_lines, lines = open_pairs(str(tmp_path / "pairs.jsonl"), None)
    num_rows, rows = open_pairs(str(tmp_path / "pairs.parquet"), None)
    ((one,), (first, second, third), expected) = (
        open_pairs(str(tmp_path / "map.parquet"), None).pairs,
        rows,
        lines,
    )

    assert num_rows == num_lines == 3
    assert [first, second] == [next(expected), next(expected)]
    assert isinstance(second.candidate, Answer)
    assert first.subject.axes == {"model": "large", "scheme": "dark"}
    assert one.subject.axes == {"scheme": "dark"}
    assert "Row 3 of" in str(third.problem)
    assert "it lacks 'reference'" in str(third.problem)


@pytest.mark.parametrize("kind", ["text", "day", "map"])
def test_a_row_without_a_value_in_python_is_that_row_s_error(kind: str, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    offsets = pyarrow.array([0, 1, 3, 4], pyarrow.int32()).buffers()[1]
    texts = pyarrow.py_buffer(b"a\xff\xfec")
    odd = {
        "text": lambda: pyarrow.Array.from_buffers(pyarrow.string(), 3, [None, offsets, texts]),
        "day": lambda: pyarrow.array([1, 2**31 - 1, 2], pyarrow.date32()),
        "map": lambda: pyarrow.array(
            [[("a", 1)], [("a", 1), ("a", 2)], None], pyarrow.map_(pyarrow.string(), pyarrow.int32())
        ),
    }[kind]()
    column = "axes" if kind == "map" else "case"
    rows = {"id": ["1", "2", "3"], "reference": ["a.html"] * 3, "candidate": ["a.html"] * 3, column: odd}
    parquet.write_table(pyarrow.table(rows), tmp_path / "pairs.parquet")

    first, second, third = open_pairs(str(tmp_path / "pairs.parquet"), None).pairs

    assert (first.problem, third.problem) == (None, None)
    assert str(second.problem).startswith(f"Row 2 of {tmp_path / 'pairs.parquet'} is not a pair: ")


def test_what_stands_before_a_damaged_place_of_parquet_is_scored(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "pairs.parquet"
    rows = {
        "id": [str(number) for number in range(5000)],
        "reference": ["a.html"] * 5000,
        "candidate": [f"{number}.html" for number in range(5000)],
    }
    parquet.write_table(pyarrow.table(rows), path, row_group_size=1000, compression="SNAPPY")
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 300] = bytes(byte ^ 0xFF for byte in content[middle : middle + 300])
    path.write_bytes(content)

    *good, last = open_pairs(str(path), None).pairs

    assert len(good) >= 1000
    assert all(pair.problem is None for pair in good)
    assert f"Row {len(good) + 1} of {path} and those after it cannot be read: " in str(last.problem)


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
