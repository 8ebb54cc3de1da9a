"""What a page may load: its own folder, under an address of nobody's, and hosts that were opened for it.

Allow-list only. The browser resolves no name, and its context is offline behind a proxy that refuses, so
that whatever the routing below does not see (WebSocket, WebRTC, preconnect) finds no network either; hosts
that the user opened are fetched by us, not by the browser.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import BrowserContext, Request, Route
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.cache import file_digest
from pytest_design2a11y.capture.isolation.hosts import HostClient
from pytest_design2a11y.capture.journal import FLOOD, Journal

ORIGIN = "http://page.test"
ROOT = "/page/"
ADDRESS = f"{ORIGIN}{ROOT}"

HTML = "text/html; charset=utf-8"
# Not left to the machine's own table, which differs from system to system.
TYPES = {
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": "application/xhtml+xml",
    ".css": "text/css",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
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
    ".mp4": "video/mp4",
    ".webm": "video/webm",
    ".wasm": "application/wasm",
}


@dataclass
class Gate:
    """Answers every request of one page.

    Attributes:
        html: The page itself, served once.
        folder: The folder whose files may be loaded, or None.
        hosts: Fetches from the hosts that the user opened.
        journal: Where what is refused is noted.
        stop: Called when the page keeps trying to leave.
    """

    html: bytes
    folder: Path | None
    hosts: HostClient
    journal: Journal
    stop: Callable[[], None]
    is_served: bool = field(default=False, init=False)

    def guard(self, context: BrowserContext) -> None:
        """Put the gate between a context and everything else."""
        context.route("**/*", self._answer)

    def _answer(self, route: Route, request: Request) -> None:
        # An exception here would surface in an unrelated later call, so none may leave.
        try:
            self._decide(route, request)
        except Exception as error:
            if not isinstance(error, PlaywrightError):
                self.journal.note("blocked_requests", request.url)
            _refuse(route, request)

    def _decide(self, route: Route, request: Request) -> None:
        if self._is_main_navigation(request):
            self._navigate(route, request)
            return
        url = urlsplit(request.url)
        if f"{url.scheme}://{url.netloc}" == ORIGIN:
            self._serve_file(route, request, url.path)
        elif self.hosts.allows(request.url):
            self._serve_host(route, request)
        else:
            self.journal.note("blocked_requests", request.url)
            _refuse(route, request)

    def _is_main_navigation(self, request: Request) -> bool:
        if not request.is_navigation_request():
            return False
        try:
            return request.frame.parent_frame is None
        except PlaywrightError:  # a window that the page opened has no frame yet
            return True

    def _navigate(self, route: Route, request: Request) -> None:
        if not self.is_served and request.url == ADDRESS:
            self.is_served = True
            route.fulfill(body=self.html, content_type=HTML)
            return
        self.journal.note("navigations", request.url)
        if self.journal.counts["navigations"] % FLOOD == 0:
            self.stop()
        _refuse(route, request)

    def _serve_file(self, route: Route, request: Request, path: str) -> None:
        if path == "/favicon.ico":
            route.fulfill(status=404)
            return
        file = self._file(path)
        if file is None:
            self.journal.note("blocked_requests", request.url.removeprefix(ORIGIN))
            _refuse(route, request)
            return
        self._note_file(file)
        if not file.is_file():
            self.journal.note("missing_files", request.url.removeprefix(ADDRESS))
            route.fulfill(status=404)
        else:
            route.fulfill(body=file.read_bytes(), content_type=_type(file))

    def _note_file(self, file: Path) -> None:
        assert self.folder is not None
        name = file.relative_to(self.folder.resolve()).as_posix()
        self.journal.files[name] = file_digest(file)

    def _file(self, path: str) -> Path | None:
        inner = unquote(path)
        if self.folder is None or not inner.startswith(ROOT) or "\0" in inner:
            return None
        folder = self.folder.resolve()
        file = (folder / inner.removeprefix(ROOT).lstrip("/")).resolve()
        return file if file.is_relative_to(folder) else None

    def _serve_host(self, route: Route, request: Request) -> None:
        self.journal.is_repeatable = False
        answer = self.hosts.fetch(request.url, method=request.method)
        if answer is None:
            self.journal.note("missing_files", request.url)
            _refuse(route, request)
        else:
            route.fulfill(status=answer.status, headers=dict(answer.headers), body=answer.body)


def _refuse(route: Route, request: Request) -> None:
    with suppress(PlaywrightError):
        if request.is_navigation_request():
            # An empty answer leaves the frame as it is; a refusal would show the browser's error page in it.
            route.fulfill(status=204)
        else:
            route.abort("blockedbyclient")


def _type(file: Path) -> str:
    known = TYPES.get(file.suffix.lower())
    return known or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
