"""Files of other hosts from packages of npm: without those hosts, in fixed versions.

Each kind of address has a function that reads the package, the wanted version and the path from it.
"""

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from pytest_design2a11y.capture.isolation import Asset, NoAsset
from pytest_design2a11y.capture.isolation.packages import (
    NoPackage,
    Package,
    Wanted,
    download,
    fonts_of,
    style_sheet,
)
from pytest_design2a11y.capture.isolation.site_files import TYPES
from pytest_design2a11y.exceptions import ConfigurationError

# A name that began with a hyphen would be an option of npm.
_NAME = re.compile(r"(@\w[\w.~-]*/\w[\w.~-]*|\w[\w.~-]*)(?:@([\w.~^<>=*+-]+))?(?:/(.*))?\Z")
#: Names of cdnjs that differ from npm's by more than letters and a suffix.
_RENAMED = {
    "twitter-bootstrap": "bootstrap", "prism": "prismjs", "normalize": "normalize.css",
    "chart.js": "chart.js", "highlight.js": "@highlightjs/cdn-assets",
}  # fmt: skip


@dataclass
class NpmPackages:
    """Answers for the hosts of packages, like `HostClient`."""

    _packages: dict[tuple[str, str], Package | NoPackage] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Look for npm; ConfigurationError if it is not installed."""
        if shutil.which("npm") is None:
            raise ConfigurationError("npm is not installed.", advice="Install Node.js, which brings it.")

    @property
    def names(self) -> tuple[str, ...]:
        """The hosts, for conditions."""
        return tuple(_READERS)

    def allows(self, url: str) -> bool:
        """Return whether an address is on a host of packages."""
        return urlsplit(url).hostname in _READERS

    def fetch(
        self, url: str, *, method: str, headers: Mapping[str, str] | None = None, seconds: float = 0.0
    ) -> Asset | NoAsset:
        """Return a file of a package."""
        if method != "GET":
            return NoAsset("blocked_requests", f"{method} {url}")
        host = urlsplit(url).hostname or ""
        try:
            if host == "fonts.googleapis.com":
                sheets = [style_sheet(font, self._package(font.package, "latest")) for font in fonts_of(url)]
                return _answer("\n".join(sheets).encode(), ".css", url)
            return self._file(url, host)
        except NoPackage as error:
            return NoAsset("unreachable_hosts", f"{url} ({error})")

    def _file(self, url: str, host: str) -> Asset:
        parts = urlsplit(url)
        if (wanted := _READERS[host](unquote(parts.path))) is None:
            raise NoPackage("no package of npm has it")
        package = self._package(wanted.name, wanted.version)
        if (path := package.find(wanted)) is None:
            what = wanted.path or "file for browsers"
            raise NoPackage(f"{package.name}@{package.version} of npm has no {what}")
        folder = "" if host == "unpkg.com" else "npm/"
        final = f"https://{host}/{folder}{package.name}@{package.version}/{path}"
        return _answer(package.files[path], PurePosixPath(path).suffix, final)

    def _package(self, name: str, version: str) -> Package:
        key = name, version
        if key not in self._packages:
            try:
                self._packages[key] = download(name, version)
            except NoPackage as error:
                self._packages[key] = error
        if isinstance(package := self._packages[key], NoPackage):
            raise package
        return package


def _answer(body: bytes, suffix: str, final_url: str) -> Asset:
    kind = TYPES.get(suffix.lower(), "application/octet-stream")
    return Asset(200, kind, body, has_cors=True, final_url=final_url)


def _named(path: str) -> Wanted | None:
    """Read NAME@VERSION/PATH."""
    match = _NAME.match(path.strip("/"))
    return match and Wanted(match[1], match[2] or "latest", match[3] or "")


def _below(folder: str) -> Callable[[str], Wanted | None]:
    return lambda path: _named(path.removeprefix(folder)) if path.startswith(folder) else None


def _of_cdnjs(path: str) -> Wanted | None:
    """Read /ajax/libs/NAME/VERSION/PATH, or the same without the first two folders."""
    match = re.fullmatch(r"(?:/ajax/libs)?/([^/]+)/(?:r(?=\d+/))?(([0-9]+)[^/]*)/(.+)", path)
    if match is None:
        return None
    name = match[1].lower()
    package = _RENAMED.get(name, name.removesuffix(".js"))
    if name == "font-awesome" and int(match[3]) > 4:
        package = "@fortawesome/fontawesome-free"
    version = f"0.{match[2]}.0" if name == "three.js" else match[2]  # r128 is 0.128.0.
    return Wanted(package, version, match[4], may_be_deeper=True)


def _of_jquery(path: str) -> Wanted | None:
    match = re.fullmatch(r"/jquery-(\d+\.\d+\.\d+)((?:\.slim)?(?:\.min)?\.js)", path)
    return match and Wanted("jquery", match[1], f"dist/jquery{match[2]}")


def _of_font_awesome(path: str) -> Wanted | None:
    match = re.fullmatch(r"/releases/v(\d+\.\d+\.\d+)/(.+)", path)
    return match and Wanted("@fortawesome/fontawesome-free", match[1], match[2])


_READERS: dict[str, Callable[[str], Wanted | None]] = {
    "cdn.jsdelivr.net": _below("/npm/"),
    "unpkg.com": _named,
    "cdnjs.cloudflare.com": _of_cdnjs,
    "ajax.googleapis.com": _of_cdnjs,
    "maxcdn.bootstrapcdn.com": _of_cdnjs,
    "stackpath.bootstrapcdn.com": _of_cdnjs,
    "netdna.bootstrapcdn.com": _of_cdnjs,
    "code.jquery.com": _of_jquery,
    "use.fontawesome.com": _of_font_awesome,
    "fonts.gstatic.com": _below("/fontsource/"),
    "fonts.googleapis.com": lambda path: None,
}
