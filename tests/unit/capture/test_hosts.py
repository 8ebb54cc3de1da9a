"""An opened host is opened alone, and leads nowhere else."""

from __future__ import annotations

import gzip
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from pathlib import Path

import pytest

from pytest_design2a11y.capture.isolation import MAX_BYTES, Asset, HostClient, NoAsset
from pytest_design2a11y.capture.isolation.recordings import Recordings
from pytest_design2a11y.capture.isolation.remote import Remote
from pytest_design2a11y.capture.isolation.request_router import range_of
from pytest_design2a11y.capture.warning_log import WarningLog
from pytest_design2a11y.models.readers import host_name

ANSWER = Asset(200, "text/javascript", b"run()", has_cors=True, final_url="https://cdn.example/a.js")


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        elsewhere = {"/away": "http://localhost:1/", "/other-port": "http://127.0.0.1:1/"}
        if self.path in elsewhere:
            self.send_response(302)
            self.send_header("location", elsewhere[self.path])
            self.end_headers()
            return
        if self.path.startswith("/slow"):
            self.drip(is_header=self.path == "/slow-header")
            return
        body = b"h1 { color: red }"
        if self.path == "/packed":
            body = gzip.compress(body)
        if self.path == "/huge":
            body = b"x" * (MAX_BYTES + 1)
        self.send_response(404 if self.path == "/missing" else 200)
        self.send_header("content-type", "text/css")
        if self.path == "/packed":
            self.send_header("content-encoding", "gzip")
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(body)

    def drip(self, *, is_header: bool) -> None:
        """Send a byte now and then, more often than a single read may wait."""
        if self.path == "/slow-silent":
            time.sleep(3)
            return
        start = b"HTTP/1.0 200 OK\r\n" + (b"x-more: " if is_header else b"\r\n")
        with suppress(OSError):
            self.wfile.write(start)
            for _ in range(60):
                self.wfile.write(b"x")
                time.sleep(0.05)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[HTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.asked = []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def address(site: HTTPServer, path: str) -> str:
    return f"http://127.0.0.1:{site.server_port}{path}"


@pytest.mark.parametrize(
    ("url", "is_open"),
    [
        ("https://cdn.example/a.js", True),
        ("HTTPS://CDN.EXAMPLE/a.js", True),
        ("http://cdn.example:8080/a.js", True),
        ("https://evil.cdn.example/a.js", False),
        ("https://cdn.example.evil/a.js", False),
        ("https://cdn.example@evil/a.js", False),
        ("ftp://cdn.example/a.js", False),
        ("file://cdn.example/etc/passwd", False),
        ("http://[bad", False),
    ],
)
def test_only_the_named_host_is_open(url: str, is_open: bool) -> None:
    assert HostClient(("cdn.example",)).allows(url) is is_open


@pytest.mark.parametrize(
    ("name", "url", "is_open"),
    [
        ("localhost:8000", "http://localhost:8000/a.js", True),
        ("localhost:8000", "http://localhost:8001/a.js", False),
        ("localhost:8000", "http://localhost/a.js", False),
        ("localhost:8000", "http://evil.localhost:8000/a.js", False),
        ("localhost:8000", "http://localhost:8000@evil/a.js", False),
        ("localhost:80", "http://localhost/a.js", True),
        ("localhost:443", "https://localhost/a.js", True),
        ("[::1]:8000", "http://[::1]:8000/a.js", True),
        ("[::1]:8000", "http://[::1]/a.js", False),
        ("::1", "http://[::1]:9/a.js", True),
        ("localhost:8000", "http://localhost:99999999/a.js", False),
    ],
)
def test_a_host_with_a_port_is_open_there_alone(name: str, url: str, is_open: bool) -> None:
    assert HostClient((host_name(name),)).allows(url) is is_open


def test_a_redirect_to_another_port_is_refused(site: HTTPServer) -> None:
    client = HostClient((f"127.0.0.1:{site.server_port}",))

    assert client.fetch(address(site, "/a"), method="GET").status == 200  # type: ignore[union-attr]
    assert isinstance(client.fetch(address(site, "/other-port"), method="GET"), NoAsset)


def test_what_a_host_sends_is_kept(site: HTTPServer) -> None:
    client = HostClient(("127.0.0.1",))

    first = client.fetch(address(site, "/a.css"), method="GET")
    second = client.fetch(address(site, "/a.css"), method="GET")

    assert first is second
    assert isinstance(first, Asset)
    assert (first.body, first.has_cors) == (b"h1 { color: red }", False)
    assert site.asked == ["/a.css"]  # type: ignore[attr-defined]


def test_an_error_of_a_host_is_its_answer(site: HTTPServer) -> None:
    answer = HostClient(("127.0.0.1",)).fetch(address(site, "/missing"), method="GET")

    assert isinstance(answer, Asset)
    assert (answer.status, answer.body) == (404, b"")


def test_a_redirect_to_a_host_that_is_not_open_is_named(site: HTTPServer) -> None:
    answer = HostClient(("127.0.0.1",)).fetch(address(site, "/away"), method="GET")

    assert answer == NoAsset("blocked_requests", "http://localhost:1/")


def test_a_host_that_cannot_be_reached_is_named_with_the_reason() -> None:
    answer = HostClient(("127.0.0.1",)).fetch("http://127.0.0.1:1/a.css", method="GET")

    assert isinstance(answer, NoAsset)
    assert answer.reason == "unreachable_hosts"
    assert answer.what.startswith("127.0.0.1 (")
    assert "refused" in answer.what


def test_what_is_compressed_unasked_is_unpacked(site: HTTPServer) -> None:
    answer = HostClient(("127.0.0.1",)).fetch(address(site, "/packed"), method="GET")

    assert isinstance(answer, Asset)
    assert answer.body == b"h1 { color: red }"


def test_a_file_that_is_too_large_is_left_out(site: HTTPServer) -> None:
    answer = HostClient(("127.0.0.1",)).fetch(address(site, "/huge"), method="GET")

    assert answer == NoAsset("asset_limits", address(site, "/huge"))


@pytest.mark.parametrize("path", ["/slow-body", "/slow-header", "/slow-silent"])
def test_the_whole_answer_has_a_deadline(site: HTTPServer, path: str) -> None:
    client = HostClient(("127.0.0.1",))
    began = time.monotonic()

    answer = client.fetch(address(site, path), method="GET", seconds=0.5)

    assert time.monotonic() - began < 2
    assert answer == NoAsset("unreachable_hosts", "127.0.0.1 (no whole answer in time)")


def test_all_answers_to_a_page_together_have_a_time(site: HTTPServer) -> None:
    remote = Remote(HostClient(("127.0.0.1",)), seconds=0.3)
    slow, log = WarningLog(), WarningLog()

    for number in range(20):
        remote.answer(address(site, f"/slow?{number}"), method="GET", headers={}, log=slow)
    other = remote.answer(address(site, "/a.css"), method="GET", headers={}, log=log)

    assert slow.fetch_seconds < 1
    assert [(warning.code, warning.count) for warning in slow.warnings()] == [
        ("unreachable_hosts", 1),
        ("asset_limits", 19),
    ]
    assert other is not None, "the next page has its own time"


def test_nothing_is_sent_to_a_host(site: HTTPServer) -> None:
    answer = HostClient(("127.0.0.1",)).fetch(address(site, "/a"), method="POST")

    assert answer == NoAsset("blocked_requests", f"POST {address(site, '/a')}")
    assert site.asked == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("cdn.example.com", "cdn.example.com"),
        (" CDN.Example.com. ", "cdn.example.com"),
        ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "::1"),
        ("b\u00fccher.example", "xn--bcher-kva.example"),
        ("Localhost:8000", "localhost:8000"),
        ("cdn.example.:080", "cdn.example:80"),
        ("[::1]:8000", "[::1]:8000"),
    ],
)
def test_a_host_is_read_as_addresses_have_it(text: str, name: str) -> None:
    assert host_name(text) == name


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("https://cdn.example.com/x", "it is an address; name the host alone: cdn.example.com"),
        ("cdn.example.com/x.js", "it is an address; name the host alone: cdn.example.com"),
        ("*", "there are no patterns"),
        ("*.example.com", "there are no patterns"),
        ("cdn.example.com:0", "ports are 1 to 65535"),
        ("cdn.example.com:65536", "ports are 1 to 65535"),
        ("cdn.example.com:http", "not the name of a host"),
        ("cdn.example.com:", "not the name of a host"),
        (":8000", "not the name of a host"),
        ("[::1]x:8000", "not the name of a host"),
        ("", "not the name of a host"),
        ("cdn example", "not the name of a host"),
        ("cdn..example", "not the name of a host"),
        ("user@cdn.example", "not the name of a host"),
    ],
)
def test_what_is_not_the_name_of_a_host_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        host_name(text)


def test_a_recorded_asset_comes_back_without_its_host(site: HTTPServer, tmp_path: Path) -> None:
    url = address(site, "/fonts/a.css?v=1")
    client = Remote(HostClient(("127.0.0.1",)), Recordings(tmp_path), is_recording=True)
    first = client.answer(url, method="GET", headers={}, log=WarningLog())
    site.shutdown()

    log = WarningLog()
    alone = Remote(HostClient(()), Recordings(tmp_path))
    second = alone.answer(url, method="GET", headers={}, log=log)

    assert second == first
    assert second is not None
    assert second.body == b"h1 { color: red }"
    assert log.warnings() == ()
    assert log.is_repeatable
    ((record, is_sound),) = Recordings(tmp_path).entries()
    assert is_sound
    assert (record.url, record.size, record.type) == (url, 17, "text/css")


def test_another_version_in_the_query_is_answered_with_a_warning(tmp_path: Path) -> None:
    recordings = Recordings(tmp_path)
    recordings.keep("https://cdn.example/a.js?v=1&x=2", ANSWER)
    log = WarningLog()
    remote = Remote(HostClient(()), Recordings(tmp_path))

    same = remote.answer("https://cdn.example/a.js?x=2&v=9", method="GET", headers={}, log=log)
    other = remote.answer("https://cdn.example/a.js?x=3", method="GET", headers={}, log=log)

    assert same == ANSWER
    assert other is None
    unrecorded, version = log.warnings()
    assert "https://cdn.example/a.js?x=2&v=9 by https://cdn.example/a.js?v=1&x=2" in version.message
    assert unrecorded.code == "unrecorded_assets"
    assert "design2a11y assets record PAGE --allow-host cdn.example -o FOLDER" in unrecorded.message


def test_two_recorded_versions_answer_for_no_third(tmp_path: Path) -> None:
    recordings = Recordings(tmp_path)
    for number in (1, 2):
        recordings.keep(f"https://cdn.example/a.js?v={number}", ANSWER)

    assert Recordings(tmp_path).find_version("https://cdn.example/a.js?v=3") is None


def test_a_recording_that_was_changed_is_not_used(tmp_path: Path) -> None:
    Recordings(tmp_path).keep("https://cdn.example/a.js", ANSWER)
    (file,) = tmp_path.glob("cdn.example/*.js")
    file.write_text("alert(1)")

    assert Recordings(tmp_path).find("https://cdn.example/a.js") is None
    assert [is_sound for _, is_sound in Recordings(tmp_path).entries()] == [False]


def test_a_record_cannot_name_a_file_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "secret.js").write_bytes(ANSWER.body)
    Recordings(tmp_path / "assets").keep("https://cdn.example/a.js", ANSWER)
    (record,) = tmp_path.glob("assets/*/*.asset.json")
    values = json.loads(record.read_text())
    record.write_text(json.dumps({**values, "file": "../../secret.js"}))

    assert Recordings(tmp_path / "assets").find("https://cdn.example/a.js") is None


@pytest.mark.parametrize(
    "url",
    [
        "https://cdn.example/",
        "https://cdn.example/..%2f..%2fx.js",
        "https://cdn.example:8080/a/../../b.js",
        "https://cdn.example/" + "x" * 3000,
        "https://cdn.example/.hidden",
        "https://[::1]/a",
    ],
)
def test_every_address_has_a_file_of_its_own_in_the_folder(url: str, tmp_path: Path) -> None:
    recordings = Recordings(tmp_path / "assets")

    assert recordings.keep(url, ANSWER)
    assert Recordings(tmp_path / "assets").find(url) == ANSWER
    assert [path.name for path in tmp_path.iterdir()] == ["assets"]


def test_errors_of_a_host_are_recorded_too(tmp_path: Path) -> None:
    missing = Asset(404, "text/html", b"", has_cors=False, final_url="https://cdn.example/a.png")
    Recordings(tmp_path).keep("https://cdn.example/a.png", missing)
    log = WarningLog()

    answer = Remote(HostClient(()), Recordings(tmp_path)).answer(
        "https://cdn.example/a.png", method="GET", headers={}, log=log
    )

    assert answer == missing
    assert [warning.code for warning in log.warnings()] == ["missing_files"]


def test_a_blocked_host_is_named_with_the_ways_out() -> None:
    log = WarningLog()
    Remote(HostClient(())).answer("https://cdn.example/a.js", method="GET", headers={}, log=log)

    (warning,) = log.warnings()
    assert "design2a11y assets record PAGE --allow-host cdn.example -o assets/" in warning.message
    assert "--design2a11y-allow-host" in warning.message


def test_what_a_folder_holds_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_design2a11y.capture.isolation.recordings.MAX_COUNT", 2)
    recordings = Recordings(tmp_path)

    assert [recordings.keep(f"https://cdn.example/{n}.js", ANSWER) for n in range(3)] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("header", "span"),
    [
        ("", None),
        ("bytes=0-", (0, 100)),
        ("bytes=10-19", (10, 20)),
        ("bytes=90-200", (90, 100)),
        ("bytes=-10", (90, 100)),
        ("bytes=100-", None),
        ("bytes=5-2", None),
        ("bytes=-", None),
        ("bytes=0-1,5-6", None),
        ("lines=0-1", None),
    ],
)
def test_ranges(header: str, span: tuple[int, int] | None) -> None:
    assert range_of(header, 100) == span


FINE = b"HTTP/1.1 200 OK\r\n"
RAW = {
    "a body that is cut off": (FINE + b"Content-Length: 50\r\n\r\nhello", "cut off after 5 bytes"),
    "a length without end": (FINE + b"Content-Length: " + b"9" * 60_000 + b"\r\n\r\n", "Exceeds the limit"),
    "chunks that are none": (FINE + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello", "IncompleteRead"),
    "gzip that is cut off": (
        FINE + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"x" * 999)[:20],
        "ended before the end-of-stream marker",
    ),
    "early hints": (
        b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n" + FINE + b"Content-Length: 2\r\n\r\nok",
        "status 103 in place of an answer",
    ),
    "another protocol": (b"HTTP/1.1 101 Switching Protocols\r\n\r\n", "status 101 in place of an answer"),
    "another compression": (FINE + b"Content-Encoding: br\r\n\r\nxx", "compressed as br, unasked"),
}


@contextmanager
def raw_host(answer: bytes) -> Iterator[str]:
    """A host that sends so much, whatever it is asked for."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = server.accept()
        with connection, suppress(OSError):
            connection.recv(10_000)
            connection.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    with server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/a.js"


@pytest.mark.parametrize("name", RAW)
def test_an_answer_that_is_not_whole_is_none(name: str) -> None:
    sent, reason = RAW[name]
    with raw_host(sent) as url:
        answer = HostClient(["127.0.0.1"]).fetch(url, method="GET")

    assert isinstance(answer, NoAsset)
    assert answer.reason == "unreachable_hosts"
    assert reason in answer.what


def test_a_content_type_that_cannot_be_sent_on_is_none() -> None:
    with raw_host(FINE + b"Content-Type: text/css\r\n x\x01\r\n\r\nx") as url:
        answer = HostClient(["127.0.0.1"]).fetch(url, method="GET")

    assert isinstance(answer, Asset)
    assert answer.type == "application/octet-stream"


def test_gzip_in_many_parts_is_unpacked() -> None:
    parts = gzip.compress(b"a") + gzip.compress(b"") + gzip.compress(b"b") + b"\0\0"
    with raw_host(FINE + b"Content-Encoding: gzip\r\n\r\n" + parts) as url:
        answer = HostClient(["127.0.0.1"]).fetch(url, method="GET")

    assert isinstance(answer, Asset)
    assert answer.body == b"ab"
