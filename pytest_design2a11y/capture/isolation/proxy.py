"""The proxy of pages without a network: an address of our own at which nobody can ever listen."""

from __future__ import annotations

import socket
from functools import cache

from playwright.sync_api import ProxySettings


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
