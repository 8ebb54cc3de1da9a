"""What this machine has for a browser: fonts, programs in the usual places, files that may be open."""

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
    """Return the font files of this machine, sorted; None if fontconfig is unavailable."""
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
    """Return a key of this machine's fonts; None if unknown."""
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
    """Yield the usual paths of a system's browsers, preferred first; commands on Linux."""
    if platform == "darwin":
        folders = ["/Applications", *(f"{home}/Applications" for home in _known(environment, ("HOME",)))]
        yield from (f"{folder}/{program}" for program in _MAC for folder in folders)
    elif platform == "win32":
        folders = _known(environment, _WINDOWS_FOLDERS)
        yield from (f"{folder}\\{program}" for program in _WINDOWS for folder in folders)


def _known(environment: Mapping[str, str], names: tuple[str, ...]) -> list[str]:
    return [environment[name] for name in names if environment.get(name)]


#: Number of files that a browser and its driver need to have open.
_FEWEST_FILES = 256


def few_files(message: str = "") -> str:
    """Return advice if this process may open too few files for a browser; "" otherwise."""
    if sys.platform == "win32":  # It has no such limit.
        return ""
    else:  # noqa: RET505  # Types of the module are known on other systems only.
        from resource import RLIMIT_NOFILE, getrlimit

        number = getrlimit(RLIMIT_NOFILE)[0]
        if not 0 <= number < _FEWEST_FILES and "EMFILE" not in message:
            return ""
        advice = "too few for a browser: allow 1024 (ulimit -n 1024)."
        return f"Only {number} files may be open at a time, {advice}"
