"""Pages that are the same byte for byte, with all that they load: told by one digest, rendered once.

A page may depend on its own address too, which differs where only file names do. Where it, or a script that
it loads, mentions what tells a script the address, only a page of the same address is taken for the same.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from pytest_design2a11y.capture.isolation.site_files import Absence, SiteFiles
from pytest_design2a11y.capture.warning_log import NOTHING_SHOWN
from pytest_design2a11y.models.page import Capture, CaptureWarning, Document, Screenshot, Site

#: Captures that are kept in memory, so that it is full, and no longer grows, soon after a run began.
MAX_COUNT = 100
#: Bytes that their pictures may take together.
MAX_BYTES = 64_000_000

#: Bytes of a digest, written as twice as many hexadecimal digits.
_DIGEST_SIZE = 16

_ASKS_ADDRESS = re.compile(rb"location|documentURI|baseURI|document\.URL|referrer|import\.meta")

Files = Mapping[str, str | None]


def content_digest(document: Document, files: Files) -> str:
    """Return what tells a page with all that it loads apart, whatever its file is called.

    Args:
        document: The page.
        files: Digests of the files that it asked for, by path of their address; None if missing.
    """
    folder, rest = _divided(document.site or Site())
    loaded = sorted((posixpath.relpath(path, folder), digest) for path, digest in files.items())
    digest = hashlib.blake2b(document.html or b"", digest_size=_DIGEST_SIZE)
    digest.update(json.dumps([rest, loaded]).encode())
    return digest.hexdigest()


@dataclass(frozen=True)
class _Kept:
    """A capture, and what it takes to stand for another page.

    Attributes:
        capture: Without its document's own warnings.
        files: As for `content_digest`.
        address: The only address that it holds for; None: any in its folder.
    """

    capture: Capture
    files: Files
    address: str | None


class RecentCaptures:
    """Captures of this session, bounded in size: an equal page is not rendered again."""

    def __init__(self, *, max_bytes: int = MAX_BYTES, max_count: int = MAX_COUNT) -> None:
        self._max_bytes = max_bytes
        self._max_count = max_count
        self._kept: OrderedDict[bytes, _Kept] = OrderedDict()

    def find(self, document: Document, how: str) -> Capture | None:
        """Return the capture that an equal page gave, under this page's name; None where there is none."""
        key = _key(document, how)
        kept = self._kept.get(key)
        if kept is None or kept.address not in (None, _address(document)):
            return None
        site = SiteFiles(document)
        if any(site.digest(path) != digest for path, digest in kept.files.items()):
            return None
        self._kept.move_to_end(key)
        place = 1 if kept.capture.warnings[:1] == (NOTHING_SHOWN,) else 0
        warnings: tuple[CaptureWarning, ...] = (
            *kept.capture.warnings[:place],
            *document.warnings,
            *kept.capture.warnings[place:],
        )
        return replace(_slim(kept.capture), label=document.label, warnings=warnings)

    def keep(self, document: Document, how: str, capture: Capture, files: Files) -> None:
        """Keep a capture."""
        if any(warning.code == "refused_files" for warning in capture.warnings):
            return  # another page may be allowed them
        place = 1 if capture.warnings[:1] == (NOTHING_SHOWN,) else 0
        others = (*capture.warnings[:place], *capture.warnings[place + len(document.warnings) :])
        address = _address(document) if _asks_address(document, files) else None
        self._kept[_key(document, how)] = _Kept(_slim(replace(capture, warnings=others)), files, address)
        while len(self._kept) > self._max_count or sum(map(_size, self._kept.values())) > self._max_bytes:
            self._kept.popitem(last=False)


def _slim(capture: Capture) -> Capture:
    """Return the capture with a picture that nobody has decoded: pixels are many times its size."""
    return replace(capture, image=capture.image and Screenshot(capture.image.png))


def _size(kept: _Kept) -> int:
    return len(kept.capture.image.png) if kept.capture.image else 0


def _key(document: Document, how: str) -> bytes:
    """The root is left out, as all files are compared; so is the file's name (see `_Kept.address`)."""
    site = document.site or Site()
    own = replace(site, root=None, address="")
    digest = hashlib.blake2b(document.html or b"")
    digest.update(
        b"\0" + repr((own, _divided(site), document.accept_status, how)).encode("utf-8", "surrogatepass")
    )
    return digest.digest()


def _divided(site: Site) -> tuple[str, str]:
    """Return folder of a page's address, and what its file's name does not tell: route, query, fragment."""
    url = urlsplit(site.address)
    route = url.path if site.single_page else ""
    return url.path.rpartition("/")[0] or "/", url._replace(path=route).geturl()


def _address(document: Document) -> str:
    return (document.site or Site()).address


def _asks_address(document: Document, files: Files) -> bool:
    return any(_ASKS_ADDRESS.search(content) for content in _contents(document, files))


def _contents(document: Document, files: Files) -> Iterator[bytes]:
    yield document.html or b""
    site = SiteFiles(document)
    for path in files:
        content = site.find(path)
        if not isinstance(content, Absence):
            yield content.body
