"""What a page may load: its own site, under a made-up address, and hosts opened for it.

Allow-list only. The browser resolves no name, and its context is offline behind a proxy that refuses
everything, so that whatever the routing below does not see (WebSocket, WebRTC, preconnect) finds no network
either; we fetch from hosts that the user opened, not the browser.

Some files are changed on their way, because the capture could not undo their effects: SVG pictures animated
by style sheets inside them are stopped (see `stilled`), and style sheets apply as they do while scripts run,
even after these are stopped (see `with_scripts`).
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import unquote, urldefrag, urlsplit
from xml.etree import ElementTree

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame, Request, Route

from pytest_design2a11y.capture.isolation.remote import Remote
from pytest_design2a11y.capture.isolation.site_files import HTML, MAX_BYTES, UNBUILT, Absence, SiteFiles
from pytest_design2a11y.capture.warning_log import FLOOD, WarningLog

ORIGIN = "http://page.test"
NO_SCRIPTS = {"content-security-policy": "script-src 'none'"}
#: Response budget per page, bytes; repeated responses count.
MAX_BYTES_PER_PAGE = 60_000_000


@dataclass
class RequestRouter:
    """Answers every request of one page."""

    frame: Frame  # The page's main frame, not one inside it or of a window it opens
    site: SiteFiles  # The page itself, and the files that it may load
    remote: Remote  # What it may load from other hosts
    log: WarningLog  # Records refusals
    stop: Callable[[], None]  # Called when the page keeps trying to leave
    has_scripts: bool = True  # Whether the page may run scripts
    is_served: bool = field(default=False, init=False)
    num_refused_navigations: int = field(default=0, init=False)

    @property
    def address(self) -> str:
        """The page's own address."""
        return ORIGIN + self.site.site.address

    def stop_noting(self) -> None:
        """Continue to answer, but note nothing more."""
        self.log = WarningLog(num_bytes=self.log.num_bytes)

    def answer(self, route: Route, request: Request) -> None:
        """Answer or refuse a request."""
        self.log.asked[urldefrag(request.url).url] = request.resource_type
        # An exception here would surface in an unrelated later call, so none may escape.
        try:
            self._decide(route, request)
        except Exception as error:
            if not isinstance(error, PlaywrightError):
                self.log.note_request("blocked_requests", request.url)
            _refuse(route, request)

    def _decide(self, route: Route, request: Request) -> None:
        is_main = request.is_navigation_request()
        with suppress(PlaywrightError):  # a window that the page opened has no frame yet
            is_main = is_main and request.frame.parent_frame is None
        if is_main:
            self._navigate(route, request)
            return
        if self.log.num_bytes > MAX_BYTES_PER_PAGE:
            self._refuse_more(route, request)
            return
        url = urlsplit(request.url)
        if f"{url.scheme}://{url.netloc}" == ORIGIN:
            self._serve_file(route, request, url.path)
        elif url.scheme in ("http", "https"):
            self._serve_remote(route, request)
        else:
            self.log.note_request("blocked_requests", request.url)
            _refuse(route, request)

    def _navigate(self, route: Route, request: Request) -> None:
        if not self.is_served and urldefrag(request.url).url == urldefrag(self.address).url:
            self.is_served = True
            policy = {} if self.has_scripts else NO_SCRIPTS
            self.log.mentions_moving = mentions_moving(self.site.page)
            route.fulfill(body=self.site.page, headers={"content-type": HTML, **policy})
            return
        code = "popups"
        with suppress(PlaywrightError):  # a window that the page opened has no frame yet
            code = "navigations" if request.frame == self.frame else "popups"
        self.log.note(code, request.url)
        self.num_refused_navigations += 1
        if self.num_refused_navigations % FLOOD == 0:
            self.stop()
        _refuse(route, request)

    def _serve_file(self, route: Route, request: Request, path: str) -> None:
        if path == "/favicon.ico":
            route.fulfill(status=404)
            return
        content = self.site.find(path, is_navigation=request.is_navigation_request())
        name = request.url.removeprefix(ORIGIN).removeprefix(self.site.site.base)
        if content is Absence.REFUSED:
            self.log.note_request("refused_files", name)
            _refuse(route, request)
            return
        digest = None if isinstance(content, Absence) else hashlib.sha256(content.body).hexdigest()
        self.log.files.setdefault(path, digest)
        if content is Absence.TOO_LARGE:
            self.log.note("load_limits", f"{name} (more than {MAX_BYTES // 1_000_000} MB)")
            _refuse(route, request)
        elif isinstance(content, Absence):
            self.log.note_request("missing_files", name)
            route.fulfill(status=404)
        else:
            if path.endswith(UNBUILT) and request.resource_type == "script":
                self.log.note_unbuilt(path)
            self._deliver(route, request, content.body, content.type, {})

    def _deliver(
        self, route: Route, request: Request, body: bytes, kind: str, more: Mapping[str, str]
    ) -> None:
        """Answer with content of a type, including range requests, which media players make."""
        self.log.mentions_moving |= mentions_moving(body)
        if kind.startswith("image/svg") and request.resource_type == "image":
            still = stilled(body)
            self.log.has_moving_picture |= still is None
            body = body if still is None else still
        status, headers = 200, {"content-type": kind, "accept-ranges": "bytes", **more}
        if span := range_of(request.headers.get("range", ""), len(body)):
            headers["content-range"] = f"bytes {span[0]}-{span[1] - 1}/{len(body)}"
            status, body = 206, body[slice(*span)]
        self.log.num_bytes += len(body)
        if self.log.num_bytes > MAX_BYTES_PER_PAGE:
            self._refuse_more(route, request)
        else:
            self.log.served.add(urldefrag(request.url).url)
            route.fulfill(status=status, headers=headers, body=body)

    def _refuse_more(self, route: Route, request: Request) -> None:
        self.log.note("load_limits", f"{MAX_BYTES_PER_PAGE // 1_000_000} MB in all")
        _refuse(route, request)

    def _serve_remote(self, route: Route, request: Request) -> None:
        url = urldefrag(request.url).url
        answer = self.remote.answer(url, method=request.method, headers=request.headers, log=self.log)
        if answer is None:
            _refuse(route, request)
            return
        headers = {"access-control-allow-origin": "*"} if answer.has_cors else {}
        if answer.status == HTTPStatus.OK:
            # With an origin, the page may read it, and may check it against a checksum.
            is_unreadable = request.resource_type == "stylesheet" and "origin" not in request.headers
            body = with_scripts(answer.body) if self.has_scripts and is_unreadable else answer.body
            self._deliver(route, request, body, answer.type, headers)
        else:
            route.fulfill(status=answer.status, headers=headers)


def _refuse(route: Route, request: Request) -> None:
    with suppress(PlaywrightError):
        if request.is_navigation_request():
            # An empty answer leaves the frame as it is; a refusal would show the browser's error page in it.
            route.fulfill(status=204)
        else:
            route.abort("blockedbyclient")


_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})\Z")


def range_of(header: str, size: int) -> tuple[int, int] | None:
    """Return the start and exclusive end of a range; None if it is not valid."""
    asked = _RANGE.match(header)
    if asked is None or not (asked.group(1) or asked.group(2)):
        return None
    if not asked.group(1):
        start, end = max(0, size - int(asked.group(2))), size
    else:
        start, end = int(asked.group(1)), min(size, int(asked.group(2) or size - 1) + 1)
    return (start, end) if start < end else None


#: Name of self-moving content in errors.
MOVING_PICTURE = "animated picture"

_MOVES = re.compile(r"keyframes|starting-style|transition|\\", re.IGNORECASE)
# What overrides the rule below, or imports a sheet that is not read here.
_OVERRULES = re.compile(r"\\|@import|!\s*important", re.IGNORECASE)
_PACKED = re.compile(r"data:[^,]*(?:svg|css|html|xml)", re.IGNORECASE)
_MENTIONED = re.compile(r"keyframes|starting-style|base64", re.IGNORECASE)
_SHEET_BEFORE = re.compile(rb"<\?xml-stylesheet", re.IGNORECASE)
_END = re.compile(rb"</svg\s*>\s*\Z")

# Finite animations end; endless ones, if their length divides this time, are at their start.
_STANDS = (
    b"<style>:is(#a#a#a#a, *) { animation-delay: -3600000s !important;"
    b" animation-play-state: paused !important; transition: none !important }</style>"
)


_PRELUDE = re.compile(rb"@(?:media|import)\b[^{;]*", re.IGNORECASE)
_SCRIPTING = re.compile(rb"\(\s*scripting\s*(?::\s*([\w-]+)\s*)?\)", re.IGNORECASE)


def stilled(svg: bytes) -> bytes | None:
    """Return a motionless version of a picture that may move; None if that is not possible."""
    try:
        root = ElementTree.fromstring(svg)
    except (ElementTree.ParseError, ValueError, LookupError):
        return svg  # the browser does not show it either
    values = [value for element in root.iter() for value in element.attrib.values()]
    styles = (element for element in root.iter() if element.tag.rpartition("}")[2].lower() == "style")
    sheets = "".join(text for element in styles for text in element.itertext())
    brings_more = any(_brings_picture(value) for value in (*values, sheets)) or _SHEET_BEFORE.search(svg)
    if not brings_more and not _MOVES.search(sheets) and "@import" not in sheets.lower():
        return svg
    end = _END.search(svg)
    if brings_more or end is None or any(_OVERRULES.search(text) for text in (sheets, *values)):
        return None
    return svg[: end.start()] + _STANDS + svg[end.start() :]


def mentions_moving(content: bytes) -> bool:
    """Return whether a document, style sheet or script may contain a moving picture in a `data:` address."""
    return b"image/svg" in content and _brings_picture(content.decode("utf-8", "replace"))


def _brings_picture(text: str) -> bool:
    return _PACKED.search(text) is not None and _MENTIONED.search(unquote(text)) is not None


def with_scripts(sheet: bytes) -> bytes:
    """Replace each media query for scripting by its result while scripts run."""

    def answer(query: re.Match[bytes]) -> bytes:
        is_true = (query[1] or b"enabled").lower() == b"enabled"
        return b"(min-width: 0px)" if is_true else b"(min-width: 9999999px)"

    return _PRELUDE.sub(lambda prelude: _SCRIPTING.sub(answer, prelude[0]), sheet)
