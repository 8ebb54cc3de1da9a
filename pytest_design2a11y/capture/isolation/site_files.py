"""Which file of its site an address on a page refers to, and whether the page may have it."""

import hashlib
import mimetypes
from contextlib import suppress
from enum import Enum
from pathlib import Path, PurePath, PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from pytest_design2a11y.files import FileTooLarge, read_regular
from pytest_design2a11y.models.page import Document, Site

#: One file of a site. Handing it to the browser takes quadratic time: some seconds for 20 MB.
MAX_BYTES = 20_000_000


class Absence(Enum):
    """Why a page does not get a file that it requests."""

    MISSING = "missing"
    REFUSED = "refused"
    TOO_LARGE = "too large"


class Content(NamedTuple):
    """What a page gets."""

    body: bytes
    type: str


class SiteFiles:
    """The files that one page may load.

    Never served: hidden files, files outside the root or linked from there, the designs that the page is
    compared with, their copies and, in the page's site, their folders; and the subfolders that belong to
    other pages in the page's folder.
    """

    def __init__(self, document: Document) -> None:
        site = document.site or Site()
        root = site.root or document.folder
        self.site = site
        self.page: bytes = document.html or b""
        self.root: Path | None = None if root is None else Path(root).resolve()
        self.own: Path | None = None if document.folder is None else Path(document.folder).resolve()
        self._stem = PurePosixPath(urlsplit(document.label).path).stem
        self._references = [Path(reference) for reference in site.references]
        self._found: dict[tuple[str, bool], Content | Absence] = {}

    def find(self, path: str, *, is_navigation: bool = False) -> Content | Absence:
        """Return the file of an address of the site; always the same for the same address."""
        asked = (path, is_navigation)
        if asked not in self._found:
            self._found[asked] = self._read(path, is_navigation=is_navigation)
        return self._found[asked]

    def _read(self, path: str, *, is_navigation: bool) -> Content | Absence:
        # File names that are not UTF-8 are represented so.
        inner = unquote(path, errors="surrogateescape")
        if not inner.startswith(self.site.base):
            return Absence.MISSING
        inner = inner.removeprefix(self.site.base).lstrip("/")
        if "\0" in inner or "\\" in inner or _is_hidden(PurePosixPath(inner)):
            return Absence.REFUSED
        if path == urlsplit(self.site.address).path:
            return Content(self.page, HTML)
        for name, body in self.site.files:
            if name == inner:
                return Content(body, content_type(PurePosixPath(name)))
        file = self._file(inner, is_navigation=is_navigation)
        if isinstance(file, Absence):
            return file
        try:
            return Content(read_regular(file, MAX_BYTES), content_type(file))
        except FileTooLarge:
            return Absence.TOO_LARGE
        except OSError:
            return Absence.REFUSED

    def digest(self, path: str) -> str | None:
        """Return a key of the content at an address; None if there is none."""
        content = self.find(path)
        return None if isinstance(content, Absence) else hashlib.sha256(content.body).hexdigest()

    def _file(self, inner: str, *, is_navigation: bool) -> Path | Absence:
        if self.root is None:
            return Absence.MISSING
        names = [inner, f"{inner.rstrip('/')}/index.html".lstrip("/")]
        if self.site.clean_urls and inner:
            names.insert(1, f"{inner.rstrip('/')}.html")
        if self.site.single_page and is_navigation:
            names.append("index.html")
        for name in names:
            with suppress(OSError, ValueError):
                file = (self.root / name).resolve()
                if file.is_file():
                    return file if self._is_allowed(file, self.root) else Absence.REFUSED
        return Absence.MISSING

    def _is_allowed(self, file: Path, root: Path) -> bool:
        if not file.is_relative_to(root) or _is_hidden(file.relative_to(root)):
            return False
        if any(self._is_of_reference(file, reference) for reference in self._references):
            return False
        if self.own is None:
            return True
        if file.is_relative_to(self.own):
            return not self._is_of_other_page(file, self.own)
        return self.site.is_root_given or file.suffix.lower() in ASSETS

    def _is_of_other_page(self, file: Path, folder: Path) -> bool:
        """Return whether a file is in the subfolder of another page: `b/` or `b_files/` beside `b.html`."""
        first, *rest = file.relative_to(folder).parts or ("",)
        stem = first.removesuffix("_files")
        pages = (folder / f"{stem}{suffix}" for suffix in (".html", ".htm"))
        return bool(rest) and stem != self._stem and any(page.is_file() for page in pages)

    def _is_of_reference(self, file: Path, reference: Path) -> bool:
        folder = reference.parent
        # A site that does not contain the design belongs to the page, wherever the site lies.
        is_outside = self.root is not None and not reference.is_relative_to(self.root)
        if file.is_relative_to(folder) and folder != self.own and not is_outside:
            own = self.own
            return own is None or not (file.is_relative_to(own) and own.is_relative_to(folder))
        is_twin = file.stem == reference.stem and file.suffix.lower() in PAGES | PICTURES
        is_twin |= file.name.endswith(".blocks.json")
        if is_twin and file.parent == folder:
            return True
        # The file may be the reference under another name.
        if not reference.is_file() or file.stat().st_size != reference.stat().st_size:
            return False
        return file.samefile(reference) or file.read_bytes() == reference.read_bytes()


def _is_hidden(path: PurePosixPath | Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


HTML = "text/html; charset=utf-8"
TYPES = {
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": "application/xhtml+xml",
    ".css": "text/css",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".csv": "text/csv",
    ".txt": "text/plain",
    ".md": "text/markdown",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".ico": "image/x-icon",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".ttf": "font/ttf",
    ".otf": "font/otf",
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
    ".wasm": "application/wasm",
}
#: Script sources that no browser can run before a bundler has built them.
UNBUILT = (".jsx", ".tsx", ".ts", ".mts", ".vue", ".svelte", ".astro")
PAGES = frozenset({".html", ".htm", ".xhtml"})
PICTURES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".avif", ".svg", ".pdf"})
#: Files that pages load besides other pages: these are served from a root outside the page's own folder.
ASSETS = frozenset(TYPES) - PAGES - {".csv", ".txt", ".md"}


def content_type(file: PurePath) -> str:
    """Return the type of a file."""
    known = TYPES.get(file.suffix.lower())
    return known or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
