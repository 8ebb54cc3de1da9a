"""Many pairs, in one process or several; results in input order, as soon as each is ready."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pytest_design2a11y.exceptions import BrowserLost, ConfigurationError, Design2a11yError
from pytest_design2a11y.models import Capture, Evaluation, Role, Subject
from pytest_design2a11y.pipeline import (
    capture_source,
    embed_together,
    evaluate,
    failed_evaluation,
    open_renderer,
)
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer


@dataclass(frozen=True, slots=True)
class Pair:
    """What to score: a candidate and its reference, or a candidate alone to audit.

    Attributes:
        subject: What the evaluation is about.
        reference: Source of the design; None: audit only.
        candidate: Source of the generated page.
        folder: What relative paths are relative to.
        problem: Why the line that asked for it cannot be meant; then nothing is rendered.
    """

    subject: Subject
    reference: str | None
    candidate: str
    folder: Path
    problem: ConfigurationError | None = None


def read_pairs(path: Path) -> list[Pair]:
    """Read lines `{"id":…, "reference":…, "candidate":…}`; a line that is none becomes a pair with a problem.

    Raises:
        ConfigurationError: The file cannot be read, or has no lines.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"Cannot read the pairs in {path}: {error}.", advice="Give a UTF-8 file of JSON lines."
        ) from None
    pairs = [_pair(line, number, path) for number, line in enumerate(lines, 1) if line.strip()]
    if not pairs:
        raise ConfigurationError(
            f"There are no pairs in {path}.",
            advice='Write a line {"id": ..., "reference": ..., "candidate": ...} for each.',
        )
    return pairs


def _pair(line: str, number: int, path: Path) -> Pair:
    try:
        record = json.loads(line)
        subject = Subject(
            id=str(record["id"]),
            case=str(record.get("case", "")),
            sample=str(record.get("sample", "1")),
            prompt=record.get("prompt"),
            model=record.get("model"),
        )
        return Pair(subject, str(record["reference"]), str(record["candidate"]), path.parent)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        problem = ConfigurationError(
            f"Line {number} of {path} is no pair: {type(error).__name__}: {error}.",
            advice='Write {"id": ..., "reference": ..., "candidate": ...}.',
        )
        return Pair(Subject(id=f"line {number}", case=""), None, "", path.parent, problem)


def score_pairs(pairs: Sequence[Pair], *, settings: Settings, jobs: int = 1) -> Iterator[Evaluation]:
    """Score pairs, in input order; a page that cannot be measured is an evaluation with an error.

    Args:
        pairs: What to score.
        settings: How.
        jobs: How many processes render at a time, each with a browser of its own.
    """
    if jobs == 1 or len(pairs) == 1:
        size = _chunk_size(settings)
        with open_renderer(settings) as renderer:
            for start in range(0, len(pairs), size):
                chunk = pairs[start : start + size]
                yield from _score_chunk(chunk, renderer=renderer, settings=settings)
    else:
        yield from _score_in_processes(pairs, settings, min(jobs, len(pairs)))


def score_pair(pair: Pair, *, renderer: Renderer, settings: Settings) -> Evaluation:
    """Score one pair; what goes wrong is in the record."""
    (evaluation,) = _score_chunk([pair], renderer=renderer, settings=settings)
    return evaluation


def _chunk_size(settings: Settings) -> int:
    """Give how many pairs are rendered before they are scored: as many as fill a batch of pictures."""
    return 1 if settings.appearance == "embedded" else max(1, settings.clip_batch // 2)


def _score_chunk(pairs: Sequence[Pair], *, renderer: Renderer, settings: Settings) -> Iterator[Evaluation]:
    rendered = [_render(pair, renderer, settings) for pair in pairs]
    embed_together(
        [capture for pages in rendered if isinstance(pages, _Pages) for capture in pages if capture],
        settings=settings,
    )
    for pair, pages in zip(pairs, rendered, strict=True):
        if isinstance(pages, _Pages):
            yield evaluate(
                pair.subject, reference=pages.reference, candidate=pages.candidate, settings=settings
            )
        else:
            yield pages


class _Pages(NamedTuple):
    reference: Capture | None
    candidate: Capture


def _render(pair: Pair, renderer: Renderer, settings: Settings) -> _Pages | Evaluation:
    """Render both pages of a pair, or give the evaluation that says why one could not be."""
    if pair.problem is not None:
        return failed_evaluation(pair.subject, pair.candidate, pair.problem)

    def render(source: str, role: Role) -> Capture:
        return capture_source(source, role=role, renderer=renderer, settings=settings, folders=(pair.folder,))

    label = pair.candidate if pair.reference is None else pair.reference
    try:
        reference = None if pair.reference is None else render(pair.reference, "reference")
        label = pair.candidate
        return _Pages(reference, render(pair.candidate, "candidate"))
    except Design2a11yError as error:
        return failed_evaluation(pair.subject, label, error)


@dataclass
class _Worker:
    """A process that scores what it is sent; `task` is the number of the pair in flight."""

    process: BaseProcess
    connection: Connection
    task: int | None = None


def _score_in_processes(pairs: Sequence[Pair], settings: Settings, jobs: int) -> Iterator[Evaluation]:
    workers = [_start_worker(settings) for _ in range(jobs)]
    waiting = iter(range(len(pairs)))
    ready: dict[int, Evaluation] = {}
    try:
        for worker in workers:
            _send_next(worker, waiting, pairs)
        for number in range(len(pairs)):
            while number not in ready:
                for worker in _answering(workers):
                    done = worker.task
                    assert done is not None
                    ready[done] = _receive(worker, pairs[done])
                    if not worker.process.is_alive() or worker.connection.closed:
                        workers.remove(worker)
                        worker = _start_worker(settings)
                        workers.append(worker)
                    _send_next(worker, waiting, pairs)
            yield ready.pop(number)
    finally:
        for worker in workers:
            _stop(worker)


def _answering(workers: Sequence[_Worker]) -> list[_Worker]:
    busy = {worker.connection: worker for worker in workers if worker.task is not None}
    return [busy[connection] for connection in wait(list(busy)) if isinstance(connection, Connection)]


def _send_next(worker: _Worker, waiting: Iterator[int], pairs: Sequence[Pair]) -> None:
    worker.task = next(waiting, None)
    if worker.task is not None:
        worker.connection.send(pairs[worker.task])


def _receive(worker: _Worker, pair: Pair) -> Evaluation:
    """Take a worker's answer; a worker that died gives an error, and its connection is closed."""
    try:
        answer: Evaluation = worker.connection.recv()
    except (EOFError, OSError):
        worker.connection.close()
        lost = BrowserLost(
            "The process that rendered this page ended.",
            stage="capture",
            advice="Score the pair again; the others are not affected.",
        )
        return failed_evaluation(pair.subject, pair.candidate, lost)
    return answer


def _start_worker(settings: Settings) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, settings), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours)


def _stop(worker: _Worker) -> None:
    with suppress(OSError):
        if not worker.connection.closed:
            worker.connection.send(None)
    worker.process.join(timeout=10)
    if worker.process.is_alive():
        worker.process.terminate()


def _work(connection: Connection, settings: Settings) -> None:
    """Score what comes in until None comes; runs in a process of its own."""
    with suppress(EOFError, KeyboardInterrupt), open_renderer(settings) as renderer:
        while (pair := connection.recv()) is not None:
            connection.send(score_pair(pair, renderer=renderer, settings=settings))
