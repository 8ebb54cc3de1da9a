"""An opened host is opened alone, and leads nowhere else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from pytest_design2a11y.capture.isolation.hosts import HostClient


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        if self.path == "/away":
            self.send_response(302)
            self.send_header("location", "http://localhost:1/")
            self.end_headers()
            return
        self.send_response(404 if self.path == "/missing" else 200)
        self.send_header("content-type", "text/css")
        self.end_headers()
        self.wfile.write(b"h1 { color: red }")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[HTTPServer]:
    server = HTTPServer(("127.0.0.1", 0), Site)
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


def test_what_a_host_sends_is_kept(site: HTTPServer) -> None:
    client = HostClient(("127.0.0.1",))

    first = client.fetch(address(site, "/a.css"), method="GET")
    second = client.fetch(address(site, "/a.css"), method="GET")

    assert first is second
    assert first is not None
    assert first.body == b"h1 { color: red }"
    assert site.asked == ["/a.css"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", ["/away", "/missing"])
def test_elsewhere_and_nowhere_give_nothing(site: HTTPServer, path: str) -> None:
    assert HostClient(("127.0.0.1",)).fetch(address(site, path), method="GET") is None


def test_nothing_is_sent_to_a_host(site: HTTPServer) -> None:
    assert HostClient(("127.0.0.1",)).fetch(address(site, "/a"), method="POST") is None
    assert site.asked == []  # type: ignore[attr-defined]
