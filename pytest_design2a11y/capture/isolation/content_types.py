"""Types of files by their suffix, the same on every system."""

from __future__ import annotations

import mimetypes
from pathlib import PurePath

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
#: Source of scripts that no browser runs before a bundler has built them.
UNBUILT = (".jsx", ".tsx", ".ts", ".mts", ".vue", ".svelte", ".astro")
PAGES = frozenset({".html", ".htm", ".xhtml"})
PICTURES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".avif", ".svg", ".pdf"})
#: What pages load, besides other pages: served from a found root outside the page's own folder.
ASSETS = frozenset(TYPES) - PAGES - {".csv", ".txt", ".md"}


def content_type(file: PurePath) -> str:
    """Return the type of a file."""
    known = TYPES.get(file.suffix.lower())
    return known or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
