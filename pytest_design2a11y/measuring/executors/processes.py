"""Score pairs in several processes, each with its own browser."""

import multiprocessing
import os
import signal
import sys
import threading
import weakref
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent import futures
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from queue import SimpleQueue
from typing import Protocol

from pytest_design2a11y.exceptions import BrowserLost, ConfigurationError
from pytest_design2a11y.interrupts import held_interrupts, interruptible_once, release_interrupts
from pytest_design2a11y.measuring.executors.serial import score_pair
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.measuring.records import failed_evaluation
from pytest_design2a11y.measuring.sources import open_renderer
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.wording import Audience, read_by, reader

if sys.platform == "win32":
    from multiprocessing.connection import PipeConnection as Connection
else:
    from multiprocessing.connection import Connection

#: Results per worker that may wait for an earlier one; no pair is begun while there are more. With fewer, one
#: page that takes all of its time would make every worker wait for it.
AHEAD = 64

_Task = tuple["Future[Evaluation]", Pair]


@dataclass
class _Worker:
    """A process that scores what it is sent; `task` is the pair under way, with its future."""

    process: BaseProcess
    connection: Connection
    has_begun: Event
    task: _Task | None = None


class Pool(Protocol):
    """What scores pairs, `jobs` at a time as long as it is open."""

    jobs: int

    @property
    def is_open(self) -> bool:
        """Whether it accepts pairs."""


def score_in_processes(
    pairs: Iterable[Pair], *, settings: Settings, jobs: int, is_ordered: bool = True
) -> Generator[Evaluation, None, None]:
    """Score pairs in as many processes as `jobs`; if one dies, only its pair is lost."""
    pool = ProcessPool(settings, jobs)
    try:
        yield from score_together(pairs, pool.submit, pool=pool, is_ordered=is_ordered)
    finally:
        pool.close()


def score_together(
    pairs: Iterable[Pair],
    submit: Callable[[Pair], Future[Evaluation]],
    *,
    pool: Pool,
    is_ordered: bool = True,
) -> Generator[Evaluation, None, None]:
    """Score pairs by a function that gives them to a pool, as many at a time as the pool has processes."""
    waiting = enumerate(pairs)
    in_work: dict[Future[Evaluation], int] = {}
    ready: dict[int, Evaluation] = {}
    num_given = 0
    try:
        while True:
            # Pairs under way in a pool that is closed have an error that says why.
            while (
                (pool.is_open or not in_work) and len(in_work) < pool.jobs and len(ready) < AHEAD * pool.jobs
            ):
                if (task := next(waiting, None)) is None:
                    break
                in_work[submit(task[1])] = task[0]
            if not in_work:
                return
            for future in futures.wait(in_work, return_when=futures.FIRST_COMPLETED).done:
                ready[in_work.pop(future)] = future.result()
            while num_given in ready if is_ordered else ready:
                yield ready.pop(num_given if is_ordered else next(iter(ready)))
                num_given += 1
    finally:
        for future in in_work:
            future.cancel()


class ProcessPool:
    """Scores pairs as they come, in as many processes as `jobs`, which start when there is work for them.

    It ends with `close`, or when it is garbage collected or Python exits; no browser is left behind.
    """

    def __init__(
        self, settings: Settings, jobs: int, *, finish: Callable[[Evaluation], Evaluation] | None = None
    ) -> None:
        """Prepare; no process starts yet. Evaluations are returned as `finish` returns them."""
        self.jobs = jobs
        self._tasks: SimpleQueue[_Task] = SimpleQueue()
        notices, self._bell = multiprocessing.get_context("spawn").Pipe(duplex=False)
        self._is_closing = threading.Event()
        given = (self._tasks, notices, self._is_closing, settings, jobs, finish)
        thread = threading.Thread(target=_serve, args=given, name="design2a11y-pool", daemon=True)
        self._end = weakref.finalize(self, _close, self._bell, self._is_closing, thread)
        thread.start()

    @property
    def is_open(self) -> bool:
        """Whether it accepts pairs: it is not closed, and the system could start its processes."""
        return not self._is_closing.is_set()

    def submit(self, pair: Pair) -> Future[Evaluation]:
        """Score a pair; if the call is cancelled before its page has begun, the page never does."""
        if not self.is_open:
            raise ConfigurationError("This scorer is closed.", advice="Make a new one.")
        future: Future[Evaluation] = Future()
        self._tasks.put((future, pair))
        self._bell.send_bytes(b"1")
        return future

    def close(self) -> None:
        """End the processes; pending work is cancelled, and running work is interrupted."""
        self._end()


def _serve(
    tasks: SimpleQueue[_Task],
    notices: Connection,
    is_closing: threading.Event,
    settings: Settings,
    jobs: int,
    finish: Callable[[Evaluation], Evaluation] | None,
) -> None:
    workers: list[_Worker] = []
    begun: list[Future[Evaluation]] = []

    def waiting() -> Iterator[_Task]:
        while not is_closing.is_set() and not tasks.empty():
            future, pair = tasks.get()
            if not future.cancelled():
                begun.append(future)
                yield future, pair

    try:
        while not is_closing.is_set():
            _occupy(workers, waiting(), settings=settings, jobs=jobs)
            busy = [worker for worker in workers if worker.task is not None]
            ready = wait([notices, *(worker.connection for worker in busy)])
            if notices in ready:
                notices.recv_bytes()
            for worker in busy:
                if worker.connection in ready:
                    future, evaluation = _receive(worker)
                    begun.remove(future)
                    # Until now it may be cancelled: by its caller, or by the cleanup below.
                    if future.set_running_or_notify_cancel():
                        future.set_result(finish(evaluation) if finish else evaluation)
                    if worker.connection.closed or not worker.process.is_alive():
                        workers.remove(worker)
    except Exception as error:  # The system may refuse to start processes.
        is_closing.set()
        while not tasks.empty():
            begun.append(tasks.get()[0])
        while begun:
            if (future := begun.pop()).set_running_or_notify_cancel():
                future.set_exception(error)
    for worker in workers:
        # As with Ctrl-C, it abandons its page.
        if worker.task is not None and worker.process.pid is not None and worker.process.is_alive():
            with suppress(OSError):
                os.kill(worker.process.pid, signal.SIGINT)
    while not tasks.empty():
        tasks.get()[0].cancel()
    for worker in workers:
        with suppress(OSError):
            worker.connection.send(None)
        worker.process.join(timeout=10)
        if worker.process.is_alive():
            worker.process.terminate()
    for future in begun:
        future.cancel()


def _close(bell: Connection, is_closing: threading.Event, thread: threading.Thread) -> None:
    is_closing.set()
    bell.send_bytes(b"1")
    thread.join()


def _occupy(workers: list[_Worker], waiting: Iterator[_Task], *, settings: Settings, jobs: int) -> None:
    """Give every worker a pair, and start workers up to the number of jobs, as long as pairs last."""
    idle = [worker for worker in workers if worker.task is None]
    while (idle or len(workers) < jobs) and (task := next(waiting, None)) is not None:
        if not idle:
            context = multiprocessing.get_context("spawn")
            (ours, theirs), has_begun = context.Pipe(), context.Event()
            given = (theirs, has_begun, settings, reader())
            process = context.Process(target=_work, args=given, daemon=True)
            with held_interrupts():
                process.start()
            theirs.close()
            idle.append(_Worker(process, ours, has_begun))
            workers.append(idle[0])
        worker = idle.pop()
        worker.task = task
        with suppress(OSError):  # It has died, which is noticed when its answer is read.
            worker.connection.send(task[1])


def _receive(worker: _Worker) -> tuple[Future[Evaluation], Evaluation]:
    """Take a worker's answer; if it died, close its end and return an error, or raise why none begin."""
    assert worker.task is not None
    future, pair = worker.task
    worker.task = None
    try:
        return future, worker.connection.recv()
    except (EOFError, OSError):
        worker.connection.close()
        worker.process.join()
        if worker.process.exitcode == 1 and not worker.has_begun.is_set():
            raise ConfigurationError(
                "No process that scores pages could begin: each runs your script again first, which failed.",
                advice='Call it from a file, below `if __name__ == "__main__":`; or leave out jobs.',
            ) from None
        lost = BrowserLost(
            "The process that rendered this page ended.",
            stage="capture",
            advice="Score the pair again; the others are not affected.",
        )
        return future, failed_evaluation(pair.subject, pair.candidate, lost, reference=pair.reference)


def _leave_with_parent() -> None:
    """Abandon the current page when the process that requested it has been killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGINT)


def _work(connection: Connection, has_begun: Event, settings: Settings, read: Audience) -> None:
    """Score incoming pairs until None arrives; runs in its own process."""
    has_begun.set()
    with suppress(EOFError, OSError, KeyboardInterrupt), interruptible_once(is_last=True), read_by(read):
        release_interrupts()
        threading.Thread(target=_leave_with_parent, daemon=True).start()
        with open_renderer(settings) as renderer:
            while (pair := connection.recv()) is not None:
                connection.send(score_pair(pair, renderer=renderer, settings=settings))
