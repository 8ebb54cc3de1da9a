"""Packages of npm, downloaded by npm's own client; Google's fonts as those of Fontsource on npm."""

import json
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pytest_design2a11y.capture.isolation import MAX_BYTES

_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file of a package."""

    name: str
    version: str  # A version, a range or a tag
    path: str  # "": what the package names for browsers
    may_be_deeper: bool = False  # Whether the path may begin in a folder of the package


@dataclass(frozen=True, slots=True)
class Package:
    """A package as it was downloaded."""

    name: str
    version: str
    files: Mapping[str, bytes]

    @property
    def about(self) -> dict[str, Any]:
        """Its package.json."""
        found: dict[str, Any] = json.loads(self.files["package.json"])
        return found

    def find(self, wanted: Wanted) -> str | None:
        """Return the path of a file; of one that hosts make, as x.min.js, that of what they make it from."""
        path = wanted.path.strip("/")
        if not path:
            entries = (self.about.get(key) for key in ("jsdelivr", "unpkg", "browser", "main"))
            path = next((entry for entry in entries if isinstance(entry, str)), "index.js").removeprefix("./")
        for name in (path, f"{path}.js", path.replace(".min.", ".")):
            if name in self.files:
                return name
            deeper = [file for file in self.files if wanted.may_be_deeper and file.endswith(f"/{name}")]
            if deeper:
                return min(deeper, key=lambda file: (file.count("/"), file))
        return None


class NoPackage(Exception):
    """npm gave no package, or it lacks the file; the message says why."""


def download(name: str, version: str) -> Package:
    """Download a package by `npm pack`, which runs none of its scripts; NoPackage if npm cannot get it."""
    command = [shutil.which("npm") or "npm", "pack", f"{name}@{version}", "--json", "--ignore-scripts"]
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [*command, "--pack-destination", folder],
                capture_output=True, text=True, encoding="utf-8", timeout=_SECONDS, check=True,
            )  # fmt: skip
            packed = json.loads(done.stdout)[0]
            with tarfile.open(next(Path(folder).glob("*.tgz"))) as archive:
                return Package(packed["name"], packed["version"], dict(_files_of(archive)))
        except subprocess.CalledProcessError as error:
            codes = [line.split()[-1] for line in error.stderr.splitlines() if "error code" in line]
            raise NoPackage(f"npm has no {name}@{version}: {codes[0] if codes else error}") from None
        except (OSError, subprocess.SubprocessError, ValueError, LookupError, StopIteration) as error:
            raise NoPackage(f"npm gave no {name}@{version}: {error}") from None
        except tarfile.TarError as error:
            raise NoPackage(f"{name}@{version} cannot be unpacked: {error}") from None


def _files_of(archive: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for member in archive:
        if member.isfile() and member.size <= MAX_BYTES and (content := archive.extractfile(member)):
            yield member.name.partition("/")[2], content.read()


#: Where these style sheets have their files: an address of Google's host, answered from the package.
_FILES = "https://fonts.gstatic.com/fontsource/"
_WEIGHTS = range(100, 1000, 100)
#: What Google's style sheets of icons have besides the font.
_ICONS = """.{name} {{
  font-family: '{family}'; font-weight: normal; font-style: normal; font-size: 24px; line-height: 1;
  letter-spacing: normal; text-transform: none; display: inline-block; white-space: nowrap; word-wrap: normal;
  direction: ltr; font-feature-settings: 'liga'; -webkit-font-smoothing: antialiased;
}}"""


@dataclass(frozen=True, slots=True)
class WebFont:
    """A family that a page asks Google for."""

    family: str
    styles: tuple[tuple[int, bool], ...]  # Weight, and whether italic

    @property
    def name(self) -> str:
        """Its name as Fontsource writes it, and as the class of icons."""
        return self.family.lower().replace(" ", "-")

    @property
    def package(self) -> str:
        """The name of its package."""
        return f"@fontsource/{self.name}"


def fonts_of(url: str) -> Iterator[WebFont]:
    """Read css2?family=Inter:ital,wght@0,400;1,700 and css?family=Open+Sans:400,700italic|Lato."""
    for value in parse_qs(urlsplit(url).query).get("family", ()):
        for text in value.split("|"):
            family, _, styles = text.partition(":")
            yield WebFont(family.strip(), tuple(dict.fromkeys(_styles(styles))) or ((400, False),))


def _styles(text: str) -> Iterator[tuple[int, bool]]:
    axes, at, values = text.partition("@")
    names = axes.split(",") if at else ["wght"]
    for value in (values if at else text.replace(",", ";")).split(";") if text else ():
        parts = dict(zip(names, value.split(","), strict=False))
        weight = parts.get("wght", "400")
        is_italic = parts.get("ital") == "1" or "i" in weight
        numbers = [int(number) for number in re.findall(r"\d{3,4}", weight)]
        if ".." in weight and len(numbers) == 2:
            yield from ((each, is_italic) for each in _WEIGHTS if numbers[0] <= each <= numbers[1])
        else:
            yield (numbers[0] if numbers else 700 if weight.startswith("b") else 400), is_italic


def style_sheet(font: WebFont, package: Package) -> str:
    """Return the style sheet of a family, with the weights that its package has; NoPackage without any."""
    files = [f"{weight}{'-italic' if is_italic else ''}.css" for weight, is_italic in font.styles]
    sheets = [package.files[file].decode() for file in files if file in package.files]
    if not sheets:
        raise NoPackage(f"{package.name}@{package.version} of npm has no {', '.join(files)}")
    sheet = "\n".join(sheets).replace("url(./", f"url({_FILES}{package.name}@{package.version}/")
    is_icons = font.family.startswith("Material ")
    return f"{sheet}\n{_ICONS.format(name=font.name, family=font.family)}" if is_icons else sheet
