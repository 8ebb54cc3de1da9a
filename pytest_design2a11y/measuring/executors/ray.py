"""Score pairs on a Ray cluster: actors with a browser each, which Ray places and restarts."""

import io
import logging
import os
import socket
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Timer, get_ident
from typing import Any, NamedTuple

from pytest_design2a11y.exceptions import BrowserLost, ConfigurationError, Design2a11yError, NodeDiffers
from pytest_design2a11y.measuring.browser_thread import BrowserThread
from pytest_design2a11y.measuring.conditions import machine_conditions
from pytest_design2a11y.measuring.executors.processes import score_together
from pytest_design2a11y.measuring.executors.serial import score_pair
from pytest_design2a11y.measuring.pairs import Pair, file_digest
from pytest_design2a11y.measuring.records import failed_evaluation
from pytest_design2a11y.measuring.sources import open_renderer
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.runs.pictures import picture_files, with_files
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.wording import Audience, read_by, reader, setting

#: Conditions that may differ: a node's kernel. Processor and operating system are part of every evaluation.
_HARMLESS = frozenset({"platform"})
_ADVICE = (
    "Give every node the same environment, and the files under the same paths, as on a shared file system."
)


class ScoredPair(NamedTuple):
    """An actor's answer for a pair, with the pictures that it wrote, by file name."""

    evaluation: Evaluation
    pictures: Mapping[str, bytes]


class Actor:
    """Scores pairs one after the other; Ray calls it from any thread, its browser lives in one."""

    def __init__(
        self, settings: Settings, folder: str, conditions: Mapping[str, Any], read: Audience
    ) -> None:
        """Prepare; the browser starts with the first call."""
        self._pictures = TemporaryDirectory(prefix="design2a11y-") if settings.picture_folder else None
        if self._pictures is not None:
            settings = replace(settings, picture_folder=Path(self._pictures.name))
        self._settings = settings
        self._folder = folder
        self._conditions = conditions
        self._read = read
        self._is_started = False
        self._thread = BrowserThread(settings)

    def start(self) -> Design2a11yError | None:
        """Start the browser; return the reason if this node cannot score."""
        settings = self._settings
        try:
            os.chdir(self._folder)
            conditions = self._thread.submit(lambda renderer: machine_conditions(renderer, settings)).result()
        except OSError:
            return NodeDiffers("A node does not have the working directory.", stage="launch", advice=_ADVICE)
        except Design2a11yError as error:
            return error
        names = sorted({*conditions, *self._conditions} - _HARMLESS)
        if differing := [name for name in names if conditions.get(name) != self._conditions.get(name)]:
            what = f"A node differs from the machine that asks it in: {', '.join(differing)}."
            return NodeDiffers(what, stage="launch", advice=_ADVICE)
        self._is_started = True
        return None

    def score(self, pair: Pair, digests: Sequence[str | None]) -> ScoredPair | Design2a11yError:
        """Score a pair; return the reason if this node, where Ray may just have restarted it, cannot."""
        if not self._is_started and (error := self.start()) is not None:
            return error
        if digests_of(pair) != list(digests):
            differs = NodeDiffers(
                "The files of this pair differ between the node that got it and the machine that asks.",
                stage="source",
                advice=_ADVICE,
            )
            failed = failed_evaluation(pair.subject, pair.candidate, differs, reference=pair.reference)
            return ScoredPair(failed, {})
        settings, folder = self._settings, self._settings.picture_folder
        with read_by(self._read):
            evaluation = self._thread.submit(
                lambda renderer: score_pair(pair, renderer=renderer, settings=settings)
            ).result()
        return ScoredPair(evaluation, {} if folder is None else picture_files(evaluation, folder))

    def stop(self) -> None:
        """End the browser, and remove the files that were written."""
        self._thread.close()
        if self._pictures is not None:
            self._pictures.cleanup()


def digests_of(pair: Pair) -> list[str | None]:
    """Return the digests of a pair's reference and candidate, if they are files."""
    return [file_digest(pair, source) for source in (pair.reference, pair.candidate)]


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
    ConfigurationError without Ray or a cluster, NodeDiffers if a node's conditions differ from those of this
    machine.
    """
    waiting = iter(pairs)
    if (first := next(waiting, None)) is None:
        return
    ray = _require_ray()
    with open_renderer(settings) as renderer:
        conditions = machine_conditions(renderer, settings)
    with _joined(ray, settings.ray_address, num_workers=jobs):
        workers = _Workers(ray, settings, jobs, conditions)
        try:
            yield from score_together(
                chain([first], waiting), workers.submit, pool=workers, is_ordered=is_ordered
            )
        finally:
            workers.close()


class _Workers:
    """The actors, as a pool for `score_together`: a thread for each pair under way waits for its answer."""

    def __init__(self, ray: Any, settings: Settings, jobs: int, conditions: Mapping[str, Any]) -> None:
        self.jobs = jobs
        self.is_open = True
        self._ray = ray
        self._folder = settings.picture_folder
        self._threads = ThreadPoolExecutor(jobs)
        # Actors that wait for a pair, once a node had room for them, and errors of those that cannot score.
        self._idle: SimpleQueue[Any] = SimpleQueue()
        remote = ray.remote(num_cpus=1, max_restarts=-1)(Actor).remote
        self._actors = [remote(settings, str(Path.cwd()), conditions, reader()) for _ in range(jobs)]
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
                scored = actor.score.remote(pair, digests_of(pair)).future().result()
            except self._ray.exceptions.RayActorError:
                if self.is_open:
                    self._start(actor)
                continue
            self._idle.put(actor)
            if isinstance(scored, Design2a11yError):
                raise scored
            return (
                scored.evaluation
                if self._folder is None
                else with_files(scored.evaluation, scored.pictures, self._folder)
            )
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
