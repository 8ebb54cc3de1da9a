"""What this machine has: its fonts, as fontconfig tells browsers on Linux, and where its browsers are."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache

FONTS_ADVICE = (
    "Install some, such as by `apt-get install fonts-liberation fonts-noto-core`; where they are installed,"
    " look at what the environment variables FONTCONFIG_FILE and FONTCONFIG_PATH name."
)

# Seconds; the first listing after an installation reads every font.
_PATIENCE = 60


def list_fonts() -> tuple[str, ...] | None:
    """Return the font files of this machine, sorted; None where fontconfig cannot be asked."""
    command = shutil.which("fc-list")
    if command is None or sys.platform != "linux":
        return None
    try:
        answer = subprocess.run([command, ":", "file"], capture_output=True, timeout=_PATIENCE, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return tuple(sorted(answer.stdout.decode(errors="replace").splitlines()))


@cache
def fonts_digest() -> str | None:
    """Return what tells the fonts of this machine apart from others; None if unknown."""
    fonts = list_fonts()
    return None if fonts is None else hashlib.sha256("\n".join(fonts).encode()).hexdigest()


_MAC = (
    "Chromium.app/Contents/MacOS/Chromium",
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_WINDOWS = (
    r"Chromium\Application\chrome.exe",
    r"Google\Chrome\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
)
_WINDOWS_FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")


def standard_places(platform: str, environment: Mapping[str, str]) -> Iterator[str]:
    """Return the paths at which a system usually has its browsers, the most wanted first; on Linux none.

    There browsers are commands. `platform` is as in `sys.platform`.
    """
    if platform == "darwin":
        folders = ["/Applications", *(f"{home}/Applications" for home in _known(environment, ("HOME",)))]
        yield from (f"{folder}/{program}" for program in _MAC for folder in folders)
    elif platform == "win32":
        folders = _known(environment, _WINDOWS_FOLDERS)
        yield from (f"{folder}\\{program}" for program in _WINDOWS for folder in folders)


def _known(environment: Mapping[str, str], names: tuple[str, ...]) -> list[str]:
    return [environment[name] for name in names if environment.get(name)]
