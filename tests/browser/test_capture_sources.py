"""Files, addresses and opened hosts: what a page may load, and what is said of where it was rendered."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.exceptions import CaptureError, NavigationFailed, RenderTimeout
from pytest_design2a11y.models.page import Document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

PAGE = "<!doctype html><html lang=en><title>Case</title>{}<h1>Shown</h1></html>"
MOVING = Document(
    label="<html>",
    html=PAGE.format(
        "<p id=a></p><marquee>x</marquee><canvas id=c></canvas><script>setInterval(() => { a.textContent ="
        "[Date.now(), Math.random(), performance.now()].join(); c.getContext('2d').fillRect("
        "Math.random() * 99, 9, 9, 9) }, 9)</script>"
    ).encode(),
)


OVER = threading.Event()  # Until then some addresses are not answered


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        answers = {
            "/": ("text/html", PAGE.format("<link rel=stylesheet href=a.css><script src=a.js></script>")),
            "/404": ("text/html", PAGE.format("").replace("Shown", "Not here")),
            "/500": ("text/html", PAGE.format("")),
            "/a.css": ("text/css", "h1::after { content: ' styled' }"),
            "/a.js": ("text/javascript", "onload = () => document.body.append('scripted')"),
            "/picture": ("text/html", PAGE.format("<img src=never>")),
            "/style": ("text/html", PAGE.format("<link rel=stylesheet href=never>")),
            "/script": ("text/html", PAGE.format("<script src=never defer></script>")),
        }
        if self.path == "/never":
            OVER.wait()
        kind, body = answers.get(self.path, ("text/plain", ""))
        self.send_response(int(self.path[1:]) if self.path[1:].isdigit() else 200 if body else 404)
        self.send_header("content-type", kind)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    OVER.set()
    server.shutdown()
    server.server_close()


def text(renderer: Renderer, document: Document) -> str:
    capture = renderer.capture(document, role="candidate", audit=None)
    return " ".join(run.text for run in capture.text_runs)


def test_an_address_is_loaded_with_all_that_it_needs(renderer: Renderer, site: str) -> None:
    assert text(renderer, Document(label=site, html=None, url=site)) == "Shown styled scripted"


def test_an_address_without_a_server_is_an_error(renderer: Renderer) -> None:
    with pytest.raises(NavigationFailed, match=r"http://127.0.0.1:1/ could not be loaded.*server runs"):
        renderer.capture(
            Document(label="x", html=None, url="http://127.0.0.1:1/"), role="candidate", audit=None
        )


@pytest.mark.alike(1)
@pytest.mark.parametrize(
    ("path", "error", "said"),
    [
        ("/never", NavigationFailed, "/never could not be loaded: no answer within 2 seconds, the share of"),
        (
            "/picture",
            RenderTimeout,
            "within 6 seconds. It still waited for {}/never. (stage: freeze) Look why",
        ),
        (
            "/style",
            RenderTimeout,
            "seconds. It still waited for {}/never. (stage: screenshot) Look why that",
        ),
    ],
)
def test_what_is_never_answered_is_named(
    make_renderer: Callable[..., Renderer], site: str, path: str, error: type[CaptureError], said: str
) -> None:
    """Else a person would look for what is wrong with the page."""
    with pytest.raises(error, match=re.escape(said.format(site))):
        text(make_renderer(timeout=6.0), Document(label="x", html=None, url=site + path))


def test_what_a_page_waits_for_that_is_captured_all_the_same_is_named(
    make_renderer: Callable[..., Renderer], site: str
) -> None:
    found = make_renderer(timeout=6.0).capture(
        Document(label="x", html=None, url=site + "/script"), role="candidate", audit=None
    )

    warnings = {warning.code: warning.message for warning in found.warnings}
    assert "load_unfinished" in warnings
    assert warnings["requests_pending"].startswith(
        f"Requests were still open when the page was to be frozen: {site}/never (--"
    )


@pytest.mark.parametrize(
    ("path", "error"), [("/nowhere", "404 Not Found"), ("/500", "500 Internal Server Error"), ("/599", "599")]
)
def test_an_error_of_the_server_is_an_error_with_its_status(
    renderer: Renderer, site: str, path: str, error: str
) -> None:
    with pytest.raises(NavigationFailed, match=f"{site}{path} answered with the error {error}"):
        text(renderer, Document(label="x", html=None, url=site + path))


def test_an_opened_host_is_loaded_and_named(make_renderer: Callable[..., Renderer], site: str) -> None:
    html = PAGE.format(f"<link rel=stylesheet href='{site}/a.css'><script src='{site}/a.js'></script>")
    page = Document(label="<html>", html=html.encode())
    opened = make_renderer(allow_host=("127.0.0.1",))

    capture = opened.capture(page, role="candidate", audit=None)

    assert " ".join(run.text for run in capture.text_runs) == "Shown styled scripted"
    assert capture.conditions["allowed_hosts"] == ["127.0.0.1"]
    assert capture.warnings == ()


def test_opening_one_host_opens_no_other(make_renderer: Callable[..., Renderer], site: str) -> None:
    html = PAGE.format(f"<link rel=stylesheet href='{site}/a.css'>")
    page = Document(label="<html>", html=html.encode())

    capture = make_renderer(allow_host=("localhost",)).capture(page, role="candidate", audit=None)

    assert [run.text for run in capture.text_runs] == ["Shown"]
    assert [warning.code for warning in capture.warnings] == ["blocked_requests"]


def test_without_scripts_nothing_of_the_page_runs(make_renderer: Callable[..., Renderer]) -> None:
    renderer = make_renderer(javascript=False)
    page = Document(label="<html>", html=PAGE.format("<script>document.write('written')</script>").encode())

    capture = renderer.capture(page, role="candidate", audit=None)

    assert [run.text for run in capture.text_runs] == ["Shown"]
    assert capture.conditions["javascript"] is False


@pytest.mark.slow
def test_a_fresh_and_a_warm_browser_agree(renderer: Renderer, make_renderer: Callable[..., Renderer]) -> None:
    warm = [renderer.capture(MOVING, role="candidate", audit=None) for _ in range(2)]
    fresh = make_renderer(is_fresh=True).capture(MOVING, role="candidate", audit=None)

    for capture in warm:
        assert capture.screenshot.pixels.tobytes() == fresh.screenshot.pixels.tobytes()
        assert capture.text_runs == fresh.text_runs


def test_the_environment_says_what_rendered_the_page(renderer: Renderer) -> None:
    environment = renderer.capture(MOVING, role="candidate", audit=None).environment

    assert environment.chromium is not None
    assert environment.chromium.split(".")[0].isdigit()
    assert environment.package
    assert environment.playwright
    assert environment.platform
    assert environment.axe is None
