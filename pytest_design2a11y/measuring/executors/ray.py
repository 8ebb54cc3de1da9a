"""Score pairs on a Ray cluster: actors with a browser each, which Ray places and restarts."""

import io
import logging
import os
import socket
import sys
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, redirect_stdout, suppress
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from threading import Timer, get_ident
from typing import Any

from pytest_design2a11y.exceptions import BrowserLost, ConfigurationError, Design2a11yError
from pytest_design2a11y.measuring.browser_thread import BrowserThread
from pytest_design2a11y.measuring.executors.processes import score_together
from pytest_design2a11y.measuring.executors.serial import score_pair
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.measuring.records import failed_evaluation
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.wording import Audience, read_by, reader, setting


class Actor:
    """Scores pairs one after the other; Ray calls it from any thread, its browser lives in one."""

    def __init__(self, settings: Settings, folder: str, read: Audience) -> None:
        """Prepare; the browser starts with the first call."""
        self._settings, self._folder, self._read = settings, folder, read
        self._thread = BrowserThread(settings)

    def start(self) -> Design2a11yError | None:
        """Start the browser; return the reason if this node cannot score."""
        try:
            os.chdir(self._folder)
            self._thread.submit(lambda renderer: renderer.browser_process_id()).result()
        except OSError:
            return ConfigurationError("A node does not have the working directory.", advice=_ADVICE)
        except Design2a11yError as error:
            return error
        return None

    def score(self, pair: Pair) -> Evaluation:
        """Score a pair; any failure is recorded in the evaluation."""
        os.chdir(self._folder)  # Ray may just have restarted it on another node.
        with read_by(self._read):
            return self._thread.submit(
                lambda renderer: score_pair(pair, renderer=renderer, settings=self._settings)
            ).result()

    def stop(self) -> None:
        """End the browser."""
        self._thread.close()


_ADVICE = (
    "Give every node the same environment, and the files under the same paths, as on a shared file system."
)
#: Number of workers that may end on a pair before it is given up.
TRIES = 3

#: Address if none is given: a new cluster on this machine, not whichever was started here last.
_LOCAL = "local"
#: Seconds in which a cluster must answer; Ray itself would try for minutes.
_ANSWER_SECONDS = 10.0
#: Seconds before a worker that Ray restarts is asked again.
_PAUSE = 0.5
#: Seconds that idle browsers have to end.
_LAST_SECONDS = 10.0


def score_on_ray(
    pairs: Iterable[Pair], *, settings: Settings, jobs: int, is_ordered: bool = True
) -> Generator[Evaluation, None, None]:
    """Score pairs by as many actors as `jobs`, on the cluster of `settings.ray_address`.

    A pair whose worker ends is scored again, at most `TRIES` times in all; then it is an error.
    ConfigurationError without Ray or a cluster.
    """
    waiting = iter(pairs)
    if (first := next(waiting, None)) is None:
        return
    ray = _require_ray()
    with _joined(ray, settings.ray_address, num_workers=jobs):
        workers = _Workers(ray, settings, jobs)
        try:
            yield from score_together(
                chain([first], waiting), workers.submit, pool=workers, is_ordered=is_ordered
            )
        finally:
            workers.close()


class _Workers:
    """The actors, as a pool for `score_together`: a thread for each pair under way waits for its answer."""

    def __init__(self, ray: Any, settings: Settings, jobs: int) -> None:
        self.jobs = jobs
        self.is_open = True
        self._ray = ray
        self._threads = ThreadPoolExecutor(jobs)
        # Actors that wait for a pair, once a node had room for them, and errors of those that cannot score.
        self._idle: SimpleQueue[Any] = SimpleQueue()
        remote = ray.remote(num_cpus=1, max_restarts=-1)(Actor).remote
        self._actors = [remote(settings, str(Path.cwd()), reader()) for _ in range(jobs)]
        for actor in self._actors:
            self._start(actor)

    def submit(self, pair: Pair) -> Future[Evaluation]:
        """Give a pair to the next idle actor."""
        return self._threads.submit(self._score, pair)

    def close(self) -> None:
        """End the actors; idle ones end their browsers first."""
        self.is_open = False
        self._threads.shutdown(wait=False, cancel_futures=True)
        with suppress(Exception):
            ends = []
            while not self._idle.empty():
                if not isinstance(actor := self._idle.get(), Exception):
                    ends.append(actor.stop.remote())
            if ends:
                self._ray.wait(ends, num_returns=len(ends), timeout=_LAST_SECONDS)
            for actor in self._actors:
                self._ray.kill(actor)
        for _ in self._actors:  # For threads that still wait for an actor
            self._idle.put(ConfigurationError("The cluster was left.", advice="Score the pairs again."))

    def _start(self, actor: Any) -> None:
        actor.start.remote().future().add_done_callback(partial(self._started, actor))

    def _started(self, actor: Any, answer: Future[Design2a11yError | None]) -> None:
        error = answer.exception() or answer.result()
        if isinstance(error, self._ray.exceptions.ActorUnavailableError):  # Ray restarts it.
            again = Timer(_PAUSE, self._start, [actor])
            again.daemon = True
            again.start()
        else:
            self._idle.put(error or actor)

    def _score(self, pair: Pair) -> Evaluation:
        for _ in range(TRIES):
            if isinstance(actor := self._idle.get(), Exception):
                raise actor
            try:
                evaluation: Evaluation = actor.score.remote(pair).future().result()
            except self._ray.exceptions.RayActorError:
                if self.is_open:
                    self._start(actor)
                continue
            self._idle.put(actor)
            return evaluation
        lost = BrowserLost(
            f"{TRIES} workers ended while they scored this page, which is not tried again.",
            stage="capture",
            advice="Score it by itself, to see why; the others are not affected.",
        )
        return failed_evaluation(pair.subject, pair.candidate, lost, reference=pair.reference)


def _require_ray() -> Any:
    # Must be set before Ray is imported.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        return import_module("ray")
    except ImportError:
        raise ConfigurationError(
            "The executor ray needs the package ray, which is not installed.",
            advice='Run `pip install "pytest-design2a11y[ray]"`, or choose the executor processes.',
        ) from None


@contextmanager
def _joined(ray: Any, address: str | None, *, num_workers: int) -> Iterator[None]:
    """Join a cluster for the `with` block: the program's own if it has joined one, else the address's."""
    address = address or os.environ.get("RAY_ADDRESS") or _LOCAL
    if "://" in address:
        raise ConfigurationError(
            f"{setting('ray_address')} takes HOST:PORT, and not an address for remote clients.",
            advice="Start the command on a machine of the cluster.",
        )
    if ray.is_initialized():
        yield
        return
    arguments = {"num_cpus": num_workers, "include_dashboard": False} if address == _LOCAL else {}
    try:
        if address not in (_LOCAL, "auto"):
            host, _, port = address.rpartition(":")
            socket.create_connection((host.strip("[]"), int(port)), _ANSWER_SECONDS).close()
        # Ray's log contains addresses and folders.
        ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL, **arguments)
    except Exception as error:
        raise ConfigurationError(
            f"No Ray cluster could be joined or started ({type(error).__name__}).",
            advice=f"Try `ray status` on a machine of the cluster; give HOST:PORT: {setting('ray_address')}.",
        ) from None
    try:
        with redirect_stdout(_OfThisThread()):
            yield
    finally:
        ray.shutdown()


class _OfThisThread(io.TextIOBase):
    """Standard output of this thread alone: in its own, Ray prints messages with addresses and folders."""

    def __init__(self) -> None:
        self._stream, self._thread = sys.stdout, get_ident()

    def write(self, text: str) -> int:
        return self._stream.write(text) if get_ident() == self._thread else len(text)

    def flush(self) -> None:
        self._stream.flush()
