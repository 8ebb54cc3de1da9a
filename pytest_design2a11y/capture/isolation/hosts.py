"""The hosts that the user opened: fetched by us, so that the browser itself needs no network."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO
from urllib.parse import urlsplit

MAX_BYTES = 20_000_000
SECONDS = 5.0
MAX_KEPT = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """What a host sent."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass
class HostClient:
    """Fetches from opened hosts and keeps what it got, so that every page of a run sees the same.

    Attributes:
        names: Host names, as in an address; a name opens no other, and no subdomain.
    """

    names: Sequence[str]
    _kept: dict[str, Answer | None] = field(default_factory=dict, init=False)

    def allows(self, url: str) -> bool:
        """Whether an address is on one of the opened hosts, by http or https."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and parts.hostname in self.names

    def fetch(self, url: str, *, method: str) -> Answer | None:
        """Fetch an address; None where the host gives nothing, or leads elsewhere."""
        if method != "GET":
            return None
        if url not in self._kept:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            self._kept[url] = self._load(url)
        return self._kept[url]

    def _load(self, url: str) -> Answer | None:
        opener = urllib.request.build_opener(_StayOnHosts(self))
        try:
            with opener.open(url, timeout=SECONDS) as response:
                body = response.read(MAX_BYTES + 1)
                kind = response.headers.get("content-type", "application/octet-stream")
        except (OSError, ValueError):
            return None
        if len(body) > MAX_BYTES:
            return None
        return Answer(200, (("content-type", kind), ("access-control-allow-origin", "*")), body)


class _StayOnHosts(urllib.request.HTTPRedirectHandler):
    """Follows a redirect only to a host that is open too."""

    def __init__(self, client: HostClient) -> None:
        self.client = client

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: object,
        newurl: str,
    ) -> urllib.request.Request | None:
        if not self.client.allows(newurl):
            raise urllib.error.URLError(f"{newurl} is not on an allowed host")
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]
