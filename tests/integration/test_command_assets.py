"""`design2a11y assets`: recorded from a server that stands in for a CDN, then used when that is gone."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project

FONT = next((Path(__file__).parent.parent / "apps" / "katex" / "site" / "assets").glob("KaTeX_Size1*.woff2"))

PAGE = """<!doctype html><html lang="en"><head><title>Page</title>
<link rel="stylesheet" href="CDN/css2?family=Far"><script type="module" src="CDN/library"></script></head>
<body><main><h1>Shown</h1><img src="CDN/gone.png" alt=""></main></body></html>
"""
FILES = {
    "/css2?family=Far": (
        "text/css",
        "@font-face { font-family: Far; src: url(/far.woff2) } h1 { font-family: Far }"
        "h1::after { content: ' styled' }",
    ),
    "/library@1.2/dist/main.js": (
        "text/javascript",
        "import { text } from './part.js'; document.body.append(text)",
    ),
    "/library@1.2/dist/part.js": (
        "text/javascript",
        "export const text = 'scripted'; const late = document.createElement('script');"
        "late.src = new URL('/late.js?v=3', import.meta.url); document.head.append(late)",
    ),
    "/late.js?v=3": ("text/javascript", "document.body.append(' late')"),
}


class Cdn(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/library":
            self.send_response(302)
            self.send_header("location", "/library@1.2/dist/main.js")
            self.end_headers()
            return
        kind, text = FILES.get(self.path, ("text/plain", ""))
        body = FONT.read_bytes() if self.path == "/far.woff2" else text.encode()
        self.send_response(200 if body else 404)
        self.send_header("content-type", "font/woff2" if self.path == "/far.woff2" else kind)
        self.send_header("access-control-allow-origin", "*")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def cdn() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Cdn)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_what_was_recorded_is_there_when_the_host_is_gone(project: Project, cdn: ThreadingHTTPServer) -> None:
    host = f"http://127.0.0.1:{cdn.server_port}"
    project.write("page.html", PAGE.replace("CDN", host))

    recorded = project.command("assets", "record", "page.html", "--allow-host", "127.0.0.1", "-o", "kept")
    again = project.command("assets", "record", "page.html", "--allow-host", "127.0.0.1", "-o", "kept")
    cdn.shutdown()
    cdn.server_close()
    listed = project.command("assets", "list", "-o", "kept")
    project.test_file(
        """
        def test_page(render):
            capture = render("page.html")
            shown = " ".join(run.text for run in capture.text_runs)
            assert shown == "Shown styled scripted late", shown
            assert [warning.code for warning in capture.warnings] == ["missing_files", "unaudited_text"]
            assert "gone.png" in capture.warnings[0].message
        """
    )
    run = project.run("--design2a11y-assets=kept", "--design2a11y-save=now")
    strict = project.command(
        "audit", "page.html", "--assets", "kept", "--set", "strict_assets=true", "--json"
    )

    assert recorded.returncode == 0, recorded.stdout + recorded.stderr
    assert recorded.stdout.count("recorded http") == 6
    assert "gone.png (error 404)" in recorded.stdout
    assert "recorded" not in again.stdout
    assert f"{host}/late.js?v=3  text/javascript, 29 bytes" in listed.stdout
    assert "6 assets" in listed.stdout
    run.assert_outcomes(passed=1)
    assert json.loads(strict.stdout)["error"]["type"] == "CaptureError"
    assert strict.returncode == 3


@pytest.mark.slow
def test_workers_record_into_one_folder(project: Project, cdn: ThreadingHTTPServer) -> None:
    """What only one of them meets, and what each of them does."""
    host = f"http://127.0.0.1:{cdn.server_port}"
    for name, script in {"left": "library", "right": "late.js?v=3"}.items():
        links = (
            f"<link rel=stylesheet href='{host}/css2?family=Far'><script type=module src='{host}/{script}'>"
        )
        project.write(f"{name}.html", f"<!doctype html><html lang=en><h1>Shown</h1>{links}</script></html>")
    project.test_file(
        """
        import pytest

        @pytest.mark.parametrize("name", ["left", "right"])
        def test_page(render, name):
            capture = render(f"{name}.html")
            shown = " ".join(run.text for run in capture.text_runs)
            assert shown == {"left": "Shown styled scripted late", "right": "Shown styled late"}[name]
            # Of what a style sheet writes.
            assert {warning.code for warning in capture.warnings} <= {"unaudited_text"}
        """
    )
    two = ("-n", "2", "--design2a11y-assets=kept")

    recorded = project.run(*two, "-o", "design2a11y_record_assets=true", "--design2a11y-allow-host=127.0.0.1")
    listed = project.command("assets", "list", "-o", "kept")
    cdn.shutdown()
    answered = project.run(*two)

    recorded.assert_outcomes(passed=2)
    assert "5 assets" in listed.stdout, listed.stdout
    answered.assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("assets", "record", "page.html"), "No host is named to record from. Give --allow-host HOST"),
        (("score", "a", "b", "--allow-host", "https://cdn.example/"), "name the host alone: cdn.example"),
        (
            ("audit", "a", "--set", "record_assets=true"),
            "--set record_assets=true needs a folder to record in. Give --assets=FOLDER",
        ),
    ],
)
def test_what_is_not_valid_is_a_usage_error(
    project: Project, arguments: tuple[str, ...], message: str
) -> None:
    finished = project.command(*arguments)

    assert finished.returncode == 2
    assert message in finished.stderr
