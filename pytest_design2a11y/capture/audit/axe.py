"""axe-core as an audit engine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pytest_design2a11y.capture.audit.axe_script import read_axe_script
from pytest_design2a11y.capture.audit.run_audit import page_script, run_audit
from pytest_design2a11y.capture.page.frame_context import FrozenPage
from pytest_design2a11y.models.audit import Audit, AuditChoice
from pytest_design2a11y.models.engines import AXE
from pytest_design2a11y.models.page import CaptureWarning


@dataclass(frozen=True, slots=True)
class Axe:
    """Runs axe-core.

    Attributes:
        script: The axe-core script; None: the one that comes with axe-playwright-python.
    """

    script: Path | None = None
    name: str = AXE

    def source(self) -> str:
        """Return axe-core's script."""
        return read_axe_script(self.script)

    def prepare(self, page: FrozenPage | None = None) -> None:
        """Read the script, once a process, and begin to load it into a page."""
        script = self.source()
        if page is not None:
            page.worlds[0].load_ahead(page_script(script))

    def audit(self, page: FrozenPage, choice: AuditChoice) -> tuple[Audit, tuple[CaptureWarning, ...]]:
        """Check a page, see `run_audit`."""
        return run_audit(page, script=self.source(), choice=choice)
