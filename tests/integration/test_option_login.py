"""`--storage-state` and `--header`: pages behind a login, and who gets to see the secret."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y import Scorer

if TYPE_CHECKING:
    from tests.integration.conftest import Project

SECRET = "s3cr3t"
PAGE = "<!doctype html><html lang=en><title>x</title><main><h1>{}</h1>{}</main></html>"


class Server:
    """Greets who is logged in; what it was asked with is kept."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []  # Path, and what came along
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                came = f"{self.headers.get('Authorization', '')} {self.headers.get('Cookie', '')}".strip()
                server.asked.append((self.path, came))
                if to := server.redirects.get(self.path):
                    self.send_response(302)
                    self.send_header("Location", to)
                    self.end_headers()
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                greeting = "Welcome back" if SECRET in came else "Please log in"
                self.wfile.write(PAGE.format(greeting, server.body).encode())

            def log_message(self, *_: Any) -> None:
                pass

        self.redirects: dict[str, str] = {}
        self.body = ""
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._http.server_port
        Thread(target=self._http.serve_forever, daemon=True).start()

    def came_to(self, path: str) -> list[str]:
        return [came for asked, came in self.asked if asked == path]

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


@pytest.fixture
def servers() -> Iterator[tuple[Server, Server]]:
    """A server with a login, and one that it leads to."""
    both = Server(), Server()
    own, other = both
    own.body = f'<img src="http://localhost:{other.port}/pixel" alt=""><img src="/own" alt="">'
    own.redirects = {"/away": f"http://localhost:{other.port}/stolen", "/moved": "/home"}
    yield both
    for one in both:
        one.close()


def state(port: int) -> str:
    cookie = {
        "value": SECRET,
        "path": "/",
        "expires": -1,
        "httpOnly": False,
        "secure": False,
        "sameSite": "Lax",
    }
    return json.dumps(
        {
            "cookies": [{"name": "sid", "domain": name, **cookie} for name in ("127.0.0.1", "localhost")],
            "origins": [
                {"origin": f"http://127.0.0.1:{port}", "localStorage": [{"name": "a", "value": "b"}]}
            ],
        }
    )


WAYS = {
    "header": ("--header", f"Authorization: Bearer {SECRET}"),
    "state": ("--set", "storage_state=state.json"),
    "header for a host": ("--header", f"Authorization: Bearer {SECRET}", "--allow-host", "127.0.0.1"),
}


@pytest.mark.alike(2)
@pytest.mark.parametrize("way", WAYS)
def test_a_page_behind_a_login_is_captured_and_the_secret_stays_with_its_host(
    project: Project, servers: tuple[Server, Server], way: str
) -> None:
    own, other = servers
    project.write("state.json", state(own.port))
    project.write("design.html", PAGE.format("Welcome back", ""))
    address = f"http://127.0.0.1:{own.port}/home"

    result = project.command(
        "score", "design.html", address, "--json", "--save", "run", "--html", "report.html", *WAYS[way]
    )

    assert json.loads(result.stdout)["visual"]["text"] == 1.0
    assert SECRET in own.came_to("/own")[0]
    assert other.came_to("/pixel") == [""]
    written = [path for path in project.path.rglob("*") if path.is_file() and path.name != "state.json"]
    assert len(written) > 3
    assert [path for path in written if SECRET.encode() in path.read_bytes()] == []
    assert SECRET not in result.stdout + result.stderr


@pytest.mark.slow
def test_a_run_that_was_logged_in_is_not_compared_with_one_that_was_not(
    project: Project, servers: tuple[Server, Server]
) -> None:
    project.write("design.html", PAGE.format("Welcome back", ""))
    project.write("state.json", state(servers[0].port))
    page = ("score", "design.html", f"http://127.0.0.1:{servers[0].port}/home", "--save")
    project.command(*page, "out")
    project.command(*page, "in", *WAYS["header"], *WAYS["state"])

    compared = project.command("compare", "out", "in")

    told = "way of logging in: none -> storage state+headers (pages may show other things to each user)"
    assert told in compared.stdout
    assert "refused" in compared.stdout
    assert SECRET not in compared.stdout


def test_a_header_goes_along_redirects_on_its_host_and_along_none_that_leaves(
    project: Project, servers: tuple[Server, Server]
) -> None:
    own, other = servers
    project.write("design.html", PAGE.format("Welcome back", ""))
    way = WAYS["header"]

    moved = project.command("score", "design.html", f"http://127.0.0.1:{own.port}/moved", "--json", *way)
    project.command("audit", f"http://127.0.0.1:{own.port}/away", *way)

    assert json.loads(moved.stdout)["visual"]["text"] == 1.0
    assert set(other.came_to("/stolen")) == {""}


@pytest.mark.slow
def test_a_scorer_takes_them_too(servers: tuple[Server, Server]) -> None:
    own, _ = servers
    with Scorer(header=[f"Authorization: Bearer {SECRET}"]) as scorer:
        capture = scorer.render(f"http://127.0.0.1:{own.port}/home")

    assert [run.text for run in capture.text_runs] == ["Welcome back"]


REFUSED = {
    ("--header", "Authorization"): "--header does not take 'Authorization': write \"Name: value\".",
    (
        "--set",
        "storage_state=none.json",
    ): "--set storage_state does not take 'none.json': there is no such file.",
}


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_what_is_no_login_is_refused_at_the_start(project: Project, arguments: tuple[str, str]) -> None:
    result = project.command("audit", "http://127.0.0.1:9/", *arguments)

    assert result.returncode == 2
    assert REFUSED[arguments] in result.stderr


def test_a_file_that_is_no_state_is_an_error_of_the_page(project: Project) -> None:
    project.write("state.json", "[1]")

    result = project.command("audit", "http://127.0.0.1:9/", "--set", "storage_state=state.json")

    assert result.returncode == 3
    assert "state.json is not a Playwright storage state" in result.stdout


def test_an_answer_that_is_another_page_is_a_warning(
    project: Project, servers: tuple[Server, Server]
) -> None:
    own, _other = servers
    own.redirects["/account"] = "/login"

    result = project.command(
        *("audit", *(f"http://127.0.0.1:{own.port}{path}" for path in ("/account", "/home/"))),
        *("--probes", "none"),
    )

    lines = [line.strip() for line in result.stdout.splitlines() if "redirected" in line]
    assert lines[0] == (
        "warning: redirected: The server answered with another page, /login; behind a login, give it "
        "--set storage_state or --header."
    )
    assert all("/login" in line for line in lines)
