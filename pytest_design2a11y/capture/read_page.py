"""What is read from an open page: its picture, its text, its accessibility, all from the same moment."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pytest_design2a11y.capture.audit.run_audit import read_axe_script, run_audit
from pytest_design2a11y.capture.page.screenshot import take_live, take_stable
from pytest_design2a11y.capture.page.visit import Visit
from pytest_design2a11y.capture.page.world import FrozenPage
from pytest_design2a11y.capture.text.read_text import read_text
from pytest_design2a11y.exceptions import MeasurementError, Unstable
from pytest_design2a11y.models.audit import Audit, AuditChoice
from pytest_design2a11y.models.page import CaptureWarning, Screenshot, TextRun, Viewport

LIVE_ATTEMPTS = 3


@dataclass(frozen=True)
class Reading:
    """What was read.

    Attributes:
        screenshot: The full page.
        page_size: Its width and height, px.
        text_runs: Visible text.
        audit: Accessibility findings; None where not asked for, or where it failed.
        audit_error: Why it failed.
        warnings: Of all steps.
        viewport: The window that the page was laid out in.
        conditions: What else the numbers depend on.
        files: Digests of the files that the page loaded or missed; None where it loaded from elsewhere.
    """

    screenshot: Screenshot
    page_size: tuple[int, int]
    text_runs: tuple[TextRun, ...]
    audit: Audit | None
    audit_error: MeasurementError | None
    warnings: tuple[CaptureWarning, ...]
    viewport: Viewport
    conditions: Mapping[str, Any]
    files: Mapping[str, str | None] | None


@dataclass(frozen=True)
class Reader:
    """Reads open pages.

    Attributes:
        audit: Which accessibility rules to run; None: no audit.
        axe_script: The axe-core script; None: the one that comes with axe-playwright-python.
    """

    audit: AuditChoice | None
    axe_script: Path | None

    def read_frozen(self, visit: Visit, page: FrozenPage) -> Reading:
        """Read a frozen page.

        Raises:
            Unstable: The picture keeps changing all the same.
            CaptureError: The page ended, or took too long.
            AxeError: The axe-core script cannot be read.
        """
        with page.stage("screenshot"):
            png = take_stable(page, visit.restless)
        return self._read(visit, page, png)

    def read_live(self, visit: Visit, page: FrozenPage) -> Reading:
        """Read a page whose scripts still run; it must look the same before and after.

        Raises:
            Unstable: It did not hold still in several attempts.
            AxeTimeout: The audit took all of the page's time.
            CaptureError: The page ended, or took too long.
            AxeError: The axe-core script cannot be read.
        """
        before = self._picture(visit, page)
        for _ in range(LIVE_ATTEMPTS):
            reading = self._read(visit, page, before)
            if reading.audit_error and visit.deadline.is_over():
                # No time is left to see whether the page held still.
                raise reading.audit_error
            after = self._picture(visit, page)
            if after == before:
                return reading
            before = after
        raise Unstable(
            "The page kept changing while it was read.",
            stage="screenshot",
            advice="Wait in the test until the page is at rest, then capture it.",
        )

    @staticmethod
    def _picture(visit: Visit, page: FrozenPage) -> bytes:
        with page.stage("screenshot"):
            return take_live(visit.page, page.page_size, visit.deadline.remaining() * 1000)

    def _read(self, visit: Visit, page: FrozenPage, png: bytes) -> Reading:
        screenshot = Screenshot(png)
        # Decoded while the browser reads and audits, which leaves this process idle.
        with ThreadPoolExecutor(1) as pool:
            pool.submit(lambda: screenshot.pixels)
            text_runs, text_warnings = read_text(page)
            audit, audit_error, audit_warnings = self._audit(page)
        warnings = (*visit.journal.warnings(), *text_warnings, *audit_warnings)
        files = dict(visit.journal.files) if visit.journal.is_repeatable else None
        choice = {} if audit is None or self.audit is None else {"audit": asdict(self.audit)}
        return Reading(
            screenshot=screenshot,
            page_size=page.page_size,
            text_runs=text_runs,
            audit=audit,
            audit_error=audit_error,
            warnings=warnings,
            viewport=page.viewport,
            conditions={**page.conditions, **choice},
            files=files,
        )

    def _audit(
        self, page: FrozenPage
    ) -> tuple[Audit | None, MeasurementError | None, tuple[CaptureWarning, ...]]:
        if self.audit is None:
            return None, None, ()
        script = read_axe_script(self.axe_script)
        try:
            audit, warnings = run_audit(page, script=script, choice=self.audit)
        except MeasurementError as error:
            # The picture and the text have been read, and can be scored without it.
            return None, error, ()
        return audit, None, warnings
