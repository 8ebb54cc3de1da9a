"""What an accessibility engine is to the rest: it checks a frozen page and gives an `Audit`."""

from __future__ import annotations

from typing import Protocol

from pytest_design2a11y.capture.page.frame_context import FrameContext, FrozenPage
from pytest_design2a11y.exceptions import CaptureError, MeasurementError
from pytest_design2a11y.models.audit import Audit, AuditChoice
from pytest_design2a11y.models.page import CaptureWarning


class AuditEngine(Protocol):
    """Checks pages; it may be used for many, one after the other."""

    @property
    def name(self) -> str:
        """The name under which results are kept, as in `Audit.engine`."""

    def source(self) -> str:
        """Return the script that it loads into pages."""

    def prepare(self, page: FrozenPage | None = None) -> None:
        """Make ready, or raise a `MeasurementError` where the engine cannot be used, whatever the page.

        Where a page is given, it stands still: the script may be loaded into it beside what else is done.
        """

    def audit(self, page: FrozenPage, choice: AuditChoice) -> tuple[Audit, tuple[CaptureWarning, ...]]:
        """Return what is found on a frozen page, and warnings about what could not be checked.

        Raises:
            MeasurementError: The engine failed, took too long, or had nothing to check.
            ConfigurationError: The choice names what this engine does not have.
            CaptureError: The page or the browser ended.
        """


def load_engine(
    world: FrameContext, script: str, error: type[MeasurementError], name: str, *, stage: str
) -> None:
    """Run an engine's script in a frame; one that fails is an error of the engine, not of the page."""
    try:
        world.load(script)
    except CaptureError as failure:
        # What is more than that, such as a timeout, is the page's.
        if type(failure) is not CaptureError:
            raise
        raise error(f"The {name} script does not run: {failure.what}", stage=stage) from failure
