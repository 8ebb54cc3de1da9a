"""From a document, or a live page, to a frozen `Capture`: the capture stage's flow."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser import LaunchedBrowser, launch
from pytest_design2a11y.capture.guard import Guard
from pytest_design2a11y.capture.hosts import HostClient
from pytest_design2a11y.capture.journal import MESSAGES
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.opening import open_document
from pytest_design2a11y.capture.screenshot import take
from pytest_design2a11y.capture.visit import Visit, VisitSettings
from pytest_design2a11y.capture.world import FrozenPage
from pytest_design2a11y.exceptions import BrowserLost
from pytest_design2a11y.models import (
    Audit,
    AuditChoice,
    Capture,
    CaptureWarning,
    Document,
    Environment,
    Role,
    Screenshot,
)

GRACE = 10.0


class Renderer:
    """Captures pages, one after the other, in a browser of its own that it replaces when it breaks."""

    def __init__(
        self,
        launch_browser: Callable[..., Browser],
        *,
        launch_options: Mapping[str, Any] | None = None,
        chromium: str | None = None,
        timeout: float = 30.0,
        allow_hosts: Sequence[str] = (),
        javascript: bool = True,
        viewport: tuple[int, int] = (1280, 720),
        limits: CaptureLimits | None = None,
        axe_script: Path | None = None,
    ) -> None:
        """Prepare; the browser starts with the first capture.

        Args:
            launch_browser: Playwright's `launch`, or pytest-playwright's `launch_browser`.
            launch_options: The user's own launch options (pytest-playwright's `browser_type_launch_args`).
            chromium: Executable of the browser, where the user names one.
            timeout: Seconds for one page, everything included.
            allow_hosts: Hosts that pages may load from.
            javascript: Whether the scripts of pages run.
            viewport: Width and height of the window, px.
            limits: How much one page may take.
            axe_script: The axe-core script to use; None: the one that comes with axe-playwright-python.
        """
        self._launch_browser = launch_browser
        self._launch_options = launch_options or {}
        self._chromium = chromium
        self._settings = VisitSettings(
            timeout=timeout,
            hosts=HostClient(tuple(allow_hosts)),
            javascript=javascript,
            viewport=viewport,
            limits=limits or CaptureLimits(),
        )
        self._axe_script = axe_script
        self._launched: LaunchedBrowser | None = None

    def capture(self, document: Document, *, role: Role, audit: AuditChoice | None) -> Capture:
        """Render a document once, and read everything from that one rendering.

        Args:
            document: What to render.
            role: Which side of a comparison it is on.
            audit: Which accessibility rules to run; None: no audit.

        Raises:
            CaptureError: The page cannot be rendered, or not in the time and space that it may take.
            EmptyDocument: Nothing of the document becomes part of the page.
            NotHtml: The page's root is no HTML element.
            MeasurementError: The accessibility engine failed.
        """
        try:
            return self._capture(document, role=role, audit=audit)
        except BrowserLost:
            self._discard()
        retried = CaptureWarning("retried", MESSAGES["retried"])
        return self._capture(document, role=role, audit=audit, warnings=(retried,))

    def close(self) -> None:
        """End the browser."""
        self._discard()

    def _capture(
        self,
        document: Document,
        *,
        role: Role,
        audit: AuditChoice | None,
        warnings: tuple[CaptureWarning, ...] = (),
    ) -> Capture:
        launched = self._browser()
        guard = Guard(launched.process_id, self._settings.limits.max_memory)
        with (
            guard.watching(self._settings.timeout + GRACE),
            open_document(launched.browser, document, self._settings, guard) as (visit, page),
        ):
            return self._read(visit, page, document, role, audit, (*document.warnings, *warnings))

    def _read(
        self,
        visit: Visit,
        page: FrozenPage,
        document: Document,
        role: Role,
        audit: AuditChoice | None,
        warnings: tuple[CaptureWarning, ...],
    ) -> Capture:
        from pytest_design2a11y.capture.text import read_text

        with page.stage("screenshot"):
            png = take(page.channel, page.page_size)
        with page.stage("text"):
            text_runs, text_warnings = read_text(page)
        found, audit_warnings = self._audit(page, audit)
        return Capture(
            label=document.label,
            role=role,
            screenshot=Screenshot(png),
            page_size=page.page_size,
            text_runs=text_runs,
            audit=found,
            warnings=(*warnings, *visit.journal.warnings(), *text_warnings, *audit_warnings),
            environment=self._environment(found),
        )

    def _audit(
        self, page: FrozenPage, choice: AuditChoice | None
    ) -> tuple[Audit | None, tuple[CaptureWarning, ...]]:
        if choice is None:
            return None, ()
        from pytest_design2a11y.capture.audit import read_axe_script, run_audit

        with page.stage("axe"):
            return run_audit(page, script=read_axe_script(self._axe_script), choice=choice)

    def _environment(self, audit: Audit | None) -> Environment:
        launched = self._browser()
        return Environment(
            chromium=launched.browser.version,
            axe=audit.axe_version if audit else None,
            package=_version("pytest-design2a11y"),
            playwright=_version("playwright"),
            platform=f"{platform.system()} {platform.machine()}",
            sandbox=launched.has_sandbox,
            javascript=self._settings.javascript,
            allowed_hosts=tuple(self._settings.hosts.names),
        )

    def _browser(self) -> LaunchedBrowser:
        if self._launched and not self._launched.browser.is_connected():
            self._discard()
        if not self._launched:
            self._launched = launch(
                self._launch_browser, chromium=self._chromium, options=self._launch_options
            )
        return self._launched

    def _discard(self) -> None:
        launched, self._launched = self._launched, None
        if launched:
            with suppress(PlaywrightError):
                launched.browser.close()


@contextmanager
def open_renderer(*, headless: bool = True, **settings: Any) -> Iterator[Renderer]:
    """Start Playwright and a `Renderer` on it, for use outside of pytest.

    Args:
        headless: Whether the browser shows no window.
        **settings: See `Renderer`.
    """
    with sync_playwright() as playwright:
        renderer = Renderer(
            lambda **options: playwright.chromium.launch(headless=headless, **options), **settings
        )
        try:
            yield renderer
        finally:
            renderer.close()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
