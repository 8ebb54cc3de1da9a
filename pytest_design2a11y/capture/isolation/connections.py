"""Connections that are not requests of a page: all are refused, and noted."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from playwright.sync_api import Page, ProxySettings, WebSocket

from pytest_design2a11y.capture.browser.channel import Channel
from pytest_design2a11y.capture.warning_log import WarningLog
from pytest_design2a11y.javascript import call_of

#: Taken away from every frame. Of these a worker has WebTransport alone, which reaches nothing either.
WITHHELD = ("RTCPeerConnection", "webkitRTCPeerConnection", "SharedWorker", "WebTransport")


def withhold(channel: Channel) -> None:
    """Take connections away from the documents that the page loads from now on."""
    source = call_of("capture/isolation/withheld.js", "withhold", WITHHELD)
    channel.send("Page.addScriptToEvaluateOnNewDocument", {"source": source})


def tell_refused(page: Page, channel: Channel, log: WarningLog) -> None:
    """Note the WebSockets that a page opens, none of which reaches anything.

    Playwright tells of those in workers too, but before 1.64 of none that is refused.
    """
    heard: Counter[str] = Counter()

    def hear(created: Mapping[str, Any]) -> None:
        heard[created["url"]] += 1
        log.note("blocked_requests", created["url"])

    def hear_again(socket: WebSocket) -> None:
        heard[socket.url] -= 1
        if heard[socket.url] < 0:
            heard[socket.url] = 0
            log.note("blocked_requests", socket.url)

    channel.session.on("Network.webSocketCreated", hear)
    page.on("websocket", hear_again)


def refusing_proxy() -> ProxySettings:
    """Return a proxy, for loopback addresses too, that refuses every connection by itself."""
    port = _reserved().getsockname()[1]
    return {"server": f"http://127.0.0.1:{port}", "bypass": "<-loopback>"}


@cache
def _reserved() -> socket.socket:
    """Hold a port without listening: the system refuses what connects, and gives the port to nobody else."""
    held = socket.socket()
    held.bind(("127.0.0.1", 0))
    return held
