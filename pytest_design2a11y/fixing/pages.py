"""Pages opened, measured and edited: the doors of the fix list for the command."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.exceptions import MeasurementError
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.fix_list import FixList
from pytest_design2a11y.fixing.trying import SECONDS, Trial, fix_list
from pytest_design2a11y.measuring.pipeline import evaluate
from pytest_design2a11y.measuring.sources import benched, capture_source
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.verdicts import Subject

if TYPE_CHECKING:
    from pytest_design2a11y.capture.bench import Bench
    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.settings import Settings


@dataclass(frozen=True)
class Opened:
    """A design and a page, measured, and the page open for edits."""

    reference: Capture
    candidate: Capture
    evaluating: Future[Evaluation]  # While the page gets its first edits
    bench: "Bench"
    settings: "Settings"
    beside: Executor  # Computes while the browser works

    @property
    def evaluation(self) -> Evaluation:
        """What was measured of the page as it is; MeasurementError if its fidelity is not known."""
        return self.evaluating.result()

    def fix_list(self, *, told: Sequence[Edit] = (), seconds: float = SECONDS) -> FixList:
        """Return what to change on the page; see `trying.fix_list`."""
        pages = self.reference, self.candidate
        return fix_list(self.evaluating, pages, self.trial(seconds), told=told)

    def with_css(self, sheets: Sequence[str]) -> Evaluation:
        """Return what the page measures with style sheets after its own."""
        edits = [Edit("style", html=f"<style>{css}</style>", into="head") for css in sheets]
        trial = self.trial(SECONDS)
        return trial.evaluated(trial.shown(edits, is_audited=True))

    def trial(self, seconds: float) -> Trial:
        """Return what tries edits on the page, for about as many seconds."""
        return Trial(self.reference, self.bench, self.settings, seconds, self.beside)


@contextmanager
def opened(pages: tuple[str, str], *, renderer: "Renderer", settings: "Settings") -> Iterator[Opened]:
    """Open a design and a page: paths, addresses or HTML.

    Raises:
        MeasurementError: The page is a picture.
        SourceError, CaptureError: A page cannot be opened.
    """
    how: dict[str, Any] = {"renderer": renderer, "settings": settings, "folders": (Path.cwd(),)}
    reference = capture_source(pages[0], role="reference", **how)
    with (
        benched(pages[1], references=(pages[0],), beside=reference, **how) as (candidate, bench),
        ThreadPoolExecutor(1) as beside,
    ):
        evaluating = beside.submit(_evaluated, reference, candidate, settings)
        yield Opened(reference, candidate, evaluating, bench, settings, beside)


def _evaluated(reference: Capture, candidate: Capture, settings: "Settings") -> Evaluation:
    subject = Subject(candidate.label, "")
    evaluation = evaluate(subject, reference=reference, candidate=candidate, settings=settings)
    if evaluation.visual is None or evaluation.visual.fidelity is None:
        unmeasured = evaluation.visual.unmeasured if evaluation.visual else {}
        why = unmeasured.get("fidelity") or evaluation.error
        raise MeasurementError(f"An edit is judged by fidelity, which is not known: {why}", stage="fixing")
    return evaluation


def element_of(source: str, selector: str, *, renderer: "Renderer", settings: "Settings") -> dict[str, Any]:
    """Return box (px), text, lines and style of the first element that a selector finds, and their number.

    Raises:
        MeasurementError: The page is a picture, or has no such element.
    """
    unaudited = replace(settings, audit=False)
    with benched(source, renderer=renderer, settings=unaudited, folders=(Path.cwd(),)) as (candidate, bench):
        element: dict[str, Any] | None = bench.call("measure", selector)
    if element is None:
        raise MeasurementError(
            f"{candidate.label} has no element {selector!r}; give a CSS selector that finds one.",
            stage="fixing",
        )
    return element
