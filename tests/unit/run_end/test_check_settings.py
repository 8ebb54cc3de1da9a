"""Whether a file can be written, told before a run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.run_end.gating import check_writable
from tests.posix import make_pipe


def test_a_file_may_be_there_or_not_nor_its_folders(tmp_path: Path) -> None:
    (tmp_path / "old.html").touch()

    for name in ("old.html", "new.html", "deep/er/new.html"):
        check_writable(tmp_path / name, "--html")

    assert [path.name for path in tmp_path.rglob("*")] == ["old.html"]


def test_what_is_in_the_way_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(ConfigurationError, match=r"--html cannot write .*: it is a folder\."):
        check_writable(tmp_path, "--html")
    with pytest.raises(ConfigurationError, match=r"/file is not a folder\."):
        check_writable(tmp_path / "file" / "a.html", "--html")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(
        ConfigurationError, match=r"is read-only\. Name a file in a folder that can be written"
    ):
        check_writable(tmp_path / "a.html", "--html")


def test_a_device_or_a_pipe_is_refused(tmp_path: Path) -> None:
    make_pipe(tmp_path / "pipe")

    with pytest.raises(ConfigurationError, match=r"--html cannot write .*/pipe: it is not a regular file\."):
        check_writable(tmp_path / "pipe", "--html")
