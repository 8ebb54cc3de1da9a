"""Where installers put browsers that no command on PATH starts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
