"""Connections that are not requests: which ones a page is refused, and how that is told."""

from __future__ import annotations

import json

from playwright.sync_api import Page

from pytest_design2a11y.capture.page.frame_context import Channel
from pytest_design2a11y.capture.scripts import script
from pytest_design2a11y.capture.warning_log import WarningLog

#: Taken away from every frame. Of these a worker has WebTransport alone, which reaches nothing either.
WITHHELD = ("RTCPeerConnection", "webkitRTCPeerConnection", "SharedWorker", "WebTransport")


def withhold(channel: Channel) -> None:
    """Take connections away from the documents that the page loads from now on."""
    source = f"({script(__package__, 'withheld.js')})({json.dumps(WITHHELD)})"
    channel.send("Page.addScriptToEvaluateOnNewDocument", {"source": source})


def tell_refused(page: Page, log: WarningLog) -> None:
    """Note the WebSockets that a page opens, none of which reaches anything."""
    page.on("websocket", lambda socket: log.note("blocked_requests", socket.url))
