"""What `--pairs` takes: files of pairs, and patterns beside designs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.pair_files import open_pairs


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
        ("pairs.parquet", None, "pairs.parquet is not a list of pairs"),
    ],
)
def test_what_cannot_be_opened_says_what_to_give(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, designs: str | None, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("designs").mkdir()
    Path("designs/a.html").touch()
    Path("pairs.parquet").write_bytes(b"PAR1\x15\x04")

    with pytest.raises(ConfigurationError, match=message.replace(".", r"\.")):
        open_pairs(named, designs)
