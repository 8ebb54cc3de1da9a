"""Everything public for extensions: the types they return, the hooks, and helpers.

A hook is a function with one of these names in a conftest.py, in a pytest plugin, or in a module of the entry
point group `pytest_design2a11y`. See docs/extending.md for an example of each.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from pytest_design2a11y.models.audit import (
        Audit,
        AuditChoice,
        Check,
        CheckedNode,
        Place,
        ProbeFinding,
        RuleOutcome,
    )
    from pytest_design2a11y.models.evaluation import Evaluation
    from pytest_design2a11y.models.metric import Finding, Measured, Metric, Pages
    from pytest_design2a11y.models.page import Capture, CaptureWarning
    from pytest_design2a11y.models.parts import AuditEngine, Drawn, Engine, Executor, Probe, Reader

__all__ = [
    "Audit", "AuditChoice", "AuditEngine", "Capture", "CaptureWarning", "Check", "CheckedNode", "Drawn",
    "Engine", "Evaluation", "Executor", "Finding", "Measured", "Metric", "Pages", "Place", "Probe",
    "ProbeFinding", "Reader", "RuleOutcome", "pytest_design2a11y_engines", "pytest_design2a11y_executors",
    "pytest_design2a11y_metrics", "pytest_design2a11y_probes", "pytest_design2a11y_readers",
]  # fmt: skip

#: Names loaded on first use, by module: every pytest run imports this module.
_HOMES = {
    "models.audit": (
        "Audit", "AuditChoice", "Check", "CheckedNode", "Place", "ProbeFinding", "RuleOutcome",
    ),
    "models.metric": ("Finding", "Measured", "Metric", "Pages"),
    "models.page": ("Capture", "CaptureWarning"),
    "models.parts": ("AuditEngine", "Drawn", "Engine", "Executor", "Probe", "Reader"),
    "models.evaluation": ("Evaluation",),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"pytest_design2a11y.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


hookspec = pluggy.HookspecMarker("pytest")


#: Type returned by each hook: `pytest_design2a11y_metrics()` returns `Metric`s.
KINDS = ("Metric", "Engine", "Probe", "Reader", "Executor")


@hookspec(historic=True)
def pytest_design2a11y_metrics() -> "Sequence[Metric]":  # type: ignore[empty-body]
    """Return metrics to measure on every page, in addition to built-in ones.

    Raises:
        ConfigurationError: One has no `measure`, or the name of another metric; the run ends before any test.
    """


@hookspec(historic=True)
def pytest_design2a11y_engines() -> "Sequence[Engine]":  # type: ignore[empty-body]
    """Return accessibility engines that `--engines` may name.

    Raises:
        ConfigurationError: One has the name of another engine; the run ends before any test.
    """


@hookspec(historic=True)
def pytest_design2a11y_probes() -> "Sequence[Probe]":  # type: ignore[empty-body]
    """Return probes that `--probes` may name.

    Raises:
        ConfigurationError: One has the name of another probe; the run ends before any test.
    """


@hookspec(historic=True)
def pytest_design2a11y_readers() -> "Sequence[Reader]":  # type: ignore[empty-body]
    """Return readers of design files.

    Raises:
        ConfigurationError: One has the name of another reader; the run ends before any test.
    """


@hookspec(historic=True)
def pytest_design2a11y_executors() -> "Sequence[Executor]":  # type: ignore[empty-body]
    """Return executors that `--executor` may name.

    Raises:
        ConfigurationError: One has the name of another executor; nothing is scored.
    """
