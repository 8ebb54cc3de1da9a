"""What may come from outside besides metrics: engines, probes, readers of designs, executors."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from pytest_design2a11y.models.audit import Audit, AuditChoice
    from pytest_design2a11y.models.page import CaptureWarning
    from pytest_design2a11y.models.probes import Check, ProbeFinding
    from pytest_design2a11y.models.run import Evaluation


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
