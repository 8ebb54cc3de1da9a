"""What pages get from other hosts: recordings, placeholders, or answers of opened hosts; no connections."""

import atexit
import posixpath
import re
import socket
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

from playwright.sync_api import Page, ProxySettings, WebSocket

from pytest_design2a11y.capture.browser.channel import Channel
from pytest_design2a11y.capture.isolation import FILE_SECONDS, Asset, Hosts, NoAsset
from pytest_design2a11y.capture.isolation.recordings import Recordings
from pytest_design2a11y.capture.warning_log import WarningLog

#: Files that one page may load from opened hosts.
MAX_PER_PAGE = 300
#: Share of a page's time that fetching them may take in total.
FETCH_SHARE = 0.5


@dataclass
class Remote:
    """Answers requests to other hosts."""

    hosts: Hosts  # Fetches from opened hosts
    recordings: Recordings | None = None  # Recorded assets, if there is a folder of them
    is_recording: bool = False  # Whether answers of opened hosts are recorded
    draws: bool = False  # Whether pictures of services for placeholders are drawn
    seconds: float = FILE_SECONDS  # For all answers of opened hosts to one page
    _moved: dict[str, str] = field(default_factory=dict, init=False)

    @property
    def conditions(self) -> dict[str, Any]:
        """What pages may have loaded, for `Capture.conditions`."""
        hosts: dict[str, Any] = {"allowed_hosts": sorted(self.hosts.names)}
        if self.draws:
            hosts["placeholders"] = "drawn"
        if self.recordings is None or self.is_recording:
            return hosts
        return {**hosts, "assets": self.recordings.digest}

    def answer(self, url: str, *, method: str, headers: Mapping[str, str], log: WarningLog) -> Asset | None:
        """Return what a page gets; None if nothing, with the reason in the log."""
        answer: Asset | NoAsset | None = None
        if self.recordings is not None and method == "GET":
            answer = self.recordings.find(url)
            if answer is None and not self.is_recording and (other := self.recordings.find_version(url)):
                log.note("asset_versions", f"{url} by {other}")
                answer = self.recordings.find(other)
        if answer is None and self.draws and (answer := placeholder(url)):
            log.note("placeholders_drawn", url)
        answer = answer or self._fetched(url, method=method, headers=headers, log=log)
        if isinstance(answer, NoAsset):
            log.note_request(answer.reason, answer.what)
            return None
        if answer.final_url and answer.final_url != url:
            self._moved[url] = answer.final_url
        if answer.status != 200:
            log.note_request("missing_files", url)
        return answer

    def _fetched(
        self, url: str, *, method: str, headers: Mapping[str, str], log: WarningLog
    ) -> Asset | NoAsset:
        if not self.hosts.allows(url):
            is_unrecorded = self.recordings is not None and method == "GET"
            return NoAsset("unrecorded_assets" if is_unrecorded else "blocked_requests", url)
        log.is_repeatable = False
        if log.num_fetched >= MAX_PER_PAGE:
            return NoAsset("asset_limits", url)
        log.num_fetched += 1
        answer = self._fetch(url, method, headers, log)
        moved = self._moved_with(url, headers.get("referer", ""))
        if isinstance(answer, Asset) and answer.status != 200 and moved and self.hosts.allows(moved):
            other = self._fetch(moved, method, headers, log)
            if isinstance(other, Asset) and other.status == 200:
                answer = other
        if not isinstance(answer, Asset) or self.recordings is None or not self.is_recording:
            return answer
        return answer if self.recordings.keep(url, answer) else NoAsset("asset_limits", url)

    def _fetch(self, url: str, method: str, headers: Mapping[str, str], log: WarningLog) -> Asset | NoAsset:
        left = self.seconds - log.fetch_seconds
        if left <= 0:
            return NoAsset("asset_limits", url)
        began = time.monotonic()
        answer = self.hosts.fetch(url, method=method, headers=headers, seconds=left)
        log.fetch_seconds += time.monotonic() - began
        return answer

    def _moved_with(self, url: str, referer: str) -> str | None:
        """Return the real address of a file that is referenced relative to a redirected address.

        The browser does not see redirects, since it only gets the final answer; it resolves `./part.js` in
        `https://cdn.example/library` against that, and not against `https://cdn.example/library@1.2/dist/`.
        """
        final = self._moved.get(referer)
        if final is None or urlsplit(url).netloc != urlsplit(referer).netloc:
            return None
        start = posixpath.dirname(urlsplit(referer).path) or "/"
        query = urlsplit(url).query
        return urljoin(final, posixpath.relpath(urlsplit(url).path, start) + (f"?{query}" if query else ""))


#: Removed from every frame. Workers have only WebTransport among these, which reaches nothing either.
WITHHELD = ("RTCPeerConnection", "webkitRTCPeerConnection", "SharedWorker", "WebTransport")


def note_sockets(page: Page, channel: Channel, log: WarningLog) -> None:
    """Note the WebSockets that a page opens, none of which reaches anything, as Playwright reports them."""
    heard: Counter[str] = Counter()

    def hear(created: Mapping[str, Any]) -> None:
        heard[created["url"]] += 1
        log.note("blocked_requests", created["url"])

    def hear_again(socket: WebSocket) -> None:
        if heard[socket.url]:
            heard[socket.url] -= 1
        else:
            log.note("blocked_requests", socket.url)

    channel.session.on("Network.webSocketCreated", hear)
    page.on("websocket", hear_again)


@cache
def refusing_proxy() -> ProxySettings:
    """Return a proxy that refuses every connection: its port is bound, and nobody listens."""
    held = socket.socket()
    held.bind(("127.0.0.1", 0))
    atexit.register(held.close)
    return {"server": f"http://127.0.0.1:{held.getsockname()[1]}", "bypass": "<-loopback>"}


#: Services for placeholders, and what stands between width and height in their addresses.
_SIDES = {"picsum.photos", "placekitten.com", "placebear.com", "placeimg.com", "loremflickr.com"}
_PLACEHOLDERS = dict.fromkeys(_SIDES, "/") | dict.fromkeys(
    ("placehold.co", "placeholder.com", "placehold.it", "placehold.jp", "dummyimage.com", "fakeimg.pl",
     "pravatar.cc", "unsplash.com"), "x",
)  # fmt: skip
#: A picture of which the address names no size.
_USUAL_SIZE = (600, 400)
_LARGEST_SIDE = 5_000
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" preserveAspectRatio="none" '
    'viewBox="0 0 {0} {1}"><rect width="{0}" height="{1}" fill="#ccc"/></svg>'
)


def placeholder(url: str) -> Asset | None:
    """Return a gray picture for the address of a service for placeholders; None for any other address."""
    parts = urlsplit(url)
    service = ".".join((parts.hostname or "").split(".")[-2:])
    if service not in _PLACEHOLDERS:
        return None
    path = re.sub(r"/id/\d+", "", parts.path)
    size = re.search(rf"/(\d{{1,4}})(?:{_PLACEHOLDERS[service]}(\d{{1,4}}))?(?=[/.&]|$)", path)
    sides = (size[1], size[2] or size[1]) if size else map(dict(parse_qsl(parts.query)).get, "wh")
    width, height = (
        min(max(int(side), 1), _LARGEST_SIDE) if side and side.isdecimal() else usual
        for side, usual in zip(sides, _USUAL_SIZE, strict=True)
    )
    return Asset(200, "image/svg+xml", _SVG.format(width, height).encode(), has_cors=True, final_url=url)
