"""Somebody's own engine, which needs no more than `audit`; if it fails, its own findings alone are lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytest_design2a11y.exceptions import MeasurementError
from pytest_design2a11y.models.audit import Audit, AuditChoice
from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.models.parts import AuditEngine, Engine


class OwnEngine:
    """An `AuditEngine` around one that may lack `source` and `prepare`."""

    def __init__(self, engine: Engine, settings: Any) -> None:
        """Create the engine; an error is raised when it is to audit."""
        self.name = engine.name
        self._made: AuditEngine | None = None
        self._error = self._tried(lambda: setattr(self, "_made", engine.make(settings)))

    def _tried(self, act: Callable[[], object]) -> MeasurementError | None:
        try:
            act()
        except MeasurementError as error:
            return error
        except Exception as error:
            return MeasurementError(
                f"The engine {self.name} failed: {type(error).__name__}: {error}", stage=self.name
            )
        return None

    def source(self) -> str:
        """Return its script, or nothing if it has none."""
        return self._made.source() if hasattr(self._made, "source") else ""  # type: ignore[union-attr]

    def prepare(self, page: Any = None) -> None:
        """Prepare, if it has to; an error is raised when it is to audit."""
        if self._error is None and (prepare := getattr(self._made, "prepare", None)):
            self._error = self._tried(lambda: prepare(page))

    def audit(self, page: Any, choice: AuditChoice) -> tuple[Audit, tuple[CaptureWarning, ...]]:
        """Return its findings on a page."""
        if self._error is not None or self._made is None:
            raise self._error or MeasurementError(f"The engine {self.name} was not made.", stage=self.name)
        return self._made.audit(page, choice)
