"""Everything public for extensions: what they give, by which hooks, and what they are made of.

A hook is a function of this name, in a conftest.py, in a plugin of pytest, or in a module of the entry point
group `pytest_design2a11y`. See docs/extending.md for an example of each.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import pluggy

if TYPE_CHECKING:
    from pytest_design2a11y.models.audit import Audit, AuditChoice, CheckedNode, RuleOutcome
    from pytest_design2a11y.models.metric import Finding, Measured, Metric, Pages
    from pytest_design2a11y.models.page import Capture, CaptureWarning
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
    "Capture": "models.page",
    "CaptureWarning": "models.page",
    "Check": "models.probes",
    "CheckedNode": "models.audit",
    "Evaluation": "models.run",
    "Finding": "models.metric",
    "Measured": "models.metric",
    "Metric": "models.metric",
    "Pages": "models.metric",
    "Place": "models.probes",
    "ProbeFinding": "models.probes",
    "RuleOutcome": "models.audit",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"pytest_design2a11y.{_HOMES[name]}"), name)


hookspec = pluggy.HookspecMarker("pytest")


class AuditEngine(Protocol):
    """Checks pages; it may be used for many, one after the other.

    A page is one that has loaded and stands still: `page.worlds` are the isolated worlds of its frames, the
    main frame's first, each with `load(script)` and `call(function, *arguments)`.
    """

    @property
    def name(self) -> str:
        """The name under which results are kept, as in `Audit.engine`."""

    def source(self) -> str:
        """Return the script that it loads into pages."""

    def prepare(self, page: Any = None) -> None:
        """Make ready, or raise a `MeasurementError` where the engine cannot be used, whatever the page.

        Where a page is given, the script may be loaded into it beside what else is done.
        """

    def audit(self, page: Any, choice: AuditChoice) -> tuple[Audit, tuple[CaptureWarning, ...]]:
        """Return what is found on a frozen page, and warnings about what could not be checked.

        Raises:
            MeasurementError: The engine failed, took too long, or had nothing to check.
            ConfigurationError: The choice names what this engine does not have.
            CaptureError: The page or the browser ended.
        """


class Engine(NamedTuple):
    """What checks accessibility beside axe-core: its counts stand beside the rates, which are axe-core's.

    Attributes:
        name: As in `--engines axe,NAME`: lower-case letters, digits and _.
        label: What people call it, such as "HTML_CodeSniffer".
        make: Returns an engine for a run's `Settings`.
    """

    name: str
    label: str
    make: Callable[[Any], AuditEngine]


class Probe(NamedTuple):
    """What acts on a page that still runs, in a context of its own, and finds what no still page shows.

    Attributes:
        name: As in `--probes NAME`: lower-case letters, digits and _.
        checks: Each question that it asks of elements; its answers are told under them.
        run: Called with the running page, returns a `ProbeFinding` for each check of each element.
            `page.worlds` are the isolated worlds of its frames; `page.press("Tab")`, `.settle()`,
            `.resize(width, height)` and `.screenshot(box)` act on it.
        only_looks: Whether it leaves the page as it is: `--probes quick` runs those that do.
    """

    name: str
    checks: Sequence[Check]
    run: Callable[[Any], Sequence[ProbeFinding]]
    only_looks: bool = False


class Drawn(NamedTuple):
    """A design as a page.

    Attributes:
        html: What a browser is to render; UTF-8 where it is bytes.
        size: Width and height of the window that it is drawn for, CSS px; None: the run's.
    """

    html: str | bytes
    size: tuple[int, int] | None = None


class Reader(NamedTuple):
    """What reads files of designs that no browser opens.

    Attributes:
        name: Lower-case letters, digits and _, such as "sketch".
        suffixes: Of the files, lower-case, such as (".sketch",).
        read: Called with a file's path and bytes; returns the design as a page, or as a picture: the bytes of
            a PNG, JPEG, WebP or PDF file.
    """

    name: str
    suffixes: Sequence[str]
    read: Callable[[Path, bytes], Drawn | bytes]


class Executor(NamedTuple):
    """What scores many pairs: this process, several, a cluster.

    Attributes:
        name: As in `--executor NAME`: lower-case letters, digits and _.
        score: Called with the pairs, an iterable of `measuring.pairs.Pair` to be taken as they are needed,
            and by keyword `settings`, `jobs` and `is_ordered`. Yields an `Evaluation` a pair; what goes wrong
            with one is in its evaluation.
    """

    name: str
    score: Callable[..., Generator[Evaluation, None, None]]


#: What hooks give, each by one of its own name: `pytest_design2a11y_metrics()` gives `Metric`s.
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
