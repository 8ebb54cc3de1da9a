"""Accessibility findings by audit engines."""

from __future__ import annotations

from pytest_design2a11y.extending import Engine


def pytest_design2a11y_engines() -> list[Engine]:
    """Return axe-core, on which the rates are based, and HTML_CodeSniffer."""
    from pytest_design2a11y.capture.audit.axe import Axe
    from pytest_design2a11y.capture.audit.htmlcs import Htmlcs

    return [
        Engine("axe", "axe-core", lambda settings: Axe(settings.axe_script)),
        Engine("htmlcs", "HTML_CodeSniffer", lambda settings: Htmlcs(settings.htmlcs_script)),
    ]
