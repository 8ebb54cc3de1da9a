"""Everything public for extensions: what they give, by which hooks, and what they are made of.

A hook is a function of this name, in a conftest.py, in a plugin of pytest, or in a module of the entry point
group `pytest_design2a11y`. See docs/extending.md for an example of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from pytest_design2a11y.models.audit import Audit, AuditChoice, CheckedNode, RuleOutcome
    from pytest_design2a11y.models.metric import Finding, Measured, Metric, Pages
    from pytest_design2a11y.models.page import Capture, CaptureWarning
    from pytest_design2a11y.models.parts import AuditEngine, Drawn, Engine, Executor, Probe, Reader
    from pytest_design2a11y.models.probes import Check, Place, ProbeFinding
    from pytest_design2a11y.models.run import Evaluation

__all__ = [
    "Audit",
    "AuditChoice",
    "AuditEngine",
    "Capture",
    "CaptureWarning",
    "Check",
    "CheckedNode",
    "Drawn",
    "Engine",
    "Evaluation",
    "Executor",
    "Finding",
    "Measured",
    "Metric",
    "Pages",
    "Place",
    "Probe",
    "ProbeFinding",
    "Reader",
    "RuleOutcome",
    "pytest_design2a11y_engines",
    "pytest_design2a11y_executors",
    "pytest_design2a11y_metrics",
    "pytest_design2a11y_probes",
    "pytest_design2a11y_readers",
]

#: What is loaded on first use: every run of pytest imports this module.
_HOMES = {
    "Audit": "models.audit",
    "AuditChoice": "models.audit",
    "AuditEngine": "models.parts",
    "Capture": "models.page",
    "CaptureWarning": "models.page",
    "Check": "models.probes",
    "CheckedNode": "models.audit",
    "Drawn": "models.parts",
    "Engine": "models.parts",
    "Evaluation": "models.run",
    "Executor": "models.parts",
    "Finding": "models.metric",
    "Measured": "models.metric",
    "Metric": "models.metric",
    "Pages": "models.metric",
    "Place": "models.probes",
    "Probe": "models.parts",
    "ProbeFinding": "models.probes",
    "Reader": "models.parts",
    "RuleOutcome": "models.audit",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"pytest_design2a11y.{_HOMES[name]}"), name)


hookspec = pluggy.HookspecMarker("pytest")


#: What each hook returns: `pytest_design2a11y_metrics()` returns `Metric`s.
KINDS = ("Metric", "Engine", "Probe", "Reader", "Executor")


@hookspec(historic=True)
def pytest_design2a11y_metrics() -> Sequence[Metric]:  # type: ignore[empty-body]
    """Return metrics that are measured of every page, beside ours.

    Raises:
        ConfigurationError: One has no `measure`, or the name of another one; the run ends before any test.
    """


@hookspec(historic=True)
def pytest_design2a11y_engines() -> Sequence[Engine]:  # type: ignore[empty-body]
    """Return accessibility engines that `--engines` may name.

    Raises:
        ConfigurationError: One has the name of another one; the run ends before any test.
    """


@hookspec(historic=True)
def pytest_design2a11y_probes() -> Sequence[Probe]:  # type: ignore[empty-body]
    """Return probes that `--probes` may name.

    Raises:
        ConfigurationError: One has the name of another one; the run ends before any test.
    """


@hookspec(historic=True)
def pytest_design2a11y_readers() -> Sequence[Reader]:  # type: ignore[empty-body]
    """Return readers of files of designs.

    Raises:
        ConfigurationError: One has the name of another one; the run ends before any test.
    """


@hookspec(historic=True)
def pytest_design2a11y_executors() -> Sequence[Executor]:  # type: ignore[empty-body]
    """Return executors that `--executor` may name.

    Raises:
        ConfigurationError: One has the name of another one; nothing is scored.
    """
