"""Captures of references, kept on disk: a design is rendered once and serves many candidates and runs.

An entry is found by everything that its capture depends on and that is known before rendering; it is used
only where the files that the page loaded, or missed, are still as they were.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from pytest_design2a11y.capture.isolation.site_files import SiteFiles
from pytest_design2a11y.files import read_regular, remove_least_recent, write_whole
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.from_json import from_json
from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.page import (
    Capture,
    CaptureWarning,
    Document,
    Environment,
    Screenshot,
    TextRun,
)
from pytest_design2a11y.models.viewport import Viewport

#: Bytes that all entries may take together.
MAX_BYTES = 512 * 1024 * 1024

_SUFFIX = ".capture"
_DIGEST = 32

# A screenshot of the largest page that there can be, as long as nothing in it repeats.
_MAX_ENTRY_BYTES = 300_000_000


class Entries(Protocol):
    """Where entries of the cache are: files in a folder, or what other machines sent."""

    def read(self, name: str) -> bytes:
        """Return an entry; OSError or KeyError where there is none."""

    def write(self, name: str, content: bytes) -> None:
        """Keep an entry; OSError where it cannot be kept."""


class FolderEntries:
    """Entries in a folder, bounded in size; workers of one machine may share it."""

    def __init__(self, folder: Path, *, max_bytes: int = MAX_BYTES) -> None:
        """Prepare; the folder is made with the first entry."""
        self._folder = folder
        self._max_bytes = max_bytes

    def read(self, name: str) -> bytes:
        """Return an entry, which is used now."""
        path = self._folder / name
        content = read_regular(path, _MAX_ENTRY_BYTES)
        with suppress(OSError):
            os.utime(path)
        return content

    def write(self, name: str, content: bytes) -> None:
        """Keep an entry, and remove others where there are too many."""
        write_whole(self._folder / name, content)
        entries = ([entry] for entry in self._folder.glob(f"*{_SUFFIX}"))
        remove_least_recent(entries, max_bytes=self._max_bytes)


class CaptureCache:
    """Captures of references, found again as long as what they were made of is as it was."""

    def __init__(self, entries: Entries) -> None:
        self._entries = entries

    def find(self, document: Document, conditions: Mapping[str, Any]) -> Capture | None:
        """Return the capture of a document, None where there is none that still holds."""
        try:
            entry = self._entries.read(_name(document, conditions))
            digest, content = entry[:_DIGEST], entry[_DIGEST:]
            if hashlib.sha256(content).digest() != digest:
                raise ValueError("damaged")
            return _decode(content, document)
        except Exception:  # Corrupt entry: render again.
            return None

    def keep(
        self,
        document: Document,
        conditions: Mapping[str, Any],
        capture: Capture,
        files: Mapping[str, str | None],
    ) -> None:
        """Keep a capture; a disk that is full or not writable is not an error.

        Args:
            document: What was rendered.
            conditions: As for `find`.
            capture: The capture, without an audit.
            files: Digests of the files that the page asked for, by path of their address; None if missing.
        """
        content = _encode(capture, document, files)
        with suppress(OSError):
            self._entries.write(_name(document, conditions), hashlib.sha256(content).digest() + content)


def _name(document: Document, conditions: Mapping[str, Any]) -> str:
    key = hashlib.sha256(json.dumps(conditions, sort_keys=True, default=str).encode())
    # Not where the site is: that its files are still the same is checked one by one.
    key.update(repr(document.site and replace(document.site, root=None)).encode())
    key.update(document.html or b"")
    return f"{key.hexdigest()}{_SUFFIX}"


@cache
def code_digest() -> str:
    """Return what tells this version of the capture stage apart, also while it is being worked on."""
    stage = Path(__file__).parent
    return scripts_digest(stage, stage.with_name("picture"))


def scripts_digest(*folders: Path) -> str:
    """Return what tells the code of folders apart, that of all their rooms included."""
    digest = hashlib.sha256()
    for path in (path for folder in folders for path in sorted(folder.rglob("*.*"))):
        if path.suffix in (".py", ".js"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _encode(capture: Capture, document: Document, files: Mapping[str, str | None]) -> bytes:
    own = len(document.warnings)
    header = {
        "files": dict(files),
        "page_size": capture.page_size,
        "text_runs": [asdict(run) for run in capture.text_runs],
        "elements": capture.elements and [asdict(element) for element in capture.elements],
        "ground": capture.ground,
        "warnings": [asdict(warning) for warning in capture.warnings[own:]],
        "environment": asdict(capture.environment),
        "mask_boxes": capture.mask_boxes,
        "viewport": capture.viewport and asdict(capture.viewport),
        "conditions": dict(capture.conditions),
    }
    return json.dumps(header).encode() + b"\n" + capture.screenshot.png


def _decode(content: bytes, document: Document) -> Capture | None:
    line, _, png = content.partition(b"\n")
    header = json.loads(line)
    site = SiteFiles(document)
    if any(site.digest(path) != digest for path, digest in header["files"].items()):
        return None
    stored = from_json(_Stored, header)
    warnings = (*document.warnings, *stored.warnings)
    own = {one.name: getattr(stored, one.name) for one in fields(stored)} | {"warnings": warnings}
    capture = Capture(label=document.label, role="reference", image=Screenshot(png), **own)
    from PIL import Image

    with Image.open(io.BytesIO(png), formats=("PNG",)) as picture:
        if picture.size != capture.page_size:
            raise ValueError("damaged")
    return capture


@dataclass(frozen=True, slots=True)
class _Stored:
    """What an entry holds of its capture, as in `Capture`."""

    page_size: tuple[int, int]
    text_runs: tuple[TextRun, ...]
    elements: tuple[Element, ...] | None
    ground: Color | None
    warnings: tuple[CaptureWarning, ...]
    environment: Environment
    viewport: Viewport | None
    conditions: Mapping[str, Any]
    mask_boxes: tuple[Box, ...]
