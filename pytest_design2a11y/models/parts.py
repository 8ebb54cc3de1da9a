"""Extension points besides metrics: engines, probes, readers of designs, executors."""

from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.metric import is_name

if TYPE_CHECKING:
    from pytest_design2a11y.models.audit import Audit, AuditChoice, Check, ProbeFinding
    from pytest_design2a11y.models.evaluation import Evaluation
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
    checks: (
        "Sequence[Check]"  # Each question that it asks about elements; its findings are reported under them
    )
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
    # JPEG, WebP or PDF file
    read: Callable[[Path, bytes], Drawn | bytes]


class Executor(NamedTuple):
    """Scores many pairs: in this process, in several, or on a cluster."""

    name: str  # As in `--executor NAME`: lower-case letters, digits and _
    # Called with the pairs, an iterable of `measuring.pairs.Pair` to be consumed as needed, and the keywords
    # `settings`, `jobs` and `is_ordered`. Yields one `Evaluation` per pair, which also holds any error of the
    # pair.
    score: "Callable[..., Generator[Evaluation, None, None]]"


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
                f"{field}={value!r:.80} of {named_kind(type(part))} is not valid: {how}.",
                advice="See docs/extending.md.",
            )


def named_kind(kind: type[Any]) -> str:
    """Return the name of a kind of extensions with its article."""
    return f"{'an' if kind.__name__[0] in 'AE' else 'a'} {kind.__name__}"
