"""Cache of captures, in files or in memory, valid as long as everything they depend on is unchanged.

An entry's key is everything that its capture depends on and that is known before rendering; the entry is used
only if the files that the page loaded or missed are unchanged. A page may also depend on its own address:
if it, or a script that it loads, mentions an API that reveals the address, the address is part of the key.
"""

import hashlib
import io
import json
import posixpath
import re
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from pytest_design2a11y.capture.isolation.site_files import Absence, SiteFiles
from pytest_design2a11y.files import CacheFolder
from pytest_design2a11y.models.elements import Element, Screenshot, Trouble, Veil
from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.page import (
    Capture,
    CaptureWarning,
    Document,
    Environment,
    Site,
    TextRun,
    Unseen,
)
from pytest_design2a11y.models.viewport import Viewport

#: Captures kept in memory: few, so that it stops growing soon after a run began.
MAX_COUNT = 100
#: Bytes of all their screenshots together.
MAX_MEMORY_BYTES = 64_000_000

_SUFFIX = ".capture"
_DIGEST = 32
#: Bytes of a page's digest, written as twice as many hex digits.
_DIGEST_SIZE = 16

_ASKS_ADDRESS = re.compile(rb"location|documentURI|baseURI|document\.URL|referrer|import\.meta")

Files = Mapping[str, str | None]
"""Digests of the files that a page requested, by path of their address; None if missing."""


@dataclass(frozen=True)
class Entry:
    """A capture, and what decides whether it can stand for another page."""

    capture: Capture  # Without its document's own warnings
    files: Files  # Requested by its page
    address: str | None  # The only address it is valid for; None: any in its folder


@dataclass(frozen=True)
class MemoryStore:
    """Entries of this session, limited in size."""

    max_bytes: int = MAX_MEMORY_BYTES
    max_count: int = MAX_COUNT
    _kept: OrderedDict[str, Entry] = field(default_factory=OrderedDict, init=False)

    def read(self, name: str) -> Entry | None:
        """Return an entry, and mark it as just used."""
        entry = self._kept.get(name)
        if entry is not None:
            self._kept.move_to_end(name)
        return entry

    def write(self, name: str, entry: Entry) -> None:
        """Keep an entry, and drop the least recently used if there are too many."""
        self._kept[name] = entry
        images = {key: kept.capture.image for key, kept in self._kept.items()}
        sizes = {key: len(image.png) if image else 0 for key, image in images.items()}
        while len(self._kept) > self.max_count or sum(sizes[key] for key in self._kept) > self.max_bytes:
            self._kept.popitem(last=False)


@dataclass(frozen=True)
class ReferenceStore:
    """Captures of references, as bytes: a design is rendered once for many candidates and runs."""

    entries: CacheFolder

    def read(self, name: str) -> Entry | None:
        """Return a complete entry, or None."""
        try:
            content = self.entries.read(name)
            if hashlib.sha256(content[_DIGEST:]).digest() != content[:_DIGEST]:
                raise ValueError("damaged")
            line, _, png = content[_DIGEST:].partition(b"\n")
            stored = msgspec.json.decode(line, type=_Stored)
            fields = {name: getattr(stored, name) for name in _OF_CAPTURE}
            capture = Capture(label="", role="reference", image=Screenshot(png), **fields)
            from PIL import Image

            with Image.open(io.BytesIO(png), formats=("PNG",)) as picture:
                if picture.size != capture.page_size:
                    raise ValueError("damaged")
            return Entry(capture, stored.files, stored.address)
        except Exception:  # Corrupt entry: render again.
            return None

    def write(self, name: str, entry: Entry) -> None:
        """Keep an entry; a full or read-only disk is not an error."""
        fields = {name: getattr(entry.capture, name) for name in _OF_CAPTURE}
        header = asdict(_Stored(**fields, files=dict(entry.files), address=entry.address))
        content = json.dumps(header).encode() + b"\n" + entry.capture.screenshot.png
        with suppress(OSError):
            self.entries.write(name, hashlib.sha256(content).digest() + content)


@dataclass(frozen=True)
class CaptureCache:
    """Captures that stand for equal pages."""

    store: MemoryStore | ReferenceStore

    def find(self, document: Document, conditions: Mapping[str, Any]) -> Capture | None:
        """Return the capture of an equal page under these conditions, with this page's name, or None."""
        entry = self.store.read(_name(document, conditions))
        if entry is None or entry.address not in (None, _site(document).address):
            return None
        site = SiteFiles(document)
        if any(site.digest(path) != digest for path, digest in entry.files.items()):
            return None
        warnings = (*document.warnings, *entry.capture.warnings)
        return replace(_slim(entry.capture), label=document.label, warnings=warnings)

    def keep(self, document: Document, conditions: Mapping[str, Any], capture: Capture, files: Files) -> None:
        """Keep a capture, its document's warnings first; it is not kept if files were refused."""
        if any(warning.code == "refused_files" for warning in capture.warnings):
            return
        stored = replace(capture, warnings=capture.warnings[len(document.warnings) :])
        site = SiteFiles(document)
        loaded = (found.body for path in files if not isinstance(found := site.find(path), Absence))
        asks = any(_ASKS_ADDRESS.search(content) for content in (document.html or b"", *loaded))
        entry = Entry(_slim(stored), files, _site(document).address if asks else None)
        self.store.write(_name(document, conditions), entry)


def content_digest(document: Document, files: Files) -> str:
    """Return a key of a page and everything it loads, whatever its file is called."""
    folder, rest = _divided(_site(document))
    loaded = sorted((posixpath.relpath(path, folder), digest) for path, digest in files.items())
    digest = hashlib.blake2b(document.html or b"", digest_size=_DIGEST_SIZE)
    digest.update(json.dumps([rest, loaded]).encode())
    return digest.hexdigest()


@cache
def code_digest() -> str:
    """Return a key of this version of the capture stage, and of the rules in `models/` shared by stages."""
    stage = Path(__file__).parent
    return scripts_digest(stage, stage.with_name("picture"), stage.with_name("models"))


def scripts_digest(*folders: Path) -> str:
    """Return a key of the code in folders and their subfolders."""
    digest = hashlib.sha256()
    for path in (path for folder in folders for path in sorted(folder.rglob("*.*"))):
        if path.suffix in (".py", ".js", ".json"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _name(document: Document, conditions: Mapping[str, Any]) -> str:
    """Name an entry by all but its file (see `Entry`) and its site's folder, whose files are compared."""
    site = _site(document)
    inputs = (replace(site, root=None, address=""), _divided(site))
    key = hashlib.sha256(json.dumps(conditions, sort_keys=True, default=repr).encode())
    key.update(repr(inputs).encode("utf-8", "surrogatepass") + b"\0" + (document.html or b""))
    return f"{key.hexdigest()}{_SUFFIX}"


def _site(document: Document) -> Site:
    return document.site or Site()


def _divided(site: Site) -> tuple[str, str]:
    """Return the folder of a page's address, and the rest without the file name: route, query, fragment."""
    url = urlsplit(site.address)
    route = url.path if site.single_page else ""
    return url.path.rpartition("/")[0] or "/", url._replace(path=route).geturl()


def _slim(capture: Capture) -> Capture:
    """Return the capture with its screenshot undecoded: its pixels are many times larger."""
    return replace(capture, image=capture.image and Screenshot(capture.image.png))


@dataclass(frozen=True, slots=True)
class _Stored:
    """The stored part of an entry and its capture: without screenshot, probes and audits."""

    page_size: tuple[int, int]
    text_runs: tuple[TextRun, ...]
    elements: tuple[Element, ...] | None
    ground: Color | None
    veils: tuple[Veil, ...]
    overlaps: tuple[Trouble, ...]
    warnings: tuple[CaptureWarning, ...]
    environment: Environment
    viewport: Viewport | None
    conditions: Mapping[str, Any]
    mask_boxes: tuple[Box, ...]
    unseen: tuple[Unseen, ...]
    files: Mapping[str, str | None]
    address: str | None


_OF_CAPTURE = tuple(stored.name for stored in fields(_Stored) if stored.name not in ("files", "address"))
