"""Score pairs in several processes, each with a browser of its own."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from pytest_design2a11y.exceptions import BrowserLost
from pytest_design2a11y.measuring.executors.serial import score_pair
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.measuring.records import failed_evaluation
from pytest_design2a11y.measuring.sources import open_renderer
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.settings.values import Settings


@dataclass
class _Worker:
    """A process that scores what it is sent; `task` is the number of the pair in flight."""

    process: BaseProcess
    connection: Connection
    task: int | None = None


def score_in_processes(pairs: Sequence[Pair], *, settings: Settings, jobs: int) -> Iterator[Evaluation]:
    """Score pairs, in input order, in as many processes as jobs; one that dies costs one pair."""
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
        return failed_evaluation(pair.subject, pair.candidate, lost, reference=pair.reference)
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
