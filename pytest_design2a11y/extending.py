"""Everything public for extensions: the types they return, the hooks, and helpers.

A hook is a function with one of these names in a conftest.py, in a pytest plugin, or in a module of the entry
point group `pytest_design2a11y`. See docs/extending.md for an example of each.
"""

from collections.abc import Callable, Generator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import pluggy

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.option import is_name
from pytest_design2a11y.wording import with_article

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

__all__ = [
    "Audit", "AuditChoice", "AuditEngine", "Capture", "CaptureWarning", "Check", "CheckedNode", "Drawn",
    "Engine", "Evaluation", "Executor", "Finding", "Measured", "Metric", "Pages", "Place", "Probe",
    "ProbeFinding", "Reader", "RuleOutcome", "pytest_design2a11y_engines", "pytest_design2a11y_executors",
    "pytest_design2a11y_metrics", "pytest_design2a11y_probes", "pytest_design2a11y_readers",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Return a record, loaded on first use: every pytest run imports this module."""
    for home in ("audit", "metric", "page", "evaluation") if name in __all__ else ():
        if (found := getattr(import_module(f"pytest_design2a11y.models.{home}"), name, None)) is not None:
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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

    def audit(self, page: Any, choice: "AuditChoice") -> "tuple[Audit, tuple[CaptureWarning, ...]]":
        """Return the findings on a frozen page, and warnings about what could not be checked.

        Raises:
            MeasurementError: The engine failed, took too long, or had nothing to check.
            ConfigurationError: The choice names something that this engine does not have.
            CaptureError: The page or the browser ended.
        """


class Engine(NamedTuple):
    """An accessibility checker besides axe-core; its counts are shown beside axe-core's rates."""

    name: str  # As in `--engines axe,NAME`: lower-case letters, digits and _
    label: str  # Its name for people, such as "HTML_CodeSniffer"
    make: Callable[[Any], AuditEngine]  # Creates an engine from a run's `Settings`


class Probe(NamedTuple):
    """Acts on a running page, in a context of its own, to find what no frozen page can show."""

    name: str  # As in `--probes NAME`: lower-case letters, digits and _
    # Each question that it asks about elements; its findings are reported under them
    checks: "Sequence[Check]"
    # Called with the running page; returns a `ProbeFinding` for each check of each element. `page.worlds` are
    # the isolated worlds of its frames; `page.press("Tab")`, `.settle()`, `.resize(width, height)` and
    # `.screenshot(box)` act on it; `page.capture` is what was read from the page before.
    run: "Callable[[Any], Sequence[ProbeFinding]]"
    only_looks: bool = False  # Whether it leaves the page unchanged; `--probes quick` runs only such probes
    # Whether it needs what was read from the page before, `page.capture`, with its screenshot and elements,
    # which an audit alone does not take
    needs_screenshot: bool = False
    # Whether it runs on the design as well, before the candidate, for which its result is then in
    # `page.design.probes[name].observed`: findings that passed, with `data`
    compares: bool = False


class Drawn(NamedTuple):
    """A design as a page."""

    html: str | bytes  # HTML for a browser to render; bytes must be UTF-8
    size: tuple[int, int] | None = None  # Width and height of its window, CSS px; None: the run's


class Reader(NamedTuple):
    """Reads design files that no browser can open."""

    name: str  # Lower-case letters, digits and _, such as "sketch"
    suffixes: Sequence[str]  # Lower-case suffixes of the files, such as (".sketch",)
    # Called with a file's path and bytes; returns the design as a page, or as a picture: the bytes of a PNG,
    # JPEG or WebP file
    read: Callable[[Path, bytes], Drawn | bytes]


class Executor(NamedTuple):
    """Scores many pairs: in this process, in several, or on a cluster."""

    name: str  # As in `--executor NAME`: lower-case letters, digits and _
    # Called with the pairs, an iterable of `measuring.pairs.Pair` to be consumed as needed, and the keywords
    # `settings`, `jobs` and `is_ordered`. Yields one `Evaluation` per pair, which also holds any error of the
    # pair.
    score: "Callable[..., Generator[Evaluation, None, None]]"


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
def pytest_design2a11y_engines() -> Sequence[Engine]:  # type: ignore[empty-body]
    """Return accessibility engines that `--engines` may name.

    Raises:
        ConfigurationError: One has the name of another engine; the run ends before any test.
    """


@hookspec(historic=True)
def pytest_design2a11y_probes() -> Sequence[Probe]:  # type: ignore[empty-body]
    """Return probes that `--probes` may name.

    Raises:
        ConfigurationError: One has the name of another probe; the run ends before any test.
    """


@hookspec(historic=True)
def pytest_design2a11y_readers() -> Sequence[Reader]:  # type: ignore[empty-body]
    """Return readers of design files.

    Raises:
        ConfigurationError: One has the name of another reader; the run ends before any test.
    """


@hookspec(historic=True)
def pytest_design2a11y_executors() -> Sequence[Executor]:  # type: ignore[empty-body]
    """Return executors that `--executor` may name.

    Raises:
        ConfigurationError: One has the name of another executor; nothing is scored.
    """


#: By field: a check of its value, and the advice if that fails.
_FITS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "name": (is_name, "write lower-case letters, digits and _"),
    "label": (lambda value: isinstance(value, str), "write a text"),
    **dict.fromkeys(("make", "read", "run", "score"), (callable, "give a function")),
    **dict.fromkeys(
        ("checks", "suffixes"), (lambda value: isinstance(value, list | tuple) and bool(value), "give a list")
    ),
    **dict.fromkeys(
        ("only_looks", "needs_screenshot", "compares"),
        (lambda value: isinstance(value, bool), "write True or False"),
    ),
}


def require_valid(part: Engine | Probe | Reader | Executor) -> None:
    """Refuse an extension with a field that is not valid."""
    for field, value in part._asdict().items():
        fits, how = _FITS[field]
        if not fits(value):
            raise ConfigurationError(
                f"{field}={value!r:.80} of {with_article(type(part).__name__)} is not valid: {how}.",
                advice="See docs/extending.md.",
            )
