"""`assets figma --file`: Figma is asked once, with the token, and what it refuses is said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pytest_design2a11y.command.main import main

ANSWER = Path(__file__).parents[2] / "data" / "figma-nodes.json"
TOKEN = "figd_s3cr3t"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, str | None]]]:
    """Stand in for Figma: it knows one file and one token."""
    asked: list[tuple[str, str | None]] = []

    class Figma(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            token = self.headers.get("X-Figma-Token")
            asked.append((self.path, token))
            is_known = self.path.startswith("/v1/files/KEY/")
            self.send_response(403 if token != TOKEN else 200 if is_known else 404)
            self.end_headers()
            if token == TOKEN and is_known:
                self.wfile.write(ANSWER.read_bytes())

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Figma)
    Thread(target=server.serve_forever, daemon=True).start()
    place = "pytest_design2a11y.source.figma.ADDRESS"
    monkeypatch.setattr(place, f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("FIGMA_TOKEN", TOKEN)
    yield asked
    server.shutdown()
    server.server_close()


def test_the_answer_is_read_as_one_that_was_saved(
    asked: list[tuple[str, str | None]], tmp_path: Path
) -> None:
    node = next(iter(json.loads(ANSWER.read_bytes())["nodes"]))
    saved, fetched = tmp_path / "saved.blocks.json", tmp_path / "fetched.blocks.json"

    main(["assets", "figma", str(ANSWER), "--node", node, "-o", str(saved)])
    code = main(["assets", "figma", "--file", "KEY", "--node", node.replace(":", "-"), "-o", str(fetched)])

    assert code == 0
    assert fetched.read_bytes() == saved.read_bytes()
    assert asked == [(f"/v1/files/KEY/nodes?ids={node.replace(':', '%3A')}", TOKEN)]


@pytest.mark.parametrize(
    ("arguments", "token", "message"),
    [
        (
            ["--file", "OTHER", "--node", "1:2"],
            TOKEN,
            "Figma answered 404 about the file OTHER. Look at the key",
        ),
        (
            ["--file", "KEY", "--node", "1:2"],
            "wrong",
            "Figma answered 403 about the file KEY. Give a token that",
        ),
        (
            ["--file", "KEY", "--node", "1:2"],
            "",
            "The environment variable FIGMA_TOKEN is not set. Put a token",
        ),
        (["--file", "KEY"], TOKEN, "--file needs --node ID. Take it from the frame's address: node-id=1-2."),
        (
            [],
            TOKEN,
            "One of FILE and --file KEY is needed. Give Figma's saved answer, or the key of its file.",
        ),
    ],
    ids=["key", "token", "no token", "no node", "nothing"],
)
def test_what_is_refused_or_lacking_is_said_without_the_token(
    asked: list[tuple[str, str | None]],
    arguments: list[str],
    token: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FIGMA_TOKEN", token)

    with pytest.raises(SystemExit) as ended:
        main(["assets", "figma", *arguments, "-o", str(tmp_path / "a.blocks.json")])

    said = "".join(capsys.readouterr())
    assert ended.value.code == 2
    assert message in said
    assert not token or token not in said
