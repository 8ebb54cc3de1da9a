"""Accessibility findings by audit engines."""

from typing import Any, Protocol

from pytest_design2a11y.models.audit import Audit, AuditChoice
from pytest_design2a11y.models.page import CaptureWarning


class AuditEngine(Protocol):
    """Checks pages; one engine may be used for many pages in succession.

    The page has loaded and is frozen: `page.worlds` are the isolated worlds of its frames, the main frame's
    first, each with `load(script)` and `call(function, *arguments)`.
    """

    @property
    def name(self) -> str:
        """The name under which results are kept, as in `Audit.engine`."""

    def source(self) -> str:
        """Return the script that the engine loads into pages."""

    def prepare(self, page: Any = None) -> None:
        """Prepare, or raise a `MeasurementError` if the engine cannot be used, whatever the page.

        If a page is given, the script may be loaded into it while other work is going on.
        """

    def audit(self, page: Any, choice: AuditChoice) -> tuple[Audit, tuple[CaptureWarning, ...]]:
        """Return the findings on a frozen page, and warnings about what could not be checked.

        Raises:
            MeasurementError: The engine failed, took too long, or had nothing to check.
            ConfigurationError: The choice names something that this engine does not have.
            CaptureError: The page or the browser ended.
        """
