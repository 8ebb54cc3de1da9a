"""Accessibility findings by audit engines."""

from typing import TYPE_CHECKING, Any

from pytest_design2a11y.extending import Engine

if TYPE_CHECKING:
    from pytest_design2a11y.extending import AuditEngine


def pytest_design2a11y_engines() -> list[Engine]:
    """Return axe-core, on which the rates are based, and HTML_CodeSniffer."""
    return [Engine("axe", "axe-core", _axe), Engine("htmlcs", "HTML_CodeSniffer", _htmlcs)]


def _axe(settings: Any) -> "AuditEngine":
    from pytest_design2a11y.capture.audit.axe import Axe

    return Axe(settings.axe_script)


def _htmlcs(settings: Any) -> "AuditEngine":
    from pytest_design2a11y.capture.audit.htmlcs import Htmlcs

    return Htmlcs(settings.htmlcs_script)
