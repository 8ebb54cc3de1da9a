"""scripts/pull_request_comment.py against a server that answers as GitHub does."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from scripts.pull_request_comment import MAX_LENGTH, comment_body, main

EVENT = Path(__file__).parents[2] / "data" / "pull_request_event.json"
COMMIT = "ec26c3e57ca3a959ca5aad62de7213c562f8c821"
SUMMARY = "### design2a11y: candidate\n\n| metric | mean |\n|---|--:|\n| visual ↑ | 0.8712 |\n"


class GitHub(ThreadingHTTPServer):
    """The comments of pull request 2; `refused`: the token may not write."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.comments: list[dict[str, Any]] = []
        self.refused = False

    def add(self, body: str, type: str = "User") -> None:
        self.comments.append({"id": len(self.comments) + 100, "body": body, "user": {"type": type}})


class _Answers(BaseHTTPRequestHandler):
    server: GitHub

    def do_GET(self) -> None:
        found = re.fullmatch(r"/repos/owner/pages/issues/2/comments\?per_page=100&page=(\d+)", self.path)
        assert found
        start = (int(found[1]) - 1) * 100
        self._answer(200, self.server.comments[start : start + 100])

    def do_POST(self) -> None:
        assert self.path == "/repos/owner/pages/issues/2/comments"
        if self._may_write():
            self.server.add(self._body(), "Bot")
            self._answer(201, self.server.comments[-1])

    def do_PATCH(self) -> None:
        found = re.fullmatch(r"/repos/owner/pages/issues/comments/(\d+)", self.path)
        assert found
        if self._may_write():
            self.server.comments[int(found[1]) - 100]["body"] = self._body()
            self._answer(200, {})

    def _may_write(self) -> bool:
        assert self.headers["Authorization"] == "Bearer secret"
        if self.server.refused:
            self._answer(403, {"message": "Resource not accessible by integration"})
        return not self.server.refused

    def _body(self) -> str:
        return str(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"])

    def _answer(self, status: int, content: Any) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def github(monkeypatch: pytest.MonkeyPatch) -> Iterator[GitHub]:
    server = GitHub()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(EVENT))
    monkeypatch.setenv("GITHUB_API_URL", f"http://127.0.0.1:{server.server_address[1]}")
    monkeypatch.setenv("GITHUB_REPOSITORY", "owner/pages")
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def summary(tmp_path: Path) -> Path:
    path = tmp_path / "summary.md"
    path.write_text(SUMMARY, encoding="utf-8")
    return path


def tell(
    summary: Path, *, name: str = "prompts", status: str = "0", report: str = "https://x/report"
) -> None:
    main([str(summary), "--name", name, "--status", status, "--report", report])


def test_the_first_run_writes_a_comment_and_later_ones_change_it(github: GitHub, summary: Path) -> None:
    github.add("Looks good to me")

    tell(summary)
    tell(summary, name="other")
    summary.write_text("### design2a11y: candidate\n\nAll well.\n", encoding="utf-8")
    tell(summary, status="1")

    assert [one["body"] for one in github.comments] == [
        "Looks good to me",
        "<!-- design2a11y: prompts -->\n### design2a11y: candidate\n\nAll well.\n\n"
        f"Measured at {COMMIT}. pytest ended with exit code 1; its log says why. [Report](https://x/report).\n",
        f"<!-- design2a11y: other -->\n{SUMMARY}\nMeasured at {COMMIT}. [Report](https://x/report).\n",
    ]


def test_the_comment_is_found_on_later_pages_and_never_taken_from_a_person(
    github: GitHub, summary: Path
) -> None:
    github.add("<!-- design2a11y: prompts -->\nmine")
    for number in range(120):
        github.add(f"comment {number}")
    github.add("<!-- design2a11y: prompts -->\nold", "Bot")

    tell(summary)

    assert len(github.comments) == 122
    assert github.comments[0]["body"].endswith("mine")
    assert "0.8712" in github.comments[121]["body"]


def test_a_run_that_measured_nothing_takes_the_place_of_old_figures(github: GitHub, tmp_path: Path) -> None:
    github.add(f"<!-- design2a11y: prompts -->\n{SUMMARY}", "Bot")

    tell(tmp_path / "missing.md", status="2", report="")

    (comment,) = github.comments
    assert "0.8712" not in comment["body"]
    assert "Nothing was measured." in comment["body"]
    assert "pytest ended with exit code 2" in comment["body"]


def test_a_comment_that_may_not_be_written_is_a_warning(
    github: GitHub, summary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    github.refused = True

    tell(summary)

    assert capsys.readouterr().out == (
        "::warning title=design2a11y::The comment was not written: HTTP Error 403: Forbidden; "
        "the job needs `permissions: pull-requests: write`\n"
    )


def test_other_events_have_nothing_to_comment_on(
    monkeypatch: pytest.MonkeyPatch, summary: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = tmp_path / "push.json"
    event.write_text('{"ref": "refs/heads/main"}', encoding="utf-8")
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(event))

    tell(summary)

    assert capsys.readouterr().out == "This run is not of a pull request: nothing to comment on.\n"


@pytest.mark.parametrize("folded", [True, False])
def test_a_long_summary_is_cut_at_the_end_of_a_line_and_closed(folded: bool) -> None:
    opening = "<details><summary>Cases</summary>\n\n" if folded else ""
    text = opening + "\n".join(f"| case {number} | 0.5 |" for number in range(9000))

    body = comment_body(text, name="n", status="0", report="", commit=COMMIT)

    assert len(body) <= MAX_LENGTH
    assert body.count("<details>") == body.count("</details>") == int(folded)
    assert "The rest is in the job's summary." in body
    assert all(line.endswith("| 0.5 |") for line in body.splitlines() if line.startswith("| case"))
