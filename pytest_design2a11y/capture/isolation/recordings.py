"""Assets from other hosts, fetched once and kept as files beside the designs, to be committed with them.

Each asset is two files in a folder named after its host: its content, and a record `….asset.json` of where it
came from. There is no common index, so workers can record in parallel and version control merges.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from operator import attrgetter
from pathlib import Path, PurePosixPath
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec

from pytest_design2a11y.capture.isolation import MAX_BYTES, Asset
from pytest_design2a11y.capture.isolation.site_files import TYPES
from pytest_design2a11y.files import FileTooLarge, is_reserved, read_regular, write_whole

#: Limits of one folder.
MAX_COUNT = 2_000
MAX_TOTAL_BYTES = 500_000_000

_RECORD = ".asset.json"
_MAX_RECORD_BYTES = 1_000_000
#: Parameters that only serve to bypass caches.
_NOISE = frozenset(
    {"v", "ver", "version", "t", "ts", "_", "cb", "r", "rnd", "rand", "rev", "hash", "cache", "nocache"}
)
_DAMAGE = (OSError, ValueError, RecursionError)


@dataclass(frozen=True, slots=True)
class Recording:
    """One asset, without its content."""

    url: str  # The address that pages ask for, without fragment
    status: int  # What its host answered: 200, or an error
    type: str  # The content type
    has_cors: bool  # Whether its host lets scripts and styles of other sites use it
    file: str  # Name of the content's file beside the record; "" for an error
    sha256: str  # Of the content
    size: int  # Bytes
    date: str  # When it was fetched, ISO 8601
    final_url: str  # Where redirects led


class Recordings:
    """A folder of recorded assets."""

    def __init__(self, folder: Path) -> None:
        """Prepare; the folder is created with the first asset."""
        self.folder = folder
        #: Requested addresses that are recorded.
        self.used: set[str] = set()
        self._known: dict[str, Asset | None] = {}

    def find(self, url: str) -> Asset | None:
        """Return what is recorded of an address; None if there is none or its file has changed."""
        url = url.partition("#")[0]
        if self._known.get(url) is None:
            self._known[url] = self._load(self._path(url))
        if self._known[url] is not None:
            self.used.add(url)
        return self._known[url]

    def find_version(self, url: str) -> str | None:
        """Return the one recorded address that differs only in cache-busting parameters (`?v=2`)."""
        same = self._by_content.get(_without_noise(url), ())
        return same[0] if len(same) == 1 else None

    def keep(self, url: str, answer: Asset) -> bool:
        """Record an asset; False if the folder is full."""
        url = url.partition("#")[0]
        if len(self._sizes) >= MAX_COUNT or sum(self._sizes.values()) + len(answer.body) > MAX_TOTAL_BYTES:
            return False
        path = self._path(url)
        suffix = PurePosixPath(urlsplit(url).path).suffix.lower()
        if suffix not in TYPES:
            kind = answer.type.partition(";")[0].strip()
            suffix = next((name for name, known in TYPES.items() if known.partition(";")[0] == kind), ".bin")
        content = path.name.removesuffix(_RECORD) + suffix if answer.status == 200 else ""
        record = Recording(
            url=url,
            status=answer.status,
            type=answer.type,
            has_cors=answer.has_cors,
            file=content,
            sha256=hashlib.sha256(answer.body).hexdigest(),
            size=len(answer.body),
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            final_url=answer.final_url,
        )
        attributes = self.folder / ".gitattributes"
        if not attributes.exists():
            # Line endings must stay as they came, or the content differs from what was recorded.
            write_whole(attributes, b"* -text\n")
        if record.file:
            write_whole(path.with_name(record.file), answer.body)
        write_whole(path, (json.dumps(asdict(record), indent=1) + "\n").encode())
        self._sizes[url] = len(answer.body)
        self._known[url] = answer
        self.used.add(url)
        self.__dict__.pop("digest", None)
        return True

    def entries(self) -> Iterator[tuple[Recording, bool]]:
        """Yield every record, ordered by address, and whether its content is unchanged."""
        records = filter(None, map(_record, self.folder.glob(f"*/*{_RECORD}")))
        for record in sorted(records, key=attrgetter("url")):
            yield record, self._load(self._path(record.url)) is not None

    @cached_property
    def digest(self) -> str:
        """Return a key of the whole folder's content."""
        digest = hashlib.sha256()
        for path in sorted(self.folder.glob(f"*/*{_RECORD}")):
            if record := _record(path):
                digest.update(f"{record.url} {record.status} {record.sha256}\n".encode())
        return digest.hexdigest()[:16]

    @cached_property
    def _sizes(self) -> dict[str, int]:
        return {record.url: record.size for record, _ in self.entries()}

    @cached_property
    def _by_content(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for record, is_sound in self.entries():
            if is_sound:
                found.setdefault(_without_noise(record.url), []).append(record.url)
        return found

    def _path(self, url: str) -> Path:
        parts = urlsplit(url)
        # Windows allows no folder names that end in a dot.
        host = re.sub(r"[^\w.-]", "_", parts.netloc.lower()).rstrip(".")
        host = f"_{host}" if is_reserved(host) else host
        name = re.sub(r"[^\w.-]", "_", PurePosixPath(parts.path).stem)[:60].lstrip(".") or "index"
        return self.folder / host / f"{name}-{hashlib.sha256(url.encode()).hexdigest()[:12]}{_RECORD}"

    def _load(self, path: Path) -> Asset | None:
        record = _record(path)
        if record is None:
            return None
        try:
            body = read_regular(path.with_name(record.file), MAX_BYTES) if record.file else b""
        except (*_DAMAGE, FileTooLarge):
            return None
        if hashlib.sha256(body).hexdigest() != record.sha256:
            return None
        return Asset(record.status, record.type, body, record.has_cors, record.final_url)


def _record(path: Path) -> Recording | None:
    try:
        record = msgspec.json.decode(read_regular(path, _MAX_RECORD_BYTES), type=Recording)
    except (*_DAMAGE, FileTooLarge):
        return None
    return record if record.file == PurePosixPath(record.file).name else None


def _without_noise(url: str) -> str:
    parts = urlsplit(url.partition("#")[0])
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    query = urlencode([(key, value) for key, value in pairs if key not in _NOISE])
    return parts._replace(query=query).geturl()
