"""Types and the hook for metrics of your own: see docs/extending.md."""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from pytest_design2a11y.models.metric import Finding, Metric, Pages
    from pytest_design2a11y.models.page import Capture

__all__ = ["Capture", "Finding", "Pages", "pytest_design2a11y_metrics"]


def __getattr__(name: str) -> Any:
    """Return a type, loaded on first use: every pytest run imports this module."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "page" if name == "Capture" else "metric"
    return getattr(import_module(f"pytest_design2a11y.models.{home}"), name)


@pluggy.HookspecMarker("pytest")(historic=True)
def pytest_design2a11y_metrics() -> "Sequence[Metric]":  # type: ignore[empty-body]
    """Return metrics to measure on every page, in addition to built-in ones.

    Raises:
        ConfigurationError: One has no `measure`, or the name of another metric; the run ends before any test.
    """
