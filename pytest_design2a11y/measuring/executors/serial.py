"""Score pairs one after the other, in this process."""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_design2a11y.files import label_of_path
from pytest_design2a11y.measuring.measures import count_as_published
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.measuring.records import failed_evaluation
from pytest_design2a11y.measuring.sources import capture_source, open_renderer, require_source
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Answer, Capture, Role
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.source.files import kind_of

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

#: Returns a renderer, which is opened for the first page that needs one.
Opened = Callable[[], "Renderer"]


def score_serially(
    pairs: Iterable[Pair], *, settings: Settings, jobs: int = 1, is_ordered: bool = True
) -> Generator[Evaluation, None, None]:
    """Score pairs in input order, in one browser, whatever the number of jobs."""
    with ExitStack() as stack:
        opened = cache(lambda: stack.enter_context(open_renderer(settings)))
        yield from score_stream(pairs, opened=opened, settings=settings)


def score_stream(
    pairs: Iterable[Pair], *, opened: Opened, settings: Settings
) -> Generator[Evaluation, None, None]:
    """Score pairs in order, each in a thread while the next is rendered; with CLIP batch by batch."""
    size = 1 if settings.appearance == "embedded" else settings.clip_batch // 2
    if size <= 1:
        yield from _score_behind(pairs, opened, settings)
        return
    waiting = iter(pairs)
    while chunk := list(islice(waiting, size)):
        yield from _score_chunk(chunk, opened, settings)


def score_pair(pair: Pair, *, renderer: "Renderer", settings: Settings) -> Evaluation:
    """Score one pair; any failure is recorded in the evaluation."""
    (evaluation,) = _score_chunk([pair], lambda: renderer, settings)
    return evaluation


def _score_behind(pairs: Iterable[Pair], opened: Opened, settings: Settings) -> Iterator[Evaluation]:
    behind: _Behind | None = None
    try:
        for pair in pairs:
            pages = _render(pair, opened, settings)
            scored, behind = ([] if behind is None else [behind.result()]), None
            behind = _Behind(pair, pages, settings)
            del pages  # Otherwise a page's picture would be held while the next page is rendered.
            yield from scored
    except Exception:
        # The pairs ended with an error, which is raised after the result of the last pair.
        if behind is not None:
            yield behind.result()
        raise
    finally:
        if behind is not None:
            behind.join(PATIENCE)
    if behind is not None:
        yield behind.result()


def _score_chunk(pairs: Sequence[Pair], opened: Opened, settings: Settings) -> Iterator[Evaluation]:
    from pytest_design2a11y.measuring.measures import embed_together

    rendered = [_render(pair, opened, settings) for pair in pairs]
    embed_together(
        [capture for pages in rendered if isinstance(pages, _Pages) for capture in pages if capture],
        settings=settings,
    )
    for pair, pages in zip(pairs, rendered, strict=True):
        yield _evaluation(pair, pages, settings)


class _Pages(NamedTuple):
    reference: Capture | None
    candidate: Capture


def _evaluation(pair: Pair, pages: _Pages | Evaluation, settings: Settings) -> Evaluation:
    """Score what was rendered; if that failed, return its evaluation unchanged."""
    if isinstance(pages, Evaluation):
        return pages
    from pytest_design2a11y.measuring.pipeline import evaluate, with_pictures

    how: dict[str, Any] = {**pages._asdict(), "settings": settings}
    try:
        return with_pictures(evaluate(pair.subject, **how), **how)
    except Exception as error:
        return failed_evaluation(pair.subject, pages.candidate.label, error)


def _render(pair: Pair, opened: Opened, settings: Settings) -> _Pages | Evaluation:
    """Render both pages of a pair, or return an evaluation with the reason why one failed."""
    if pair.problem is not None:
        return failed_evaluation(pair.subject, pair.candidate, pair.problem)

    settings = settings.with_choices(pair.choices)
    is_compared = pair.reference is not None
    sources: dict[Role, str] = {} if pair.reference is None else {"reference": pair.reference}
    sources["candidate"] = pair.candidate
    pages: dict[Role, Capture] = {}
    try:
        for role in sources:
            require_source(sources[role], settings, (pair.folder,))
        for role in sources:
            pages[role] = capture_source(
                sources[role],
                role=role,
                renderer=opened(),
                settings=settings if role == "candidate" else replace(settings, wait_for=None),
                folders=(pair.folder,),
                references=(pair.reference,) if pages else (),
                has_image=is_compared or settings.picture_folder is not None or bool(settings.own_metrics),
                is_compared=is_compared,
                beside=pages.get("reference"),
                steps=pair.steps if role == "candidate" else (),
            )
        return _Pages(pages.get("reference"), pages["candidate"])
    except Exception as error:
        reference = pages.get("reference")
        label = reference.label if reference else pair.reference and _label(pair.reference, "<html>")
        candidate = _label(pair.candidate, pair.subject.id)
        failed = failed_evaluation(pair.subject, candidate, error, role=role, reference=label)
        return count_as_published(failed, reference, settings)


def _label(source: str, name_of_text: str) -> str:
    is_text = isinstance(source, Answer) or kind_of(source) == "html"
    return name_of_text if is_text else label_of_path(source)


#: Seconds that abandoned work has to end, before it is left to its own time limit.
PATIENCE = 2.0


class _Behind(threading.Thread):
    """Scores one pair while the next is rendered; a daemon, so that Python's exit does not wait for it."""

    def __init__(self, *rendered: Any) -> None:
        # A thread releases its arguments, the pages, when it ends.
        super().__init__(target=self._score, args=rendered, name="design2a11y-behind", daemon=True)
        self._future: Future[Evaluation] = Future()
        self.start()

    def _score(self, *rendered: Any) -> None:
        try:
            self._future.set_result(_evaluation(*rendered))
        except BaseException as error:
            self._future.set_exception(error)

    def result(self) -> Evaluation:
        """Wait for the thread to end, not only for the result: until then it holds the pages."""
        self.join()
        return self._future.result()
