"""What one page asks for is bounded, whatever it asks for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Frame, Request, Route

from pytest_design2a11y.capture.isolation import HostClient
from pytest_design2a11y.capture.isolation import request_router as gates
from pytest_design2a11y.capture.isolation.remote import Remote
from pytest_design2a11y.capture.isolation.request_router import ORIGIN, RequestRouter
from pytest_design2a11y.capture.isolation.site_files import SiteFiles
from pytest_design2a11y.capture.warning_log import WarningLog
from pytest_design2a11y.models.page import Document, Site


@dataclass
class Asked:
    """A request and its route in one, as far as the gate looks at them."""

    url: str
    headers: dict[str, str] = field(default_factory=dict)
    outcomes: list[object] = field(default_factory=list)
    resource_type: str = "media"

    def is_navigation_request(self) -> bool:
        return False

    def fulfill(self, *, status: int, body: bytes = b"", **_: Any) -> None:
        self.outcomes.append((status, len(body)))

    def abort(self, reason: str) -> None:
        self.outcomes.append(reason)


def ask(gate: RequestRouter, path: str, **headers: str) -> object:
    asked = Asked(f"{ORIGIN}{path}", headers)
    gate.answer(cast(Route, asked), cast(Request, asked))
    (outcome,) = asked.outcomes
    return outcome


@pytest.fixture
def gate(tmp_path: Path) -> RequestRouter:
    (tmp_path / "film.mp4").write_bytes(b"x" * 400)
    document = Document("page.html", b"<p>x", folder=str(tmp_path), site=Site(root=str(tmp_path)))
    return RequestRouter(
        cast(Frame, None), SiteFiles(document), Remote(HostClient(())), WarningLog(), lambda: None
    )


def test_all_that_a_page_is_given_is_limited(gate: RequestRouter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "MAX_BYTES_PER_PAGE", 1_000)

    assert [ask(gate, f"/film.mp4?{number}") for number in range(4)] == [
        (200, 400),
        (200, 400),
        "blockedbyclient",
        "blockedbyclient",
    ]
    (warning,) = gate.log.warnings()
    assert (warning.code, warning.count) == ("load_limits", 2)


def test_ranges_count_as_what_is_sent(gate: RequestRouter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "MAX_BYTES_PER_PAGE", 1_000)

    assert [ask(gate, "/film.mp4", range="bytes=0-9") for _ in range(5)] == [(206, 10)] * 5
    assert gate.log.num_bytes == 50
    assert gate.log.warnings() == ()


def test_what_a_frozen_page_asks_for_is_answered_and_not_noted(gate: RequestRouter) -> None:
    """Whether such a request comes before the end of the reading is a matter of time."""
    log = gate.log
    ask(gate, "/film.mp4")
    ask(gate, "/missing.woff")
    gate.stop_noting()

    assert ask(gate, "/missing.ttf") == (404, 0)
    assert ask(gate, "/film.mp4?again") == (200, 400)
    assert list(log.files) == ["/film.mp4", "/missing.woff"]
    assert log.counts == {"missing_files": 1}
