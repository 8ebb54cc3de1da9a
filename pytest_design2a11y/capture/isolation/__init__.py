"""What a page may load, and from where: hosts that the user opened, fetched by us, not by the browser."""

import gzip
import io
import threading
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from queue import Empty, SimpleQueue
from typing import IO, Literal, Protocol
from urllib.parse import urlsplit

#: Of one file; anything larger is not kept at all.
MAX_BYTES = 20_000_000
#: Time until a host answers, and until a file has arrived completely.
ANSWER_SECONDS = 5.0
FILE_SECONDS = 20.0
#: Limit for all files of a run that are kept in memory.
MAX_KEPT_BYTES = 200_000_000

_ORIGIN = "http://page.test"
_SENT = ("user-agent", "accept")
_CHUNK = 65_536
_PORTS = {"http": 80, "https": 443}
_LONGEST_TYPE = 200

#: Codes of the log for missing files.
Reason = Literal["unreachable_hosts", "blocked_requests", "unrecorded_assets", "asset_limits"]


@dataclass(frozen=True, slots=True)
class Asset:
    """What a host sent."""

    status: int  # 200, or the error that it answered with
    type: str  # The content type
    body: bytes  # The content, decoded; empty for an error
    has_cors: bool  # Whether scripts and styles of other sites may use it
    final_url: str  # Where redirects led


@dataclass(frozen=True, slots=True)
class NoAsset:
    """Why a host returned nothing."""

    reason: Reason  # Code of the log
    what: str  # What the warning names


def sent(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of a page's request that hosts may see."""
    return {name: headers[name] for name in _SENT if name in headers}


class Hosts(Protocol):
    """Answers requests to some hosts."""

    @property
    def names(self) -> Sequence[str]:
        """The hosts, for conditions."""

    def allows(self, url: str) -> bool:
        """Return whether an address is on one of the hosts."""

    def fetch(
        self,
        url: str,
        *,
        method: str,
        headers: Mapping[str, str] | None = None,
        seconds: float = FILE_SECONDS,
    ) -> Asset | NoAsset:
        """Return the content of an address on one of the hosts."""


@dataclass
class HostClient:
    """Fetches from opened hosts and keeps the answers, so that every page of a run sees the same."""

    # As in an address; a name does not include subdomains. With a port, only that port is open, else all.
    names: Sequence[str]
    _kept: dict[str, Asset | NoAsset] = field(default_factory=dict, init=False)
    _num_bytes: int = field(default=0, init=False)

    def allows(self, url: str) -> bool:
        """Return whether an http(s) address is on one of the opened hosts."""
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
    ) -> Asset | NoAsset:
        """Fetch an address on an opened host, by GET only; `seconds` is for the whole answer."""
        if method != "GET":
            return NoAsset("blocked_requests", f"{method} {url}")
        if url in self._kept:
            return self._kept[url]
        # Socket timeouts apply to single reads, so that a host could use them up again and again.
        answers: SimpleQueue[Asset | NoAsset] = SimpleQueue()
        seconds = min(seconds, FILE_SECONDS)
        end = time.monotonic() + seconds

        def answer_in_time() -> None:
            answers.put(self._load(url, headers or {}, end))

        threading.Thread(target=answer_in_time, name="design2a11y-fetch", daemon=True).start()
        try:
            answer = answers.get(timeout=seconds)
        except Empty:
            # Not kept: another page may have more time.
            return NoAsset("unreachable_hosts", f"{urlsplit(url).hostname} (no whole answer in time)")
        self._num_bytes += len(answer.body) if isinstance(answer, Asset) else 0
        if self._num_bytes > MAX_KEPT_BYTES:
            self._kept.clear()
            self._num_bytes = 0
        self._kept[url] = answer
        return answer

    def _load(self, url: str, headers: Mapping[str, str], end: float) -> Asset | NoAsset:
        request = urllib.request.Request(
            url, headers={**sent(headers), "accept-encoding": "identity", "origin": _ORIGIN}
        )
        try:
            opener = urllib.request.build_opener(_StayOnHosts(self))
            with opener.open(request, timeout=ANSWER_SECONDS) as response:
                body = _read(response, end)
                is_chunked = "transfer-encoding" in response.headers
                length = response.headers.get("content-length", "")
                if not is_chunked and length.isdecimal() and len(body) < int(length):
                    raise EOFError(f"the answer is cut off after {len(body):,} bytes")
                return _answer(200, response, _decoded(body, response.headers.get("content-encoding", "")))
        except urllib.error.HTTPError as error:
            with error:
                if error.code < 200:  # An interim answer, such as 103; Python reads no further.
                    what = f"status {error.code} in place of an answer"
                    return NoAsset("unreachable_hosts", f"{urlsplit(url).hostname} ({what})")
                return _answer(error.code, error, b"")
        except _LedElsewhere as error:
            return NoAsset("blocked_requests", str(error))
        except _TooLarge:
            return NoAsset("asset_limits", url)
        except (OSError, ValueError, HTTPException, zlib.error, EOFError) as error:
            reason = getattr(error, "reason", None) or error
            return NoAsset("unreachable_hosts", f"{urlsplit(url).hostname} ({reason})")


class _TooLarge(Exception):
    """A file is larger than the limit."""


class _LedElsewhere(Exception):
    """A host redirects to one that is not open; the message is the address."""


def _read(response: HTTPResponse, end: float) -> bytes:
    body = bytearray()
    while chunk := response.read1(_CHUNK):
        body += chunk
        if len(body) > MAX_BYTES:
            raise _TooLarge
        if time.monotonic() > end:
            raise TimeoutError("no whole answer in time")
    return bytes(body)


def _decoded(body: bytes, encoding: str) -> bytes:
    """Undo an unrequested compression."""
    if encoding in ("", "identity"):
        return body
    if encoding not in ("gzip", "x-gzip"):
        raise ValueError(f"the answer is compressed as {encoding}, unasked")
    content = gzip.GzipFile(fileobj=io.BytesIO(body)).read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise _TooLarge
    return content


def _answer(status: int, response: object, body: bytes) -> Asset:
    headers = getattr(response, "headers", {})
    kind = headers.get("content-type", "")
    can_be_sent_on = kind and len(kind) <= _LONGEST_TYPE and kind.isascii() and kind.isprintable()
    allowed = headers.get("access-control-allow-origin", "")
    return Asset(
        status=status,
        type=kind if can_be_sent_on else "application/octet-stream",
        body=body,
        has_cors=allowed in ("*", _ORIGIN),
        final_url=getattr(response, "url", "") or "",
    )


class _StayOnHosts(urllib.request.HTTPRedirectHandler):
    """Follows a redirect only to an open host."""

    def __init__(self, client: HostClient) -> None:
        self.client = client

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: object, newurl: str
    ) -> urllib.request.Request | None:
        if not self.client.allows(newurl):
            raise _LedElsewhere(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]
