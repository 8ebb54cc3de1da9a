"""Packages of npm, downloaded by npm's own client, and the files in them."""

import json
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_design2a11y.capture.isolation.hosts import MAX_BYTES

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
