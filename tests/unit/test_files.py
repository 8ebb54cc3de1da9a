"""Files appear whole or not at all; a folder within a size loses what was used longest ago."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_design2a11y.files import remove_least_recent, replacing


def test_a_file_takes_the_place_of_the_old_one_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "run.txt"
    with replacing(path) as temporary:
        temporary.write_text("first")
    with replacing(path) as temporary:
        temporary.write_text("second")
        assert path.read_text() == "first"

    assert path.read_text() == "second"
    assert list(path.parent.iterdir()) == [path]


def test_what_goes_wrong_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("old")

    def write_half() -> None:
        with replacing(path) as temporary:
            temporary.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()

    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_as_long_as_names_may_be_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)

    with replacing(path) as temporary:
        temporary.write_text("whole")

    assert path.read_text() == "whole"


def test_what_was_used_longest_ago_goes_first_and_with_what_belongs_to_it(tmp_path: Path) -> None:
    entries = []
    for age, name in enumerate(("newest", "middle", "oldest")):
        files = (tmp_path / name, tmp_path / f"{name}-small")
        for path in files:
            path.write_bytes(bytes(50))
            os.utime(path, (1000 - age, 1000 - age))
        entries.append(files)

    remove_least_recent([*entries, (tmp_path / "gone",)], max_bytes=200)

    assert {path.name for path in tmp_path.iterdir()} == {
        *("newest", "newest-small", "middle", "middle-small")
    }
