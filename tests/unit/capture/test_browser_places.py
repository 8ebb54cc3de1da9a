"""Where a browser is looked for that no command on PATH starts."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pytest_design2a11y.capture.browser.launch import installed_chromium
from pytest_design2a11y.capture.browser.machine import standard_places


def test_macos_has_its_browsers_among_the_applications() -> None:
    places = list(standard_places("darwin", {"HOME": "/Users/ada"}))

    assert places[:2] == [
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium",
    ]
    assert "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" in places


def test_windows_has_its_browsers_in_three_folders() -> None:
    environment = {"PROGRAMFILES": r"C:\Program Files", "LOCALAPPDATA": r"C:\Users\ada\AppData\Local"}

    assert list(standard_places("win32", environment)) == [
        r"C:\Program Files\Chromium\Application\chrome.exe",
        r"C:\Users\ada\AppData\Local\Chromium\Application\chrome.exe",
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
        r"C:\Users\ada\AppData\Local\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files\Microsoft\Edge\Application\msedge.exe",
        r"C:\Users\ada\AppData\Local\Microsoft\Edge\Application\msedge.exe",
    ]


def test_linux_has_commands_only() -> None:
    assert list(standard_places("linux", {"HOME": "/home/ada"})) == []


@pytest.mark.skipif(os.name == "nt", reason="programs are told by their suffix there")
def test_a_browser_outside_path_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "Applications" / "Chromium.app" / "Contents" / "MacOS" / "Chromium"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "darwin")

    assert installed_chromium() == str(program)
