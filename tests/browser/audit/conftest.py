"""Frozen pages to audit, and what a plain `axe.run()` says about the same page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from pytest_design2a11y.capture.audit.axe import run_audit
from pytest_design2a11y.capture.audit.axe_script import read_axe_script
from pytest_design2a11y.capture.browser.channel import Channel, Deadline, frame_tree
from pytest_design2a11y.capture.page.frames import FrozenPage, open_worlds
from pytest_design2a11y.models.audit import Audit, AuditChoice, CheckedNode
from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.models.viewport import Viewport
from tests.browser.audit.plain_axe import audit_of_plain_axe

ADDRESS = "http://page.test/"
SIZE = (1280, 720)

AuditPage = Callable[..., tuple[Audit, tuple[CaptureWarning, ...]]]


def _only(html: str) -> Callable[[Route], None]:
    def answer(route: Route) -> None:
        if route.request.url == ADDRESS:
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        else:
            route.abort()

    return answer


class Pages:
    """Opens pages: files as they are, and HTML text with nothing else in reach."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    @contextmanager
    def open(self, source: str | Path) -> Iterator[Page]:
        """Open a page as any tool would."""
        context = self._browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]}, offline=True)
        try:
            page = context.new_page()
            if isinstance(source, Path):
                page.goto(source.as_uri())
            else:
                page.route("**/*", _only(source))
                page.goto(ADDRESS)
            yield page
        finally:
            context.close()

    @contextmanager
    def freeze(self, source: str | Path, seconds: float = 60) -> Iterator[FrozenPage]:
        """Open a page and freeze it."""
        with self.open(source) as page:
            channel = Channel(page.context.new_cdp_session(page), Deadline(seconds))
            channel.send("Emulation.setScriptExecutionDisabled", {"value": True})
            yield FrozenPage(open_worlds(channel, frame_tree(channel)), SIZE, Viewport(*SIZE), channel)

    def plain_axe(self, source: str | Path, script: str) -> Audit:
        """Do what axe's own documentation says: put axe into every frame, then `axe.run()`."""
        with self.open(source) as page:
            for frame in page.frames:
                frame.evaluate(f"{script}\n;undefined")
            result: dict[str, Any] = page.evaluate("axe.run()")
        return audit_of_plain_axe(result)


@pytest.fixture(scope="session")
def pages(chromium: Browser) -> Pages:
    """Opens pages in the session's browser."""
    return Pages(chromium)


@pytest.fixture(scope="session")
def axe_script() -> str:
    """The script that axe-playwright-python ships."""
    return read_axe_script(None)


@pytest.fixture(scope="session")
def audit(pages: Pages, axe_script: str) -> AuditPage:
    """Audit a file or HTML text; the keywords are those of `AuditChoice`."""

    def run(
        source: str | Path,
        *,
        script: str = axe_script,
        max_details: int = 1000,
        seconds: float = 60,
        **choice: Any,
    ) -> tuple[Audit, tuple[CaptureWarning, ...]]:
        with pages.freeze(source, seconds) as page:
            return run_audit(page, script=script, choice=AuditChoice(**choice), max_details=max_details)

    return run


@pytest.fixture(scope="session")
def case_folder() -> Path:
    """The folder with one page a rule family."""
    return Path(__file__).resolve().parents[2] / "pages_audit"


@pytest.fixture(scope="session")
def told_by_axe() -> Callable[[Audit], Audit]:
    """Leave out boxes (axe knows none), snippets (cut elsewhere) and facts (axe gives more)."""

    def plain(node: CheckedNode) -> CheckedNode:
        return replace(node, box=None, html="", data={})

    def stripped(audit: Audit) -> Audit:
        rules = (
            replace(
                rule,
                violations=tuple(map(plain, rule.violations)),
                incomplete=tuple(map(plain, rule.incomplete)),
            )
            for rule in audit.rules
        )
        return replace(audit, rules=tuple(rules))

    return stripped
