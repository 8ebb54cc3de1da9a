"""The hosts that the user opened: fetched by us, so that the browser itself needs no network."""

from __future__ import annotations

import socket
import threading
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from queue import Empty, SimpleQueue
from typing import IO, Any, Literal, Protocol
from urllib.parse import urlsplit

#: One file; beyond it nothing of it is kept.
MAX_BYTES = 20_000_000
#: Until a host answers, and until a file has come whole.
ANSWER_SECONDS = 5.0
FILE_SECONDS = 20.0
#: What is kept in memory of all files of a run.
MAX_KEPT_BYTES = 200_000_000

_ORIGIN = "http://page.test"
_SENT = ("user-agent", "accept")
_CHUNK = 65_536
_PORTS = {"http": 80, "https": 443}
_LONGEST_TYPE = 200
# What tells zlib that it is gzip.
_GZIP = 31

#: Why there is no file: codes of the log.
Reason = Literal["unreachable_hosts", "blocked_requests", "unrecorded_assets", "asset_limits"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a host sent."""

    status: int  # 200, or the error that it answered with
    type: str  # The content type
    body: bytes  # The content, decoded; empty for an error
    has_cors: bool  # Whether scripts and styles of other sites may use it
    final_url: str  # Where redirects led


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Why a host gave nothing."""

    reason: Reason  # Code of the log
    what: str  # What the warning names


def sent(headers: Mapping[str, str]) -> dict[str, str]:
    """Return those headers of a page's request that hosts get to see."""
    return {name: headers[name] for name in _SENT if name in headers}


@dataclass
class HostClient:
    """Fetches from opened hosts and keeps what it got, so that every page of a run sees the same."""

    # Hosts, as in an address; a name opens no other, and no subdomain. One with a port is open on that port,
    # any other on all.
    names: Sequence[str]
    _kept: dict[str, Answer | NoAnswer] = field(default_factory=dict, init=False)
    _num_bytes: int = field(default=0, init=False)

    def allows(self, url: str) -> bool:
        """Whether an address is on one of the opened hosts, by http or https."""
        try:
            parts = urlsplit(url)
            port = parts.port or _PORTS.get(parts.scheme)
        except ValueError:
            return False
        host = parts.hostname or ""
        with_port = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        return parts.scheme in _PORTS and (host in self.names or with_port in self.names)

    def fetch(
        self,
        url: str,
        *,
        method: str,
        headers: Mapping[str, str] | None = None,
        seconds: float = FILE_SECONDS,
    ) -> Answer | NoAnswer:
        """Fetch an address on an opened host, by GET alone; `seconds` are for the whole answer."""
        if method != "GET":
            return NoAnswer("blocked_requests", f"{method} {url}")
        if url in self._kept:
            return self._kept[url]
        answer = self._load_within(min(seconds, FILE_SECONDS), url, headers or {})
        if answer is None:
            # Not kept: another page may have more time left.
            return NoAnswer("unreachable_hosts", f"{urlsplit(url).hostname} (no whole answer in time)")
        self._num_bytes += len(answer.body) if isinstance(answer, Answer) else 0
        if self._num_bytes > MAX_KEPT_BYTES:
            self._kept.clear()
            self._num_bytes = 0
        self._kept[url] = answer
        return answer

    def _load_within(self, seconds: float, url: str, headers: Mapping[str, str]) -> Answer | NoAnswer | None:
        # The time limits of sockets are those of single reads, which a host can use up again and again.
        answers: SimpleQueue[Answer | NoAnswer] = SimpleQueue()
        connections = CuttableConnections(time.monotonic() + seconds)
        threading.Thread(
            target=lambda: answers.put(self._load(url, headers, connections)),
            name="design2a11y-fetch",
            daemon=True,
        ).start()
        try:
            return answers.get(timeout=seconds)
        except Empty:
            # Or the thread would read for as long as the host sends.
            connections.cut()
            return None

    def _load(
        self, url: str, headers: Mapping[str, str], connections: CuttableConnections
    ) -> Answer | NoAnswer:
        request = urllib.request.Request(
            url, headers={**sent(headers), "accept-encoding": "identity", "origin": _ORIGIN}
        )
        opener = urllib.request.build_opener(_StayOnHosts(self), *connections.handlers)
        try:
            with opener.open(request, timeout=ANSWER_SECONDS) as response:
                body = _read(response, connections.end)
                said = response.headers.get("content-length", "")
                if said.isdecimal() and "transfer-encoding" not in response.headers and len(body) < int(said):
                    raise EOFError(f"the answer is cut off after {len(body):,} bytes")
                encoding = response.headers.get("content-encoding", "")
                return _answer(200, response, _decoded(body, encoding, connections.end))
        except urllib.error.HTTPError as error:
            with error:
                if error.code < 200:  # It announces an answer, as 103 does; Python reads no further.
                    what = f"status {error.code} in place of an answer"
                    return NoAnswer("unreachable_hosts", f"{urlsplit(url).hostname} ({what})")
                return _answer(error.code, error, b"")
        except _LedElsewhere as error:
            return NoAnswer("blocked_requests", error.url)
        except _TooLarge:
            return NoAnswer("asset_limits", url)
        except (OSError, ValueError, HTTPException, zlib.error, EOFError) as error:
            reason = getattr(error, "reason", None) or error
            return NoAnswer("unreachable_hosts", f"{urlsplit(url).hostname} ({reason})")


class _TooLarge(Exception):
    """A file has more bytes than are kept."""


class _LedElsewhere(Exception):
    """A host redirects to one that is not open."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


class _Readable(Protocol):
    def read1(self, size: int, /) -> bytes: ...


def _read(response: _Readable, end: float) -> bytes:
    body = bytearray()
    while chunk := response.read1(_CHUNK):
        body += chunk
        if len(body) > MAX_BYTES:
            raise _TooLarge
        _require_time(end)
    return bytes(body)


def _decoded(body: bytes, encoding: str, end: float) -> bytes:
    """Undo a compression that was not asked for."""
    if encoding in ("", "identity"):
        return body
    if encoding in ("gzip", "x-gzip"):
        return _unzipped(body, end)
    raise ValueError(f"the answer is compressed as {encoding}, unasked")


def _unzipped(body: bytes, end: float) -> bytes:
    """Undo gzip, of which there may be many in a row, each empty."""
    content = bytearray()
    while body := body.lstrip(b"\0"):
        unzip = zlib.decompressobj(wbits=_GZIP)
        content += unzip.decompress(body, MAX_BYTES + 1 - len(content))
        if len(content) > MAX_BYTES:
            raise _TooLarge
        if not unzip.eof:
            raise EOFError("the compressed answer is cut off")
        _require_time(end)
        body = unzip.unused_data
    return bytes(content)


def _require_time(end: float) -> None:
    if time.monotonic() > end:
        raise TimeoutError("no whole answer in time")


def _answer(status: int, response: object, body: bytes) -> Answer:
    headers = getattr(response, "headers", {})
    kind = headers.get("content-type", "")
    can_be_sent_on = kind and len(kind) <= _LONGEST_TYPE and kind.isascii() and kind.isprintable()
    allowed = headers.get("access-control-allow-origin", "")
    return Answer(
        status=status,
        type=kind if can_be_sent_on else "application/octet-stream",
        body=body,
        has_cors=allowed in ("*", _ORIGIN),
        final_url=getattr(response, "url", "") or "",
    )


class _StayOnHosts(urllib.request.HTTPRedirectHandler):
    """Follows a redirect only to a host that is open too."""

    def __init__(self, client: HostClient) -> None:
        self.client = client

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: object, newurl: str
    ) -> urllib.request.Request | None:
        if not self.client.allows(newurl):
            raise _LedElsewhere(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


class CuttableConnections:
    """The connections that one answer takes, redirects included.

    Attributes:
        end: When they are cut, in the time of `time.monotonic`; none is opened after that.
    """

    def __init__(self, end: float) -> None:
        self.end = end
        self._sockets: list[socket.socket] = []

    @property
    def handlers(self) -> tuple[urllib.request.BaseHandler, ...]:
        """What makes an opener of `urllib.request` connect by these."""
        return _Http(self), _Https(self)

    def cut(self) -> None:
        """End all of them, from any thread."""
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def connect(self, kind: type[HTTPConnection], *arguments: Any, **options: Any) -> HTTPConnection:
        """Make a connection, which is to be one of them as soon as it is open."""
        connection = kind(*arguments, **options)
        connection.connect = partial(self._open, connection, connection.connect)  # type: ignore[method-assign]
        return connection

    def _open(self, connection: HTTPConnection, connect: Any) -> None:
        if time.monotonic() > self.end:
            raise TimeoutError("no whole answer in time")
        connect()
        self._sockets.append(connection.sock)


class _Http(urllib.request.HTTPHandler):
    def __init__(self, connections: CuttableConnections) -> None:
        super().__init__()
        self._connections = connections

    def http_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(partial(self._connections.connect, HTTPConnection), req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, connections: CuttableConnections) -> None:
        super().__init__()
        self._connections = connections

    def https_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(partial(self._connections.connect, HTTPSConnection), req)
